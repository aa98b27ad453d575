package arxiv_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/arxiv"
	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
)

func FuzzReadDump(f *testing.F) {
	corpustest.Fuzz(f, arxiv.Dump(), "awkward/16-arxiv-latex-newlines.jsonl")
}

func FuzzReadAtom(f *testing.F) {
	corpustest.Fuzz(f, arxiv.Atom(), "formats/arxiv-atom.xml")
}
