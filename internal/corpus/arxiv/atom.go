package arxiv

import (
	"bytes"
	"context"
	"iter"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/elements"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
)

// Atom is the feed of arXiv's query service, and any other Atom feed of papers.
func Atom() corpus.Format {
	return corpus.Format{Name: "arxiv-atom", Detect: detectAtom, Read: readAtom}
}

func detectAtom(head []byte) int {
	if bytes.Contains(head, []byte("<feed")) && bytes.Contains(head, []byte("http://www.w3.org/2005/Atom")) {
		return 95
	}
	return 0
}

func readAtom(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return elements.Records(ctx, src, func(name string) bool { return name == "entry" }, atomRecord)
}

func atomRecord(node *elements.Node) corpus.Record {
	var b fields.Builder
	id := node.Find("id").Plain()
	b.Add(fields.Name{Field: fields.Key}, id)
	b.Add(fields.Name{Field: fields.URL}, id)
	b.Add(fields.Name{Field: fields.Title}, node.Find("title").Markup())
	b.Add(fields.Name{Field: fields.Abstract}, node.Find("summary").Markup())
	for author := range node.All("author", "name") {
		b.AddList(fields.Name{Field: fields.Authors}, []string{author.Plain()})
	}
	b.Add(fields.Name{Field: fields.Date}, node.Find("published").Plain())
	b.Add(fields.Name{Field: fields.Date, Rank: 1}, node.Find("updated").Plain())
	b.Add(fields.Name{Field: fields.DOI}, node.Find("doi").Plain())
	b.Add(fields.Name{Field: fields.Venue}, node.Find("journal_ref").Plain())
	for category := range node.All("category") {
		b.AddList(fields.Name{Field: fields.Keywords}, []string{category.Attr("term")})
	}
	return b.Record
}
