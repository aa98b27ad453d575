package engine_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/engine"
)

// many writes n papers that have words in common.
func many(t testing.TB, dir, name string, from, n int) string {
	t.Helper()
	lines := make([]string, n)
	for i := range lines {
		k := from + i
		lines[i] = fmt.Sprintf(`{"id":"p%d","title":"Subject %d with method %d","abstract":"Area %d, subject %d, method %d and detail %d."}`, k, k%97, k%31, k%7, k%97, k%31, k)
	}
	return write(t, dir, name, lines...)
}

const smallGraph = 300 // vectors from which these tests want a graph

func graphLibrary(t testing.TB, dir string, n int) (engine.Config, *engine.Engine) {
	t.Helper()
	cfg := engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}, GraphFrom: smallGraph}
	e := openWith(t, cfg)
	add(t, e, many(t, dir, "many.jsonl", 0, n))
	return cfg, e
}

// agree compares the answers of two engines on some queries.
func agree(t testing.TB, got, want *engine.Engine) {
	t.Helper()
	for k := range 20 {
		q := engine.Query{Text: fmt.Sprintf("subject %d with method %d and detail %d", k*3, k, k*11)}
		g, err := got.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		w, err := want.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		common := 0
		for _, r := range g.Results {
			for _, s := range w.Results {
				if r.ID == s.ID {
					common++
				}
			}
		}
		if common < len(w.Results)-1 {
			t.Errorf("%q: %d of %d results in common", q.Text, common, len(w.Results))
		}
	}
}

func method(t testing.TB, e *engine.Engine) string {
	t.Helper()
	a, err := e.Search(t.Context(), engine.Query{Text: "subject 3"})
	if err != nil {
		t.Fatal(err)
	}
	return a.Neighbours
}

func TestLargeLibrariesAreSearchedByGraph(t *testing.T) {
	dir := t.TempDir()
	cfg, e := graphLibrary(t, dir, 600)
	if m := method(t, e); m != "exact" && m != "hnsw" {
		t.Errorf("neighbours %q", m)
	}
	fresh := openWith(t, cfg)
	if m := method(t, fresh); m != "hnsw" {
		t.Errorf("neighbours %q, want hnsw", m)
	}
	if s := stats(t, fresh); s.Snapshot.Method != "hnsw" || s.Snapshot.Bytes == 0 || s.Snapshot.Generation == 0 {
		t.Errorf("stats: %+v", s.Snapshot)
	}
	cfg.Exact = true
	exact := openWith(t, cfg)
	if m := method(t, exact); m != "exact" {
		t.Errorf("with Exact: neighbours %q", m)
	}
	agree(t, fresh, exact)
	r, err := fresh.Check(t.Context())
	if err != nil || !r.OK || r.RecallSamples == 0 || *r.RecallAt10 < 0.95 {
		t.Errorf("Check: %+v, %v", r, err)
	}
}

func TestWhatCameAfterTheSnapshotIsFound(t *testing.T) {
	dir := t.TempDir()
	cfg, _ := graphLibrary(t, dir, 600)
	e := openWith(t, cfg)
	add(t, e, write(t, dir, "new.jsonl", protein))
	for _, reader := range []*engine.Engine{e, openWith(t, cfg)} {
		if got := found(t, reader, "folding of small proteins"); !strings.HasPrefix(got, "Folding") {
			t.Errorf("a new paper is not the first: %s", got)
		}
		if m := method(t, reader); m != "hnsw" {
			t.Errorf("neighbours %q, want hnsw", m)
		}
	}
	if _, err := e.Remove(t.Context(), []string{"c"}); err != nil {
		t.Fatal(err)
	}
	first := show(t, e, "p5")
	if _, err := e.Remove(t.Context(), []string{"p5"}); err != nil {
		t.Fatal(err)
	}
	for _, reader := range []*engine.Engine{e, openWith(t, cfg)} {
		if got := found(t, reader, "folding of small proteins"); strings.Contains(got, "Folding") {
			t.Errorf("a removed new paper is found: %s", got)
		}
		a, err := reader.Search(t.Context(), engine.Query{Text: first.Title + ". " + first.Abstract})
		if err != nil || a.Results[0].ID == first.ID {
			t.Errorf("a removed paper of the snapshot is found: %v, %v", a, err)
		}
	}
	sound(t, e)
}

