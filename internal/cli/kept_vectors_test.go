package cli_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestTheSameTextKeepsItsVector: a file that has papers of the library again, and more,
// changes nothing in what these are found by, before the new ones are encoded and after.
func TestTheSameTextKeepsItsVector(t *testing.T) {
	h := newHome(t)
	paper := func(i int, more string) string {
		return fmt.Sprintf(`{"id":"k%d","doi":"10.1000/%d","title":"Walks number %d on sparse graphs","abstract":"%s"%s}`, i, i, i, aboutGraphs, more)
	}
	h.write("first.jsonl", paper(1, "")+"\n"+paper(2, "")+"\n")
	h.write("second.jsonl", paper(1, "")+"\n"+paper(2, `,"venue":"Walks"`)+"\n"+paper(3, "")+"\n")
	h.must("add", "first.jsonl")
	vectors := func() int {
		return decode[struct{ Vectors int }](t, h.must("stats", "--json").stdout).Vectors
	}
	r := decode[struct {
		Added, Merged, Embedded int
		NotEncoded              int `json:"not_encoded"`
	}](t, h.must("add", "second.jsonl", "--no-embed", "--json").stdout)
	if r.NotEncoded != 1 || r.Added != 1 || r.Merged != 2 || vectors() != 2 {
		t.Errorf("added %+v, and %d papers have vectors; want 1 added, 2 merged, and 2 vectors kept", r, vectors())
	}
	if got := h.must("similar", "k1"); !strings.Contains(got.stdout, "Walks number 2") {
		t.Errorf("similar to a paper that was merged: %q", got.stdout)
	}
	if got := h.must("add", "second.jsonl", "--no-embed").stdout; strings.Contains(got, "up to date") || !strings.Contains(got, "1 paper waits to be encoded") {
		t.Errorf("a file again, whose new paper is not encoded: %q", got)
	}
	if r := decode[struct{ Embedded int }](t, h.must("add", "--json").stdout); r.Embedded != 1 || vectors() != 3 {
		t.Errorf("%d papers were encoded and %d have vectors; want the new one, and 3", r.Embedded, vectors())
	}
	h.write("second.jsonl", strings.Replace(paper(3, ""), aboutGraphs, aboutSoil, 1)+"\n")
	h.must("add", "second.jsonl", "--no-embed")
	if vectors() != 2 {
		t.Errorf("%d papers have vectors; want the one with another text to have lost its own", vectors())
	}
	h.must("check")
}
