package indextest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/snapshot"
)

// Suite is an index as the suite meets it.
type Suite struct {
	New  func(dim int) (index.Index, error)
	Open func(f *snapshot.File) (index.Index, error)
	// Settle brings an index into the state that depends on its items only; nil where
	// it always is in it.
	Settle func(x index.Index) error
	// Recall is the least share of true neighbours that a search must find, over many
	// searches with the index's own breadth; 1 for an exact index.
	Recall float64
}

// Run runs the suite. Each part prints the seed of what failed.
func Run(t *testing.T, s Suite) {
	for _, dim := range []int{1, 2, 7, 64, 100} {
		t.Run(fmt.Sprintf("random operations in %d dimensions", dim), func(t *testing.T) {
			for seed := range uint64(4) {
				s.sequence(t, dim, seed)
			}
		})
	}
	t.Run("bad vectors are refused", s.badVectors)
	t.Run("bad searches are refused", s.badSearches)
	t.Run("an empty index answers", s.empty)
	t.Run("a stored vector is its own nearest", s.self)
	t.Run("exact duplicates hide nothing", s.duplicates)
	t.Run("vectors that differ in the last bit hide nothing", s.nearDuplicates)
	t.Run("a filter that allows all changes nothing", s.allowAll)
	t.Run("a filter never empties an answer", s.narrowFilter)
	t.Run("deleting half leaves the other half", s.deleteHalf)
	t.Run("deleting all and adding again", s.deleteAll)
	t.Run("the caller's slice is not kept", s.reusedSlice)
	t.Run("the same items give the same file in any order", s.anyOrder)
	t.Run("the same vectors give the same file under any numbers", s.anyNumbers)
	t.Run("searches run beside additions", s.concurrent)
	t.Run("a file is read as it was written", s.file)
	t.Run("a damaged file is noticed and never crashes", s.damage)
}

// model is what an index must do, in the simplest way.
type model struct {
	dim   int
	items map[uint32][]float32
}

func (m *model) ids() []uint32 {
	ids := make([]uint32, 0, len(m.items))
	for id := range m.items {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// scores returns the scores of what a search may return, best first.
func (m *model) scores(q []float32, allow *index.Set) []float64 {
	var scores []float64
	for id, v := range m.items {
		if allow == nil || allow.Has(id) {
			scores = append(scores, dot(q, v))
		}
	}
	slices.Sort(scores)
	slices.Reverse(scores)
	return scores
}

// tolerance is how far a score in float32 may be from the one in float64.
const tolerance = 2e-6

// verify fails t unless hits are a right answer, and returns how many of the true
// neighbours they hold and how many there are.
func (m *model) verify(t *testing.T, q []float32, opts index.SearchOptions, hits []index.Hit) (found, want int) {
	t.Helper()
	scores := m.scores(q, opts.Allow)
	want = min(opts.K, len(scores))
	if len(hits) != want {
		t.Fatalf("Search(K %d) = %d hits, want %d", opts.K, len(hits), want)
	}
	seen := make(map[uint32]bool)
	for i, h := range hits {
		v, ok := m.items[h.ID]
		switch {
		case !ok:
			t.Fatalf("hit %d is item %d, which is not stored", i, h.ID)
		case opts.Allow != nil && !opts.Allow.Has(h.ID):
			t.Fatalf("hit %d is item %d, which is not allowed", i, h.ID)
		case seen[h.ID]:
			t.Fatalf("hit %d is item %d for the second time", i, h.ID)
		case i > 0 && (hits[i-1].Score < h.Score || hits[i-1].Score == h.Score && hits[i-1].ID > h.ID):
			t.Fatalf("hits %d and %d are out of order: %v", i-1, i, hits[i-1:i+1])
		}
		seen[h.ID] = true
		if got := dot(q, v); abs(got-float64(h.Score)) > tolerance*max(1, abs(got)) {
			t.Fatalf("item %d has the score %v, want %v", h.ID, h.Score, got)
		}
		if float64(h.Score) >= scores[want-1]-tolerance {
			found++
		}
	}
	return found, want
}

func abs(x float64) float64 { return max(x, -x) }

// sequence runs random operations on an index and on the model.
func (s Suite) sequence(t *testing.T, dim int, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, uint64(dim)))
	x := s.make(t, dim)
	m := &model{dim: dim, items: make(map[uint32][]float32)}
	found, want := 0, 0
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	pool := s.vectors(dim, rng)
	for range 250 {
		id := uint32(rng.IntN(200))
		if rng.IntN(20) == 0 {
			id = rng.Uint32N(1 << 24) // ids need not be dense
		}
		switch op := rng.IntN(20); {
		case op < 9:
			v := pool[rng.IntN(len(pool))]
			if err := x.Add(id, v); err != nil {
				t.Fatalf("Add(%d, %v): %v", id, v, err)
			}
			m.items[id] = slices.Clone(v)
		case op < 12:
			_, want := m.items[id]
			if got := x.Delete(id); got != want {
				t.Fatalf("Delete(%d) = %v, want %v", id, got, want)
			}
			delete(m.items, id)
		case op == 12:
			x = s.reopen(t, x, dim)
		case op == 13 && s.Settle != nil:
			if err := s.Settle(x); err != nil {
				t.Fatal(err)
			}
		default:
			opts := index.SearchOptions{K: rng.IntN(15), Exact: rng.IntN(8) == 0}
			if rng.IntN(3) == 0 {
				opts.Allow = someOf(m.ids(), rng)
			}
			q := Unit(1, dim, rng)
			hits, err := x.Search(q, opts)
			if err != nil {
				t.Fatalf("Search: %v", err)
			}
			f, w := m.verify(t, q, opts, hits)
			if opts.Exact && f != w {
				t.Fatalf("exact search found %d of %d", f, w)
			}
			found, want = found+f, want+w
			continue
		}
		if err := x.Check(context.Background()); err != nil {
			t.Fatalf("Check: %v", err)
		}
		if x.Len() != len(m.items) {
			t.Fatalf("Len() = %d, want %d", x.Len(), len(m.items))
		}
	}
	s.recall(t, found, want)
}

