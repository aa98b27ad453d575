package hnsw_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/hnsw"
	"github.com/seed-9f29d379/akin/index/indextest"
	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// file returns the bytes of the snapshot that x writes.
func file(t testing.TB, x index.Index, dim int) []byte {
	t.Helper()
	w, err := snapshot.Create(snapshot.OS{}, t.TempDir(), snapshot.Identity{Dim: dim})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Write(w); err != nil {
		t.Fatal(err)
	}
	path, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// in yields the given rows of vectors [n, dim], the row being the id.
func in(order []int, vectors []float32, dim int) iter.Seq2[uint32, []float32] {
	return func(yield func(uint32, []float32) bool) {
		for _, i := range order {
			if !yield(uint32(i), vectors[i*dim:(i+1)*dim]) {
				return
			}
		}
	}
}

func numbers(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// byTopic sorts items by their topic, the arrival that breaks a build in rounds whose
// items do not see each other.
func byTopic(items, topics []int) []int {
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(topics[a], topics[b]) })
	return sorted
}

func TestAnyNumberOfWorkersAndAnyOrderBuildTheSameBytes(t *testing.T) {
	const n, dim = 3000, 48
	vectors, topics := indextest.Clustered(n, dim, 31)
	copy(vectors[dim:2*dim], vectors[:dim])
	shuffled := rand.New(rand.NewPCG(1, 1)).Perm(n)
	var want []byte
	for _, c := range []struct {
		name    string
		order   []int
		workers int
	}{
		{"in order, one worker", numbers(0, n), 1},
		{"in order, eight workers", numbers(0, n), 8},
		{"shuffled, three workers", shuffled, 3},
		{"sorted by topic, eight workers", byTopic(numbers(0, n), topics), 8},
	} {
		g, err := hnsw.New(dim, hnsw.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := g.AddAll(context.Background(), in(c.order, vectors, dim), hnsw.BuildOptions{Workers: c.workers}); err != nil {
			t.Fatal(err)
		}
		if err := g.Check(context.Background()); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := file(t, g, dim)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: another file than %s", c.name, "in order, one worker")
		}
	}
}

func TestAnExtendedGraphDoesNotDependOnTheWorkers(t *testing.T) {
	const n, more, dim = 2400, 1000, 32
	vectors, topics := indextest.Clustered(n+more, dim, 32)
	var want []byte
	for _, workers := range []int{1, 8} {
		g := build(t, vectors[:n*dim], dim, hnsw.Options{})
		added := byTopic(numbers(n, n+more), topics)
		if err := g.AddAll(context.Background(), in(added, vectors, dim), hnsw.BuildOptions{Workers: workers}); err != nil {
			t.Fatal(err)
		}
		got := file(t, g, dim)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%d workers extend a graph to other bytes than one", workers)
		}
	}
}

// grownBound is how much recall a graph that was grown by additions may lose against a
// fresh one, and one of sorted arrivals against one of shuffled ones.
const grownBound = .003

func TestArrivalsSortedByTopicAndGrowthKeepRecall(t *testing.T) {
	const n, queries, dim = 6000, 300, 64
	all, topics := indextest.Clustered(n+queries, dim, 33)
	qs := all[n*dim:]
	fresh := build(t, all[:n*dim], dim, hnsw.Options{})
	opts := index.SearchOptions{K: 10, Ef: 32}
	want := recall10(t, fresh, qs, dim, searcher(t, fresh, opts))
	for _, c := range []struct {
		name  string
		order []int
	}{
		{"shuffled", rand.New(rand.NewPCG(3, 3)).Perm(n)},
		{"sorted by topic", byTopic(numbers(0, n), topics)},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Each batch stays below the third from which on a graph is built fresh,
			// so that the last of them are linked to what was there.
			g, err := hnsw.New(dim, hnsw.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for done := 0; done < n; {
				step := min(max(1, done/5), n-done)
				if err := g.AddAll(context.Background(), in(c.order[done:done+step], all, dim), hnsw.BuildOptions{Workers: 2}); err != nil {
					t.Fatal(err)
				}
				done += step
			}
			got := recall10(t, fresh, qs, dim, searcher(t, g, opts))
			t.Logf("recall@10 at a breadth of %d: fresh %.4f, grown %.4f", opts.Ef, want, got)
			if got < want-grownBound {
				t.Errorf("grown: recall@10 = %.4f, fresh %.4f: more than %v lost", got, want, grownBound)
			}
		})
	}
}

