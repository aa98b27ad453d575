package tagged

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/lines"
)

// A Grammar says how a format writes its lines.
type Grammar struct {
	// Tag parts a line into its tag and text; ok is false for a line that goes on with
	// the field before it.
	Tag func(line string) (tag, text string, ok bool)
	// Begin is the tag that begins a record, End the one that ends it ("" if none does).
	Begin, End string
	// Blank says that a blank line ends a record.
	Blank bool
	// Head are tags before the first record that belong to none; Last is the tag of the
	// last line in a file that has such a head, "" if there is none.
	Head []string
	Last string
}

// A Field is one tag with its text.
type Field struct {
	Tag  string
	Text string // lines parted by "\n", without white space around each
}

// maxBytes of one record; a whole book fits.
const maxBytes = 64 << 20

// Read yields what toRecord makes of the fields of each record in src.
func Read(ctx context.Context, src corpus.Source, grammar Grammar, toRecord func([]Field) corpus.Record) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		r := reader{grammar: grammar, toRecord: toRecord, yield: yield}
		for line, err := range lines.NewReader(src.Body).All(ctx) {
			if err != nil {
				yield(corpus.Record{}, err)
				return
			}
			if !r.line(line) {
				return
			}
		}
		// Some tools leave out the last end tag: no proof that the file is cut short.
		if len(r.fields) > 0 && grammar.End != "" && (r.ended > 0 || r.begun == 1) && src.Warn != nil {
			src.Warn(r.first, fmt.Sprintf("the last record does not end with %s: the file may be cut short", grammar.End))
		}
		if r.flush() && r.headLine > 0 && grammar.Last != "" {
			yield(corpus.Record{}, corpus.Cut("list", r.headLine))
		}
	}
}

// A reader gathers the fields of the record at hand.
type reader struct {
	grammar  Grammar
	toRecord func([]Field) corpus.Record
	yield    func(corpus.Record, error) bool
	fields   []Field
	parts    []string // lines of the last field
	first    int      // the line on which the record begins
	bytes    int
	tooLong  bool
	closed   bool // an end tag was read, and no new record has begun
	begun    int  // records
	ended    int  // records with an end tag
	headLine int  // of a head whose last line is still to come, else 0
}

// line takes one line; it reports whether reading goes on.
func (r *reader) line(line lines.Line) bool {
	tag, text, ok := r.grammar.Tag(line.Text)
	if line.Cut {
		r.tooLong = true
	}
	switch {
	case !ok:
		text = strings.TrimSpace(line.Text)
		switch {
		case r.closed || len(r.fields) == 0:
		case text == "" && r.grammar.Blank:
			return r.flush()
		default:
			r.keep(text)
		}
		return true
	case tag == r.grammar.End && tag != "":
		more := r.flush()
		r.closed = true
		r.ended++
		return more
	case tag == r.grammar.Begin && !r.flush():
		return false
	case len(r.fields) == 0 && r.isHead(tag):
		if r.headLine = line.Number; tag == r.grammar.Last {
			r.headLine = 0
		}
		return true
	}
	r.closed = false
	if len(r.fields) == 0 {
		r.first = line.Number
		r.begun++
	}
	r.endField()
	if !r.tooLong {
		r.fields = append(r.fields, Field{Tag: tag})
		r.keep(strings.TrimSpace(text))
	}
	return true
}

func (r *reader) isHead(tag string) bool {
	for _, head := range r.grammar.Head {
		if tag == head {
			return true
		}
	}
	return false
}

// keep adds a line to the last field.
func (r *reader) keep(text string) {
	r.bytes += len(text) + 32
	if r.bytes > maxBytes {
		r.tooLong = true
		return
	}
	r.parts = append(r.parts, text)
}

func (r *reader) endField() {
	if len(r.fields) > 0 {
		r.fields[len(r.fields)-1].Text = strings.TrimSpace(strings.Join(r.parts, "\n"))
	}
	r.parts = r.parts[:0]
}

// flush yields the record at hand, if there is one; it reports whether reading goes on.
func (r *reader) flush() bool {
	r.endField()
	if len(r.fields) == 0 && !r.tooLong {
		return true
	}
	all, tooLong := r.fields, r.tooLong
	r.fields, r.tooLong, r.bytes = nil, false, 0
	if tooLong {
		return r.yield(corpus.Record{}, &corpus.Rejected{Line: r.first, Reason: fmt.Sprintf("is longer than %d MB", maxBytes>>20)})
	}
	record := r.toRecord(all)
	record.Line = r.first
	return r.yield(record, fields.Reject(record))
}

// Abstract joins the texts that a source has for the abstract: repetitions and
// copyright notices are left out, parts stand on lines of their own.
func Abstract(texts []string) string {
	var parts []string
	for _, text := range texts {
		part := corpus.Record{}
		part.Paper.Abstract = text
		repeated := false
		for _, other := range parts {
			repeated = repeated || strings.Contains(other, text)
		}
		if !repeated && (part.Paper.Usable() || len(texts) == 1) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
}

// OneLine joins the lines of a text that was wrapped.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
