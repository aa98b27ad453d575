package plaintext_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/plaintext"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, plaintext.Format(), "awkward/12-mixed-line-ends.ris", "formats/reading-list.md")
}
