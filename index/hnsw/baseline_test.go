package hnsw_test

import (
	"context"
	"math/rand"
	"testing"

	baseline "github.com/coder/hnsw"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/hnsw"
	"github.com/seed-9f29d379/akin/index/indextest"
)

// rows yields the rows of vectors [n, dim] under the ids 0 to n-1.
func rows(vectors []float32, dim int) func(yield func(uint32, []float32) bool) {
	return func(yield func(uint32, []float32) bool) {
		for i := range len(vectors) / dim {
			if !yield(uint32(i), vectors[i*dim:(i+1)*dim]) {
				return
			}
		}
	}
}

func build(t testing.TB, vectors []float32, dim int, opts hnsw.Options) *hnsw.Graph {
	t.Helper()
	g, err := hnsw.New(dim, opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.AddAll(context.Background(), rows(vectors, dim), hnsw.BuildOptions{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	return g
}

// tolerance is how far two sums of the same products in float32 may differ.
const tolerance = 2e-6

// recall10 is the share of the true ten neighbours that find returns for each query.
func recall10(t testing.TB, exact index.Index, queries []float32, dim int, find func(q []float32) []index.Hit) float64 {
	t.Helper()
	found, want := 0, 0
	for i := range len(queries) / dim {
		q := queries[i*dim : (i+1)*dim]
		truth, err := exact.Search(q, index.SearchOptions{K: 10, Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		floor := truth[len(truth)-1].Score
		for _, h := range find(q) {
			if h.Score >= floor-tolerance {
				found++
			}
		}
		want += len(truth)
	}
	return float64(found) / float64(want)
}

func searcher(t testing.TB, x index.Index, opts index.SearchOptions) func(q []float32) []index.Hit {
	return func(q []float32) []index.Hit {
		hits, err := x.Search(q, opts)
		if err != nil {
			t.Fatal(err)
		}
		return hits
	}
}

// The project's card names github.com/coder/hnsw. This is why it is the baseline and
// not the engine.
func TestRecallBesideTheBaseline(t *testing.T) {
	const n, queries, dim = 4000, 200, 64
	all, _ := indextest.Clustered(n+queries, dim, 21)
	vectors, qs := all[:n*dim], all[n*dim:]
	g := build(t, vectors, dim, hnsw.Options{})
	ours := recall10(t, g, qs, dim, searcher(t, g, index.SearchOptions{K: 10}))

	theirs := baseline.NewGraph[uint32]()
	theirs.Distance = baseline.CosineDistance
	theirs.EfSearch = 64
	theirs.Rng = rand.New(rand.NewSource(1))
	for id, v := range rows(vectors, dim) {
		theirs.Add(baseline.MakeNode(id, v))
	}
	base := recall10(t, g, qs, dim, func(q []float32) []index.Hit {
		var hits []index.Hit
		for _, node := range theirs.Search(q, 10) {
			hits = append(hits, index.Hit{ID: node.Key, Score: dot(q, vectors[int(node.Key)*dim:][:dim])})
		}
		return hits
	})
	t.Logf("recall@10 of %d clustered vectors at a breadth of 64: ours %.4f, github.com/coder/hnsw %.4f", n, ours, base)
	if ours < .99 {
		t.Errorf("recall@10 = %.4f, want at least .99", ours)
	}
}

func dot(a, b []float32) float32 {
	var sum float32
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
