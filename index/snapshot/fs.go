package snapshot

import (
	"io"
	"os"
	"runtime"
)

// FS is what a Writer does to a folder. It is an interface so that tests can fail or
// cut short each operation.
type FS interface {
	// Create makes a new file for writing; it fails if the name exists.
	Create(name string) (WriteFile, error)
	// Rename gives a file its final name in the same folder.
	Rename(from, to string) error
	// Remove deletes a file.
	Remove(name string) error
	// SyncDir makes the names in a folder durable.
	SyncDir(dir string) error
}

// WriteFile is a file being written.
type WriteFile interface {
	io.Writer
	Sync() error
	Close() error
}

// OS is the FS of the operating system.
type OS struct{}

// Create implements FS.
func (OS) Create(name string) (WriteFile, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// Rename implements FS.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove implements FS.
func (OS) Remove(name string) error { return os.Remove(name) }

// SyncDir implements FS. Windows cannot sync a folder and does not need to.
func (OS) SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err := d.Sync(); err != nil {
		d.Close()
		return err
	}
	return d.Close()
}
