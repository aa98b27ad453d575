package ris_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/ris"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, ris.Format(), "awkward/08-bom.ris", "awkward/12-mixed-line-ends.ris", "awkward/31-ris-repeated-and-continued.ris")
}
