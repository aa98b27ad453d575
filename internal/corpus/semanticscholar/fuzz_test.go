package semanticscholar_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/semanticscholar"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, semanticscholar.Format(), "formats/semanticscholar-search.json", "formats/semanticscholar-citations.json")
}
