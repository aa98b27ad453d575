package webofscience_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/webofscience"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, webofscience.Format(), "formats/webofscience.txt")
}
