package all

import (
	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/arxiv"
	"github.com/seed-9f29d379/akin/internal/corpus/bibtex"
	"github.com/seed-9f29d379/akin/internal/corpus/crossref"
	"github.com/seed-9f29d379/akin/internal/corpus/csljson"
	"github.com/seed-9f29d379/akin/internal/corpus/csv"
	"github.com/seed-9f29d379/akin/internal/corpus/endnote"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/jsonl"
	"github.com/seed-9f29d379/akin/internal/corpus/markdown"
	"github.com/seed-9f29d379/akin/internal/corpus/nbib"
	"github.com/seed-9f29d379/akin/internal/corpus/openalex"
	"github.com/seed-9f29d379/akin/internal/corpus/openreview"
	"github.com/seed-9f29d379/akin/internal/corpus/plaintext"
	"github.com/seed-9f29d379/akin/internal/corpus/pubmed"
	"github.com/seed-9f29d379/akin/internal/corpus/refworks"
	"github.com/seed-9f29d379/akin/internal/corpus/ris"
	"github.com/seed-9f29d379/akin/internal/corpus/scopus"
	"github.com/seed-9f29d379/akin/internal/corpus/semanticscholar"
	"github.com/seed-9f29d379/akin/internal/corpus/webofscience"
	"github.com/seed-9f29d379/akin/internal/corpus/xlsx"
	"github.com/seed-9f29d379/akin/internal/corpus/xml"
	"github.com/seed-9f29d379/akin/internal/corpus/zotero"
)

// Formats lists every format. Of two that are equally sure of a file, the first reads
// it.
func Formats() []corpus.Format {
	return []corpus.Format{
		bibtex.Format(),
		ris.Format(),
		nbib.Format(),
		endnote.Format(),
		webofscience.Format(),
		refworks.Format(),
		pubmed.XML(),
		pubmed.Text(),
		scopus.Format(),
		endnote.XML(),
		arxiv.Atom(),
		xml.Format(),
		markdown.Format(),
		csv.Format(),
		xlsx.Format(),
		arxiv.Dump(),
		openalex.Format(),
		crossref.Format(),
		openreview.Format(),
		semanticscholar.Format(),
		zotero.JSON(),
		zotero.Database(),
		csljson.Format(),
		jsonl.Format(),
		plaintext.Format(),
	}
}

// Fields names the fields that corpus.Options.Columns may map, by name.
func Fields() []string { return fields.MapNames() }
