package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/index/snapshot"
)

// older writes a snapshot again without the sections that an older akin did not have.
func older(t *testing.T, path string, without ...string) {
	t.Helper()
	f, err := snapshot.Open(path, snapshot.OpenOptions{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	w, err := snapshot.Create(snapshot.OS{}, filepath.Dir(path), f.Identity())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range f.Sections() {
		if slices.Contains(without, name) {
			continue
		}
		data, _ := f.Section(name)
		if err := w.Section(name); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

// What an older akin linked is not linked again: only what it did not write is added.
func TestASnapshotOfAnOlderAkinIsCompleted(t *testing.T) {
	dir := t.TempDir()
	cfg, e := graphLibrary(t, dir, 600)
	want := contents(t, snapshots(t, dir)[0])
	e.Close()
	older(t, snapshots(t, dir)[0], "words.texts")
	var told []string
	cfg.Warn = func(m string) { told = append(told, m) }
	old := openWith(t, cfg)
	if got := found(t, old, `"method 3 and detail 34"`); got != "Subject 34 with method 3" {
		t.Errorf("an older snapshot answers %q, want the one paper that holds the phrase", got)
	}
	if len(told) == 0 || !strings.Contains(told[0], "older akin") {
		t.Errorf("told %q, want that an older akin wrote it", told)
	}
	if r, err := old.Check(t.Context()); err != nil || r.OK {
		t.Errorf("check: %+v, %v; want a problem", r, err)
	}
	add(t, old)
	got := contents(t, snapshots(t, dir)[0])
	for name := range want {
		if string(got[name]) != string(want[name]) {
			t.Errorf("section %q is another", name)
		}
	}
	sound(t, openWith(t, cfg))
}
