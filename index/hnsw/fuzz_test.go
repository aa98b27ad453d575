package hnsw_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/hnsw"
	"github.com/seed-9f29d379/akin/index/indextest"
	"github.com/seed-9f29d379/akin/index/snapshot"
)

// FuzzOpen overwrites words of a graph's file, which Open cannot notice where they are
// in its blocks: counts that lie, links that lead nowhere. Each input is pairs of the
// word's number and its new value.
func FuzzOpen(f *testing.F) {
	const n, dim = 120, 8
	vectors, _ := indextest.Clustered(n, dim, 51)
	copy(vectors[dim:2*dim], vectors[:dim])
	whole := file(f, build(f, vectors, dim, hnsw.Options{M: 4}), dim)
	f.Add([]byte{})
	for word := range uint32(64) { // the counts at the head of the first sections
		f.Add(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, word), 0xFFFFFFF0))
	}
	f.Fuzz(func(t *testing.T, edits []byte) {
		b := bytes.Clone(whole)
		for ; len(edits) >= 8; edits = edits[8:] {
			word := int(binary.LittleEndian.Uint32(edits)) % (len(b) / 4)
			copy(b[word*4:], edits[4:8])
		}
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := snapshot.Open(path, snapshot.OpenOptions{InMemory: true})
		if err != nil {
			return
		}
		defer s.Close()
		g, err := hnsw.Open(s)
		if err != nil {
			if !errors.Is(err, snapshot.ErrDamaged) {
				t.Errorf("Open: %v, want ErrDamaged", err)
			}
			return
		}
		allow := new(index.Set)
		allow.Add(3)
		allow.Add(77)
		for _, opts := range []index.SearchOptions{{K: 10}, {K: 90, Ef: 90}, {K: 5, Allow: allow}, {K: 3, Exact: true}} {
			if _, err := g.Search(vectors[:dim], opts); err != nil {
				t.Errorf("Search: %v", err)
			}
		}
		if err := g.Check(context.Background()); err != nil && !errors.Is(err, snapshot.ErrDamaged) {
			t.Errorf("Check: %v, want ErrDamaged", err)
		}
	})
}
