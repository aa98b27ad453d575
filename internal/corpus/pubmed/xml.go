package pubmed

import (
	"bytes"
	"context"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/elements"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
)

// XML is PubMed's XML: results of its services, and the files of its baseline.
func XML() corpus.Format {
	return corpus.Format{Name: "pubmed-xml", Detect: detectXML, Read: readXML}
}

func detectXML(head []byte) int {
	for _, mark := range []string{"<PubmedArticle", "<MedlineCitation", "<PubmedBookArticle"} {
		if bytes.Contains(head, []byte(mark)) {
			return 96
		}
	}
	return 0
}

func readXML(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	isRecord := func(name string) bool {
		return name == "PubmedArticle" || name == "PubmedBookArticle" || name == "MedlineCitation"
	}
	return elements.Records(ctx, src, isRecord, xmlRecord)
}

func xmlRecord(node *elements.Node) corpus.Record {
	citation := node.Find("MedlineCitation")
	switch node.Name {
	case "MedlineCitation":
		citation = node
	case "PubmedBookArticle":
		citation = node.Find("BookDocument")
	}
	article := citation.Find("Article")
	if article == nil {
		article = citation
	}
	var b fields.Builder
	b.Record.Key = citation.Find("PMID").Plain()
	b.Add(fields.Name{Field: fields.PMID}, b.Record.Key)
	b.Add(fields.Name{Field: fields.Title}, article.Find("ArticleTitle").Markup())
	b.Add(fields.Name{Field: fields.Title, Rank: 1}, article.Find("VernacularTitle").Markup())
	b.Add(fields.Name{Field: fields.Abstract}, abstract(article.Find("Abstract")))
	b.Add(fields.Name{Field: fields.Abstract, Rank: 1}, abstract(citation.Find("OtherAbstract")))
	for author := range article.All("AuthorList", "Author") {
		b.AddList(fields.Name{Field: fields.Authors}, []string{name(author)})
	}
	issue := article.Find("Journal", "JournalIssue", "PubDate")
	b.Add(fields.Name{Field: fields.Year}, date(issue))
	b.Add(fields.Name{Field: fields.Year, Rank: 1}, date(article.Find("ArticleDate")))
	b.Add(fields.Name{Field: fields.Year, Rank: 2}, date(citation.Find("Book", "PubDate")))
	b.Add(fields.Name{Field: fields.Venue}, article.Find("Journal", "Title").Markup())
	b.Add(fields.Name{Field: fields.Venue, Rank: 1}, citation.Find("Book", "BookTitle").Markup())
	b.Add(fields.Name{Field: fields.Venue, Rank: 2}, citation.Find("MedlineJournalInfo", "MedlineTA").Plain())
	for id := range article.All("ELocationID") {
		if id.Attr("EIdType") == "doi" {
			b.Add(fields.Name{Field: fields.DOI}, id.Plain())
		}
	}
	for id := range node.All("PubmedData", "ArticleIdList", "ArticleId") {
		if id.Attr("IdType") == "doi" {
			b.Add(fields.Name{Field: fields.DOI, Rank: 1}, id.Plain())
		}
	}
	for keyword := range citation.All("KeywordList", "Keyword") {
		b.AddList(fields.Name{Field: fields.Keywords}, []string{keyword.Plain()})
	}
	for heading := range citation.All("MeshHeadingList", "MeshHeading", "DescriptorName") {
		b.AddList(fields.Name{Field: fields.Keywords, Rank: 1}, []string{heading.Plain()})
	}
	return b.Record
}

// abstract joins the parts of an abstract with their labels.
func abstract(node *elements.Node) string {
	var parts []string
	for part := range node.All("AbstractText") {
		text := part.Markup()
		if label := part.Attr("Label"); label != "" && label != "UNLABELLED" && text != "" {
			text = label + ": " + text
		}
		parts = append(parts, text)
	}
	return elements.Join(parts)
}

// date is a date as text: "2019 Jul", or what PubMed has where a date is no date.
func date(node *elements.Node) string {
	if text := node.Find("MedlineDate").Plain(); text != "" {
		return text
	}
	var parts []string
	for _, part := range []string{"Year", "Month", "Day", "Season"} {
		if text := node.Find(part).Plain(); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " ")
}

func name(author *elements.Node) string {
	family, given := author.Find("LastName").Plain(), author.Find("ForeName").Plain()
	if given == "" {
		given = author.Find("Initials").Plain()
	}
	switch {
	case family == "":
		return author.Find("CollectiveName").Plain()
	case given == "":
		return family
	}
	return family + ", " + given
}
