package engine_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/engine"
)

// TestALibraryForgetsItsChanges: what a snapshot has taken in is kept no longer, and
// whoever still reads an older snapshot answers right.
func TestALibraryForgetsItsChanges(t *testing.T) {
	dir := t.TempDir()
	cfg, e := graphLibrary(t, dir, 400)
	add(t, e, write(t, dir, "auction.jsonl", auction))
	reader := openWith(t, cfg)
	if got := found(t, reader, "auctions for shared markets"); !strings.HasPrefix(got, "Auctions") {
		t.Fatalf("before: %s", got)
	}
	first, err := snapshot.List(filepath.Join(cfg.Library, "index"))
	if err != nil || len(first) != 1 {
		t.Fatalf("snapshots %v, %v", first, err)
	}
	kept, err := os.ReadFile(first[0].Path)
	if err != nil {
		t.Fatal(err)
	}

	if _, err := e.Remove(t.Context(), []string{"b"}); err != nil {
		t.Fatal(err)
	}
	add(t, e, write(t, dir, "protein.jsonl", protein))
	add(t, e, many(t, dir, "more.jsonl", 400, 1100)) // enough for another snapshot
	if n := countChanges(t, cfg.Library); n != 1 {
		t.Errorf("%d changes are kept beside the snapshot, want the last one", n)
	}
	right := func(when string, e *engine.Engine) {
		t.Helper()
		if got := found(t, e, "folding of small proteins"); !strings.HasPrefix(got, "Folding") {
			t.Errorf("%s, a new paper is not the first: %s", when, got)
		}
		if got := found(t, e, "auctions for shared markets"); strings.Contains(got, "Auctions") {
			t.Errorf("%s, a removed paper is found: %s", when, got)
		}
	}
	right("with a snapshot from before", reader)
	sound(t, e)

	// The newest snapshot is lost, and an old one is there.
	now, err := snapshot.List(filepath.Join(cfg.Library, "index"))
	if err != nil || len(now) != 1 || now[0].Path == first[0].Path {
		t.Fatalf("snapshots %v, %v; want another one", now, err)
	}
	if err := os.Rename(now[0].Path, filepath.Join(dir, "away")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(first[0].Path, kept, 0o644); err != nil {
		t.Fatal(err)
	}
	late := openWith(t, cfg)
	right("with an old snapshot alone", late)
	if r, err := late.Check(t.Context()); err != nil || r.OK {
		t.Errorf("Check of an old snapshot alone: %+v, %v; want it told", r, err)
	}
	add(t, late) // writes it again
	sound(t, late)
	right("after the next add", openWith(t, cfg))
}

func countChanges(t *testing.T, library string) int {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(library, "library.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n int
	if err := db.QueryRow("SELECT count(*) FROM changes").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
