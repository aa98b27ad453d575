package csv

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

// Writer writes CSV (RFC 4180) with a row of headers. A text that a spreadsheet would
// take for a formula gets an apostrophe before it, which the reader takes away.
type Writer struct {
	w       *bufio.Writer
	started bool
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriter(w)} }

var headers = []string{"id", "title", "abstract", "authors", "year", "date", "venue", "url", "keywords", "doi", "arxiv", "openreview", "pmid", "openalex", "s2", "akin"}

// Close writes what is left; without any record, the headers.
func (w *Writer) Close() error {
	w.start()
	return w.w.Flush()
}

func (w *Writer) start() {
	if !w.started {
		w.started = true
		w.row(headers)
	}
}

// Write writes one row.
func (w *Writer) Write(r corpus.Record) error {
	w.start()
	p := &r.Paper
	year, arXiv := "", p.IDs.ArXiv
	if p.Year != 0 {
		year = strconv.Itoa(p.Year)
	}
	if p.IDs.Version > 0 {
		arXiv += "v" + strconv.Itoa(p.IDs.Version)
	}
	return w.row([]string{
		cmp.Or(r.Key, r.ID, paper.ID(p)), p.Title, p.Abstract, fields.JoinAuthors(p.Authors), year, p.Date, p.Venue, p.URL, fields.Join(p.Keywords),
		p.IDs.DOI, arXiv, p.IDs.OpenReview, p.IDs.PMID, p.IDs.OpenAlex, p.IDs.S2, r.ID,
	})
}

func (w *Writer) row(cells []string) error {
	for i, cell := range cells {
		if i > 0 {
			_ = w.w.WriteByte(',') // the buffer keeps the first error
		}
		if isFormula(cell) {
			cell = "'" + cell
		}
		if strings.ContainsAny(cell, ",\"\n\r;\t|") || strings.HasPrefix(cell, " ") {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		_, _ = w.w.WriteString(cell)
	}
	_, err := w.w.WriteString("\r\n")
	return err
}
