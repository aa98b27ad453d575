package nbib_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/nbib"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, nbib.Format(), "awkward/30-nbib-wrapped.nbib")
}
