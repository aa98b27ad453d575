package scopus_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/scopus"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, scopus.Format(), "formats/scopus.txt")
}
