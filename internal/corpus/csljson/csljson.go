package csljson

import (
	"bytes"
	"context"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/jsonl"
	"github.com/seed-9f29d379/akin/internal/corpus/objects"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// Format is CSL-JSON.
func Format() corpus.Format {
	return corpus.Format{Name: "csljson", Detect: detect, Read: read}
}

func detect(head []byte) int {
	if head = bytes.TrimSpace(head); len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return 0
	}
	marks := 0
	for _, mark := range []string{`"issued"`, `"container-title"`, `"date-parts"`, `"family"`, `"article-journal"`, `"paper-conference"`, `"citation-key"`} {
		if bytes.Contains(head, []byte(mark)) {
			marks++
		}
	}
	if marks >= 2 {
		return 80
	}
	return 0
}

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return jsonl.Records(ctx, src, record)
}

var names = map[string]fields.Name{
	"title": {Field: fields.Title}, "title-short": {Field: fields.Title, Rank: 1}, "abstract": {Field: fields.Abstract},
	"author": {Field: fields.Authors}, "editor": {Field: fields.Authors, Rank: 1},
	"container-title": {Field: fields.Venue}, "event-title": {Field: fields.Venue, Rank: 1}, "event": {Field: fields.Venue, Rank: 2}, "collection-title": {Field: fields.Venue, Rank: 3},
	"DOI": {Field: fields.DOI}, "PMID": {Field: fields.PMID}, "URL": {Field: fields.URL}, "keyword": {Field: fields.Keywords},
	"openreview": {Field: fields.OpenReview}, "openalex": {Field: fields.OpenAlex}, "s2": {Field: fields.S2},
}

func record(object objects.Object) (corpus.Record, bool) {
	var b fields.Builder
	for key, value := range object.Fields() {
		switch string(key) {
		case "id":
			b.Add(fields.Name{Field: fields.Key}, value.Text())
		case "citation-key":
			b.Record.Key = value.Text()
		case "issued":
			b.Add(fields.Name{Field: fields.Year}, Date(value))
			b.Add(fields.Name{Field: fields.Date}, value.Get("raw").Text())
		case "number", "arxiv":
			trust := fields.FromField
			if string(key) == "number" {
				trust = fields.FromNote
			}
			if id, version, ok := paper.ParseArXiv(value.Text()); ok && (string(key) == "arxiv" || strings.Contains(strings.ToLower(value.Text()), "arxiv")) {
				b.Identify(trust, paper.Identifiers{ArXiv: id, Version: version})
			}
		case "custom":
			b.Add(fields.Name{Field: fields.ID}, value.Get("akin").Text())
		case "note":
			for line := range strings.Lines(value.Text()) {
				b.AddIdentifier(line)
			}
		default:
			if name, known := names[string(key)]; known {
				jsonl.Add(&b, name, value)
			}
		}
	}
	return b.Record, true
}

// Date is a CSL date as text: "2021-03-05", "2021"; or what stands in its raw or
// literal form.
func Date(value objects.Value) string {
	for parts := range value.Get("date-parts").Elements() {
		var b strings.Builder
		for part := range parts.Elements() {
			text := part.Text()
			if text == "" {
				break
			}
			if b.Len() > 0 {
				b.WriteByte('-')
				if len(text) == 1 {
					b.WriteByte('0')
				}
			}
			b.WriteString(text)
		}
		return b.String()
	}
	for _, key := range []string{"raw", "literal", "date-time"} {
		if text := value.Get(key).Text(); text != "" {
			return text
		}
	}
	return value.Text()
}
