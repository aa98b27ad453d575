package corpus

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// counted tells the reader's progress what is read of a file.
type counted struct {
	r    *reader
	body io.Reader
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.body.Read(p)
	c.r.read += int64(n)
	if c.r.options.Progress != nil {
		c.r.options.Progress(c.r.read, c.r.total)
	}
	return n, err
}

const (
	// maxRatio is how many times its size a compressed file may grow: papers compress to
	// a tenth or, in the best case, a fortieth.
	maxRatio = 200
	// freeGrowth is how much any file may grow to.
	freeGrowth = 64 << 20
	// maxMembers of an archive are read.
	maxMembers = 1 << 20
	// zstdWindow bounds what a zstd file makes its reader keep.
	zstdWindow = 128 << 20
)

var errBomb = fmt.Errorf("it grows to more than %d times its size when it is unpacked", maxRatio)

// A budget holds a compressed file to [maxRatio], whatever is nested in it.
type budget struct {
	packed   int64
	unpacked int64
}

type packedReader struct {
	body   io.Reader
	budget *budget
}

func (p packedReader) Read(b []byte) (int, error) {
	n, err := p.body.Read(b)
	p.budget.packed += int64(n)
	return n, err
}

type unpackedReader struct {
	body   io.Reader
	budget *budget
}

func (u unpackedReader) Read(b []byte) (int, error) {
	n, err := u.body.Read(b)
	u.budget.unpacked += int64(n)
	if u.budget.unpacked > freeGrowth && u.budget.unpacked/maxRatio > u.budget.packed {
		return 0, errBomb
	}
	return n, err
}

// open reads an entry through whatever it is packed in, by its first bytes and
// whatever its name says; it reports whether reading goes on.
func (r *reader) open(e entry) bool {
	body := bufio.NewReaderSize(e.body, headBytes)
	magic, err := body.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) && len(magic) == 0 {
		return r.fault(e, cause(err))
	}
	e.body = body
	unpack := unpackerOf(magic)
	switch {
	case bytes.HasPrefix(magic, []byte("PK\x03\x04")), bytes.HasPrefix(magic, []byte("PK\x05\x06")):
		return r.zip(e)
	case len(magic) > 262 && string(magic[257:262]) == "ustar":
		return r.tar(e)
	case isLibrary(magic):
		return r.notRead(e, errLibrary)
	case bytes.HasPrefix(magic, []byte("SQLite format 3\x00")):
		return r.whole(e, magic)
	case unpack == nil:
		if err := foreign(magic); err != nil {
			return r.notRead(e, err)
		}
		return r.text(e)
	case e.nesting >= maxNesting:
		return r.fault(e, fmt.Errorf("it is packed more than %d times", maxNesting))
	}
	if e.budget == nil {
		e.budget = &budget{}
		e.body = packedReader{e.body, e.budget}
	}
	unpacked, err := unpack(e.body)
	if err != nil {
		return r.fault(e, fmt.Errorf("unpacking it: %w", unexpectedEnd(err)))
	}
	if closer, ok := unpacked.(io.Closer); ok {
		defer closer.Close()
	}
	e.body = unpackedReader{endChecked{unpacked}, e.budget}
	e.path = ""
	e.nesting++
	return r.open(e)
}

// endChecked makes every way to say that a packed file is cut short the same.
type endChecked struct{ body io.Reader }

func (e endChecked) Read(p []byte) (int, error) {
	n, err := e.body.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("unpacking it: %w", unexpectedEnd(err))
	}
	return n, err
}

func unexpectedEnd(err error) error {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("unexpected end: %w", io.ErrUnexpectedEOF)
	case errors.Is(err, zip.ErrFormat):
		return fmt.Errorf("the list of its members is cut off or damaged: %w", io.ErrUnexpectedEOF)
	case errors.Is(err, errBomb):
		return err
	}
	return &damagedError{err}
}

// A damagedError says that a packed file is not what its packer wrote.
type damagedError struct{ err error }

func (e *damagedError) Error() string { return e.err.Error() }

func (e *damagedError) Unwrap() error { return e.err }

// Hint says how to get it whole.
func (e *damagedError) Hint() string {
	return "the file is damaged; download or export it again, then add it again: what is known stays"
}

