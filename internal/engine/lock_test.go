package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func TestTwoAddsAtOnce(t *testing.T) {
	dir := t.TempDir()
	lib := filepath.Join(dir, "lib")
	first := write(t, dir, "first.jsonl", graphs, auction)
	second := write(t, dir, "second.jsonl", protein)
	reached, release := make(chan struct{}), make(chan struct{})
	holder := openWith(t, engine.Config{Library: lib, Encoder: &words{after: func(n int64) {
		if n == 1 {
			close(reached)
			<-release
		}
	}}})
	done := make(chan error)
	go func() {
		_, err := holder.Add(context.Background(), engine.AddRequest{Paths: []string{first}})
		done <- err
	}()
	<-reached
	other := open(t, lib)
	_, err := other.Add(t.Context(), engine.AddRequest{Paths: []string{second}})
	if engine.KindOf(err) != engine.Damaged || !strings.Contains(err.Error(), "akin add") {
		t.Errorf("a second add: %v, want Damaged, naming the first", err)
	}
	// A reader sees what is committed: all of the papers, or none yet.
	if s := stats(t, other); s.Papers != 0 && s.Papers != 2 {
		t.Errorf("a reader sees %d papers", s.Papers)
	}
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if _, err := other.Add(t.Context(), engine.AddRequest{Paths: []string{second}}); err != nil {
		t.Errorf("after the first has ended: %v", err)
	}
	if s := stats(t, other); s.Papers != 3 || s.Vectors != 3 {
		t.Errorf("%d papers with %d vectors, want 3", s.Papers, s.Vectors)
	}
}

func TestAReaderSeesWhatAnotherWrites(t *testing.T) {
	dir := t.TempDir()
	lib := filepath.Join(dir, "lib")
	writer := open(t, lib)
	add(t, writer, write(t, dir, "one.jsonl", graphs, auction))
	reader := open(t, lib)
	if got := found(t, reader, "folding of proteins"); strings.Contains(got, "Folding") {
		t.Fatalf("found too early: %s", got)
	}
	add(t, writer, write(t, dir, "two.jsonl", protein))
	if got := found(t, reader, "folding of proteins"); !strings.HasPrefix(got, "Folding") {
		t.Errorf("what another process added is not seen: %s", got)
	}
	if _, err := writer.Remove(t.Context(), []string{"c"}); err != nil {
		t.Fatal(err)
	}
	if got := found(t, reader, "folding of proteins"); strings.Contains(got, "Folding") {
		t.Errorf("what another process removed is still found: %s", got)
	}
}

func TestLibrariesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Open(t.Context(), engine.Config{Library: file}); err == nil || engine.KindOf(err) != engine.Failed {
		t.Errorf("a library that is a file: %v, want Failed", err)
	}

	empty := t.TempDir()
	e := open(t, empty)
	if _, err := e.Search(t.Context(), engine.Query{Text: "x"}); engine.KindOf(err) != engine.NotFound {
		t.Errorf("searching an empty folder: %v, want NotFound", err)
	}

	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "library.db"), []byte(strings.Repeat("not a database ", 1000)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Open(t.Context(), engine.Config{Library: other}); engine.KindOf(err) != engine.Damaged {
		t.Errorf("a database that is none: %v, want Damaged", err)
	}
}

