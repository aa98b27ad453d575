package engine_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// TestPapersThatShareATextAreAllCounted: each gets its vector, and the text is encoded once.
func TestPapersThatShareATextAreAllCounted(t *testing.T) {
	dir := t.TempDir()
	const copies = 150 // more than are encoded at a time
	var lines []string
	for i := range copies {
		lines = append(lines, fmt.Sprintf(`{"title":"Cuts of sparse graphs","abstract":"We cut graphs.","doi":"10.1000/%d"}`, i))
	}
	enc := &words{}
	e := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: enc})
	r, err := e.Add(t.Context(), engine.AddRequest{Paths: []string{write(t, dir, "a.jsonl", lines...)}, NoSentences: true})
	if err != nil || r.Added != copies || r.Embedded != copies || enc.encoded.Load() != 1 {
		t.Errorf("%d added, %d with a vector, %d texts encoded, %v; want %d, %d and 1", r.Added, r.Embedded, enc.encoded.Load(), err, copies, copies)
	}
	if s := stats(t, e); s.Vectors != copies {
		t.Errorf("%d vectors, want %d", s.Vectors, copies)
	}
}
