package all

import (
	"fmt"
	"io"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/bibtex"
	"github.com/seed-9f29d379/akin/internal/corpus/csljson"
	"github.com/seed-9f29d379/akin/internal/corpus/csv"
	"github.com/seed-9f29d379/akin/internal/corpus/jsonl"
	"github.com/seed-9f29d379/akin/internal/corpus/ris"
)

// Writable lists the names of the formats that papers are written in.
func Writable() []string { return []string{"bibtex", "ris", "csljson", "csv", "jsonl"} }

// NewWriter writes records to w in the format of the name, one of [Writable].
func NewWriter(name string, w io.Writer) (corpus.Writer, error) {
	switch name {
	case "bibtex":
		return bibtex.NewWriter(w), nil
	case "ris":
		return ris.NewWriter(w), nil
	case "csljson":
		return csljson.NewWriter(w), nil
	case "csv":
		return csv.NewWriter(w), nil
	case "jsonl":
		return jsonl.NewWriter(w), nil
	}
	return nil, fmt.Errorf("writing papers: there is no format %q; the formats are %s", name, strings.Join(Writable(), ", "))
}
