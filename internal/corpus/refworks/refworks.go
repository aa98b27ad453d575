package refworks

import (
	"bytes"
	"context"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/tagged"
)

// Format is RefWorks' tagged form: two characters and a space; RT begins a record.
func Format() corpus.Format {
	return corpus.Format{Name: "refworks", Detect: detect, Read: read}
}

func detect(head []byte) int {
	hasType := bytes.HasPrefix(head, []byte("RT ")) || bytes.Contains(head, []byte("\nRT ")) || bytes.Contains(head, []byte("\rRT "))
	if hasType && (bytes.Contains(head, []byte("T1 ")) || bytes.Contains(head, []byte("A1 "))) {
		return 92
	}
	return 0
}

var grammar = tagged.Grammar{Tag: splitTag, Begin: "RT"}

// tags of RefWorks; a line that begins with two other capitals goes on with its field.
const tags = " RT SR ID A1 A2 A3 A4 A5 A6 T1 T2 T3 JF JO YR FD VO IS SP OP K1 AB NO ED PB PP SN AV AD AN LA CL SF OT LK DO CN DB DS IP RD ST" +
	" U1 U2 U3 U4 U5 U6 U7 U8 U9 U10 UL SL LL CR WT A7 WP OL PMID PMCID "

func splitTag(line string) (tag, text string, ok bool) {
	tag, text, found := strings.Cut(strings.TrimRight(line, " "), " ")
	if tag == "" || !found && len(tag) != 2 || !strings.Contains(tags, " "+tag+" ") {
		return "", "", false
	}
	return tag, text, true
}

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return tagged.Read(ctx, src, grammar, record)
}

var names = map[string]fields.Name{
	"T1": {Field: fields.Title}, "OT": {Field: fields.Title, Rank: 1}, "ST": {Field: fields.Title, Rank: 2}, "A1": {Field: fields.Authors},
	"YR": {Field: fields.Year}, "FD": {Field: fields.Date}, "JF": {Field: fields.Venue}, "JO": {Field: fields.Venue, Rank: 1}, "T2": {Field: fields.Venue, Rank: 2},
	"K1": {Field: fields.Keywords}, "DO": {Field: fields.DOI}, "UL": {Field: fields.URL}, "LK": {Field: fields.URL, Rank: 1},
	"ID": {Field: fields.Key}, "AN": {Field: fields.Key, Rank: 1}, "PMID": {Field: fields.PMID},
}

func record(all []tagged.Field) corpus.Record {
	var b fields.Builder
	var abstracts []string
	for _, field := range all {
		switch field.Tag {
		case "AB":
			abstracts = append(abstracts, field.Text)
		case "A1":
			b.AddList(names["A1"], []string{tagged.OneLine(field.Text)})
		case "K1":
			b.AddList(names["K1"], fields.SplitKeywords(field.Text))
		case "FD":
			b.Add(names["FD"], fields.Dated(year(all), tagged.OneLine(field.Text)))
		default:
			b.Add(names[field.Tag], tagged.OneLine(field.Text))
		}
	}
	b.Record.Paper.Abstract = tagged.Abstract(abstracts)
	return b.Record
}

func year(all []tagged.Field) string {
	for _, field := range all {
		if field.Tag == "YR" {
			return field.Text
		}
	}
	return ""
}
