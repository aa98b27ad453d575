package engine_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// What fails must leave the themes of a library as they were, also where it would have
// had to find them first.
func TestWhatFailsLeavesTheThemesAlone(t *testing.T) {
	seed := uint64(7)
	forms := map[string]func(e *engine.Engine) error{
		"over years, another number": func(e *engine.Engine) error {
			_, err := e.ThemesOverYears(t.Context(), engine.ThemesRequest{K: 5})
			return err
		},
		"over years, fresh": func(e *engine.Engine) error {
			_, err := e.ThemesOverYears(t.Context(), engine.ThemesRequest{Fresh: true})
			return err
		},
		"over years, another seed and two levels": func(e *engine.Engine) error {
			_, err := e.ThemesOverYears(t.Context(), engine.ThemesRequest{Levels: 2, Seed: &seed})
			return err
		},
		"over years, a number below 1": func(e *engine.Engine) error {
			_, err := e.ThemesOverYears(t.Context(), engine.ThemesRequest{K: -1})
			return err
		},
		"three levels": func(e *engine.Engine) error {
			_, err := e.Themes(t.Context(), engine.ThemesRequest{K: 5, Levels: 3})
			return err
		},
		"showing one that is not there": func(e *engine.Engine) error {
			_, err := e.Theme(t.Context(), "t99")
			return err
		},
		"naming one that is not there": func(e *engine.Engine) error {
			_, err := e.RenameTheme(t.Context(), "t99", "x")
			return err
		},
		"a search in one that is not there": func(e *engine.Engine) error {
			_, err := e.Search(t.Context(), engine.Query{Text: "x", Filters: engine.Filters{Theme: []string{"t99"}}})
			return err
		},
		"a graph of one that is not there": func(e *engine.Engine) error {
			_, err := e.Export(t.Context(), new(bytes.Buffer), engine.ExportRequest{To: "graphml", Filters: engine.Filters{Theme: []string{"t99"}}})
			return err
		},
	}
	undated := planted(0, 60, 3)
	for i, line := range undated {
		undated[i] = line[:strings.LastIndex(line, `,"year"`)] + "}"
	}
	with, _ := library(t, undated...)
	want := themesOf(t, with, engine.ThemesRequest{K: 3})
	without, _ := library(t, undated...)
	for name, form := range forms {
		if err := form(with); err == nil {
			t.Errorf("%s: no error", name)
		}
		if diff := cmp.Diff(want, themesOf(t, with, engine.ThemesRequest{})); diff != "" {
			t.Fatalf("%s: the themes are others now:\n%s", name, diff)
		}
		if err := form(without); err == nil {
			t.Errorf("%s, in a library without themes: no error", name)
		}
		if _, err := without.Theme(t.Context(), "t1"); err == nil || !strings.Contains(err.Error(), "no themes yet") {
			t.Fatalf("%s: a library without themes has some now: %v", name, err)
		}
	}
}

// What finds other themes keeps them, as they are shown, and says what has changed.
func TestThemesThatAViewFindsAreKeptAndTold(t *testing.T) {
	e, _ := library(t, planted(0, 120, 6)...)
	if _, err := e.Theme(t.Context(), "t1"); engine.KindOf(err) != engine.NotFound {
		t.Errorf("showing a theme before there are any: %v", err)
	}
	first := themesOf(t, e, engine.ThemesRequest{K: 2})
	for _, test := range []struct {
		name    string
		req     engine.ThemesRequest
		changes bool
	}{
		{"as they are", engine.ThemesRequest{}, false},
		{"six", engine.ThemesRequest{K: 6}, true},
		{"six again", engine.ThemesRequest{K: 6}, false},
		{"fresh", engine.ThemesRequest{Fresh: true}, true},
	} {
		y, err := e.ThemesOverYears(t.Context(), test.req)
		if err != nil {
			t.Fatal(err)
		}
		if (y.Changes != nil) != test.changes {
			t.Errorf("%s: changes %+v are told, want some: %v", test.name, y.Changes, test.changes)
		}
		var ids []string
		for _, theme := range y.Themes {
			ids = append(ids, theme.ID)
		}
		kept := themesOf(t, e, engine.ThemesRequest{})
		if diff := cmp.Diff(kept.ThemesFound, y.ThemesFound, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Changes" }, cmp.Ignore())); diff != "" || !slices.Equal(ids, themeIDs(kept)) {
			t.Errorf("%s: the themes %v are shown, %v are kept; (-kept +shown):\n%s", test.name, ids, themeIDs(kept), diff)
		}
	}
	if got := themesOf(t, e, engine.ThemesRequest{K: 2}); len(got.Themes) != len(first.Themes) {
		t.Errorf("%d themes, want %d", len(got.Themes), len(first.Themes))
	}
}

// A graph needs themes: where there are none they are found, kept, and that is told.
func TestAGraphOfALibraryWithoutThemes(t *testing.T) {
	var told []string
	dir := t.TempDir()
	e := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}, Warn: func(m string) { told = append(told, m) }})
	add(t, e, write(t, dir, "papers.jsonl", planted(0, 60, 3)...))
	for range 2 {
		if _, err := e.Export(t.Context(), new(bytes.Buffer), engine.ExportRequest{To: "graphml"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Theme(t.Context(), "t1"); err != nil || len(told) != 1 || !strings.Contains(told[0], "had no themes yet") {
		t.Errorf("told %q once, and showing a theme: %v", told, err)
	}
}
