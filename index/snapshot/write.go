package snapshot

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
)

// suffix ends the name of a finished snapshot, tempSuffix that of one being written.
const (
	suffix     = ".snapshot"
	tempSuffix = ".snapshot-part"
)

// Name is the name of the file of a generation. Names sort as generations do.
func Name(generation uint64) string { return fmt.Sprintf("%020d%s", generation, suffix) }

// Writer writes one snapshot. It is not safe for concurrent use. After any error only
// Abort is left to do.
type Writer struct {
	fs   FS
	dir  string
	file WriteFile
	out  *bufio.Writer

	table  table
	offset uint64 // bytes written
	crc    uint32 // of the current block so far
	open   bool   // a section is being written
}

// Create starts a snapshot in dir, which must exist and have no other writer. It fails
// if the generation is there already. The caller ends it with Commit or Abort.
func Create(fs FS, dir string, id Identity) (*Writer, error) {
	if len(id.Fingerprint) > maxIdentity || id.Dim < 1 {
		return nil, fmt.Errorf("writing a snapshot: dimension %d, fingerprint of %d bytes", id.Dim, len(id.Fingerprint))
	}
	w := &Writer{fs: fs, dir: dir, table: table{id: id}}
	if _, err := os.Lstat(w.path()); err == nil {
		return nil, fmt.Errorf("writing snapshot %s: %w", w.path(), os.ErrExist)
	}
	if err := removeParts(fs, dir); err != nil {
		return nil, fmt.Errorf("writing a snapshot: %w", err)
	}
	file, err := fs.Create(w.tempPath())
	if err != nil {
		return nil, fmt.Errorf("writing a snapshot: %w", err)
	}
	w.file, w.out = file, bufio.NewWriterSize(file, 1<<20)
	var head [headLen]byte
	copy(head[:], magic[:])
	binary.LittleEndian.PutUint32(head[len(magic):], version)
	if err := w.write(head[:]); err != nil {
		w.Abort()
		return nil, err
	}
	return w, nil
}

// removeParts removes what writers that died have left: a folder has one writer.
func removeParts(fs FS, dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, file := range files {
		if strings.HasSuffix(file.Name(), tempSuffix) {
			if err := fs.Remove(filepath.Join(dir, file.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// Identity is what the snapshot was created with.
func (w *Writer) Identity() Identity { return w.table.id }

// Section starts a section; what is written until the next one is in it. The name has
// at most 24 bytes and is the only one of its kind.
func (w *Writer) Section(name string) error {
	if name == "" || len(name) > nameLen || strings.ContainsRune(name, 0) {
		return fmt.Errorf("writing a snapshot: section name %q", name)
	}
	for _, s := range w.table.sections {
		if s.name == name {
			return fmt.Errorf("writing a snapshot: a second section %q", name)
		}
	}
	if len(w.table.sections) == maxSections {
		return fmt.Errorf("writing a snapshot: more than %d sections", maxSections)
	}
	if err := w.pad(); err != nil {
		return err
	}
	w.table.sections = append(w.table.sections, section{name: name, offset: w.offset})
	w.open = true
	return nil
}

// Write appends to the section.
func (w *Writer) Write(p []byte) (int, error) {
	if !w.open {
		return 0, errors.New("writing a snapshot: bytes before the first section")
	}
	if err := w.write(p); err != nil {
		return 0, err
	}
	w.table.sections[len(w.table.sections)-1].len += uint64(len(p))
	return len(p), nil
}

// Commit makes the snapshot durable under its final name, and returns that name with
// its folder.
func (w *Writer) Commit() (string, error) {
	if err := w.pad(); err != nil {
		return "", w.fail(err)
	}
	if w.offset%blockLen != 0 {
		w.table.crcs = append(w.table.crcs, w.crc)
	}
	b := w.table.encode()
	footer := encodeFooter(w.offset, uint64(len(b)), crc32.Checksum(b, castagnoli))
	if _, err := w.out.Write(append(b, footer...)); err != nil {
		return "", w.fail(err)
	}
	if err := w.out.Flush(); err != nil {
		return "", w.fail(err)
	}
	if err := w.file.Sync(); err != nil {
		return "", w.fail(err)
	}
	err := w.file.Close()
	w.file = nil
	if err != nil {
		return "", w.fail(err)
	}
	if err := w.fs.Rename(w.tempPath(), w.path()); err != nil {
		return "", w.fail(err)
	}
	if err := w.fs.SyncDir(w.dir); err != nil {
		return "", fmt.Errorf("writing snapshot %s: %w", w.path(), err)
	}
	return w.path(), nil
}

// Abort drops what was written. It may be called after Commit, and then does nothing
// to the finished file.
func (w *Writer) Abort() {
	if w.file != nil {
		w.file.Close()
		w.file = nil
	}
	// The part that cannot be removed now is removed by the next writer.
	_ = w.fs.Remove(w.tempPath())
}

func (w *Writer) fail(err error) error {
	w.Abort()
	return fmt.Errorf("writing snapshot %s: %w", w.path(), err)
}

func (w *Writer) path() string { return filepath.Join(w.dir, Name(w.table.id.Generation)) }

func (w *Writer) tempPath() string { return strings.TrimSuffix(w.path(), suffix) + tempSuffix }

// pad writes zeros up to the next section's place.
func (w *Writer) pad() error {
	var zeros [alignment]byte
	return w.write(zeros[:(alignment-w.offset%alignment)%alignment])
}

// write appends p and keeps the checksum of each block.
func (w *Writer) write(p []byte) error {
	for len(p) > 0 {
		n := min(len(p), int(blockLen-w.offset%blockLen))
		if _, err := w.out.Write(p[:n]); err != nil {
			return fmt.Errorf("writing snapshot %s: %w", w.path(), err)
		}
		w.crc = crc32.Update(w.crc, castagnoli, p[:n])
		w.offset += uint64(n)
		p = p[n:]
		if w.offset%blockLen == 0 {
			w.table.crcs = append(w.table.crcs, w.crc)
			w.crc = 0
		}
	}
	return nil
}