func TestBadRequests(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "one.jsonl", graphs, auction, protein))
	ctx := t.Context()
	search := func(q engine.Query) error { _, err := e.Search(ctx, q); return err }
	similar := func(q engine.Query) error { _, err := e.Similar(ctx, q); return err }
	for name, test := range map[string]struct {
		err  error
		want engine.Kind
	}{
		"a blank query":                {search(engine.Query{Text: "  \n"}), engine.Usage},
		"fewer than no results":        {search(engine.Query{Text: "x", N: -1}), engine.Usage},
		"a mode that is none":          {search(engine.Query{Text: "x", Mode: "psychic"}), engine.Usage},
		"a diversity above 1":          {search(engine.Query{Text: "x", Diversity: 2}), engine.Usage},
		"similar to nothing":           {similar(engine.Query{}), engine.Usage},
		"similar to somebody unknown":  {similar(engine.Query{Like: []string{"zzz"}}), engine.NotFound},
		"like and unlike one paper":    {similar(engine.Query{Like: []string{"a"}, Unlike: []string{"a"}}), engine.Usage},
		"themes, fewer than none":      {second(e.Themes(ctx, engine.ThemesRequest{K: -1})), engine.Usage},
		"papers sorted by their smell": {e.List(ctx, engine.ListRequest{Sort: "smell"}, func(*engine.Paper) error { return nil }), engine.Usage},
	} {
		if test.err == nil || engine.KindOf(test.err) != test.want {
			t.Errorf("%s: %v, want kind %d", name, test.err, test.want)
		}
	}
	var told []string
	e2 := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}, Warn: func(m string) { told = append(told, m) }})
	if a, err := e2.Search(ctx, engine.Query{Text: "graphs", N: 500}); err != nil || len(a.Results) != 3 || !a.Fewer {
		t.Errorf("500 results of 3 papers: %v, %v; want 3, and that they are fewer", a, err)
	}
	if a, err := e2.Search(ctx, engine.Query{Text: strings.Repeat("word ", 100_000)}); err != nil || !a.Query.Truncated || len(told) != 1 {
		t.Errorf("100,000 words: %v, told %q; want an answer, and one warning", err, told)
	}
}

func second[T any](_ T, err error) error { return err }

func TestSimilarToSeveralAndUnlike(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "one.jsonl", graphs, auction, protein,
		`{"id":"g2","title":"Sparse graphs and their edges","abstract":"Edges of sparse graphs; message passing."}`,
		`{"id":"m2","title":"Sellers in a market","abstract":"Sellers share a market with bids."}`))
	a, err := e.Similar(t.Context(), engine.Query{Like: []string{"a"}, N: 1})
	if err != nil || a.Results[0].Keys[0] != "g2" {
		t.Errorf("similar to a: %+v, %v; want g2", a, err)
	}
	a, err = e.Similar(t.Context(), engine.Query{Like: []string{"a", "b"}, N: 3})
	if err != nil || len(a.Results) != 3 {
		t.Fatalf("similar to a and b: %+v, %v", a, err)
	}
	both := a.Results[0].Keys[0] + a.Results[1].Keys[0]
	if both != "g2m2" && both != "m2g2" {
		t.Errorf("similar to a and b begins with %s, want g2 and m2", both)
	}
	a, err = e.Similar(t.Context(), engine.Query{Like: []string{"a"}, Text: "sellers share a market", Unlike: []string{"g2"}, N: 1})
	if err != nil || a.Results[0].Keys[0] == "g2" {
		t.Errorf("unlike g2: %+v, %v", a, err)
	}
	for _, r := range a.Results {
		if r.Snippet == "" || r.Title == "" {
			t.Errorf("a result without title or snippet: %+v", r)
		}
	}
}

func TestRemovingIsRefusedWhileLocked(t *testing.T) {
	dir := t.TempDir()
	lib := filepath.Join(dir, "lib")
	e := open(t, lib)
	add(t, e, write(t, dir, "one.jsonl", graphs))
	reached, release := make(chan struct{}), make(chan struct{})
	holder := openWith(t, engine.Config{Library: lib, Encoder: &words{after: func(n int64) {
		if n == 1 {
			close(reached)
			<-release
		}
	}}})
	done := make(chan error)
	go func() {
		_, err := holder.Add(context.Background(), engine.AddRequest{Paths: []string{write(t, dir, "two.jsonl", auction)}})
		done <- err
	}()
	<-reached
	start := time.Now()
	if _, err := e.Remove(t.Context(), []string{"a"}); engine.KindOf(err) != engine.Damaged {
		t.Errorf("Remove: %v, want Damaged", err)
	}
	if waited := time.Since(start); waited > 5*time.Second {
		t.Errorf("refused after %v only", waited)
	}
	close(release)
	if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}
