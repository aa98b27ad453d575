package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/engine"
)

const (
	graphs  = `{"id":"a","title":"Message passing on sparse graphs","abstract":"We study message passing on graphs with few edges.","year":2021,"authors":["Ann Lee"]}`
	auction = `{"id":"b","title":"Auctions for shared markets","abstract":"A market in which sellers share bids.","year":2022,"venue":"EC"}`
	protein = `{"id":"c","title":"Folding of small proteins","abstract":"Proteins fold in water; a model of the speed of folding."}`
	only    = `{"id":"d","title":"A title without any abstract"}`
	nothing = `{"id":"e","year":2020}`
)

func TestAddTwiceChangesNothing(t *testing.T) {
	dir := t.TempDir()
	enc := &words{}
	e := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: enc})
	file := write(t, dir, "papers.jsonl", graphs, auction, protein, only, nothing)

	want := counts{Read: 5, Added: 4, Rejected: 1, WithoutAbstract: 1, Embedded: 4}
	if d := cmp.Diff(want, countsOf(add(t, e, file))); d != "" {
		t.Errorf("the first add (-want +got):\n%s", d)
	}
	first := enc.encoded.Load()
	want = counts{Read: 5, Unchanged: 4, Rejected: 1, WithoutAbstract: 1}
	if d := cmp.Diff(want, countsOf(add(t, e, file))); d != "" {
		t.Errorf("the second add (-want +got):\n%s", d)
	}
	if n := enc.encoded.Load(); first < 4 || n != first {
		t.Errorf("%d texts were encoded, %d of them by the second add; want 4 papers and their sentences once", n, n-first)
	}
}

func TestAddNamesWhatItSetsAside(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "papers.jsonl", graphs, nothing)
	r := add(t, open(t, filepath.Join(dir, "lib")), file)
	if len(r.Rejected) != 1 || r.Rejected[0].File != file || r.Rejected[0].Line != 2 || r.Rejected[0].ID != "e" || r.Rejected[0].Reason == "" {
		t.Errorf("rejected = %+v, want line 2 of %s, id e, with a reason", r.Rejected, file)
	}
}

func TestAnswersSeeWhatWasAddedAndRemoved(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "one.jsonl", graphs, auction))
	if got := found(t, e, "folding of proteins"); strings.Contains(got, "Folding") {
		t.Fatalf("found before it was added: %s", got)
	}
	add(t, e, write(t, dir, "two.jsonl", protein))
	if got := found(t, e, "folding of proteins"); !strings.HasPrefix(got, "Folding") {
		t.Errorf("the paper that was added is not the first: %s", got)
	}
	if _, err := e.Remove(t.Context(), []string{"folding of small"}); err != nil {
		t.Fatal(err)
	}
	if got := found(t, e, "folding of proteins"); strings.Contains(got, "Folding") {
		t.Errorf("found after it was removed: %s", got)
	}
}

// found is the titles that a search gives, best first.
func found(t testing.TB, e *engine.Engine, text string) string {
	t.Helper()
	a, err := e.Search(t.Context(), engine.Query{Text: text})
	if err != nil {
		t.Fatalf("Search(%q): %v", text, err)
	}
	var titles []string
	for _, r := range a.Results {
		titles = append(titles, r.Title)
	}
	return strings.Join(titles, " | ")
}

func TestRemoveIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "one.jsonl", graphs, auction))
	if _, err := e.Remove(t.Context(), []string{"a", "nobody"}); engine.KindOf(err) != engine.NotFound {
		t.Errorf("removing an unknown paper: %v, want NotFound", err)
	}
	if s := stats(t, e); s.Papers != 2 {
		t.Errorf("%d papers are left, want 2", s.Papers)
	}
}

func stats(t testing.TB, e *engine.Engine) *engine.Stats {
	t.Helper()
	s, err := e.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestInterruptedAddGoesOnWhereItStopped(t *testing.T) {
	dir := t.TempDir()
	var lines []string
	for i := range 300 {
		lines = append(lines, fmt.Sprintf(`{"id":"k%d","title":"Paper number %d of a list","abstract":"About the matter %d and %d."}`, i, i, i*i, i+7))
	}
	file := write(t, dir, "papers.jsonl", lines...)
	ctx, cancel := context.WithCancel(t.Context())
	enc := &words{after: func(n int64) {
		if n == 100 {
			cancel()
		}
	}}
	e := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: enc})
	r, err := e.Add(ctx, engine.AddRequest{Paths: []string{file}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("Add: %v, want the context's error", err)
	}
	balanced(t, r)
	if r.Added != 300 || r.Embedded == 0 || r.Embedded >= 300 {
		t.Errorf("the report of what was done: %+v", countsOf(r))
	}
	if found(t, e, "paper number 3") == "" {
		t.Error("the interrupted library does not answer")
	}
	enc.after = nil
	again := add(t, e)
	if again.Embedded != 300-r.Embedded {
		t.Errorf("the next add encoded %d, want the %d that were missing", again.Embedded, 300-r.Embedded)
	}
	if s := stats(t, e); s.Vectors != 300 {
		t.Errorf("%d vectors, want 300", s.Vectors)
	}
}

