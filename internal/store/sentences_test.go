package store_test

import (
	"bytes"
	"database/sql"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-9f29d379/akin/internal/sentence"
	"github.com/seed-9f29d379/akin/internal/store"
)

// oldSentences is a copy of a library of version 4 whose first paper has five sentences,
// in codes of a byte an element, and whose second has one, which has none of its own.
func oldSentences(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "sentences-v4.db"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "library.db"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// raw opens a library's database as another program would.
func raw(t *testing.T, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "library.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func sentencesOf(t *testing.T, l *store.Library) map[uint32][]byte {
	t.Helper()
	all := make(map[uint32][]byte)
	err := l.Sentences(t.Context(), []uint32{1, 2, 3}, func(n uint32, codes []byte) error {
		all[n] = codes
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSentencesOfAnOlderLibraryAreKeptInFewerBytes(t *testing.T) {
	dir := oldSentences(t)
	old := raw(t, dir)
	var was []byte
	if err := old.QueryRow("SELECT codes FROM sentences WHERE vector = 1").Scan(&was); err != nil {
		t.Fatal(err)
	}
	old.Close()
	l, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	now := sentencesOf(t, l)
	want, _ := sentence.FromBytes(was, 384)
	if len(want) != 5*196 || !bytes.Equal(now[1], want) {
		t.Errorf("the first paper's sentences are %d bytes, want the %d that the old ones make", len(now[1]), len(want))
	}
	if codes, ok := now[2]; !ok || len(codes) != 0 {
		t.Errorf("the second paper's sentences: %d bytes (%v), want none, which is known", len(codes), ok)
	}
	// A sentence is still the nearest to itself.
	for i := range 5 {
		v := make([]float32, 384)
		for k, c := range was[i*388+4 : (i+1)*388] {
			v[k] = float32(int8(c))
		}
		var square float64
		for _, x := range v {
			square += float64(x * x)
		}
		for k := range v {
			v[k] /= float32(math.Sqrt(square))
		}
		if at, cosine, ok := sentence.NewQuery(v).Best(now[1]); !ok || at != i || math.Abs(cosine-1) > .02 {
			t.Errorf("sentence %d finds %d with %.3f (%v), want itself with 1", i, at, cosine, ok)
		}
	}
	if n, err := l.CountPendingSentences(t.Context()); err != nil || n != 0 {
		t.Errorf("%d papers lack their sentences (%v), want none", n, err)
	}
	if err := l.Check(t.Context(), func(f store.Fault) { t.Errorf("check: %s", f.What) }); err != nil {
		t.Error(err)
	}
}

// What cannot be brought up to date is encoded again, and harms nothing.
func TestDamagedSentencesOfAnOlderLibraryAreDropped(t *testing.T) {
	for name, harm := range map[string]string{
		"another byte": "UPDATE sentences SET codes = CAST(x'00' || substr(codes, 2) AS BLOB) WHERE vector = 1",
		"cut":          "UPDATE sentences SET codes = substr(codes, 2) WHERE vector = 1",
		"no vector":    "INSERT INTO sentences (vector, codes, sum) SELECT 99, codes, sum FROM sentences WHERE vector = 1",
		"no model":     "DELETE FROM models",
	} {
		t.Run(name, func(t *testing.T) {
			dir := oldSentences(t)
			db := raw(t, dir)
			if _, err := db.Exec(harm); err != nil {
				t.Fatal(err)
			}
			db.Close()
			l, err := store.Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			now := sentencesOf(t, l)
			if _, ok := now[1]; ok != (name == "no vector") {
				t.Errorf("the first paper has %d bytes of sentences (%v)", len(now[1]), ok)
			}
			if _, ok := now[2]; !ok {
				t.Error("the second paper's sentences are gone")
			}
			var n int
			if err := raw(t, dir).QueryRow("SELECT count(*) FROM sentences WHERE vector = 99").Scan(&n); err != nil || n != 0 {
				t.Errorf("%d rows of no vector (%v)", n, err)
			}
		})
	}
}
