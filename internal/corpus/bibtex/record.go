package bibtex

import (
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// names are what the fields stand for; of several the smaller rank is better.
var names = map[string]fields.Name{
	"title": {Field: fields.Title}, "abstract": {Field: fields.Abstract}, "summary": {Field: fields.Abstract, Rank: 1},
	"author": {Field: fields.Authors}, "authors": {Field: fields.Authors, Rank: 1}, "editor": {Field: fields.Authors, Rank: 2},
	"year": {Field: fields.Year}, "date": {Field: fields.Year, Rank: 1},
	"journal": {Field: fields.Venue, Rank: 1}, "journaltitle": {Field: fields.Venue}, "booktitle": {Field: fields.Venue, Rank: 2},
	"school": {Field: fields.Venue, Rank: 4}, "institution": {Field: fields.Venue, Rank: 5}, "series": {Field: fields.Venue, Rank: 6}, "eventtitle": {Field: fields.Venue, Rank: 7},
	"keywords": {Field: fields.Keywords}, "keyword": {Field: fields.Keywords, Rank: 1}, "keywords-plus": {Field: fields.Keywords, Rank: 2},
	"url": {Field: fields.URL}, "howpublished": {Field: fields.URL, Rank: 1}, "bdsk-url-1": {Field: fields.URL, Rank: 2}, "link": {Field: fields.URL, Rank: 3},
	"doi": {Field: fields.DOI}, "pmid": {Field: fields.PMID}, "arxivid": {Field: fields.ArXiv}, "openreview": {Field: fields.OpenReview},
	"openalex": {Field: fields.OpenAlex}, "s2": {Field: fields.S2}, "akin": {Field: fields.ID},
}

// toRecord maps the fields of an entry.
func toRecord(e entry) corpus.Record {
	var b fields.Builder
	b.Record.Key = e.key
	archive := ""
	for _, f := range e.fields {
		if f.name == keyField {
			b.Record.Key = decode(f.value)
		}
		if f.name == "archiveprefix" || f.name == "eprinttype" {
			archive = strings.ToLower(strings.Trim(f.value, "{} "))
		}
	}
	b.Learn(fields.FromKey, b.Record.Key)
	for _, f := range e.fields {
		name, known := names[f.name]
		switch {
		case f.name == "eprint":
			eprint(&b, archive, f.value)
		case !known:
		case name.Field == fields.Authors:
			b.AddList(name, authors(f.value))
		case name.Field == fields.Keywords:
			b.AddList(name, decodeAll(splitOutside(f.value, func(s string) int {
				if s[0] == ',' || s[0] == ';' {
					return 1
				}
				return 0
			})))
		case name.Field == fields.Title, name.Field == fields.Abstract, name.Field == fields.Venue, name.Field == fields.ID:
			b.Add(name, decode(f.value))
		case name.Field == fields.Year:
			b.Add(name, decode(f.value))
			if f.name == "date" {
				b.Add(fields.Name{Field: fields.Date}, decode(f.value))
			}
		default:
			b.Add(name, address(f.value))
		}
	}
	return b.Record
}

// lineSeparator is what package paper makes of \newline.
const lineSeparator = "\u2028"

// eprint takes the identifier of an archive.
func eprint(b *fields.Builder, archive, value string) {
	value = address(value)
	switch archive {
	case "arxiv", "":
		b.Add(fields.Name{Field: fields.ArXiv}, value)
	case "pubmed", "pmid":
		b.Add(fields.Name{Field: fields.PMID}, value)
	case "openreview":
		b.Add(fields.Name{Field: fields.OpenReview}, value)
	}
}

// decode gives the text of a TeX value on one line a paragraph.
func decode(value string) string {
	var paragraphs []string
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(paper.FromTeX(value), "\r", "\n"), "\n\n") {
		var lines []string
		for line := range strings.SplitSeq(paragraph, lineSeparator) {
			if line = strings.Join(strings.Fields(line), " "); line != "" {
				lines = append(lines, line)
			}
		}
		if len(lines) > 0 {
			paragraphs = append(paragraphs, strings.Join(lines, "\n"))
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

func decodeAll(values []string) []string {
	var texts []string
	for _, value := range values {
		if text := decode(value); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// authors parts a list of names at " and " outside of braces.
func authors(value string) []string {
	value = strings.Join(strings.Fields(value), " ")
	list := splitOutside(value, func(s string) int {
		if len(s) > 5 && s[0] == ' ' && strings.EqualFold(s[:5], " and ") {
			return 5
		}
		return 0
	})
	if last := len(list) - 1; last >= 0 && strings.EqualFold(strings.TrimSpace(list[last]), "others") {
		list = list[:last]
	}
	return decodeAll(list)
}

// splitOutside parts s outside of braces where mark finds a separator, and says how
// long it is.
func splitOutside(s string, mark func(s string) int) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
			continue
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth > 0 {
			continue
		}
		if n := mark(s[i:]); n > 0 {
			parts = append(parts, s[start:i])
			start = i + n
			i = start - 1
		}
	}
	return append(parts, s[start:])
}

// address is a value that is no TeX but may be written like it: braces and the
// backslashes before signs are dropped, and \url{…} is unwrapped.
func address(value string) string {
	value = strings.TrimSpace(value)
	if strings.ContainsAny(value, `\{`) {
		value = strings.ReplaceAll(value, `\url`, "")
		value = strings.NewReplacer(`\_`, "_", `\%`, "%", `\&`, "&", `\#`, "#", `\~`, "~", `\textasciitilde`, "~", `{`, "", `}`, "").Replace(value)
	}
	return strings.TrimSpace(value)
}
