package hnsw_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/hnsw"
	"github.com/seed-9f29d379/akin/index/indextest"
	"github.com/seed-9f29d379/akin/index/snapshot"
)

// Opening does not read the blocks, so that any count in them may lie.
func TestACountThatLiesAllocatesNothing(t *testing.T) {
	const n, dim = 500, 64
	vectors, _ := indextest.Clustered(n, dim, 42)
	whole := file(t, build(t, vectors, dim, hnsw.Options{M: 4}), dim)
	path := filepath.Join(t.TempDir(), "lies")
	// open opens the bytes and searches what opens.
	open := func(b []byte) error {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := snapshot.Open(path, snapshot.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		g, err := hnsw.Open(f)
		if err != nil {
			return err
		}
		if _, err := g.Search(vectors[:dim], index.SearchOptions{K: 10}); err != nil {
			t.Fatal(err)
		}
		return nil
	}
	if err := open(whole); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := snapshot.Open(path, snapshot.OpenOptions{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	refused := 0
	for _, name := range []string{"items", "graph"} {
		section, _ := f.Section(name)
		at := bytes.Index(whole, section)
		if len(section) == 0 || at < 0 {
			t.Fatalf("section %q is not in the file", name)
		}
		for word := 0; word+4 <= len(section); word += 4 {
			for _, lie := range []uint32{1 << 20, 1<<28 - 1, 1<<31 - 1, 1<<32 - 1} {
				b := bytes.Clone(whole)
				binary.LittleEndian.PutUint32(b[at+word:], lie)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				err := open(b)
				runtime.ReadMemStats(&after)
				if err != nil {
					refused++
				}
				if err != nil && !errors.Is(err, snapshot.ErrDamaged) {
					t.Errorf("%d at %d of section %q: %v, want ErrDamaged", lie, word, name, err)
				}
				if took := after.TotalAlloc - before.TotalAlloc; took > 256<<10 {
					t.Errorf("%d at %d of section %q: %d bytes allocated", lie, word, name, took)
				}
			}
		}
	}
	if refused < 20 {
		t.Errorf("%d lies were refused, want at least those of the counts", refused)
	}
}
