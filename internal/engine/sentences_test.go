package engine_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
)

const (
	longOne  = `{"id":"long","title":"A survey of many things","abstract":"It begins with weather and ends with ships. Tides are moved by the moon. Copper wires carry current. Zebras have stripes that confuse flies."}`
	shortOne = `{"id":"short","title":"Zebras","abstract":""}`
)

func TestSentencesAreEncodedInASecondPass(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	file := write(t, dir, "papers.jsonl", longOne, shortOne, graphs)
	r, err := e.Add(t.Context(), engine.AddRequest{Paths: []string{file}, NoSentences: true})
	if err != nil || r.Embedded != 3 || r.Sentences != 0 {
		t.Fatalf("without sentences: %+v, %v", r, err)
	}
	score := func() float64 {
		t.Helper()
		a, err := e.Search(t.Context(), engine.Query{Text: "tides are moved by the moon", Explain: true})
		if err != nil || keys(a)[0] != "long" {
			t.Fatalf("%v, %v; want long first", a, err)
		}
		return a.Results[0].Explain.Sentence
	}
	if s := score(); s != 0 {
		t.Errorf("a sentence counts for %g before there is one", s)
	}
	if r := add(t, e); r.Sentences != 3 || r.Embedded != 0 {
		t.Errorf("finishing: %+v, want the sentences of 3 papers", r)
	}
	if s := score(); s < .9 {
		t.Errorf("the best sentence has cosine %g, want one near 1", s)
	}
	if r := add(t, e); r.Sentences != 0 {
		t.Errorf("a third add encoded the sentences of %d papers again", r.Sentences)
	}
	sound(t, e)
}

// A paper whose text changed is compared by its new sentences, in the process that has
// compared it by the old ones.
func TestSentencesOfAChangedPaperAreNotRemembered(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	file := write(t, dir, "papers.jsonl", longOne, shortOne, graphs)
	add(t, e, file)
	best := func(text string) float64 {
		t.Helper()
		a, err := e.Search(t.Context(), engine.Query{Text: text, Explain: true, Plain: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range a.Results {
			if r.Keys[0] == "long" {
				return r.Explain.Sentence
			}
		}
		t.Fatalf("the paper is not among the results for %q", text)
		return 0
	}
	const old, now = "tides are moved by the moon", "glaciers grind valleys into fjords"
	if a, b := best(old), best(now); a < .9 || b > .5 {
		t.Fatalf("before: %g and %g", a, b)
	}
	write(t, dir, "papers.jsonl", strings.Replace(longOne, "Tides are moved by the moon", "Glaciers grind valleys into fjords", 1), shortOne, graphs)
	add(t, e, file)
	if a, b := best(old), best(now); a > .5 || b < .9 {
		t.Errorf("after: %g and %g, want the new sentence alone", a, b)
	}
}

func TestAnInterruptedSentencePassGoesOn(t *testing.T) {
	dir := t.TempDir()
	file := many(t, dir, "many.jsonl", 0, 300)
	ctx, cancel := context.WithCancel(t.Context())
	enc := &words{after: func(n int64) {
		if n == 450 { // 300 papers, then some of their sentences
			cancel()
		}
	}}
	e := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: enc})
	r, err := e.Add(ctx, engine.AddRequest{Paths: []string{file}})
	if err == nil || r.Embedded != 300 || r.Sentences == 0 || r.Sentences >= 300 {
		t.Fatalf("interrupted: %+v, %v", countsOf(r), err)
	}
	if got := found(t, e, "subject 3"); got == "" {
		t.Error("the interrupted library does not answer")
	}
	enc.after = nil
	if again := add(t, e); again.Embedded != 0 || again.Sentences != 300-r.Sentences {
		t.Errorf("the next add encoded the sentences of %d papers, want the %d that were missing", again.Sentences, 300-r.Sentences)
	}
	sound(t, e)
}
