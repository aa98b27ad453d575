package nbib

import (
	"bytes"
	"context"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/tagged"
)

// Format is MEDLINE/NBIB: tags of up to four letters, padded to four, and a dash;
// lines that begin with six spaces always go on, whatever stands in them.
func Format() corpus.Format {
	return corpus.Format{Name: "nbib", Detect: detect, Read: read}
}

func detect(head []byte) int {
	for line := range bytes.FieldsFuncSeq(head, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if bytes.HasPrefix(line, []byte("PMID- ")) {
			return 97
		}
	}
	return 0
}

var grammar = tagged.Grammar{Tag: splitTag, Begin: "PMID"}

func splitTag(line string) (tag, text string, ok bool) {
	if len(line) < 5 || line[4] != '-' || len(line) > 5 && line[5] != ' ' {
		return "", "", false
	}
	tag = strings.TrimRight(line[:4], " ")
	if len(tag) < 2 {
		return "", "", false
	}
	for i := range len(tag) {
		if c := tag[i]; (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return "", "", false
		}
	}
	return tag, line[5:], true
}

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return tagged.Read(ctx, src, grammar, record)
}

var names = map[string]fields.Name{
	"PMID": {Field: fields.PMID}, "TI": {Field: fields.Title}, "BTI": {Field: fields.Title, Rank: 1}, "TT": {Field: fields.Title, Rank: 2},
	"FAU": {Field: fields.Authors}, "AU": {Field: fields.Authors, Rank: 1}, "CN": {Field: fields.Authors},
	"DP": {Field: fields.Year}, "DEP": {Field: fields.Year, Rank: 1}, "JT": {Field: fields.Venue}, "TA": {Field: fields.Venue, Rank: 1},
	"LID": {Field: fields.DOI}, "AID": {Field: fields.DOI, Rank: 1}, "OT": {Field: fields.Keywords}, "MH": {Field: fields.Keywords, Rank: 1},
}

func record(all []tagged.Field) corpus.Record {
	var b fields.Builder
	var abstracts, others []string
	for _, field := range all {
		text := tagged.OneLine(field.Text)
		switch field.Tag {
		case "AB":
			abstracts = append(abstracts, text)
		case "OAB":
			others = append(others, text)
		case "FAU", "AU", "CN", "OT", "MH":
			b.AddList(names[field.Tag], []string{strings.TrimPrefix(text, "*")})
		case "LID", "AID":
			if doi, found := strings.CutSuffix(text, " [doi]"); found {
				b.Add(names[field.Tag], doi)
			}
		case "PMID":
			b.Record.Key = text
			b.Add(names["PMID"], text)
		default:
			b.Add(names[field.Tag], text)
		}
	}
	if b.Record.Paper.Abstract = tagged.Abstract(abstracts); b.Record.Paper.Abstract == "" {
		b.Record.Paper.Abstract = tagged.Abstract(others)
	}
	return b.Record
}
