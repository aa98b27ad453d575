package indextest

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/snapshot"
)

func (s Suite) file(t *testing.T) {
	const n, dim = 600, 40
	vectors, _ := Clustered(n, dim, 13)
	x, _ := s.fill(t, dim, vectors)
	for i := range n / 5 {
		x.Delete(uint32(i * 5))
	}
	path := write(t, x, dim)
	for _, inMemory := range []bool{false, true} {
		f, err := snapshot.Open(path, snapshot.OpenOptions{InMemory: inMemory})
		if err != nil {
			t.Fatal(err)
		}
		y, err := s.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := y.Check(context.Background()); err != nil || y.Len() != x.Len() {
			t.Errorf("opened: Check %v, Len %d, want %d", err, y.Len(), x.Len())
		}
		for i := range 100 {
			q := vectors[i*dim : (i+1)*dim]
			opts := index.SearchOptions{K: 8}
			want, _ := x.Search(q, opts)
			got, err := y.Search(q, opts)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Fatalf("opened: Search: %v (-written +opened):\n%s", err, diff)
			}
		}
		if err := f.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	f, err := snapshot.Open(path, snapshot.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	before := readFile(t, path)
	y, err := s.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n { // what is opened can be changed; the file stays
		if err := y.Add(uint32(n+i), vectors[i*dim:(i+1)*dim]); err != nil {
			t.Fatal(err)
		}
		y.Delete(uint32(i))
	}
	if err := y.Check(context.Background()); err != nil {
		t.Errorf("Check after changes: %v", err)
	}
	if string(before) != string(readFile(t, path)) {
		t.Error("changing an opened index changed its file")
	}
}

// damage flips bits and cuts a file, and uses what can still be opened.
func (s Suite) damage(t *testing.T) {
	const n, dim = 250, 16
	vectors, _ := Clustered(n, dim, 14)
	x, _ := s.fill(t, dim, vectors)
	for i := range 20 {
		x.Delete(uint32(i))
		if err := x.Add(uint32(n+i), vectors[:dim]); err != nil {
			t.Fatal(err)
		}
	}
	whole := readFile(t, write(t, x, dim))
	path := filepath.Join(t.TempDir(), snapshot.Name(1))
	rng := rand.New(rand.NewPCG(14, 14))
	for i := range 3000 {
		bit := rng.IntN(len(whole) * 8)
		if i < 512 { // all of the head and of the end
			bit = i
		} else if i < 1536 {
			bit = len(whole)*8 - 1 - (i - 512)
		}
		b := append([]byte(nil), whole...)
		b[bit/8] ^= 1 << (bit % 8)
		if s.noticed(t, path, b, vectors[:dim]) == nil {
			t.Fatalf("bit %d of %d flipped: not noticed", bit, len(whole)*8)
		}
	}
	for cut := 0; cut < len(whole); cut += max(1, min(cut/2, 1021)) {
		if s.noticed(t, path, whole[:cut], vectors[:dim]) == nil {
			t.Fatalf("cut to %d of %d bytes: not noticed", cut, len(whole))
		}
	}
	for _, cut := range []int{1, 31, 32, 33, 64} {
		if s.noticed(t, path, whole[:len(whole)-cut], vectors[:dim]) == nil {
			t.Fatalf("cut by %d bytes: not noticed", cut)
		}
	}
}

// noticed returns the error by which Open or Check tells of damage. What opens
// nevertheless is searched, which must end.
func (s Suite) noticed(t *testing.T, path string, b []byte, q []float32) error {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := snapshot.Open(path, snapshot.OpenOptions{InMemory: true})
	if err != nil {
		return told(t, err)
	}
	defer f.Close()
	x, err := s.Open(f)
	if err != nil {
		return told(t, err)
	}
	allow := new(index.Set)
	for id := range uint32(40) {
		allow.Add(id * 3)
	}
	for _, opts := range []index.SearchOptions{{K: 10}, {K: 10, Ef: 300}, {K: 5, Allow: allow}, {K: 3, Exact: true}} {
		if _, err := x.Search(q, opts); err != nil {
			t.Fatalf("Search in a damaged file: %v", err)
		}
	}
	return told(t, x.Check(context.Background()))
}

func told(t *testing.T, err error) error {
	t.Helper()
	if err != nil && !errors.Is(err, snapshot.ErrDamaged) && !errors.Is(err, snapshot.ErrVersion) {
		t.Fatalf("damage is told as %v, want ErrDamaged", err)
	}
	return err
}
