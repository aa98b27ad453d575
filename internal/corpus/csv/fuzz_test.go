package csv_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/csv"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, csv.Format(), "awkward/19-doi-variants.csv", "awkward/32-semicolon-quoted-newlines.csv", "awkward/48-preamble.csv", "formats/submissions.csv")
}
