package csljson_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/csljson"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, csljson.Format(), "formats/csl.json")
}
