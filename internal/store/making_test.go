package store_test

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"github.com/seed-9f29d379/akin/internal/store"
)

// TestALibraryIsThereFromTheFirstCommit: a reader never sees a library that was made and
// not filled.
func TestALibraryIsThereFromTheFirstCommit(t *testing.T) {
	dir := t.TempDir()
	w := writer(t, dir)
	if _, err := w.Begin("add a", fixedTime); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(t.Context(), dir); !errors.Is(err, store.ErrBeingMade) || !errors.Is(err, store.ErrNoLibrary) {
		t.Errorf("before the first commit: %v, want %v", err, store.ErrBeingMade)
	}
	if err := errors.Join(w.Commit(), w.Close()); err != nil {
		t.Fatal(err)
	}
	l, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatalf("after it: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// TestALibraryInTheMakingIsNotThereYet has readers and a second writer look at a folder
// while its library is made: they see none, or a whole one, or who makes it.
func TestALibraryInTheMakingIsNotThereYet(t *testing.T) {
	for range 5 {
		dir := filepath.Join(t.TempDir(), "lib")
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() {
				w, err := store.OpenWriter(t.Context(), dir, "add")
				if err != nil {
					if _, locked := errors.AsType[*store.LockedError](err); !locked {
						t.Errorf("a writer: %v", err)
					}
					return
				}
				if err := w.Close(); err != nil {
					t.Error(err)
				}
			})
			group.Go(func() {
				for range 50 {
					l, err := store.Open(t.Context(), dir)
					if err != nil {
						if !errors.Is(err, store.ErrNoLibrary) {
							t.Errorf("a reader: %v", err)
						}
						continue
					}
					if err := l.Close(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
	}
}