func TestAddsOneByOneSortedByTopicKeepRecall(t *testing.T) {
	const n, queries, dim = 3000, 200, 48
	all, topics := indextest.Clustered(n+queries, dim, 34)
	g, err := hnsw.New(dim, hnsw.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range byTopic(numbers(0, n), topics) {
		if err := g.Add(uint32(i), all[i*dim:(i+1)*dim]); err != nil {
			t.Fatal(err)
		}
	}
	got := recall10(t, g, all[n*dim:], dim, searcher(t, g, index.SearchOptions{K: 10, Ef: 48}))
	if got < .99 {
		t.Errorf("recall@10 = %.4f, want at least .99", got)
	}
}

func TestEveryStoredVectorIsAmongItsOwnTen(t *testing.T) {
	const n, dim = 8000, 64
	vectors, _ := indextest.Clustered(n, dim, 35)
	g := build(t, vectors, dim, hnsw.Options{})
	missed := 0
	for i := range n {
		hits := searcher(t, g, index.SearchOptions{K: 10, Ef: 64})(vectors[i*dim : (i+1)*dim])
		if !slices.ContainsFunc(hits, func(h index.Hit) bool { return h.ID == uint32(i) }) {
			missed++
		}
	}
	if missed > n*2/1000 { // the goal for a million is .002
		t.Errorf("%d of %d stored vectors are not among their own ten", missed, n)
	}
}

func TestAThirdOfChangesBuildsAfresh(t *testing.T) {
	const n, dim = 900, 16
	vectors, _ := indextest.Clustered(2*n, dim, 36)
	g := build(t, vectors[:n*dim], dim, hnsw.Options{})
	add := func(from, to int) {
		t.Helper()
		if err := g.AddAll(context.Background(), in(numbers(from, to), vectors, dim), hnsw.BuildOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	fresh := func(n int) []byte { return file(t, build(t, vectors[:n*dim], dim, hnsw.Options{}), dim) }

	add(n, n+n/4)
	if g.Stale() || bytes.Equal(file(t, g, dim), fresh(n+n/4)) {
		t.Errorf("a quarter of additions built the graph fresh")
	}
	add(n+n/4, n+n*3/4)
	if g.Stale() || !bytes.Equal(file(t, g, dim), fresh(n+n*3/4)) {
		t.Errorf("three quarters of additions did not build the graph fresh")
	}
	for id := range n {
		g.Delete(uint32(id))
	}
	if !g.Stale() {
		t.Errorf("Stale() = false after most items are deleted")
	}
	if err := g.Rebuild(context.Background(), hnsw.BuildOptions{}); err != nil || g.Stale() || g.Len() != n*3/4 {
		t.Errorf("Rebuild: %v, Stale %v, Len %d, want %d", err, g.Stale(), g.Len(), n*3/4)
	}
}

func TestAddingTheSameAgainChangesNothing(t *testing.T) {
	const n, dim = 500, 16
	vectors, _ := indextest.Clustered(n, dim, 37)
	g := build(t, vectors, dim, hnsw.Options{})
	want := file(t, g, dim)
	if err := g.AddAll(context.Background(), in(numbers(0, n), vectors, dim), hnsw.BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := g.Add(3, vectors[3*dim:4*dim]); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file(t, g, dim), want) {
		t.Error("adding the same items again changed the graph")
	}
	// Of an id that comes twice the later counts, in a build and in an extension.
	last := in([]int{7}, vectors, dim)
	twice := func(yield func(uint32, []float32) bool) {
		_ = yield(9, vectors[:dim]) && yield(9, vectors[dim:2*dim])
	}
	for _, items := range []iter.Seq2[uint32, []float32]{last, twice} {
		if err := g.AddAll(context.Background(), items, hnsw.BuildOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	hits := searcher(t, g, index.SearchOptions{K: 2})(vectors[dim : 2*dim])
	if len(hits) != 2 || hits[0].ID != 1 || hits[1].ID != 9 {
		t.Errorf("after item 9 became a copy of item 1: %v", hits)
	}
}

func TestARefusedVectorLeavesTheGraphAsItWas(t *testing.T) {
	const n, dim = 100, 8
	vectors, _ := indextest.Clustered(n, dim, 38)
	g := build(t, vectors, dim, hnsw.Options{})
	want := file(t, g, dim)
	bad := func(yield func(uint32, []float32) bool) {
		_ = yield(n, vectors[:dim]) && yield(n+1, make([]float32, dim))
	}
	if err := g.AddAll(context.Background(), bad, hnsw.BuildOptions{}); !errors.Is(err, index.ErrZero) {
		t.Errorf("AddAll with a zero vector: %v, want %v", err, index.ErrZero)
	}
	if !bytes.Equal(file(t, g, dim), want) {
		t.Error("a refused batch changed the graph")
	}
}

func TestACancelledBuildLeavesAGraphThatAnswers(t *testing.T) {
	const n, dim = 3000, 32
	vectors, _ := indextest.Clustered(n, dim, 39)
	for _, c := range []struct {
		name   string
		stored int // before
	}{
		{"a fresh build", 0},
		{"an extension", 2500},
	} {
		g := build(t, vectors[:c.stored*dim], dim, hnsw.Options{})
		ctx, cancel := context.WithCancel(context.Background())
		calls, last := 0, 0
		err := g.AddAll(ctx, in(numbers(c.stored, n), vectors, dim), hnsw.BuildOptions{Progress: func(done, total int) {
			if done <= last || done > total || total != n-c.stored {
				t.Errorf("%s: progress %d of %d after %d", c.name, done, total, last)
			}
			if last, calls = done, calls+1; calls == 5 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) || calls != 5 {
			t.Errorf("%s: AddAll: %v after %d reports, want Canceled after 5", c.name, err, calls)
		}
		if err := g.Check(context.Background()); err != nil {
			t.Errorf("%s: Check: %v", c.name, err)
		}
		if c.stored == 0 && g.Len() != 0 || c.stored > 0 && g.Len() <= c.stored {
			t.Errorf("%s: Len() = %d after it was cancelled", c.name, g.Len())
		}
		// It goes on where it was.
		if err := g.AddAll(context.Background(), in(numbers(0, n), vectors, dim), hnsw.BuildOptions{}); err != nil || g.Len() != n {
			t.Errorf("%s: AddAll again: %v, Len %d, want %d", c.name, err, g.Len(), n)
		}
	}
}

func TestVectorsThatDoNotFitTheCodesWidenThem(t *testing.T) {
	const n, dim = 1000, 64
	vectors, _ := indextest.Clustered(n, dim, 40)
	g := build(t, vectors, dim, hnsw.Options{})
	oneHot := make([]float32, dim)
	for i := range dim {
		clear(oneHot)
		oneHot[i] = 1
		if err := g.Add(uint32(n+i), oneHot); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Check(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i := range dim {
		clear(oneHot)
		oneHot[i] = 1
		if hits := searcher(t, g, index.SearchOptions{K: 1})(oneHot); hits[0] != (index.Hit{ID: uint32(n + i), Score: 1}) {
			t.Errorf("nearest of unit vector %d = %v", i, hits)
		}
	}
	recall := recall10(t, g, vectors[:200*dim], dim, searcher(t, g, index.SearchOptions{K: 10}))
	if recall < .98 {
		t.Errorf("recall@10 after the codes were widened = %.4f, want at least .98", recall)
	}
}

func TestOptionsOutOfRangeAreRefused(t *testing.T) {
	for _, c := range []struct {
		dim  int
		opts hnsw.Options
	}{
		{0, hnsw.Options{}},
		{-1, hnsw.Options{}},
		{1 << 20, hnsw.Options{}},
		{8, hnsw.Options{M: 1}},
		{8, hnsw.Options{M: -3}},
		{8, hnsw.Options{M: 10_000}},
		{8, hnsw.Options{EfConstruction: -1}},
		{8, hnsw.Options{EfSearch: 1 << 30}},
	} {
		if g, err := hnsw.New(c.dim, c.opts); err == nil {
			t.Errorf("New(%d, %+v) = %v, want an error", c.dim, c.opts, g)
		}
	}
}

func Example() {
	g, err := hnsw.New(3, hnsw.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	items := map[uint32][]float32{
		1: {1, 0, 0},
		2: {.8, .6, 0},
		3: {0, 0, 1},
	}
	add := func(yield func(uint32, []float32) bool) {
		for id, v := range items {
			if !yield(id, v) {
				return
			}
		}
	}
	if err := g.AddAll(context.Background(), add, hnsw.BuildOptions{Workers: 2}); err != nil {
		fmt.Println(err)
		return
	}
	hits, err := g.Search([]float32{.6, .8, 0}, index.SearchOptions{K: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range hits {
		fmt.Printf("%d %.2f\n", h.ID, h.Score)
	}
	// Output:
	// 2 0.96
	// 1 0.60
}

func TestAnyProcessorLevelBuildsTheSameBytes(t *testing.T) {
	const n, dim = 800, 72 // more than one register, and a rest
	vectors, _ := indextest.Clustered(n, dim, 41)
	best, err := vec.CPU()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := vec.Use(best); err != nil {
			t.Error(err)
		}
	}()
	var want []byte
	for _, level := range vec.Levels() {
		if err := vec.Use(level); err != nil {
			t.Fatal(err)
		}
		got := file(t, build(t, vectors, dim, hnsw.Options{M: 8}), dim)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%v builds other bytes than %v", level, vec.Reference)
		}
	}
}
