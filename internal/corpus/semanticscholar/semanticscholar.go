package semanticscholar

import (
	"bytes"
	"context"
	"iter"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/jsonl"
	"github.com/seed-9f29d379/akin/internal/corpus/objects"
)

// Format is Semantic Scholar's JSON: its API's papers, citations and recommendations,
// and the lines of its data sets.
func Format() corpus.Format {
	return corpus.Format{Name: "semanticscholar", Detect: detect, Read: read}
}

func detect(head []byte) int {
	if head = bytes.TrimSpace(head); len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return 0
	}
	marks := 0
	for _, mark := range []string{`"paperId"`, `"externalIds"`, `"externalids"`, `"corpusid"`, `"corpusId"`, `"fieldsOfStudy"`, `"s2FieldsOfStudy"`, `"s2fieldsofstudy"`, `semanticscholar.org/paper`} {
		if bytes.Contains(head, []byte(mark)) {
			marks++
		}
	}
	switch {
	case marks >= 2:
		return 90
	case marks == 1 && bytes.Contains(head, []byte(`"paperId"`)):
		return 80
	}
	return 0
}

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return jsonl.Records(ctx, src, record)
}

var names = map[string]fields.Name{
	"title": {Field: fields.Title}, "abstract": {Field: fields.Abstract}, "paperAbstract": {Field: fields.Abstract, Rank: 1},
	"authors": {Field: fields.Authors}, "year": {Field: fields.Year}, "publicationDate": {Field: fields.Date}, "publicationdate": {Field: fields.Date},
	"venue": {Field: fields.Venue, Rank: 1}, "publicationVenue": {Field: fields.Venue}, "journal": {Field: fields.Venue, Rank: 2},
	"url": {Field: fields.URL}, "paperId": {Field: fields.S2}, "fieldsOfStudy": {Field: fields.Keywords}, "doi": {Field: fields.DOI, Rank: 1},
}

func record(object objects.Object) (corpus.Record, bool) {
	value := object.Value
	for _, frame := range []string{"citedPaper", "citingPaper"} {
		if inner := value.Get(frame); inner.IsObject() {
			value = inner
		}
	}
	var b fields.Builder
	for key, value := range value.Fields() {
		switch string(key) {
		case "paperId":
			b.Record.Key = value.Text()
			b.Add(names["paperId"], value.Text())
		case "corpusid", "corpusId":
			if text := value.Text(); text != "" {
				b.Add(fields.Name{Field: fields.S2, Rank: 1}, "CorpusID:"+text)
				if b.Record.Key == "" {
					b.Record.Key = text
				}
			}
		case "externalIds", "externalids":
			b.Add(fields.Name{Field: fields.DOI}, value.Get("DOI").Text())
			b.Add(fields.Name{Field: fields.ArXiv}, value.Get("ArXiv").Text())
			b.Add(fields.Name{Field: fields.PMID}, value.Get("PubMed").Text())
		case "s2FieldsOfStudy", "s2fieldsofstudy":
			var categories []string
			for field := range value.Elements() {
				categories = append(categories, field.Get("category").Texts()...)
			}
			b.AddList(fields.Name{Field: fields.Keywords, Rank: 1}, categories)
		default:
			if name, known := names[string(key)]; known {
				jsonl.Add(&b, name, value)
			}
		}
	}
	return b.Record, true
}