func snapshots(t testing.TB, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "lib", "index", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestSnapshotsThatAreMissingOrDamaged(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"missing": os.Remove,
		"cut":     func(path string) error { return os.Truncate(path, 5000) },
		"empty":   func(path string) error { return os.Truncate(path, 0) },
		"another file": func(path string) error {
			return os.WriteFile(path, []byte(strings.Repeat("no snapshot ", 1000)), 0o644)
		},
		"a bit of the footer": func(path string) error {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			data[len(data)-20] ^= 1
			return os.WriteFile(path, data, 0o644)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			cfg, made := graphLibrary(t, dir, 400)
			if err := made.Close(); err != nil {
				t.Fatal(err)
			}
			files := snapshots(t, dir)
			if len(files) != 1 {
				t.Fatalf("snapshots: %v, want one", files)
			}
			want := open(t, filepath.Join(dir, "other"))
			add(t, want, filepath.Join(dir, "many.jsonl"))
			if err := harm(files[0]); err != nil {
				t.Fatal(err)
			}
			var told []string
			cfg.Warn = func(m string) { told = append(told, m) }
			e := openWith(t, cfg)
			agree(t, e, want)
			if name != "missing" && len(told) == 0 {
				t.Error("nothing was told")
			}
			if name != "missing" {
				if r, err := e.Check(t.Context()); err != nil || r.OK {
					t.Errorf("Check: %+v, %v; want a problem", r, err)
				}
			}
			add(t, e) // finishes what is missing
			if m := method(t, openWith(t, cfg)); m != "hnsw" {
				t.Errorf("after the next add: neighbours %q, want hnsw", m)
			}
			sound(t, e)
		})
	}
}

// TestASnapshotThatCannotBeUsedIsTriedOnce: searches of one process do not read all
// vectors again and again, and take the snapshot that the next add writes.
func TestASnapshotThatCannotBeUsedIsTriedOnce(t *testing.T) {
	dir := t.TempDir()
	cfg, made := graphLibrary(t, dir, 2100)
	if err := made.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(snapshots(t, dir)[0], 5000); err != nil {
		t.Fatal(err)
	}
	told := 0
	cfg.Warn = func(string) { told++ }
	e := openWith(t, cfg)
	for range 3 {
		if m := method(t, e); m != "exact" {
			t.Errorf("neighbours %q, want exact", m)
		}
	}
	if told != 1 {
		t.Errorf("told %d times that the snapshot cannot be used, want once", told)
	}
	add(t, openWith(t, cfg)) // mends it
	if m := method(t, e); m != "hnsw" {
		t.Errorf("after it was mended: neighbours %q, want hnsw", m)
	}
}

func TestABitFlippedInASnapshotIsFoundByCheck(t *testing.T) {
	dir := t.TempDir()
	cfg, _ := graphLibrary(t, dir, 400)
	path := snapshots(t, dir)[0]
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 4
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	e := openWith(t, cfg)
	if r, err := e.Check(t.Context()); err != nil || r.OK {
		t.Errorf("Check: %+v, %v; want a problem", r, err)
	}
	if r, err := e.Repair(t.Context()); err != nil || !r.OK {
		t.Errorf("Repair: %+v, %v", r, err)
	}
}

// failing is a file system whose n-th operation, and all after it, fail.
type failing struct {
	snapshot.OS
	left  int
	short bool // a write that fails writes half
}

var errDisk = errors.New("no space left on device")

func (f *failing) step() error {
	if f.left--; f.left < 0 {
		return errDisk
	}
	return nil
}

func (f *failing) Create(name string) (snapshot.WriteFile, error) {
	if err := f.step(); err != nil {
		return nil, err
	}
	file, err := f.OS.Create(name)
	return failingFile{file, f}, err
}

func (f *failing) Rename(from, to string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.OS.Rename(from, to)
}

func (f *failing) SyncDir(dir string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.OS.SyncDir(dir)
}

func (f *failing) Remove(name string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.OS.Remove(name)
}

type failingFile struct {
	snapshot.WriteFile
	f *failing
}

func (f failingFile) Write(p []byte) (int, error) {
	if err := f.f.step(); err != nil {
		if f.f.short {
			n, _ := f.WriteFile.Write(p[:len(p)/2])
			return n, err
		}
		return 0, err
	}
	return f.WriteFile.Write(p)
}

func (f failingFile) Sync() error {
	if err := f.f.step(); err != nil {
		return err
	}
	return f.WriteFile.Sync()
}

