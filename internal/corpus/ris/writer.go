package ris

import (
	"bufio"
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// Writer writes RIS. Identifiers that RIS has no tag for are notes (N1).
type Writer struct{ w *bufio.Writer }

// ownID begins the user-definable field (U1) that has a record's id in a library.
const ownID = "akin:"

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{bufio.NewWriter(w)} }

// Close writes what is left.
func (w *Writer) Close() error { return w.w.Flush() }

// Write writes one record.
func (w *Writer) Write(r corpus.Record) error {
	p := &r.Paper
	kind := "GEN"
	if p.Venue != "" {
		kind = "JOUR"
	}
	w.field("TY", kind)
	w.field("ID", cmp.Or(r.Key, r.ID, paper.ID(p)))
	w.field("TI", p.Title)
	for _, author := range p.Authors {
		w.field("AU", author)
	}
	if p.Year != 0 {
		w.field("PY", strconv.Itoa(p.Year))
	}
	w.field("DA", p.Date)
	w.field("T2", p.Venue)
	w.field("AB", p.Abstract)
	for _, keyword := range p.Keywords {
		if strings.Contains(keyword, ";") {
			keyword = fields.Quote(keyword)
		}
		w.field("KW", keyword)
	}
	w.field("DO", p.IDs.DOI)
	w.field("UR", p.URL)
	for _, id := range Notes(p.IDs) {
		w.field("N1", id)
	}
	if r.ID != "" {
		w.field("U1", ownID+r.ID)
	}
	_, err := w.w.WriteString("ER  - \n\n")
	return err
}

// Notes are the identifiers but the DOI, as lines of notes have them.
func Notes(ids paper.Identifiers) []string {
	var notes []string
	for _, id := range ids.List() {
		switch scheme, rest, _ := strings.Cut(id, ":"); scheme {
		case "doi":
		case "arxiv":
			if ids.Version > 0 {
				rest += "v" + strconv.Itoa(ids.Version)
			}
			notes = append(notes, "arXiv:"+rest)
		default:
			notes = append(notes, id)
		}
	}
	return notes
}

func (w *Writer) field(tag, text string) {
	if text == "" {
		return
	}
	_, _ = w.w.WriteString(tag + "  - ") // the buffer keeps the first error
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			_ = w.w.WriteByte('\n')
			if _, _, isTag := splitTag(line); isTag {
				_, _ = w.w.WriteString("      ")
			}
		}
		_, _ = w.w.WriteString(line)
	}
	_ = w.w.WriteByte('\n')
}
