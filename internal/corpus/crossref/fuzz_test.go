package crossref_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/crossref"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, crossref.Format(), "awkward/13-crossref-jats.json", "formats/crossref-work.json")
}
