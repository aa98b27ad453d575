package openreview_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/openreview"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, openreview.Format(), "awkward/27-openreview-v2.json", "formats/openreview-v1.jsonl")
}
