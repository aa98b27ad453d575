package ris

import (
	"bytes"
	"context"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/tagged"
)

// Format is RIS as tools write it: with or without the two spaces, a preamble, the
// final ER or its dash; fields repeated, or continued on lines without a tag.
func Format() corpus.Format {
	return corpus.Format{Name: "ris", Detect: detect, Read: read}
}

func detect(head []byte) int {
	found := 0
	for line := range bytes.FieldsFuncSeq(head, func(r rune) bool { return r == '\n' || r == '\r' }) {
		tag, _, ok := splitTag(string(line[:min(len(line), 16)]))
		switch {
		case ok && tag == "TY":
			return 95
		case ok:
			found++
		}
	}
	if found >= 3 {
		return 30 // the first record may have lost its TY
	}
	return 0
}

var grammar = tagged.Grammar{Tag: splitTag, Begin: "TY", End: "ER"}

// splitTag parts "TI  - text". One space is enough before a known tag's dash, and ER
// needs none.
func splitTag(line string) (tag, text string, ok bool) {
	if len(line) < 2 || !isUpper(line[0]) || !isUpper(line[1]) && !isDigit(line[1]) {
		return "", "", false
	}
	rest := strings.TrimLeft(line[2:], " ")
	spaces := len(line) - 2 - len(rest)
	switch {
	case line[:2] == "ER" && strings.Trim(rest, "- \t") == "":
		return "ER", "", true
	case spaces == 0 || spaces > 3 || rest == "" || rest[0] != '-':
		return "", "", false
	case len(rest) > 1 && rest[1] != ' ' && rest[1] != '\t' && spaces != 2:
		return "", "", false
	case spaces == 1 && !strings.Contains(tightTags, " "+line[:2]+" "):
		return "", "", false
	}
	return line[:2], rest[1:], true
}

// tightTags are believed also with a single space before the dash.
const tightTags = " TY TI T1 T2 AU A1 PY Y1 AB N2 JO JF JA KW DO UR SP EP VL IS SN ID PB N1 L1 DA CY "

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return tagged.Read(ctx, src, grammar, record)
}

// names are what the tags stand for; of several for a field the smaller rank is better.
var names = map[string]fields.Name{
	"TI": {Field: fields.Title}, "T1": {Field: fields.Title}, "CT": {Field: fields.Title, Rank: 1}, "ST": {Field: fields.Title, Rank: 3},
	"AU": {Field: fields.Authors}, "A1": {Field: fields.Authors}, "A2": {Field: fields.Authors, Rank: 1}, "ED": {Field: fields.Authors, Rank: 1},
	"PY": {Field: fields.Year}, "Y1": {Field: fields.Year, Rank: 1}, "DA": {Field: fields.Date}, "Y2": {Field: fields.None},
	"T2": {Field: fields.Venue, Rank: 1}, "JF": {Field: fields.Venue}, "JO": {Field: fields.Venue, Rank: 2}, "BT": {Field: fields.Venue, Rank: 3},
	"JA": {Field: fields.Venue, Rank: 4}, "J2": {Field: fields.Venue, Rank: 5}, "C3": {Field: fields.None},
	"KW": {Field: fields.Keywords},
	"DO": {Field: fields.DOI}, "DI": {Field: fields.DOI, Rank: 1},
	"UR": {Field: fields.URL}, "LK": {Field: fields.URL, Rank: 1}, "L2": {Field: fields.URL, Rank: 2}, "L1": {Field: fields.URL, Rank: 3},
	"ID": {Field: fields.Key}, "AN": {Field: fields.Key, Rank: 1}, "LB": {Field: fields.Key, Rank: 2},
}

func record(all []tagged.Field) corpus.Record {
	var b fields.Builder
	var abstracts, notes []string
	for _, field := range all {
		text := field.Text
		switch field.Tag {
		case "AB":
			abstracts = append(abstracts, text)
		case "N2":
			notes = append(notes, text)
		case "AU", "A1", "A2", "ED":
			for name := range strings.Lines(text) {
				if name = strings.TrimSpace(name); name != "" {
					b.AddList(names[field.Tag], []string{name})
				}
			}
		case "KW":
			for keyword := range strings.Lines(text) {
				b.AddList(names["KW"], keywords(strings.TrimSpace(keyword)))
			}
		case "TI", "T1", "CT", "ST", "T2", "JF", "JO", "BT":
			b.Add(names[field.Tag], tagged.OneLine(text))
		case "N1":
			for line := range strings.Lines(text) {
				b.AddIdentifier(line)
			}
		case "U1":
			if id, found := strings.CutPrefix(text, ownID); found {
				b.Add(fields.Name{Field: fields.ID}, id)
			}
		case "M3", "C3", "C7":
			if strings.HasPrefix(text, "10.") {
				b.Add(fields.Name{Field: fields.DOI, Rank: 2 + int(field.Tag[1]-'0')}, text)
			} else if id, found := strings.CutPrefix(text, "PUBMED "); found {
				b.Add(fields.Name{Field: fields.PMID}, id)
			}
		default:
			b.Add(names[field.Tag], text)
		}
	}
	if abstract := tagged.Abstract(abstracts); abstract != "" {
		b.Record.Paper.Abstract = abstract
	} else {
		b.Record.Paper.Abstract = tagged.Abstract(notes)
	}
	return b.Record
}

// keywords of one line: most tools write one a line, some all of them, parted by
// semicolons.
func keywords(text string) []string {
	if text == "" {
		return nil
	}
	if strings.Contains(text, ";") {
		return fields.SplitKeywords(text)
	}
	return []string{text}
}