func TestEveryFailingFileOperationLeavesALibraryThatAnswers(t *testing.T) {
	dir := t.TempDir()
	made := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}})
	if _, err := made.Add(t.Context(), engine.AddRequest{Paths: []string{many(t, dir, "many.jsonl", 0, 400)}, NoSentences: true}); err != nil {
		t.Fatal(err)
	}
	if err := made.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "lib", "library.db"))
	if err != nil {
		t.Fatal(err)
	}
	// An add without paths writes the snapshot that is missing.
	finish := func(cfg engine.Config) error {
		_, err := openWith(t, cfg).Add(t.Context(), engine.AddRequest{NoSentences: true})
		return err
	}
	for _, short := range []bool{false, true} {
		for n := 0; ; n++ {
			cfg := engine.Config{Library: t.TempDir(), Encoder: &words{}, GraphFrom: smallGraph, Files: &failing{left: n, short: short}}
			if err := os.WriteFile(filepath.Join(cfg.Library, "library.db"), whole, 0o644); err != nil {
				t.Fatal(err)
			}
			failed := finish(cfg)
			if failed != nil && !errors.Is(failed, errDisk) {
				t.Fatalf("operation %d: %v", n, failed)
			}
			cfg.Files = nil
			if found(t, openWith(t, cfg), "subject 3") == "" {
				t.Errorf("operation %d: no answer", n)
			}
			if err := finish(cfg); err != nil {
				t.Errorf("operation %d: the next add: %v", n, err)
			}
			e := openWith(t, cfg)
			if r, err := e.Check(t.Context()); err != nil || !r.OK || r.RecallSamples == 0 {
				t.Errorf("operation %d: Check: %+v, %v", n, r, err)
			}
			if failed == nil {
				if n < 4 {
					t.Errorf("only %d operations were counted", n)
				}
				break
			}
		}
	}
}

func TestAddWhileSearching(t *testing.T) {
	dir := t.TempDir()
	cfg, e := graphLibrary(t, dir, 600)
	done := make(chan error)
	stop := make(chan struct{})
	for range 2 {
		go func() {
			for {
				select {
				case <-stop:
					done <- nil
					return
				default:
				}
				a, err := e.Search(t.Context(), engine.Query{Text: "subject 5 with method 5"})
				if err != nil || len(a.Results) != 10 {
					done <- fmt.Errorf("%v, %w", a, err)
					return
				}
			}
		}()
	}
	for i := range 3 {
		add(t, e, many(t, dir, fmt.Sprintf("more%d.jsonl", i), 10_000*(i+1), 400))
	}
	close(stop)
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if s := stats(t, e); s.Vectors != 1800 {
		t.Errorf("%d vectors", s.Vectors)
	}
	agree(t, e, openWith(t, engine.Config{Library: cfg.Library, Encoder: &words{}, Exact: true}))
}

// contents returns the sections of a snapshot, but for those that say which paper is
// which: papers are numbered as they come.
func contents(t testing.TB, path string) map[string][]byte {
	t.Helper()
	f, err := snapshot.Open(path, snapshot.OpenOptions{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	all := make(map[string][]byte)
	for _, name := range f.Sections() {
		all[name], _ = f.Section(name)
	}
	for _, name := range []string{"ids", "lookup", "words.papers", "words.order", "fields.sources"} {
		if _, ok := all[name]; !ok {
			t.Errorf("no section %q", name)
		}
		delete(all, name)
	}
	return all
}

func TestTheSamePapersGiveTheSameSnapshotInAnyOrder(t *testing.T) {
	const n = 2400
	for _, c := range []struct {
		name     string
		graph    int // from how many papers on
		sections int
	}{
		{"graph", smallGraph, 11},
		{"exact", 100_000, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want map[string][]byte
			for _, from := range []int{0, n / 3, n / 2} { // the papers from here on come first
				dir := t.TempDir()
				lines := strings.Split(strings.TrimSpace(readFile(t, many(t, dir, "many.jsonl", 0, n))), "\n")
				lines = append(lines[from:len(lines):len(lines)], lines[:from]...)
				e := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}, GraphFrom: c.graph})
				if _, err := e.Add(t.Context(), engine.AddRequest{Paths: []string{write(t, dir, "shuffled.jsonl", lines...)}, NoSentences: true}); err != nil {
					t.Fatal(err)
				}
				files := snapshots(t, dir)
				if len(files) != 1 {
					t.Fatalf("snapshots: %v, want one", files)
				}
				got := contents(t, files[0])
				if len(got) < c.sections {
					t.Errorf("%d sections, want at least %d", len(got), c.sections)
				}
				if want == nil {
					want = got
				}
				for name := range want {
					if string(got[name]) != string(want[name]) {
						t.Errorf("papers from %d on first: section %q is another", from, name)
					}
				}
				sound(t, e)
			}
		})
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A library whose snapshot is of the other kind than the present limit asks for, and to which
// nothing came, is left as it is.
func TestASnapshotOfTheOtherKind(t *testing.T) {
	dir := t.TempDir()
	cfg := engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}, GraphFrom: 100_000}
	file := many(t, dir, "many.jsonl", 0, 2_100)
	e := openWith(t, cfg)
	add(t, e, file)
	e.Close()
	cfg.GraphFrom = smallGraph
	again := openWith(t, cfg)
	add(t, again, file)
	agree(t, again, again)
	add(t, again, many(t, dir, "more.jsonl", 2_100, 3_400))
	if s, err := again.Stats(t.Context()); err != nil || s.Snapshot.Method != "hnsw" {
		t.Errorf("after more papers the snapshot is %+v (%v), want a graph", s, err)
	}
}
