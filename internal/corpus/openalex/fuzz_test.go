package openalex_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/openalex"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, openalex.Format(), "awkward/28-openalex-inverted-index.json", "formats/openalex.jsonl")
}
