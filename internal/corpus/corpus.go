package corpus

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/paper"
)

// Record is one paper as one source describes it.
type Record struct {
	Paper paper.Paper
	Key   string // the record's own name in its source (a BibTeX key, a JSON id); "" if it has none
	ID    string `json:",omitempty"` // its id in the library that akin wrote the file from; "" in any other file
	File  string // the file it stands in, "papers.zip/a.bib" inside an archive; set by [Read]
	Line  int    // the line on which the record begins, from 1; 0 where a format has no lines
}

// Format is one way to write papers down.
type Format struct {
	Name string // as given to --format, "jsonl"
	// Binary is what a file of the format is, "an Excel workbook", where it is no text. Such
	// a file is read from its Path.
	Binary string
	// Maps says that Read uses Source.Columns, by Source.Mapped.
	Maps bool
	// Detect says how sure it is that head, the first bytes of a decompressed file in
	// UTF-8, is of this format: 0 not at all, 100 certain.
	Detect func(head []byte) int
	// Sure reports whether head surely is papers, where Detect takes what may be anything
	// that people write: a file that was found in a folder, and not asked for by name, is
	// read only then. nil: Detect is sure enough.
	Sure func(head []byte) bool
	// Read yields the records of src. With a *Rejected error the record is set aside
	// and reading goes on; any other error is the end: the file is damaged there, and
	// what was yielded before it stands.
	Read func(ctx context.Context, src Source) iter.Seq2[Record, error]
}

// Source is an opened file of papers.
type Source struct {
	Name    string            // for messages: a path, or "stdin"
	Body    io.Reader         // decompressed, UTF-8 (as it is for a format of a whole file, see Path)
	Path    string            // the file itself, for formats that are no stream of text (a database, a spreadsheet)
	Columns map[string]string // --map: a field of a paper to a header of the file
	Warn    func(line int, message string)

	found map[string]bool // fields of Columns whose header is in the file
}

// Mapped gives the field that --map means by a header, key or element of the file; case
// does not matter.
func (s Source) Mapped(name string) (field string, ok bool) {
	for field, header := range s.Columns {
		if strings.EqualFold(strings.TrimSpace(header), name) {
			if s.found != nil {
				s.found[field] = true
			}
			return field, true
		}
	}
	return "", false
}

// Rejected is a record that could not be used: where it stands and why.
type Rejected struct {
	File   string // set by [Read]
	Line   int
	Key    string
	Reason string // in words for a person: "has neither a title nor an abstract"
}

func (r *Rejected) Error() string {
	if r.Key == "" {
		return fmt.Sprintf("%s:%d: the record %s", r.File, r.Line, r.Reason)
	}
	return fmt.Sprintf("%s:%d: %s %s", r.File, r.Line, r.Key, r.Reason)
}

// Cut is the error of a file that ends within what began on a line: "record", "array".
func Cut(what string, line int) error {
	return fmt.Errorf("the %s that begins on line %d: unexpected end: %w", what, line, io.ErrUnexpectedEOF)
}

// Fault is a file that could not be read, or not to its end.
type Fault struct {
	File string
	Err  error
	Hint string // what to do about it; may be ""
}

func (f *Fault) Error() string { return fmt.Sprintf("reading %s: %v", f.File, f.Err) }

func (f *Fault) Unwrap() error { return f.Err }

// Skipped is a file of a folder that was passed over, because it holds no list of
// papers in a known form.
type Skipped struct {
	File   string
	Kind   string // "pdf", "other"
	Reason string
}

func (s *Skipped) Error() string { return fmt.Sprintf("%s: %s", s.File, s.Reason) }
