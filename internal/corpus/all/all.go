package all

import (
	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/jsonl"
	"github.com/seed-9f29d379/akin/internal/corpus/plaintext"
)

// Formats lists every format. Of two that are equally sure of a file, the first reads
// it.
func Formats() []corpus.Format {
	return []corpus.Format{
		jsonl.Format(),
		plaintext.Format(),
	}
}