func (s Suite) recall(t *testing.T, found, want int) {
	t.Helper()
	if want > 0 && float64(found)/float64(want) < s.Recall {
		t.Errorf("recall %.4f (%d of %d), want at least %v", float64(found)/float64(want), found, want, s.Recall)
	}
}

// vectors returns unit vectors, some of them equal but for their place.
func (s Suite) vectors(dim int, rng *rand.Rand) [][]float32 {
	var all [][]float32
	flat := Unit(150, dim, rng)
	for i := range 150 {
		all = append(all, flat[i*dim:(i+1)*dim])
	}
	return append(all, all[:20]...)
}

func someOf(ids []uint32, rng *rand.Rand) *index.Set {
	allow := new(index.Set)
	share := rng.Float64()
	for _, id := range ids {
		if rng.Float64() < share {
			allow.Add(id)
		}
	}
	allow.Add(1 << 20) // one that is not stored
	return allow
}

func (s Suite) make(t *testing.T, dim int) index.Index {
	t.Helper()
	x, err := s.New(dim)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// fill adds the rows of vectors [n, dim] under the ids 0 to n-1.
func (s Suite) fill(t *testing.T, dim int, vectors []float32) (index.Index, *model) {
	t.Helper()
	x := s.make(t, dim)
	m := &model{dim: dim, items: make(map[uint32][]float32)}
	for i := range len(vectors) / dim {
		v := vectors[i*dim : (i+1)*dim]
		if err := x.Add(uint32(i), v); err != nil {
			t.Fatalf("Add(%d): %v", i, err)
		}
		m.items[uint32(i)] = v
	}
	return x, m
}

// unsynced does not wait for the disk: what is written here need not survive.
type unsynced struct{ snapshot.OS }

func (unsynced) SyncDir(string) error { return nil }

func (u unsynced) Create(name string) (snapshot.WriteFile, error) {
	f, err := u.OS.Create(name)
	return unsyncedFile{f}, err
}

type unsyncedFile struct{ snapshot.WriteFile }

func (unsyncedFile) Sync() error { return nil }

// write writes x to a file of its own.
func write(t *testing.T, x index.Index, dim int) string {
	t.Helper()
	dir := t.TempDir()
	w, err := snapshot.Create(unsynced{}, dir, snapshot.Identity{Generation: 1, Dim: dim, Fingerprint: "test"})
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
	return path
}

// reopen writes x and reads it again, mapped.
func (s Suite) reopen(t *testing.T, x index.Index, dim int) index.Index {
	t.Helper()
	f, err := snapshot.Open(write(t, x, dim), snapshot.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	y, err := s.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return y
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
