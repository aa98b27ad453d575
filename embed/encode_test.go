package embed_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// mixedTexts are short and long ones, so that some run together and some alone.
var mixedTexts = []string{
	"", "a", "graph neural networks",
	strings.Repeat("the variance of a policy gradient ", 20),
	"sparse attention", "an ablation of everything",
	strings.Repeat("retrieval of scientific papers by their abstracts ", 60), // cut
	"x", "contrastive learning for sentence embeddings", "é", "low-rank adaptation",
}

func encode(t testing.TB, e embed.Encoder, texts []string) []embed.Embedding {
	t.Helper()
	out, err := e.Encode(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The bytes of a vector depend on nothing but the text and the precision: not on the x86
// level, the number of workers, or the texts beside it.
func TestVectorsAreTheSameBytesAtEveryLevelAndForAnyWorkers(t *testing.T) {
	before, _ := vec.CPU()
	defer vec.Use(before)
	for _, p := range []embed.Precision{embed.Int16, embed.FP32} {
		var want []embed.Embedding
		for _, l := range vec.Levels()[1:] {
			if err := vec.Use(l); err != nil {
				t.Fatal(err)
			}
			for _, workers := range []int{1, 3} {
				m := open(t, embed.Options{Precision: p, Workers: workers})
				got := encode(t, m, mixedTexts)
				if want == nil {
					for _, text := range mixedTexts {
						want = append(want, encode(t, m, []string{text})[0])
					}
				}
				for i := range got {
					if !slices.Equal(got[i].Vector, want[i].Vector) {
						t.Errorf("%v at %v with %d workers: the vector of %.20q differs", p, l, workers, mixedTexts[i])
					}
				}
			}
		}
	}
}

func TestEncodeCountsAndCutsTokens(t *testing.T) {
	m := open(t, embed.Options{})
	for _, c := range []struct {
		text      string
		tokens    int
		truncated bool
	}{
		{"", 2, false},
		{"graph", 3, false},
		{strings.Repeat("graph ", 254), 256, false},
		{strings.Repeat("graph ", 255), 257, true},
	} {
		got := encode(t, m, []string{c.text})[0]
		if got.Tokens != c.tokens || got.Truncated != c.truncated {
			t.Errorf("%.20q: %d tokens, truncated %v, want %d, %v", c.text, got.Tokens, got.Truncated, c.tokens, c.truncated)
		}
		if ids, tokens := m.Tokenize(c.text); tokens != c.tokens || len(ids) != min(c.tokens, 256) {
			t.Errorf("%.20q: Tokenize gives %d ids of %d tokens, want %d", c.text, len(ids), tokens, c.tokens)
		}
	}
}

func TestEncodeOfNothing(t *testing.T) {
	if got := encode(t, open(t, embed.Options{}), nil); len(got) != 0 {
		t.Errorf("no texts gave %d vectors", len(got))
	}
}

func TestEncodeReturnsTheErrorOfItsContext(t *testing.T) {
	m := open(t, embed.Options{Workers: 2})
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("a signal")) // the cause is the caller's own affair
	if out, err := m.Encode(ctx, mixedTexts); !errors.Is(err, context.Canceled) || out != nil {
		t.Errorf("Encode with an ended context returned %v, %v", out, err)
	}
	// The workers are free again.
	encode(t, m, mixedTexts)
}

func TestEncodeFromManyGoroutines(t *testing.T) {
	m := open(t, embed.Options{Workers: 2})
	texts := mixedTexts[:6]
	want := encode(t, m, texts)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := m.Encode(context.Background(), texts)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range got {
				if !slices.Equal(got[i].Vector, want[i].Vector) {
					t.Errorf("the vector of %.20q differs", texts[i])
				}
			}
		})
	}
	wg.Wait()
}

// steadyAllocations bounds what a call allocates: the result, and a few values for the
// call itself, but nothing that grows with the tokens.
const steadyAllocations = 12

func TestEncodeAllocatesTheResultOnly(t *testing.T) {
	m := open(t, embed.Options{Workers: 1})
	text := []string{strings.Repeat("graph ", 100)}
	encode(t, m, text)
	if got := testing.AllocsPerRun(5, func() { encode(t, m, text) }); got > steadyAllocations {
		t.Errorf("a text of 102 tokens allocates %v times, want at most %v", got, steadyAllocations)
	}
}

// Each worker keeps the memory of its longest text, two megabytes for 256 tokens: sixteen
// callers at once share that of two workers.
func TestMemoryIsBoundedByTheWorkers(t *testing.T) {
	m := open(t, embed.Options{Workers: 2})
	text := []string{strings.Repeat("graph ", 254)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if _, err := m.Encode(context.Background(), text); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 8<<20 {
		t.Errorf("sixteen callers of two workers took %d MB, want at most 8", got>>20)
	}
}

func FuzzEncode(f *testing.F) {
	for _, text := range mixedTexts {
		f.Add(text)
	}
	f.Add("\xff\xfe[SEP]\x00")
	m := open(f, embed.Options{Workers: 1})
	f.Fuzz(func(t *testing.T, text string) {
		got := encode(t, m, []string{text})[0]
		var squares float64
		for _, v := range got.Vector {
			squares += float64(v) * float64(v)
		}
		if !(math.Abs(squares-1) < 1e-5) {
			t.Errorf("the vector of %q has the squared length %v", text, squares)
		}
	})
}
