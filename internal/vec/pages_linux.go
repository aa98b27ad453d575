package vec

import "golang.org/x/sys/unix"

// useLargePages asks for large pages before the memory is touched. The system may have
// none to give, which costs speed only.
func useLargePages(memory []byte) { _ = unix.Madvise(memory, unix.MADV_HUGEPAGE) }
