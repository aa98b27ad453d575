package xml_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/xml"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, xml.Format(), "awkward/37-control-chars.xml", "formats/jats.xml", "formats/dublin-core.xml", "formats/anthology.xml")
}
