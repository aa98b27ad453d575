//go:build unix

package mapped

import (
	"os"

	"golang.org/x/sys/unix"
)

// Map maps a file for reading. The mapping outlives the descriptor; the bytes must not be
// read after unmap.
func Map(file *os.File, size int64) (data []byte, unmap func() error, err error) {
	if int64(int(size)) != size {
		return nil, nil, unix.EFBIG
	}
	data, err = unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	forget := remember(data, file.Name())
	return data, func() error {
		forget()
		return unix.Munmap(data)
	}, nil
}
