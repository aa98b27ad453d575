package hnsw_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/hnsw"
	"github.com/seed-9f29d379/akin/index/indextest"
)

// What is deleted or not allowed is most often not spread evenly but alike, and so is the
// query: the walk that supposes an even share ends in a place where nothing counts.
func TestWhatLiesAroundAHoleIsFound(t *testing.T) {
	const n, queries, dim, least = 8000, 40, 64, .97
	all, _ := indextest.Clustered(n+queries, dim, 41)
	vectors, qs := all[:n*dim], all[n*dim:]
	flat, err := index.NewFlat(dim, index.FlatOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := flat.Add(uint32(i), vectors[i*dim:(i+1)*dim]); err != nil {
			t.Fatal(err)
		}
	}
	g := build(t, vectors, dim, hnsw.Options{})
	// nearest returns the true k of a query.
	nearest := func(q []float32, k int, allow *index.Set) []index.Hit {
		hits, err := flat.Search(q, index.SearchOptions{K: k, Allow: allow})
		if err != nil {
			t.Fatal(err)
		}
		return hits
	}
	// without returns the items that are not among the hits.
	without := func(hits []index.Hit) *index.Set {
		gone := make(map[uint32]bool)
		for _, h := range hits {
			gone[h.ID] = true
		}
		var left index.Set
		for id := range uint32(n) {
			if !gone[id] {
				left.Add(id)
			}
		}
		return &left
	}
	// recall asks for ten that are allowed around each query's hole.
	recall := func(allow func(q []float32) *index.Set) float64 {
		found := 0
		for i := range queries {
			q := qs[i*dim : (i+1)*dim]
			allowed := allow(q)
			got, err := g.Search(q, index.SearchOptions{K: 10, Allow: allowed})
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != 10 {
				t.Fatalf("query %d: %d hits, want 10", i, len(got))
			}
			found += common(got, nearest(q, 10, allowed))
		}
		return float64(found) / (10 * queries)
	}
	for _, hole := range []int{20, 100, 500, 2000} {
		if got := recall(func(q []float32) *index.Set { return without(nearest(q, hole, nil)) }); got < least {
			t.Errorf("recall@10 where the nearest %d are not allowed = %.4f, want at least %v", hole, got, least)
		}
	}
	// Deletions add up: the holes of all queries are there at once.
	const hole = 60
	for i := range queries {
		for _, h := range nearest(qs[i*dim:(i+1)*dim], hole, nil) {
			g.Delete(h.ID)
			flat.Delete(h.ID)
		}
	}
	if got := recall(func([]float32) *index.Set { return nil }); got < least {
		t.Errorf("recall@10 where the nearest %d are deleted = %.4f, want at least %v", hole, got, least)
	}
}

// common is how many of the hits are among others.
func common(hits, others []index.Hit) int {
	n := 0
	for _, h := range hits {
		for _, other := range others {
			if h.ID == other.ID {
				n++
			}
		}
	}
	return n
}
