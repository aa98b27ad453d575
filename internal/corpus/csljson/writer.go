package csljson

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/ris"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// Writer writes CSL-JSON. Identifiers that CSL has no variable for stand in the note.
type Writer struct {
	w     *bufio.Writer
	count int
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriter(w)} }

// Close ends the array.
func (w *Writer) Close() error {
	if w.count == 0 {
		_ = w.w.WriteByte('[') // the buffer keeps the first error
	}
	_, _ = w.w.WriteString("\n]\n")
	return w.w.Flush()
}

type item struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Title    string `json:"title,omitempty"`
	Author   []name `json:"author,omitempty"`
	Issued   *date  `json:"issued,omitempty"`
	Venue    string `json:"container-title,omitempty"`
	Abstract string `json:"abstract,omitempty"`
	Keyword  string `json:"keyword,omitempty"`
	DOI      string `json:"DOI,omitempty"`
	PMID     string `json:"PMID,omitempty"`
	URL      string `json:"URL,omitempty"`
	Note     string `json:"note,omitempty"`

	Custom *custom `json:"custom,omitempty"`
}

// custom is where CSL-JSON has what it has no variable for.
type custom struct {
	Akin string `json:"akin"` // the record's id in a library
}

type name struct {
	Family  string `json:"family,omitempty"`
	Given   string `json:"given,omitempty"`
	Literal string `json:"literal,omitempty"`
}

type date struct {
	Parts [][]int `json:"date-parts,omitempty"`
	Raw   string  `json:"raw,omitempty"`
}

// Write writes one item.
func (w *Writer) Write(r corpus.Record) error {
	p := &r.Paper
	it := item{
		ID: cmp.Or(r.Key, r.ID, paper.ID(p)), Type: "article-journal", Title: p.Title, Venue: p.Venue, Abstract: p.Abstract, Keyword: fields.Join(p.Keywords),
		DOI: p.IDs.DOI, PMID: p.IDs.PMID, URL: p.URL,
	}
	if r.ID != "" {
		it.Custom = &custom{r.ID}
	}
	if p.Venue == "" {
		it.Type = "article"
	}
	for _, author := range p.Authors {
		if family, given, found := strings.Cut(author, ", "); found && given != "" && family != "" {
			it.Author = append(it.Author, name{Family: family, Given: given})
		} else {
			it.Author = append(it.Author, name{Literal: author})
		}
	}
	it.Issued = issued(p)
	ids := p.IDs
	ids.PMID = ""
	it.Note = strings.Join(ris.Notes(ids), "\n")
	text, err := encode(it)
	if err != nil {
		return err
	}
	separator := "[\n"
	if w.count > 0 {
		separator = ",\n"
	}
	w.count++
	_, _ = w.w.WriteString(separator)
	_, err = w.w.Write(text)
	return err
}

func issued(p *paper.Paper) *date {
	if p.Year == 0 && p.Date == "" {
		return nil
	}
	d := date{Raw: p.Date}
	if p.Year != 0 {
		d.Parts = [][]int{{p.Year}}
	}
	if len(p.Date) == len("2006-01-02") && p.Date[4] == '-' && p.Date[7] == '-' {
		month, errMonth := strconv.Atoi(p.Date[5:7])
		day, errDay := strconv.Atoi(p.Date[8:])
		if errMonth == nil && errDay == nil && month > 0 && day > 0 && p.Date[:4] == strconv.Itoa(p.Year) {
			d = date{Parts: [][]int{{p.Year, month, day}}}
		}
	}
	return &d
}

func encode(value any) ([]byte, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}
