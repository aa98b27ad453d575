package bibtex_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/bibtex"
	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, bibtex.Format(), "awkward/01-bibtex-nested-braces.bib", "awkward/02-bibtex-latex-accents.bib", "awkward/03-bibtex-string-concat.bib", "awkward/04-bibtex-unbalanced-entry.bib", "awkward/05-bibtex-at-sign-and-quotes.bib", "formats/biblatex.bib")
}
