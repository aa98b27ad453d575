package xml

import (
	"bytes"
	"context"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/elements"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
)

// Format is XML whose records are elements with a usual name.
func Format() corpus.Format {
	return corpus.Format{Name: "xml", Maps: true, Detect: detect, Read: read}
}

func detect(head []byte) int {
	head = bytes.TrimSpace(head)
	lower := bytes.ToLower(head[:min(len(head), 1000)])
	if len(head) == 0 || head[0] != '<' || bytes.HasPrefix(lower, []byte("<!doctype html")) || bytes.HasPrefix(lower, []byte("<html")) {
		return 0
	}
	for name := range strings.FieldsSeq(recordNames) {
		for _, end := range []string{">", " ", "\n"} {
			if bytes.Contains(head, []byte("<"+name+end)) || bytes.Contains(head, []byte(":"+name+end)) {
				return 30
			}
		}
	}
	return 0
}

// recordNames are names of elements that stand for records.
const recordNames = " record entry paper article item doc document publication reference work dc inproceedings incollection phdthesis" +
	" mastersthesis proceedings book result row mods rec www "

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	isRecord := func(name string) bool { return strings.Contains(recordNames, " "+strings.ToLower(name)+" ") }
	return elements.Records(ctx, src, isRecord, func(node *elements.Node) corpus.Record { return toRecord(node, src) })
}

func toRecord(node *elements.Node, src corpus.Source) corpus.Record {
	b := fields.Builder{}
	for _, name := range []string{"id", "key"} {
		b.Add(fields.Name{Field: fields.Key, Rank: 1}, node.Attr(name))
	}
	m := mapper{src: src, b: &b}
	m.fields(node, 0)
	return b.Record
}

type mapper struct {
	src corpus.Source
	b   *fields.Builder
}

// skipped are elements whose fields belong to other works.
const skipped = " ref-list references related-article back body referencelist citation cited "

// maxDepth is how deep in a record its fields may stand.
const maxDepth = 12

// fields adds what the elements in node are named for.
func (m *mapper) fields(node *elements.Node, depth int) {
	for _, child := range node.Children {
		if child.Name == "" || strings.Contains(skipped, " "+strings.ToLower(child.Name)+" ") {
			continue
		}
		name := m.name(child.Name)
		switch {
		case child.Name == "article-id" || child.Name == "pub-id":
			m.b.Add(fields.Name{Field: map[string]fields.Field{"doi": fields.DOI, "pmid": fields.PMID, "arxiv": fields.ArXiv}[child.Attr("pub-id-type")]}, child.Plain())
		case child.Name == "contrib" || name.Field == fields.Authors && !hasInner(child, "author", "name", "contrib"):
			if role := child.Attr("contrib-type"); role == "" || role == "author" {
				m.b.AddList(fields.Name{Field: fields.Authors}, []string{author(child)})
			}
		case name.Field == fields.Title || name.Field == fields.Abstract:
			m.b.Add(name, child.Markup())
		case child.Name == "pub-date":
			m.b.Add(fields.Name{Field: fields.Year, Rank: 1}, child.Find("year").Plain())
		case name.Field == fields.Keywords && !hasInner(child, "keyword", "kwd", "item"), child.Name == "kwd":
			m.b.AddList(fields.Name{Field: fields.Keywords}, fields.SplitKeywords(child.Plain()))
		case name.Field != fields.None && !hasElements(child):
			m.b.Add(name, child.Plain())
		case depth < maxDepth:
			m.fields(child, depth+1)
		}
	}
}

func (m *mapper) name(element string) fields.Name {
	if field, ok := m.src.Mapped(element); ok {
		return fields.Mapped(field)
	}
	switch element {
	case "article-title":
		return fields.Name{Field: fields.Title}
	case "identifier": // of Dublin Core
		return fields.Name{Field: fields.URL, Rank: 50}
	}
	return fields.Of(element)
}

func hasElements(node *elements.Node) bool {
	for _, child := range node.Children {
		if child.Name != "" {
			return true
		}
	}
	return false
}

func hasInner(node *elements.Node, names ...string) bool {
	for _, name := range names {
		if node.Find(name) != nil && node.Name != "author" && node.Name != "creator" {
			return true
		}
	}
	return false
}

// author is a name that is in one text or in parts.
func author(node *elements.Node) string {
	if inner := node.Find("name"); inner != nil && hasElements(inner) {
		node = inner
	}
	part := func(names ...string) string {
		for _, name := range names {
			if text := node.Find(name).Plain(); text != "" {
				return text
			}
		}
		return ""
	}
	family := part("surname", "last", "lastname", "family", "last-name", "keyname")
	given := part("given-names", "first", "firstname", "given", "first-name", "forename", "forenames")
	switch {
	case family != "" && given != "":
		return family + ", " + given
	case family != "":
		return family
	}
	if text := part("collab", "name"); text != "" {
		return text
	}
	return node.Plain()
}
