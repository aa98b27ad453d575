package store_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
)

// Thousands of copies of one record, each under a key of its own, become one paper. Where
// each is compared with all before it, this takes hours.
func TestCopiesAreMergedInOneGo(t *testing.T) {
	const copies = 4000
	var list []corpus.Record
	for i := range copies {
		list = append(list, record(fmt.Sprint("k", i), "Growth of crystals in cold water over the winter", "Crystals grow slowly where the water is cold."))
	}
	w := writer(t, filepath.Join(t.TempDir(), "library"))
	out := put(t, w, "copies.jsonl", list...)
	if merged := len(slices.DeleteFunc(out, func(o store.Outcome) bool { return o != store.Merged })); merged != copies-1 {
		t.Errorf("%d of %d copies are merged with the first", merged, copies-1)
	}
	papers := papersOf(t, w)
	if len(papers) != 1 || len(papers[0].Records) != copies {
		t.Fatalf("%d copies are %d papers", copies, len(papers))
	}
}

// What a paper says does not depend on whether its records came together or one by one.
func TestRecordsFoldTheSameTogetherAndApart(t *testing.T) {
	const title, begin = "Growth of crystals in cold water over the winter", "Crystals grow slowly where the water is cold"
	whole := begin + ", and quickly where it is not."
	forms := []corpus.Record{
		{Key: "cut", Line: 1, Paper: paper.Paper{Title: title, Abstract: begin + "…", Authors: []string{"Curie, M."}, Year: 2020, Keywords: []string{"ice", "Growth"}}},
		{Key: "whole", Line: 2, Paper: paper.Paper{Title: title, Abstract: whole, Authors: []string{"Curie, M."}, Year: 2020, Keywords: []string{"ice ", " growth"}}},
		{Key: "doi", Line: 3, Paper: paper.Paper{Title: title, Abstract: whole, IDs: paper.Identifiers{DOI: "10.1234/ice"}, Venue: "Crystals"}},
		{Key: "bare", Line: 4, Paper: paper.Paper{Title: title, IDs: paper.Identifiers{DOI: "10.1234/ice"}, URL: "https://example.org/ice", Authors: []string{"Marie  Curie", " "}}},
		{Key: "again", Line: 5, Paper: paper.Paper{Title: title, Abstract: whole, IDs: paper.Identifiers{DOI: "10.1234/ice"}, Venue: "Crystals"}},
		{Key: "pmid", Line: 6, Paper: paper.Paper{Title: title, Abstract: whole, IDs: paper.Identifiers{DOI: "10.1234/ice", PMID: "12345"}, Date: "winter"}},
		{Key: "joins", Line: 7, Paper: paper.Paper{Title: title, Abstract: whole, IDs: paper.Identifiers{PMID: "12345"}, Keywords: []string{"winter"}}},
	}
	for first := range forms { // each begins once
		list := slices.Concat(forms[first:], forms[:first])
		together := writer(t, filepath.Join(t.TempDir(), "library"))
		put(t, together, "forms.jsonl", list...)
		apart := writer(t, filepath.Join(t.TempDir(), "library"))
		n, err := apart.Begin("add forms.jsonl", fixedTime)
		if err != nil {
			t.Fatal(err)
		}
		src, err := apart.Source("forms.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			if _, err := apart.Put(t.Context(), n, src, []store.Prepared{store.Prepare(r, nil)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := apart.Commit(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(papersOf(t, apart), papersOf(t, together)); diff != "" {
			t.Errorf("papers of records from %q on, put one by one (-) and together (+):\n%s", list[0].Key, diff)
		}
	}
}

// A paper is what any of its identifiers names, also one that another of its scheme hides.
func TestEveryIdentifierOfAPaperNamesIt(t *testing.T) {
	const title = "Growth of crystals in cold water over the winter"
	form := func(key string, ids paper.Identifiers) corpus.Record {
		r := record(key, title, "Crystals grow slowly where the water is cold. This is said in form "+key+".")
		r.Paper.IDs = ids
		return r
	}
	w := writer(t, filepath.Join(t.TempDir(), "library"))
	put(t, w, "preprints", form("a", paper.Identifiers{DOI: "10.1234/a", ArXiv: "2401.00001"}), form("b", paper.Identifiers{DOI: "10.5678/b", ArXiv: "2401.00001"}))
	if out := put(t, w, "journal", form("c", paper.Identifiers{DOI: "10.5678/b"}), form("d", paper.Identifiers{DOI: "10.1234/a"})); out[0] != store.Merged || out[1] != store.Merged {
		t.Errorf("records under either DOI of a paper: %v, want both merged", out)
	}
	if papers := papersOf(t, w); len(papers) != 1 {
		t.Errorf("one work under two DOIs is %d papers", len(papers))
	}
	chapter := record("e", "Rivers of the north and how they freeze", "Ice forms on rivers from the banks on, as measured at nine stations for forty years.")
	chapter.Paper.IDs = paper.Identifiers{DOI: "10.5678/b"}
	if out := put(t, w, "volume", chapter); out[0] != store.Added {
		t.Errorf("another work under the DOI of a paper: %v, want it added", out[0])
	}
}

func papersOf(t *testing.T, w *store.Writer) []*store.Paper {
	t.Helper()
	var list []*store.Paper
	err := w.Each(t.Context(), func(p *store.Paper) error {
		list = append(list, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
