package endnote

import (
	"bytes"
	"context"
	"iter"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/elements"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
)

// XML is EndNote's XML, also as Zotero and Mendeley write it.
func XML() corpus.Format {
	return corpus.Format{Name: "endnote-xml", Detect: detectXML, Read: readXML}
}

func detectXML(head []byte) int {
	if bytes.Contains(head, []byte("<records>")) && (bytes.Contains(head, []byte("<ref-type")) || bytes.Contains(head, []byte("<contributors>")) || bytes.Contains(head, []byte("<source-app"))) {
		return 95
	}
	return 0
}

func readXML(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return elements.Records(ctx, src, func(name string) bool { return name == "record" }, xmlRecord)
}

func xmlRecord(node *elements.Node) corpus.Record {
	var b fields.Builder
	b.Add(fields.Name{Field: fields.Key}, node.Find("rec-number").Plain())
	b.Add(fields.Name{Field: fields.Key, Rank: 1}, node.Find("label").Plain())
	b.Add(fields.Name{Field: fields.Key, Rank: 2}, node.Find("accession-num").Plain())
	b.Add(fields.Name{Field: fields.Title}, node.Find("titles", "title").Markup())
	b.Add(fields.Name{Field: fields.Title, Rank: 1}, node.Find("titles", "short-title").Markup())
	b.Add(fields.Name{Field: fields.Abstract}, node.Find("abstract").Markup())
	for rank, list := range []string{"authors", "secondary-authors"} {
		for author := range node.All("contributors", list, "author") {
			b.AddList(fields.Name{Field: fields.Authors, Rank: rank}, []string{author.Plain()})
		}
	}
	b.Add(fields.Name{Field: fields.Year}, node.Find("dates", "year").Plain())
	b.Add(fields.Name{Field: fields.Date}, fields.Dated(node.Find("dates", "year").Plain(), node.Find("dates", "pub-dates", "date").Plain()))
	b.Add(fields.Name{Field: fields.Venue}, node.Find("periodical", "full-title").Plain())
	b.Add(fields.Name{Field: fields.Venue, Rank: 1}, node.Find("titles", "secondary-title").Plain())
	b.Add(fields.Name{Field: fields.DOI}, node.Find("electronic-resource-num").Plain())
	for keyword := range node.All("keywords", "keyword") {
		b.AddList(fields.Name{Field: fields.Keywords}, []string{keyword.Plain()})
	}
	for rank, list := range []string{"web-urls", "related-urls", "text-urls"} {
		for url := range node.All("urls", list, "url") {
			b.Add(fields.Name{Field: fields.URL, Rank: rank}, url.Plain())
		}
	}
	return b.Record
}
