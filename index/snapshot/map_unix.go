//go:build unix

package snapshot

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file for reading. The mapping outlives the descriptor.
func mapFile(file *os.File, size int64) (data []byte, unmap func() error, err error) {
	if int64(int(size)) != size {
		return nil, nil, unix.EFBIG
	}
	data, err = unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return data, func() error { return unix.Munmap(data) }, nil
}
