package openalex

import (
	"bytes"
	"context"
	"iter"
	"strconv"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/jsonl"
	"github.com/seed-9f29d379/akin/internal/corpus/objects"
)

// Format is OpenAlex's JSON. The abstract is put together from its inverted index.
func Format() corpus.Format {
	return corpus.Format{Name: "openalex", Detect: detect, Read: read}
}

func detect(head []byte) int {
	if head = bytes.TrimSpace(head); len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return 0
	}
	switch {
	case bytes.Contains(head, []byte(`"abstract_inverted_index"`)):
		return 95
	case bytes.Contains(head, []byte("openalex.org/W")) && bytes.Contains(head, []byte(`"authorships"`)):
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
		case "id":
			b.Record.Key = value.Text()
			b.Add(fields.Name{Field: fields.OpenAlex}, value.Text())
		case "doi":
			b.Add(fields.Name{Field: fields.DOI}, value.Text())
		case "title":
			b.Add(fields.Name{Field: fields.Title}, value.Text())
		case "display_name":
			b.Add(fields.Name{Field: fields.Title, Rank: 1}, value.Text())
		case "publication_year":
			b.Add(fields.Name{Field: fields.Year}, value.Text())
		case "publication_date":
			b.Add(fields.Name{Field: fields.Date}, value.Text())
		case "abstract_inverted_index":
			b.Add(fields.Name{Field: fields.Abstract}, inverted(value))
		case "abstract":
			b.Add(fields.Name{Field: fields.Abstract, Rank: 1}, value.Text())
		case "authorships":
			for authorship := range value.Elements() {
				name := authorship.Get("author", "display_name").Text()
				if name == "" {
					name = authorship.Get("raw_author_name").Text()
				}
				b.AddList(fields.Name{Field: fields.Authors}, []string{name})
			}
		case "primary_location":
			b.Add(fields.Name{Field: fields.Venue}, value.Get("source", "display_name").Text())
			b.Add(fields.Name{Field: fields.URL}, value.Get("landing_page_url").Text())
		case "host_venue":
			b.Add(fields.Name{Field: fields.Venue, Rank: 1}, value.Get("display_name").Text())
		case "locations":
			for location := range value.Elements() {
				if url := location.Get("landing_page_url").Text(); strings.Contains(url, "arxiv.org/") {
					b.Add(fields.Name{Field: fields.ArXiv}, url)
				}
			}
		case "ids":
			b.Add(fields.Name{Field: fields.PMID}, value.Get("pmid").Text())
		case "keywords":
			jsonl.Add(&b, fields.Name{Field: fields.Keywords}, value)
		case "topics":
			jsonl.Add(&b, fields.Name{Field: fields.Keywords, Rank: 1}, value)
		}
	}
	return b.Record, true
}

// maxWords bounds the positions of an inverted index; no abstract has as many words.
const maxWords = 200_000

// inverted puts a text together from an index that gives for each word the places
// where it stands.
func inverted(index objects.Value) string {
	var words []string
	length := 0
	for word, places := range index.Fields() {
		text := string(word)
		for place := range places.Elements() {
			at, err := strconv.Atoi(string(place))
			if err != nil || at < 0 || at >= maxWords {
				continue
			}
			for at >= len(words) {
				words = append(words, make([]string, at+1-len(words))...)
			}
			words[at] = text
			length += len(text) + 1
		}
	}
	var b strings.Builder
	b.Grow(length)
	for _, word := range words {
		if word == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}
