package engine_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/engine"
	"github.com/seed-9f29d379/akin/internal/store"
)

// A large library whose index is lost must not compare all papers with all: it is indexed
// first, or, where it cannot be written, a graph is built for this once.
func TestThemesOfALargeLibraryThatLostItsGraph(t *testing.T) {
	dir := t.TempDir()
	indexed := 0
	cfg := engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}, GraphFrom: 40, Progress: func(p engine.Progress) {
		if p.Stage == "indexing" {
			indexed++
		}
	}}
	add(t, openWith(t, cfg), write(t, dir, "papers.jsonl", planted(0, 120, 4)...))
	folder := filepath.Join(cfg.Library, "index")
	want := placesOf(themesOf(t, openWith(t, cfg), engine.ThemesRequest{K: 4}))
	lose := func() {
		t.Helper()
		indexed = 0
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}

	indexed = 0
	if themesOf(t, openWith(t, cfg), engine.ThemesRequest{Fresh: true, K: 4}); indexed != 0 {
		t.Error("with a graph, it was indexed again")
	}
	lose()
	got := placesOf(themesOf(t, openWith(t, cfg), engine.ThemesRequest{Fresh: true, K: 4}))
	if diff := cmp.Diff(want, got); diff != "" || indexed == 0 {
		t.Errorf("indexed %d times; themes with (-) and without (+) a graph:\n%s", indexed, diff)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) == 0 {
		t.Errorf("%d files of an index, %v; want it written", len(files), err)
	}

	lose()
	exact := cfg
	exact.Exact = true
	if themesOf(t, openWith(t, exact), engine.ThemesRequest{Fresh: true, K: 4}); indexed != 0 {
		t.Error("it was indexed, though exact neighbours were asked for")
	}
	w, err := store.OpenWriter(t.Context(), cfg.Library, "add")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	got = placesOf(themesOf(t, openWith(t, cfg), engine.ThemesRequest{Fresh: true, K: 4}))
	if diff := cmp.Diff(want, got); diff != "" || indexed == 0 {
		t.Errorf("while another writes: indexed %d times; themes (-want +got):\n%s", indexed, diff)
	}
}

// Two processes that find themes at once both answer, and the library keeps one of the two.
func TestThemesFoundByTwoAtOnce(t *testing.T) {
	e, dir := library(t, planted(0, 90, 3)...)
	var found [2]map[string]string
	var failed [2]error
	var both sync.WaitGroup
	for i := range found {
		other := open(t, filepath.Join(dir, "lib"))
		both.Go(func() {
			th, err := other.Themes(t.Context(), engine.ThemesRequest{K: 3 + i})
			if failed[i] = err; err == nil {
				found[i] = placesOf(th)
			}
		})
	}
	both.Wait()
	kept := themesOf(t, e, engine.ThemesRequest{})
	for i, err := range failed {
		if err != nil || len(found[i]) != 90 {
			t.Errorf("k %d: %v, %d papers in themes", 3+i, err, len(found[i]))
		}
	}
	if len(kept.Themes) != kept.Asked || len(placesOf(kept)) != 90 {
		t.Errorf("kept: %d themes of %d asked for, %d papers", len(kept.Themes), kept.Asked, len(placesOf(kept)))
	}
	if c, err := e.Check(t.Context()); err != nil || !c.OK {
		t.Errorf("check: %+v, %v", c, err)
	}
}
