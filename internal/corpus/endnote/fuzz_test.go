package endnote_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/endnote"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, endnote.Format(), "formats/endnote.enw")
}

func FuzzReadXML(f *testing.F) {
	corpustest.Fuzz(f, endnote.XML(), "formats/endnote.xml")
}
