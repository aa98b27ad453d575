package webofscience

import (
	"bytes"
	"context"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/tagged"
)

// Format is Web of Science's field-tagged form: two characters and a space, three
// spaces before a line that goes on, ER after each record.
func Format() corpus.Format {
	return corpus.Format{Name: "wos", Detect: detect, Read: read}
}

func detect(head []byte) int {
	if bytes.HasPrefix(head, []byte("FN Clarivate")) || bytes.HasPrefix(head, []byte("FN Thomson")) || bytes.HasPrefix(head, []byte("FN ISI")) {
		return 98
	}
	hasType := bytes.HasPrefix(head, []byte("PT ")) || bytes.Contains(head, []byte("\nPT "))
	if hasType && bytes.Contains(head, []byte("\nTI ")) && (bytes.Contains(head, []byte("\nSO ")) || bytes.Contains(head, []byte("\nER"))) {
		return 90
	}
	return 0
}

var grammar = tagged.Grammar{Tag: splitTag, Begin: "PT", End: "ER", Head: []string{"FN", "VR", "EF"}, Last: "EF"}

func splitTag(line string) (tag, text string, ok bool) {
	if len(line) < 2 || line[0] < 'A' || line[0] > 'Z' || len(line) > 2 && line[2] != ' ' {
		return "", "", false
	}
	if c := line[1]; (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
		return "", "", false
	}
	return line[:2], strings.TrimSpace(line[2:]), true
}

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return tagged.Read(ctx, src, grammar, record)
}

var names = map[string]fields.Name{
	"TI": {Field: fields.Title}, "AF": {Field: fields.Authors}, "AU": {Field: fields.Authors, Rank: 1}, "CA": {Field: fields.Authors, Rank: 2},
	"PY": {Field: fields.Year}, "EA": {Field: fields.Year, Rank: 1}, "PD": {Field: fields.Date}, "SO": {Field: fields.Venue}, "SE": {Field: fields.Venue, Rank: 1},
	"AB": {Field: fields.Abstract}, "DE": {Field: fields.Keywords}, "ID": {Field: fields.Keywords, Rank: 1}, "DI": {Field: fields.DOI}, "D2": {Field: fields.DOI, Rank: 1},
	"PM": {Field: fields.PMID}, "UT": {Field: fields.Key},
}

func record(all []tagged.Field) corpus.Record {
	var b fields.Builder
	for _, field := range all {
		switch field.Tag {
		case "AU", "AF", "CA":
			for name := range strings.SplitSeq(field.Text, "\n") {
				if name != "" {
					b.AddList(names[field.Tag], []string{name})
				}
			}
		case "AB":
			b.Add(names["AB"], field.Text)
		default:
			b.Add(names[field.Tag], tagged.OneLine(field.Text))
		}
	}
	return b.Record
}
