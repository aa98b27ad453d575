package crossref

import (
	"bytes"
	"context"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/csljson"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/jsonl"
	"github.com/seed-9f29d379/akin/internal/corpus/objects"
)

// Format is Crossref's JSON: one work, a page of its API, or its public data file.
// Abstracts are JATS and stay so until they are used.
func Format() corpus.Format {
	return corpus.Format{Name: "crossref", Detect: detect, Read: read}
}

func detect(head []byte) int {
	if head = bytes.TrimSpace(head); len(head) == 0 || head[0] != '{' && head[0] != '[' || !bytes.Contains(head, []byte(`"DOI"`)) {
		return 0
	}
	switch {
	case bytes.Contains(head, []byte(`"message-type"`)), bytes.Contains(head, []byte(`"is-referenced-by-count"`)):
		return 92
	case bytes.Contains(head, []byte(`"date-parts"`)) && bytes.Contains(head, []byte(`"member"`)) && bytes.Contains(head, []byte(`"prefix"`)):
		return 90
	}
	return 0
}

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return jsonl.Records(ctx, src, record)
}

func record(object objects.Object) (corpus.Record, bool) {
	var b fields.Builder
	for key, value := range object.Fields() {
		switch string(key) {
		case "DOI":
			b.Record.Key = value.Text()
			b.Add(fields.Name{Field: fields.DOI}, value.Text())
		case "title":
			b.Add(fields.Name{Field: fields.Title}, title(value, object.Get("subtitle")))
		case "abstract":
			b.Add(fields.Name{Field: fields.Abstract}, value.Text())
		case "author":
			jsonl.Add(&b, fields.Name{Field: fields.Authors}, value)
		case "editor":
			jsonl.Add(&b, fields.Name{Field: fields.Authors, Rank: 1}, value)
		case "container-title":
			jsonl.Add(&b, fields.Name{Field: fields.Venue}, value)
		case "event":
			b.Add(fields.Name{Field: fields.Venue, Rank: 1}, value.Get("name").Text())
		case "issued":
			b.Add(fields.Name{Field: fields.Year}, csljson.Date(value))
		case "published", "published-online", "published-print":
			b.Add(fields.Name{Field: fields.Year, Rank: 1}, csljson.Date(value))
		case "URL":
			b.Add(fields.Name{Field: fields.URL}, value.Text())
		case "subject":
			jsonl.Add(&b, fields.Name{Field: fields.Keywords}, value)
		}
	}
	return b.Record, true
}

// title is the first title with the first subtitle.
func title(titles, subtitles objects.Value) string {
	first := firstOf(titles)
	if second := firstOf(subtitles); first != "" && second != "" && !strings.Contains(first, second) {
		return strings.TrimRight(first, ": ") + ": " + second
	}
	return first
}

func firstOf(value objects.Value) string {
	for _, text := range value.Texts() {
		return text
	}
	return ""
}
