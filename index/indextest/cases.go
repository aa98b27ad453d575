package indextest

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/snapshot"
)

func (s Suite) badVectors(t *testing.T) {
	x := s.make(t, 3)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name string
		v    []float32
		want error
	}{
		{"zero", []float32{0, 0, 0}, index.ErrZero},
		{"not a number", []float32{nan, 0, 1}, index.ErrNotFinite},
		{"infinite", []float32{0, inf, 0}, index.ErrNotFinite},
		{"both infinities", []float32{inf, -inf, 0}, index.ErrNotFinite},
		{"too short", []float32{1, 0}, index.ErrDimension},
		{"too long", []float32{1, 0, 0, 0}, index.ErrDimension},
		{"none", nil, index.ErrDimension},
		{"length 2", []float32{2, 0, 0}, index.ErrNotUnit},
		{"subnormal", []float32{1e-42, 0, 0}, index.ErrNotUnit},
	} {
		if err := x.Add(7, c.v); !errors.Is(err, c.want) {
			t.Errorf("Add of a vector that is %s: %v, want %v", c.name, err, c.want)
		}
	}
	if x.Len() != 0 {
		t.Errorf("Len() = %d after refused vectors, want 0", x.Len())
	}
}

func (s Suite) badSearches(t *testing.T) {
	x, _ := s.fill(t, 3, []float32{1, 0, 0, 0, 1, 0})
	for _, c := range []struct {
		name string
		q    []float32
		k    int
		want error
	}{
		{"a zero query", []float32{0, 0, 0}, 1, index.ErrZero},
		{"a query that is not finite", []float32{float32(math.NaN()), 0, 0}, 1, index.ErrNotFinite},
		{"a query of another dimension", []float32{1, 0}, 1, index.ErrDimension},
		{"a negative K", []float32{1, 0, 0}, -1, index.ErrK},
	} {
		if hits, err := x.Search(c.q, index.SearchOptions{K: c.k}); !errors.Is(err, c.want) {
			t.Errorf("Search with %s = %v, %v, want %v", c.name, hits, err, c.want)
		}
	}
	// The length of a query is free.
	for _, length := range []float32{1e-6, 1, 1e6} {
		hits, err := x.Search([]float32{0, length, 0}, index.SearchOptions{K: 1})
		if want := []index.Hit{{ID: 1, Score: length}}; err != nil || !cmp.Equal(want, hits) {
			t.Errorf("Search with a query of length %v = %v, %v, want %v", length, hits, err, want)
		}
	}
}

func (s Suite) empty(t *testing.T) {
	x := s.make(t, 4)
	for _, x := range []index.Index{x, s.reopen(t, x, 4)} {
		hits, err := x.Search([]float32{1, 0, 0, 0}, index.SearchOptions{K: 5})
		if err != nil || len(hits) != 0 || x.Len() != 0 || x.Delete(3) {
			t.Errorf("empty index: Search = %v, %v, Len %d", hits, err, x.Len())
		}
		if err := x.Check(context.Background()); err != nil {
			t.Errorf("empty index: Check: %v", err)
		}
		if err := x.Add(9, []float32{0, 1, 0, 0}); err != nil {
			t.Errorf("empty index: Add: %v", err)
		}
	}
}

func (s Suite) self(t *testing.T) {
	const n, dim = 2000, 48
	vectors, _ := Clustered(n, dim, 3)
	x, m := s.fill(t, dim, vectors)
	missed := 0
	for id, v := range m.items {
		hits, err := x.Search(v, index.SearchOptions{K: 3})
		if err != nil {
			t.Fatal(err)
		}
		m.verify(t, v, index.SearchOptions{K: 3}, hits)
		if hits[0].ID != id {
			missed++
		}
	}
	if float64(missed) > (1-s.Recall)*n {
		t.Errorf("%d of %d stored vectors are not their own nearest", missed, n)
	}
	all, err := x.Search(vectors[:dim], index.SearchOptions{K: n + 7})
	if err != nil || len(all) != n {
		t.Errorf("Search(K %d) = %d hits, %v, want %d", n+7, len(all), err, n)
	}
}

func (s Suite) duplicates(t *testing.T) {
	const n, dim = 300, 24
	vectors, _ := Clustered(n, dim, 4)
	x, m := s.fill(t, dim, vectors)
	for i := range 1000 { // a thousand copies of one vector
		id := uint32(10_000 + i)
		if err := x.Add(id, vectors[:dim]); err != nil {
			t.Fatal(err)
		}
		m.items[id] = vectors[:dim]
	}
	s.every(t, x, m, 5)
	for i := range 990 { // most of them gone again, and the first of all
		x.Delete(uint32(10_000 + i))
		delete(m.items, uint32(10_000+i))
	}
	x.Delete(0)
	delete(m.items, 0)
	s.every(t, x, m, 12)
	if s.Settle != nil {
		if err := s.Settle(x); err != nil {
			t.Fatal(err)
		}
		s.every(t, x, m, 12)
	}
}

