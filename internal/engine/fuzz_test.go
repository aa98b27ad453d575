package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
	"github.com/seed-9f29d379/akin/internal/store"
)

// emptyLibrary is the database of a library without papers: to make one takes as long as
// some hundred records.
func emptyLibrary(t testing.TB) []byte {
	t.Helper()
	dir := t.TempDir()
	w, err := store.OpenWriter(t.Context(), dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "library.db"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// FuzzAdd reads anything: the counts add up, and the library is sound after it.
func FuzzAdd(f *testing.F) {
	f.Add([]byte(graphs + "\n" + nothing + "\n" + short))
	f.Add([]byte("@article{k, title={A title}, abstract={A text}, year={2020}}\n@article{k, title={A title}, doi={10.1000/ab}}"))
	f.Add([]byte("TY  - JOUR\nTI  - A title\nAB  - A text\nER  -\n"))
	f.Add([]byte("id,title,abstract\n1,A title,A text\n1,A title,Another text\n"))
	f.Add([]byte("A heading\n\nA paragraph that is an abstract of some paper.\n\nAnother paragraph, an abstract too.\n"))
	empty := emptyLibrary(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "library.db"), empty, 0o644); err != nil {
			t.Fatal(err)
		}
		e := open(t, dir)
		for range 2 {
			r, err := e.Add(t.Context(), engine.AddRequest{Paths: []string{"-"}, Stdin: bytes.NewReader(data), NoEmbed: true})
			balanced(t, r)
			if usable := r.Read - r.RejectedCount; err == nil && usable == 0 {
				t.Errorf("nothing could be used, and that was no error: %+v", countsOf(r))
			}
			if r.Read == 0 {
				return
			}
		}
		// The library alone: to verify the model takes as long as hundreds of inputs.
		lib, err := store.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		if err := lib.Check(t.Context(), func(f store.Fault) { t.Errorf("Check: %+v", f) }); err != nil {
			t.Errorf("Check: %v", err)
		}
	})
}
