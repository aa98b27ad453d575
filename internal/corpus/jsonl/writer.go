package jsonl

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"strconv"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// Writer writes JSON Lines.
type Writer struct {
	w       *bufio.Writer
	encoder *json.Encoder
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer {
	buffered := bufio.NewWriter(w)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	return &Writer{buffered, encoder}
}

// Close writes what is left.
func (w *Writer) Close() error { return w.w.Flush() }

// line is one line of the file.
type line struct {
	ID         string   `json:"id"`
	Title      string   `json:"title,omitempty"`
	Abstract   string   `json:"abstract,omitempty"`
	Authors    []string `json:"authors,omitempty"`
	Year       int      `json:"year,omitempty"`
	Date       string   `json:"date,omitempty"`
	Venue      string   `json:"venue,omitempty"`
	URL        string   `json:"url,omitempty"`
	Keywords   []string `json:"keywords,omitempty"`
	DOI        string   `json:"doi,omitempty"`
	ArXiv      string   `json:"arxiv,omitempty"`
	OpenReview string   `json:"openreview,omitempty"`
	PMID       string   `json:"pmid,omitempty"`
	OpenAlex   string   `json:"openalex,omitempty"`
	S2         string   `json:"s2,omitempty"`
	Akin       string   `json:"akin,omitempty"` // the record's id in a library
}

// Write writes one line.
func (w *Writer) Write(r corpus.Record) error {
	p := &r.Paper
	l := line{
		ID: cmp.Or(r.Key, r.ID, paper.ID(p)), Title: p.Title, Abstract: p.Abstract, Authors: p.Authors, Year: p.Year, Date: p.Date, Venue: p.Venue, URL: p.URL, Keywords: p.Keywords,
		DOI: p.IDs.DOI, ArXiv: p.IDs.ArXiv, OpenReview: p.IDs.OpenReview, PMID: p.IDs.PMID, OpenAlex: p.IDs.OpenAlex, S2: p.IDs.S2, Akin: r.ID,
	}
	if p.IDs.Version > 0 {
		l.ArXiv += "v" + strconv.Itoa(p.IDs.Version)
	}
	return w.encoder.Encode(l)
}
