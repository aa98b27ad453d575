package markdown_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/corpustest"
	"github.com/seed-9f29d379/akin/internal/corpus/markdown"
)

func FuzzRead(f *testing.F) {
	corpustest.Fuzz(f, markdown.Format(), "formats/reading-list.md")
}
