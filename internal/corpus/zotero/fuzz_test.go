package zotero_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/zotero"
)

func FuzzReadJSON(f *testing.F) {
	corpustest.Fuzz(f, zotero.JSON(), "formats/zotero-api.json", "formats/betterbibtex.json")
}
