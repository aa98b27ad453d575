package pubmed_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/pubmed"
)

func FuzzReadText(f *testing.F) {
	corpustest.Fuzz(f, pubmed.Text(), "formats/pubmed-abstract.txt", "formats/pubmed-summary.txt")
}

func FuzzReadXML(f *testing.F) {
	corpustest.Fuzz(f, pubmed.XML(), "awkward/29-pubmed-structured.xml")
}
