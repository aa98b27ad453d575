//go:build unix

package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
	"github.com/seed-9f29d379/akin/internal/mapped"
)

// A file that is mapped cannot be cut on Windows, where none is mapped.

// cutLibrary is a library whose snapshot is made whole again with whole, under the name that
// an engine opens, and cut to its first page with cut. Who has mapped it has the file that
// is cut.
func cutLibrary(t *testing.T, graphFrom int) (cfg engine.Config, whole, cut func()) {
	t.Helper()
	dir := t.TempDir()
	cfg = engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}, GraphFrom: graphFrom, Workers: 2}
	e := openWith(t, cfg)
	add(t, e, many(t, dir, "many.jsonl", 0, 2400))
	path := onlySnapshot(t, cfg.Library)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole = func() {
		t.Helper()
		if err := os.WriteFile(path+".new", content, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	cut = func() {
		if err := os.Truncate(path, int64(os.Getpagesize())); err != nil {
			t.Error(err)
		}
	}
	return cfg, whole, cut
}

// onlySnapshot is the library's only snapshot.
func onlySnapshot(t *testing.T, library string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(library, "index", "*.snapshot"))
	if err != nil || len(found) != 1 {
		t.Fatalf("snapshots %q, %v; want one", found, err)
	}
	return found[0]
}

// unreadable compares an error with that of a snapshot that was cut while it was read.
func unreadable(t *testing.T, err error) {
	t.Helper()
	told, ok := errors.AsType[*engine.Error](err)
	if !errors.Is(err, mapped.ErrUnreadable) || !ok || told.Kind != engine.Damaged || !strings.Contains(told.Hint, "akin check --repair") {
		t.Errorf("%#v: %v; want ErrUnreadable, of the kind of damage, with a hint to akin check --repair", err, err)
	}
}

// asking is every way to read a snapshot.
var asking = map[string]func(ctx context.Context, e *engine.Engine) error{
	"hybrid":  askFor(engine.Query{Text: "subject 3 with method 5", Mode: "hybrid"}),
	"dense":   askFor(engine.Query{Text: "subject 3 with method 5", Mode: "dense"}),
	"keyword": askFor(engine.Query{Text: "subject 3 with method 5", Mode: "keyword"}),
	"phrase":  askFor(engine.Query{Text: `"with method 5" subject`}),
	"without": askFor(engine.Query{Text: `subject 3 -detail`, Mode: "dense"}),
	"filter":  askFor(engine.Query{Text: "subject 3", Filters: engine.Filters{Source: []string{"many"}}}),
	"explain": askFor(engine.Query{Text: "subject 3 with method 5", Explain: true}),
	"diverse": askFor(engine.Query{Text: "subject 3 with method 5", Diversity: .5}),
	"similar": likeFirst(engine.Query{}),
	"rerank":  likeFirst(engine.Query{Rerank: true}),
}

func askFor(q engine.Query) func(context.Context, *engine.Engine) error {
	return func(ctx context.Context, e *engine.Engine) error { _, err := e.Search(ctx, q); return err }
}

func likeFirst(q engine.Query) func(context.Context, *engine.Engine) error {
	return func(ctx context.Context, e *engine.Engine) error {
		err := e.List(ctx, engine.ListRequest{N: 1}, func(p *engine.Paper) error {
			q.Like = []string{p.ID}
			return nil
		})
		if err == nil {
			_, err = e.Similar(ctx, q)
		}
		return err
	}
}

func TestASnapshotThatIsCutWhileItIsMappedIsAnError(t *testing.T) {
	for name, graphFrom := range map[string]int{"graph": smallGraph, "exact": 100_000} {
		t.Run(name, func(t *testing.T) {
			cfg, whole, cut := cutLibrary(t, graphFrom)
			for name, ask := range asking {
				t.Run(name, func(t *testing.T) {
					whole()
					var warned []string
					cfg := cfg
					cfg.Warn = func(text string) { warned = append(warned, text) }
					e := openWith(t, cfg)
					if _, err := e.Search(t.Context(), engine.Query{Text: "subject 7"}); err != nil { // which maps it
						t.Fatal(err)
					}
					cut()
					warned = nil
					unreadable(t, ask(t.Context(), e))
					// No lock is held: the next one answers without the snapshot, and says so.
					if err := ask(t.Context(), e); err != nil {
						t.Errorf("asked again: %v", err)
					}
					if told := strings.Join(warned, "\n"); !strings.Contains(told, "every paper is compared instead") {
						t.Errorf("asked again, told %q", told)
					}
				})
			}
		})
	}
}

// TestASnapshotThatIsCutWhileItIsExtendedLeavesNoLock cuts it when an add is about to link
// what is new.
func TestASnapshotThatIsCutWhileItIsExtendedLeavesNoLock(t *testing.T) {
	cfg, _, cut := cutLibrary(t, smallGraph)
	done := false
	cfg.Progress = func(p engine.Progress) {
		if p.Stage == "indexing" && !done {
			done = true
			cut()
		}
	}
	e := openWith(t, cfg)
	_, err := e.Add(t.Context(), engine.AddRequest{Paths: []string{many(t, t.TempDir(), "more.jsonl", 5000, 1200)}})
	unreadable(t, err)
	r, err := e.Check(t.Context())
	if err != nil || r.OK || r.Papers != 3600 {
		t.Errorf("Check: %+v, %v; want a problem, and all papers", r, err)
	}
	if r, err = e.Repair(t.Context()); err != nil || !r.OK {
		t.Errorf("Repair: %+v, %v", r, err)
	}
}

// TestThemesOfASnapshotThatIsCutAreAnError cuts what the neighbours are asked of, in the
// goroutines of the grouping.
func TestThemesOfASnapshotThatIsCutAreAnError(t *testing.T) {
	cfg, _, cut := cutLibrary(t, smallGraph)
	e := openWith(t, cfg)
	if _, err := e.Search(t.Context(), engine.Query{Text: "subject 7"}); err != nil { // which maps it
		t.Fatal(err)
	}
	cut()
	_, err := e.Themes(t.Context(), engine.ThemesRequest{K: 3})
	unreadable(t, err)
	if _, err := e.Search(t.Context(), engine.Query{Text: "subject 7"}); err != nil {
		t.Errorf("asked again: %v", err)
	}
}