// every searches for every stored vector.
func (s Suite) every(t *testing.T, x index.Index, m *model, k int) {
	t.Helper()
	found, want := 0, 0
	for _, id := range m.ids() {
		hits, err := x.Search(m.items[id], index.SearchOptions{K: k})
		if err != nil {
			t.Fatal(err)
		}
		f, w := m.verify(t, m.items[id], index.SearchOptions{K: k}, hits)
		found, want = found+f, want+w
	}
	s.recall(t, found, want)
	if err := x.Check(context.Background()); err != nil {
		t.Errorf("Check: %v", err)
	}
}

func (s Suite) nearDuplicates(t *testing.T) {
	const n, dim = 200, 24
	vectors, _ := Clustered(n, dim, 5)
	x, m := s.fill(t, dim, vectors)
	for i := range 300 {
		v := slices.Clone(vectors[:dim])
		v[i%dim] = math.Float32frombits(math.Float32bits(v[i%dim]) + uint32(1+i/dim))
		id := uint32(10_000 + i)
		if err := x.Add(id, v); err != nil {
			t.Fatal(err)
		}
		m.items[id] = v
	}
	s.every(t, x, m, 5)
}

func (s Suite) allowAll(t *testing.T) {
	const n, dim = 3000, 32
	vectors, _ := Clustered(n, dim, 6)
	x, m := s.fill(t, dim, vectors)
	all := new(index.Set)
	for id := range m.items {
		all.Add(id)
	}
	rng := rand.New(rand.NewPCG(6, 6))
	for range 50 {
		q := Unit(1, dim, rng)
		want, err := x.Search(q, index.SearchOptions{K: 10, Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		got, err := x.Search(q, index.SearchOptions{K: 10, Exact: true, Allow: all})
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("exact search with a filter that allows all: %v (-without +with):\n%s", err, diff)
		}
		if want, err = x.Search(q, index.SearchOptions{K: 10, Ef: 200}); err != nil {
			t.Fatal(err)
		}
		got, err = x.Search(q, index.SearchOptions{K: 10, Ef: 200, Allow: all})
		// A graph may answer a filtered search exactly, and then better.
		f, w := m.verify(t, q, index.SearchOptions{K: 10, Allow: all}, got)
		if err != nil || !cmp.Equal(want, got) && f != w {
			t.Fatalf("search with a filter that allows all: %v, %d of %d true neighbours", err, f, w)
		}
	}
}

func (s Suite) narrowFilter(t *testing.T) {
	const n, dim = 4000, 32
	vectors, topics := Clustered(n, dim, 7)
	x, m := s.fill(t, dim, vectors)
	found, want := 0, 0
	for topic := range 20 { // what is allowed is far from the query
		allow := new(index.Set)
		for i, of := range topics {
			if of == topic {
				allow.Add(uint32(i))
			}
		}
		for i := range 20 {
			q := vectors[(i*97%n)*dim:][:dim]
			hits, err := x.Search(q, index.SearchOptions{K: 10, Allow: allow})
			if err != nil {
				t.Fatal(err)
			}
			f, w := m.verify(t, q, index.SearchOptions{K: 10, Allow: allow}, hits)
			found, want = found+f, want+w
		}
	}
	s.recall(t, found, want)
	hits, err := x.Search(vectors[:dim], index.SearchOptions{K: 10, Allow: new(index.Set)})
	if err != nil || len(hits) != 0 {
		t.Errorf("Search that allows nothing = %v, %v, want none", hits, err)
	}
}

func (s Suite) deleteHalf(t *testing.T) {
	const n, dim = 1500, 32
	vectors, topics := Clustered(n, dim, 8)
	x, m := s.fill(t, dim, vectors)
	for i := range n { // whole topics, so that walks begin and pass among the dead
		if topics[i]%2 == 0 {
			if !x.Delete(uint32(i)) {
				t.Fatalf("Delete(%d) = false", i)
			}
			delete(m.items, uint32(i))
		}
	}
	found, want := 0, 0
	for i := range 500 {
		q := vectors[i*dim : (i+1)*dim]
		hits, err := x.Search(q, index.SearchOptions{K: 10})
		if err != nil {
			t.Fatal(err)
		}
		f, w := m.verify(t, q, index.SearchOptions{K: 10}, hits)
		found, want = found+f, want+w
	}
	s.recall(t, found, want)
	for i := range n { // and back again
		if err := x.Add(uint32(i), vectors[i*dim:(i+1)*dim]); err != nil {
			t.Fatal(err)
		}
		m.items[uint32(i)] = vectors[i*dim : (i+1)*dim]
	}
	s.every(t, x, m, 3)
}

func (s Suite) deleteAll(t *testing.T) {
	const n, dim = 50, 8
	vectors := Unit(n, dim, rand.New(rand.NewPCG(9, 9)))
	x, m := s.fill(t, dim, vectors)
	for range 3 {
		for i := range n {
			x.Delete(uint32(i))
		}
		if hits, err := x.Search(vectors[:dim], index.SearchOptions{K: 3}); err != nil || len(hits) != 0 || x.Len() != 0 {
			t.Fatalf("Search after deleting all = %v, %v, Len %d", hits, err, x.Len())
		}
		for i := range n {
			if err := x.Add(uint32(i), vectors[i*dim:(i+1)*dim]); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.every(t, x, m, 4)
}

func (s Suite) reusedSlice(t *testing.T) {
	const n, dim = 40, 8
	vectors := Unit(n, dim, rand.New(rand.NewPCG(10, 10)))
	x := s.make(t, dim)
	m := &model{dim: dim, items: make(map[uint32][]float32)}
	v := make([]float32, dim)
	for i := range n {
		copy(v, vectors[i*dim:])
		if err := x.Add(uint32(i), v); err != nil {
			t.Fatal(err)
		}
		m.items[uint32(i)] = vectors[i*dim : (i+1)*dim]
	}
	clear(v)
	s.every(t, x, m, 4)
}

func (s Suite) anyOrder(t *testing.T) {
	const n, dim = 400, 24
	vectors, _ := Clustered(n, dim, 11)
	copy(vectors[5*dim:6*dim], vectors[:dim]) // a duplicate or two
	copy(vectors[7*dim:8*dim], vectors[:dim])
	var want []byte
	for seed := range uint64(3) {
		x := s.make(t, dim)
		rng := rand.New(rand.NewPCG(seed, 11))
		for _, i := range rng.Perm(n) {
			if rng.IntN(4) == 0 { // something else first, and something that goes again
				if err := x.Add(uint32(i), Unit(1, dim, rng)); err != nil {
					t.Fatal(err)
				}
				if err := x.Add(uint32(n+i), Unit(1, dim, rng)); err != nil {
					t.Fatal(err)
				}
			}
			if err := x.Add(uint32(i), vectors[i*dim:(i+1)*dim]); err != nil {
				t.Fatal(err)
			}
			x.Delete(uint32(n + i))
		}
		if s.Settle != nil {
			if err := s.Settle(x); err != nil {
				t.Fatal(err)
			}
		}
		got := readFile(t, write(t, x, dim))
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("order %d gives another file, of %d and %d bytes", seed, len(got), len(want))
		}
	}
}

// anyNumbers: what is computed from the vectors does not depend on their numbers.
func (s Suite) anyNumbers(t *testing.T) {
	const n, dim = 400, 24
	vectors, _ := Clustered(n, dim, 15)
	copy(vectors[5*dim:6*dim], vectors[:dim])
	var want map[string][]byte
	for seed := range uint64(3) {
		x := s.make(t, dim)
		ids := rand.New(rand.NewPCG(seed, 15)).Perm(n)
		for i, id := range ids {
			if err := x.Add(uint32(id*7), vectors[i*dim:(i+1)*dim]); err != nil {
				t.Fatal(err)
			}
		}
		if s.Settle != nil {
			if err := s.Settle(x); err != nil {
				t.Fatal(err)
			}
		}
		got := sections(t, write(t, x, dim))
		delete(got, "ids")
		delete(got, "lookup")
		if want == nil {
			want = got
		}
		if len(got) < 3 {
			t.Fatalf("the file has %d sections beside the ids", len(got))
		}
		for name := range want {
			if !bytes.Equal(got[name], want[name]) {
				t.Errorf("section %q is another under other numbers", name)
			}
		}
	}
}

func sections(t *testing.T, path string) map[string][]byte {
	t.Helper()
	f, err := snapshot.Open(path, snapshot.OpenOptions{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := make(map[string][]byte)
	for _, name := range f.Sections() {
		all[name], _ = f.Section(name)
	}
	return all
}

func (s Suite) concurrent(t *testing.T) {
	const n, dim = 400, 16
	vectors, _ := Clustered(n, dim, 12)
	x := s.make(t, dim)
	var wg sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				hits, err := x.Search(vectors[i%n*dim:][:dim], index.SearchOptions{K: 5})
				if err != nil || len(hits) > 5 {
					t.Errorf("Search beside Add = %v, %v", hits, err)
					return
				}
			}
		})
	}
	for i := range n {
		if err := x.Add(uint32(i), vectors[i*dim:(i+1)*dim]); err != nil {
			t.Error(err)
		}
		if i%3 == 0 {
			x.Delete(uint32(i / 2))
		}
	}
	close(done)
	wg.Wait()
}
