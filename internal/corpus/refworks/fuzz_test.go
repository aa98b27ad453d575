package refworks_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/refworks"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, refworks.Format(), "formats/refworks.txt")
}
