package cybertron_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/embed/cybertron"
	"github.com/seed-9f29d379/akin/models"
)

// minCosine is the parity with the reference that is promised. The worst of the 125
// reference texts of up to 40 tokens was 0.9999967, their mean 0.9999985: the tanh form
// of GELU costs less than rounding the weights to half precision may.
const minCosine = 0.99999

// The library takes some 2 s for 256 tokens, so only texts of up to maxTestTokens are
// encoded, and of those every third, with -short every fifteenth.
const maxTestTokens = 40

// bundled opens the model once for all tests of the package.
var bundled = sync.OnceValues(func() (*cybertron.Encoder, error) {
	name, sections := models.Bundled()
	return cybertron.Open(name, sections)
})

func open(t *testing.T) *cybertron.Encoder {
	t.Helper()
	e, err := bundled()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

type line struct {
	Group  string    `json:"group"`
	Text   string    `json:"text"`
	Tokens int       `json:"tokens"`
	IDs    []int32   `json:"ids"`
	Vector []float32 `json:"vector"`
}

func reference(t *testing.T) []line {
	t.Helper()
	f, err := os.Open("../testdata/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []line
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var l line
		err := d.Decode(&l)
		if err == io.EOF {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
}

func TestParityWithTheReference(t *testing.T) {
	e := open(t)
	every, atLeast := 3, 30
	if testing.Short() {
		every, atLeast = 15, 6
	}
	worst, sum, n := 1.0, 0.0, 0
	for i, l := range reference(t) {
		if len(l.IDs) > maxTestTokens || i%every != 0 {
			continue
		}
		got, err := e.Encode(t.Context(), []string{l.Text})
		if err != nil {
			t.Fatal(err)
		}
		if got[0].Tokens != l.Tokens || got[0].Truncated {
			t.Errorf("%s %q: %d tokens, truncated %v, want %d and false", l.Group, l.Text, got[0].Tokens, got[0].Truncated, l.Tokens)
		}
		cosine := dot(got[0].Vector, l.Vector)
		if cosine < minCosine {
			t.Errorf("%s %q: cosine %.7f with the reference, want at least %v", l.Group, l.Text, cosine, minCosine)
		}
		if length := dot(got[0].Vector, got[0].Vector); length < 1-1e-6 || length > 1+1e-6 {
			t.Errorf("%s %q: a vector of squared length %v, want 1", l.Group, l.Text, length)
		}
		worst, sum, n = min(worst, cosine), sum+cosine, n+1
	}
	if n < atLeast {
		t.Fatalf("%d texts compared, want at least %d", n, atLeast)
	}
	t.Logf("cosine with the reference over %d texts: worst %.7f, mean %.7f", n, worst, sum/float64(n))
}

func TestTokensAreTheReferences(t *testing.T) {
	e := open(t)
	for _, l := range reference(t) {
		ids, tokens := e.Tokenize(l.Text)
		if !slices.Equal(ids, l.IDs) || tokens != l.Tokens {
			t.Errorf("Tokenize(%q) = %v of %d, want %v of %d", l.Text, ids, tokens, l.IDs, l.Tokens)
		}
	}
}

func TestItsVectorsAreNeverTakenForOurs(t *testing.T) {
	e := open(t)
	if got, want := e.Fingerprint(), embed.Fingerprint("all-MiniLM-L6-v2/cybertron/fp32"); got != want {
		t.Errorf("Fingerprint() = %q, want %q", got, want)
	}
	if got := e.Dim(); got != 384 {
		t.Errorf("Dim() = %d, want 384", got)
	}
}

func TestEncodeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := open(t).Encode(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Encode under an ended context: error %v, want context.Canceled", err)
	}
}

func TestEncodeIsSafeForConcurrentUse(t *testing.T) {
	e := open(t)
	want, err := e.Encode(t.Context(), []string{"graph", "theory"})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			got, err := e.Encode(t.Context(), []string{"graph", "theory"})
			if err != nil {
				t.Error(err)
				return
			}
			for i := range want {
				if !slices.Equal(got[i].Vector, want[i].Vector) {
					t.Errorf("text %d has another vector under concurrent use", i)
				}
			}
		})
	}
	wg.Wait()
}

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
