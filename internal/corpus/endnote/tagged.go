package endnote

import (
	"bytes"
	"context"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/tagged"
)

// Format is EndNote's tagged form, which goes back to refer: a percent sign, one
// character and a space; a blank line or %0 parts the records.
func Format() corpus.Format {
	return corpus.Format{Name: "endnote", Detect: detect, Read: read}
}

func detect(head []byte) int {
	tags, isTyped := 0, false
	for line := range bytes.FieldsFuncSeq(head, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if tag, _, ok := splitTag(string(line[:min(len(line), 8)])); ok {
			tags++
			isTyped = isTyped || tag == "0"
		}
	}
	switch {
	case isTyped && tags > 1:
		return 94
	case tags >= 3 && tags*2 > bytes.Count(head, []byte{'\n'})/2:
		return 60
	}
	return 0
}

var grammar = tagged.Grammar{Tag: splitTag, Begin: "0"}

func splitTag(line string) (tag, text string, ok bool) {
	if len(line) < 2 || line[0] != '%' || len(line) > 2 && line[2] != ' ' {
		return "", "", false
	}
	if c := line[1]; c <= ' ' || c > '~' {
		return "", "", false
	}
	return line[1:2], line[2:], true
}

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return tagged.Read(ctx, src, grammar, record)
}

var names = map[string]fields.Name{
	"T": {Field: fields.Title}, "Q": {Field: fields.Title, Rank: 1}, "!": {Field: fields.Title, Rank: 2}, "A": {Field: fields.Authors}, "E": {Field: fields.Authors, Rank: 1},
	"D": {Field: fields.Year}, "8": {Field: fields.Date}, "J": {Field: fields.Venue}, "B": {Field: fields.Venue, Rank: 1}, "X": {Field: fields.Abstract},
	"R": {Field: fields.DOI}, "U": {Field: fields.URL}, ">": {Field: fields.URL, Rank: 1}, "F": {Field: fields.Key}, "M": {Field: fields.Key, Rank: 1},
}

func record(all []tagged.Field) corpus.Record {
	var b fields.Builder
	for _, field := range all {
		switch field.Tag {
		case "A", "E":
			for name := range strings.SplitSeq(field.Text, "\n") {
				if name != "" {
					b.AddList(names[field.Tag], []string{name})
				}
			}
		case "K":
			b.AddList(fields.Name{Field: fields.Keywords}, fields.SplitKeywords(field.Text))
		case "X":
			b.Add(names["X"], field.Text)
		default:
			b.Add(names[field.Tag], tagged.OneLine(field.Text))
		}
	}
	return b.Record
}
