package snapshot

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-9f29d379/akin/internal/mapped"
)

// OpenOptions says how a snapshot is read.
type OpenOptions struct {
	// InMemory reads the whole file instead of mapping it. It is what happens anyway
	// where a file cannot be mapped.
	InMemory bool
}

// File is an open snapshot. Its sections may be read by any number of goroutines
// until Close.
type File struct {
	path  string
	data  []byte // the whole file
	unmap func() error
	table *table
}

// Open opens a snapshot and verifies head, table and footer; the cost does not depend
// on what the sections hold. Check verifies the rest.
func Open(path string, opts OpenOptions) (*File, error) {
	f, err := open(path, opts)
	if err != nil {
		return nil, fmt.Errorf("opening snapshot %s: %w", path, err)
	}
	return f, nil
}

func open(path string, opts OpenOptions) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, damaged("not a file")
	case info.Size() < headLen+footerLen:
		return nil, damaged("%d bytes", info.Size())
	}
	f := &File{path: path}
	if !opts.InMemory {
		// A failure here is no fault of the file: some file systems cannot map.
		f.data, f.unmap, _ = mapped.Map(file, info.Size())
	}
	if f.data == nil {
		f.data = make([]byte, info.Size())
		if _, err := io.ReadFull(file, f.data); err != nil {
			return nil, err
		}
	}
	if f.table, _, err = f.readTable(); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// readTable verifies what tells the shape of a file of at least the shortest length,
// and returns it with the table's offset, which is the end of the data.
func (f *File) readTable() (t *table, offset uint64, err error) {
	defer mapped.Guard(&err)()
	data := f.data
	if [8]byte(data) != magic {
		return nil, 0, damaged("not a snapshot")
	}
	size := uint64(len(data))
	offset, length, crc, err := decodeFooter(data[size-footerLen:], size)
	if err != nil {
		return nil, 0, err
	}
	b := data[offset : offset+length]
	if crc32.Checksum(b, castagnoli) != crc {
		return nil, 0, damaged("checksum of the section table")
	}
	t, err = decodeTable(b, offset)
	return t, offset, err
}

// Identity is what the snapshot was created with.
func (f *File) Identity() Identity { return f.table.id }

// Path is the file that was opened.
func (f *File) Path() string { return f.path }

// Size is the file's length in bytes.
func (f *File) Size() int64 { return int64(len(f.data)) }

// Section returns the bytes of a section, read in place, and whether there is one of
// that name. They begin at a multiple of 64 bytes and must not be changed.
func (f *File) Section(name string) ([]byte, bool) {
	for _, s := range f.table.sections {
		if s.name == name {
			return f.data[s.offset : s.offset+s.len : s.offset+s.len], true
		}
	}
	return nil, false
}

// Sections lists the names of all sections, in the order of the file.
func (f *File) Sections() []string {
	names := make([]string, len(f.table.sections))
	for i, s := range f.table.sections {
		names[i] = s.name
	}
	return names
}

// Check verifies every block. The error names the sections that the first damaged
// block touches.
func (f *File) Check(ctx context.Context) (err error) {
	defer mapped.Guard(&err)()
	table, offset, err := f.readTable()
	if err != nil {
		return fmt.Errorf("checking snapshot %s: %w", f.path, err)
	}
	data := f.data[:offset]
	for i, want := range table.crcs {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		start := i * blockLen
		block := data[start:min(start+blockLen, len(data))]
		if crc32.Checksum(block, castagnoli) != want {
			return fmt.Errorf("checking snapshot %s: %w", f.path,
				damaged("block at %d (%s)", start, strings.Join(f.touched(start, start+len(block)), ", ")))
		}
	}
	return nil
}

// touched names the sections with a byte in [start, end).
func (f *File) touched(start, end int) []string {
	var names []string
	for _, s := range f.table.sections {
		if s.offset < uint64(end) && s.offset+s.len > uint64(start) {
			names = append(names, s.name)
		}
	}
	return names
}

// Close gives the memory back. The sections must not be read after it.
func (f *File) Close() error {
	f.data = nil
	if f.unmap == nil {
		return nil
	}
	unmap := f.unmap
	f.unmap = nil
	return unmap()
}

// Entry is a snapshot in a folder.
type Entry struct {
	Path       string
	Generation uint64
}

// List returns the finished snapshots in dir, the newest first. A folder that is not
// there has none.
func List(dir string) ([]Entry, error) {
	files, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing snapshots: %w", err)
	}
	var entries []Entry
	for _, file := range files {
		digits, ok := strings.CutSuffix(file.Name(), suffix)
		if !ok {
			continue
		}
		if generation, err := strconv.ParseUint(digits, 10, 64); err == nil && Name(generation) == file.Name() {
			entries = append(entries, Entry{filepath.Join(dir, file.Name()), generation})
		}
	}
	slices.Reverse(entries) // ReadDir sorts by name, names sort as generations do
	return entries, nil
}
