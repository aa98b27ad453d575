package embed_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/internal/shareddata"
	"github.com/seed-9f29d379/akin/internal/vec"
	"github.com/seed-9f29d379/akin/models"
)

// sameVector is the least cosine between two vectors that count as the same: half
// precision weights alone cost 2e-6.
const sameVector = 0.99999

// reference is a text with what sentence-transformers makes of it.
type reference struct {
	Group  string    `json:"group"`
	Text   string    `json:"text"`
	Tokens int       `json:"tokens"`
	IDs    []int32   `json:"ids"`
	Vector []float32 `json:"vector"`
}

func readReference(t testing.TB, path string) []reference {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []reference
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r reference
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func open(t testing.TB, opts embed.Options) *embed.Model {
	t.Helper()
	name, bundle := models.Bundled()
	m, err := embed.Open(name, bundle, opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// atEachLevel runs f with every level of this processor and every precision.
func atEachLevel(t *testing.T, f func(t *testing.T, m *embed.Model)) {
	t.Helper()
	before, _ := vec.CPU()
	defer vec.Use(before)
	for _, l := range vec.Levels() {
		for _, p := range []embed.Precision{embed.Int16, embed.FP32} {
			t.Run(l.String()+"/"+p.String(), func(t *testing.T) {
				if err := vec.Use(l); err != nil {
					t.Fatal(err)
				}
				f(t, open(t, embed.Options{Precision: p}))
			})
		}
	}
}

// The whole reference runs where AKIN_PARITY is set (make parity); plain Go takes a second
// or two a text. Otherwise every golden line runs in the default precision at the best
// level, and the other levels run a few.
// With -short twenty lines run: under emulation a token takes a tenth of a second.
func TestParityWithTheReference(t *testing.T) {
	all := readReference(t, "testdata/vectors.jsonl")
	whole := os.Getenv("AKIN_PARITY") != ""
	if whole {
		all = append(all, readReference(t, shareddata.Path(t, "reference/scifact.jsonl"))...)
	}
	best := vec.Levels()[len(vec.Levels())-1]
	atEachLevel(t, func(t *testing.T, m *embed.Model) {
		lines := all
		switch level, _ := vec.CPU(); {
		case whole:
		case testing.Short() && level != vec.Reference:
			lines = twenty(all)
		case level != best:
			lines = few(all, level)
		}
		var golden []embed.Golden
		for _, r := range lines {
			ids, tokens := m.Tokenize(r.Text)
			if !slices.Equal(ids, r.IDs) || tokens != r.Tokens {
				t.Errorf("%q has %d tokens %v, want %d %v", r.Text, tokens, ids, r.Tokens, r.IDs)
			}
			golden = append(golden, embed.Golden{Text: r.Text, Vector: r.Vector})
		}
		a, err := embed.Parity(context.Background(), m, golden)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d texts: worst cosine %.7f, mean %.7f", len(golden), a.Worst, a.Mean)
		if a.Worst < sameVector {
			t.Errorf("worst cosine is %.7f, want at least %v: %q", a.Worst, sameVector, a.WorstText)
		}
	})
}

func everyEighth(all []reference) []reference {
	var picked []reference
	for i := 0; i < len(all); i += 8 {
		picked = append(picked, all[i])
	}
	return picked
}

// few picks lines for a level: short ones for plain Go.
func few(all []reference, l vec.Level) []reference {
	picked := everyEighth(all)
	if l != vec.Reference {
		return picked
	}
	return slices.DeleteFunc(picked, func(r reference) bool { return len(r.IDs) >= 16 })
}

// twenty picks short lines, and one of several tiles in each direction.
func twenty(all []reference) []reference {
	var short []reference
	var long reference
	for _, r := range all {
		switch n := len(r.IDs); {
		case n < 24:
			short = append(short, r)
		case n > 48 && (long.IDs == nil || n < len(long.IDs)):
			long = r
		}
	}
	picked := []reference{long}
	for i := range 19 {
		picked = append(picked, short[i*len(short)/19])
	}
	return picked
}
