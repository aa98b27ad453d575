//go:build unix

package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-9f29d379/akin/internal/store"
)

// TestEveryCommitMissesALibraryThatWasTakenAway: also one that has nothing to write, and
// the lock of a library that has taken the place is not touched.
func TestEveryCommitMissesALibraryThatWasTakenAway(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "library")
	w := writer(t, dir)
	put(t, w, "a.jsonl", record("a", "A first paper of the library", "It was committed."))
	if err := w.Remove([]uint32{1}); err != nil { // which is not committed
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+"-moved"); err != nil {
		t.Fatal(err)
	}
	other := writer(t, dir)
	for what, err := range map[string]error{
		"a commit of what was removed": w.Commit(), "a commit of nothing": w.Commit(), "a look": w.InPlace(),
	} {
		if !errors.Is(err, store.ErrMoved) {
			t.Errorf("%s: %v, want ErrMoved", what, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "lock.json")); err != nil {
		t.Errorf("what tells who writes to the other library is gone: %v", err)
	}
	if err := errors.Join(other.InPlace(), other.Close()); err != nil {
		t.Errorf("the library in its place: %v", err)
	}
	l, err := store.Open(t.Context(), dir+"-moved")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := papers(t, l); len(got) != 1 || got[0].Fields.Title != "A first paper of the library" {
		t.Errorf("the library that was moved has %v, want what was committed before", got)
	}
}
