package engine_test

import (
	"context"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/internal/engine"
)

// words is an encoder that is quick and knows no meaning: a text is the sum of random
// directions, one a word.
type words struct {
	name    string
	calls   atomic.Int64
	encoded atomic.Int64
	after   func(texts int64) // called after each text
}

const fakeDim, fakeMax = 64, 32

func (w *words) Encode(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	w.calls.Add(1)
	out := make([]embed.Embedding, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = w.one(t)
		n := w.encoded.Add(1)
		if w.after != nil {
			w.after(n)
		}
	}
	return out, nil
}

func (w *words) one(text string) embed.Embedding {
	fields := strings.Fields(strings.ToLower(text))
	n := len(fields) + 2
	v := make([]float32, fakeDim)
	v[0] = 0.1
	for _, f := range fields[:min(len(fields), fakeMax)] {
		h := fnv.New64a()
		h.Write([]byte(strings.Trim(f, ".,;:")))
		x := h.Sum64()
		for d := range v {
			x = x*6364136223846793005 + 1442695040888963407
			v[d] += float32(int32(x>>32)) / (1 << 31)
		}
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for d := range v {
		v[d] /= float32(math.Sqrt(sum))
	}
	return embed.Embedding{Vector: v, Tokens: n, Truncated: n > fakeMax}
}

func (w *words) Tokenize(text string) ([]int32, int) {
	n := len(strings.Fields(text)) + 2
	return make([]int32, min(n, fakeMax)), n
}

func (w *words) Dim() int { return fakeDim }

func (w *words) Fingerprint() embed.Fingerprint {
	if w.name != "" {
		return embed.Fingerprint(w.name)
	}
	return "words/test/fp32"
}

// write makes a file of lines in dir and returns its path.
func write(t testing.TB, dir, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a library with the fake encoder.
func open(t testing.TB, dir string) *engine.Engine {
	t.Helper()
	return openWith(t, engine.Config{Library: dir, Encoder: &words{}})
}

func openWith(t testing.TB, cfg engine.Config) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// add adds paths and checks the equation that holds for every import.
func add(t testing.TB, e *engine.Engine, paths ...string) *engine.AddReport {
	t.Helper()
	r, err := e.Add(t.Context(), engine.AddRequest{Paths: paths})
	if err != nil {
		t.Fatalf("Add(%v): %v", paths, err)
	}
	balanced(t, r)
	return r
}

func balanced(t testing.TB, r *engine.AddReport) {
	t.Helper()
	if r.Read != r.Added+r.Updated+r.Merged+r.Unchanged+r.RejectedCount {
		t.Errorf("the counts do not add up: %+v", *r)
	}
}

// counts are the numbers of a report that a test compares.
type counts struct{ Read, Added, Updated, Merged, Unchanged, Rejected, WithoutAbstract, Embedded int }

func countsOf(r *engine.AddReport) counts {
	return counts{r.Read, r.Added, r.Updated, r.Merged, r.Unchanged, r.RejectedCount, r.WithoutAbstract, r.Embedded}
}
