package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/engine"
)

// TestASnapshotOfAnotherHistory: two copies of a library went on apart, and the snapshot of
// one came into the folder of the other, under the same name. It is not answered from.
func TestASnapshotOfAnotherHistory(t *testing.T) {
	dir := t.TempDir()
	mine, e := graphLibrary(t, dir, 400)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	theirs := mine
	theirs.Library = filepath.Join(dir, "theirs")
	if err := os.CopyFS(theirs.Library, os.DirFS(mine.Library)); err != nil {
		t.Fatal(err)
	}
	snapshots := func(cfg engine.Config, added string) string {
		t.Helper()
		e := openWith(t, cfg)
		add(t, e, write(t, dir, "one.jsonl", added))
		folder := filepath.Join(cfg.Library, "index")
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		add(t, e) // writes it anew
		list, err := snapshot.List(folder)
		if err != nil || len(list) != 1 {
			t.Fatalf("snapshots %v, %v", list, err)
		}
		sound(t, e)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		return list[0].Path
	}
	own, other := snapshots(mine, auction), snapshots(theirs, protein)
	if filepath.Base(own) != filepath.Base(other) {
		t.Fatalf("snapshots %s and %s: want one name, or the test tests nothing", own, other)
	}
	data, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, data, 0o644); err != nil {
		t.Fatal(err)
	}
	e = openWith(t, mine)
	right := func() {
		t.Helper()
		if got := found(t, e, "auctions for shared markets"); !strings.HasPrefix(got, "Auctions") {
			t.Errorf("the library's own paper is not the first: %s", got)
		}
	}
	right()
	if r, err := e.Check(t.Context()); err != nil || r.OK {
		t.Errorf("Check: %+v, %v; want the foreign snapshot told", r, err)
	}
	add(t, e)
	sound(t, e)
	right()
}