// unpackerOf gives what unpacks a file that begins with magic, nil if it is not packed.
func unpackerOf(magic []byte) func(io.Reader) (io.Reader, error) {
	switch {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		return func(body io.Reader) (io.Reader, error) { return gzip.NewReader(body) }
	case bytes.HasPrefix(magic, []byte("\x28\xb5\x2f\xfd")):
		return func(body io.Reader) (io.Reader, error) {
			d, err := zstd.NewReader(body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
			if err != nil {
				return nil, err
			}
			return d.IOReadCloser(), nil
		}
	case len(magic) > 4 && bytes.HasPrefix(magic, []byte("BZh")) && magic[3] >= '1' && magic[3] <= '9' && (magic[4] == 0x31 || magic[4] == 0x17):
		return func(body io.Reader) (io.Reader, error) { return bzip2.NewReader(body), nil }
	case bytes.HasPrefix(magic, []byte("\xfd7zXZ\x00")):
		return func(body io.Reader) (io.Reader, error) { return xz.NewReader(body) }
	}
	return nil
}

// tar reads the members of a tar archive.
func (r *reader) tar(e entry) bool {
	body := &endTold{body: e.body}
	archive := tar.NewReader(body)
	for range maxMembers {
		header, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			return true
		case err != nil && body.isTold:
			return true
		case err != nil:
			return r.fault(e, fmt.Errorf("unpacking it: %w", unexpectedEnd(err)))
		}
		if header.Typeflag != tar.TypeReg || isHidden(header.Name) {
			continue
		}
		member := entry{name: memberName(e.name, header.Name), body: endChecked{archive}, inFolder: true, nesting: e.nesting + 1, budget: e.budget}
		if !r.open(member) {
			return false
		}
		body.isTold = body.hasEnded
	}
	return r.fault(e, fmt.Errorf("it has more than %d members", maxMembers))
}

// endTold remembers whether the end of an archive was met, and if that is told of one
// of its members.
type endTold struct {
	body             io.Reader
	hasEnded, isTold bool
}

func (e *endTold) Read(p []byte) (int, error) {
	n, err := e.body.Read(p)
	e.hasEnded = e.hasEnded || err != nil
	return n, err
}

// zip reads the members of a zip archive, or the spreadsheet that a zip archive is.
func (r *reader) zip(e entry) bool {
	file, size, err := onDisk(&e)
	if err != nil {
		return r.fault(e, err)
	}
	defer file.Close()
	if e.path == "" {
		defer os.Remove(file.Name())
	}
	archive, err := zip.NewReader(file, size)
	if err != nil {
		return r.fault(e, fmt.Errorf("unpacking it: %w", unexpectedEnd(err)))
	}
	for _, member := range archive.File {
		if member.Name == "xl/workbook.xml" {
			e.path = file.Name()
			return r.whole(e, []byte("PK\x03\x04xl/workbook.xml"))
		}
	}
	if err := foreignArchive(archive); err != nil {
		return r.notRead(e, err)
	}
	if e.nesting >= maxNesting {
		return r.fault(e, fmt.Errorf("it is packed more than %d times", maxNesting))
	}
	for i, member := range archive.File {
		if i >= maxMembers {
			return r.fault(e, fmt.Errorf("it has more than %d members", maxMembers))
		}
		if !member.Mode().IsRegular() || isHidden(member.Name) {
			continue
		}
		if !r.member(e, member) {
			return false
		}
	}
	return true
}

func (r *reader) member(e entry, member *zip.File) bool {
	inner := entry{name: memberName(e.name, member.Name), inFolder: true, nesting: e.nesting + 1, budget: e.budget}
	body, err := member.Open()
	if err != nil {
		return r.fault(inner, fmt.Errorf("unpacking it: %w", unexpectedEnd(err)))
	}
	defer body.Close()
	if inner.budget == nil {
		inner.budget = &budget{packed: int64(min(member.CompressedSize64, 1<<40))}
	}
	inner.body = unpackedReader{endChecked{body}, inner.budget}
	return r.open(inner)
}

// onDisk gives the file of an entry, for formats that are read from several places at
// once; a stream is copied to a temporary file first, which the caller removes.
func onDisk(e *entry) (file *os.File, size int64, err error) {
	if e.path != "" {
		file, err = os.Open(e.path)
	} else {
		file, err = os.CreateTemp("", "akin-read-*")
		if err == nil {
			if _, err = io.Copy(file, e.body); err != nil {
				file.Close()
				os.Remove(file.Name())
			}
		}
	}
	if err != nil {
		return nil, 0, cause(err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, 0, cause(err)
	}
	return file, info.Size(), nil
}

// whole reads a file that is no stream of text, but a database or a spreadsheet.
func (r *reader) whole(e entry, magic []byte) bool {
	format, known := r.detect(magic)
	switch {
	case known && format.Detect(magic) == 0: // as --format says
		is := "an SQLite database"
		if bytes.HasPrefix(magic, []byte("PK")) {
			is = "an Excel workbook"
		}
		return r.notRead(e, &otherKindError{is, cmp.Or(format.Binary, format.Name)})
	case !known:
		return r.notRead(e, errBinary)
	}
	if e.path == "" {
		file, _, err := onDisk(&e)
		if err != nil {
			return r.fault(e, err)
		}
		file.Close()
		defer os.Remove(file.Name())
		e.path = file.Name()
	}
	return r.records(e, format, e.body)
}

// memberName names a member of an archive for messages; it is never used as a path.
func memberName(archive, member string) string {
	return archive + "/" + strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(member, `\`, "/")), "/")
}

func isHidden(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, ".") || strings.HasPrefix(name, "__MACOSX/")
}