func TestNoEmbedThenFinish(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	file := write(t, dir, "papers.jsonl", graphs, auction)
	r, err := e.Add(t.Context(), engine.AddRequest{Paths: []string{file}, NoEmbed: true})
	if err != nil || r.Added != 2 || r.Embedded != 0 {
		t.Fatalf("Add: %+v, %v", r, err)
	}
	if _, err := e.Search(t.Context(), engine.Query{Text: "graphs", Mode: "dense"}); engine.KindOf(err) != engine.NotFound {
		t.Errorf("searching by meaning what is not encoded: %v, want NotFound with a hint", err)
	}
	if a, err := e.Search(t.Context(), engine.Query{Text: "graphs"}); err != nil || a.Mode != "keyword" || a.Neighbours != "none" || len(a.Results) != 1 {
		t.Errorf("searching what is not encoded: %+v, %v; want the paper with that word", a, err)
	}
	if r := add(t, e); r.Embedded != 2 || r.Read != 0 {
		t.Errorf("finishing: %+v, want 2 encoded", countsOf(r))
	}
}

func TestAddRefusesInputWithoutPapers(t *testing.T) {
	dir := t.TempDir()
	for name, paths := range map[string][]string{
		"an empty file":            {write(t, dir, "empty.jsonl")},
		"nothing usable":           {write(t, dir, "nothing.jsonl", nothing)},
		"a folder without papers":  {t.TempDir()},
		"a file that is not there": {filepath.Join(dir, "missing.jsonl")},
	} {
		lib := filepath.Join(t.TempDir(), "lib")
		e := open(t, lib)
		r, err := e.Add(t.Context(), engine.AddRequest{Paths: paths})
		if engine.KindOf(err) != engine.Failed || err == nil {
			t.Errorf("%s: %v, want Failed", name, err)
		}
		balanced(t, r)
		if _, err := os.Stat(lib); err == nil && r.Read == 0 {
			t.Errorf("%s: a library was made for nothing", name)
		}
	}
}

func TestAddFromStdin(t *testing.T) {
	e := open(t, filepath.Join(t.TempDir(), "lib"))
	r, err := e.Add(t.Context(), engine.AddRequest{Paths: []string{"-"}, Stdin: strings.NewReader(graphs + "\n" + auction + "\n")})
	if err != nil || r.Added != 2 {
		t.Fatalf("Add: %+v, %v", r, err)
	}
}

func TestInterruptWhileStdinWaits(t *testing.T) {
	in, _, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := open(t, filepath.Join(t.TempDir(), "lib"))
	if _, err := e.Add(ctx, engine.AddRequest{Paths: []string{"-"}, Stdin: in}); !errors.Is(err, context.Canceled) {
		t.Errorf("Add: %v, want the context's error", err)
	}
}

func TestAnotherModelIsRefused(t *testing.T) {
	dir := t.TempDir()
	lib := filepath.Join(dir, "lib")
	file := write(t, dir, "papers.jsonl", graphs)
	add(t, open(t, lib), file)
	other := openWith(t, engine.Config{Library: lib, Encoder: &words{name: "other/test/fp32"}})
	if _, err := other.Search(t.Context(), engine.Query{Text: "graphs"}); engine.KindOf(err) != engine.Damaged {
		t.Errorf("Search: %v, want Damaged", err)
	}
	if _, err := other.Add(t.Context(), engine.AddRequest{Paths: []string{write(t, dir, "more.jsonl", auction)}}); engine.KindOf(err) != engine.Damaged {
		t.Errorf("Add: %v, want Damaged", err)
	}
	if s := stats(t, other); s.Papers != 1 {
		t.Errorf("%d papers, want the 1 from before", s.Papers)
	}
}

func TestLargeFilesAreRecognised(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	const n = 11_000
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"id":"k%d","title":"Paper number %d of a long list","abstract":"About the matter %d."}`, i, i, i)
	}
	addOnly := func() counts {
		r, err := e.Add(t.Context(), engine.AddRequest{Paths: []string{write(t, dir, "papers.jsonl", lines...)}, NoEmbed: true})
		if err != nil {
			t.Fatal(err)
		}
		balanced(t, r)
		return countsOf(r)
	}
	addOnly()
	if d := cmp.Diff(counts{Read: n, Unchanged: n}, addOnly()); d != "" {
		t.Errorf("read again (-want +got):\n%s", d)
	}
	lines[n-1] = `{"id":"kx","title":"A new one at the end","abstract":"New."}`
	lines[n-2] = `{"id":"k10998","title":"Paper number 10998 of a long list, changed","abstract":"About the matter 10998."}`
	if d := cmp.Diff(counts{Read: n, Unchanged: n - 2, Added: 1, Updated: 1}, addOnly()); d != "" {
		t.Errorf("with two changes at the end (-want +got):\n%s", d)
	}
}
