package jsonl_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/jsonl"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, jsonl.Format(), "awkward/23-nan.json", "awkward/25-concatenated-objects.json", "awkward/38-double-escaped.jsonl", "formats/keyed.json", "formats/europepmc.json", "formats/dblp.json")
}
