package keyword_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/keyword"
)

func TestTerms(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", nil},
		{"only stop words", "To be, or not to be", nil},
		{"only symbols", "+++ §§ → ∑", []string{}},
		{"stemmed", "Networks networked NETWORKING", []string{"network", "network", "network"}},
		{"hyphens split", "state-of-the-art IL-6", []string{"state", "art", "il", "6"}},
		{"possessive dropped", "Alzheimer's and Parkinson’s", []string{"alzheim", "parkinson"}},
		{"accents folded", "naïve Erdős–Rényi", []string{"naiv", "erdo", "renyi"}},
		{"ligatures and wide forms", "ﬁeld ＡＢＣ", []string{"field", "abc"}},
		{"greek kept", "α-synuclein", []string{"α", "synuclein"}},
		{"ideographs one by one", "深度learning", []string{"深", "度", "learn"}},
		{"not UTF-8", "abc\xff\xfedef", []string{"abc", "def"}},
		{"soft hyphen inside a word", "classi\u00adfication", []string{"classif"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := keyword.Terms(c.text); len(got)+len(c.want) > 0 && !slices.Equal(got, c.want) {
				t.Errorf("Terms(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestTermsCutsWhatIsNoWord(t *testing.T) {
	got := keyword.Terms(strings.Repeat("acgt", 5000))
	if len(got) != 1 || len(got[0]) > 64 {
		t.Errorf("a word of 20,000 letters became %d terms, want one of at most 64 bytes", len(got))
	}
}

// texts are documents of words drawn by Zipf's law, as in real text.
func texts(n int, seed uint64) []string {
	rng := rand.New(rand.NewPCG(seed, 1))
	zipf := rand.NewZipf(rng, 1.1, 4, 4999)
	out := make([]string, n)
	for i := range out {
		var b strings.Builder
		for range rng.IntN(120) {
			fmt.Fprintf(&b, "w%dx ", zipf.Uint64())
		}
		out[i] = b.String()
	}
	return out
}

func build(t testing.TB, base uint32, texts []string) *keyword.Segment {
	t.Helper()
	b := keyword.NewBuilder(base)
	for _, text := range texts {
		b.Add(text)
	}
	s, err := keyword.Open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	return s
}

// oracle scores every document by the formula, in float64.
type oracle struct {
	tf   []map[string]float64
	df   map[string]float64
	lens []float64
	mean float64
}

func newOracle(docs []string) *oracle {
	o := &oracle{df: map[string]float64{}}
	total := 0.
	for _, d := range docs {
		tf := map[string]float64{}
		terms := keyword.Terms(d)
		for _, w := range terms {
			if tf[w]++; tf[w] == 1 {
				o.df[w]++
			}
		}
		o.tf = append(o.tf, tf)
		o.lens = append(o.lens, float64(len(terms)))
		total += float64(len(terms))
	}
	o.mean = total / float64(len(docs))
	return o
}

func (o *oracle) scores(query []string) []float64 {
	const k1, b = 1.2, .75
	n := float64(len(o.tf))
	scores := make([]float64, len(o.tf))
	for i, tf := range o.tf {
		for _, w := range query {
			if f := tf[w]; f > 0 {
				idf := math.Log(1 + (n-o.df[w]+.5)/(o.df[w]+.5))
				scores[i] += idf * f / (f + k1*(1-b+b*o.lens[i]/o.mean))
			}
		}
	}
	return scores
}

func TestSearchEqualsTheFormula(t *testing.T) {
	docs := texts(36_000, 3) // more than two windows
	formula := newOracle(docs)
	whole := keyword.NewRanker(1, build(t, 0, docs))
	parts := keyword.NewRanker(1, build(t, 20_000, docs[20_000:]), build(t, 0, docs[:20_000]))
	workers := keyword.NewRanker(3, build(t, 0, docs))
	rng := rand.New(rand.NewPCG(7, 7))
	for q := range 24 {
		var words []string
		for range 1 + rng.IntN(12) {
			words = append(words, fmt.Sprintf("w%dx", int(math.Exp(rng.Float64()*8))))
		}
		if q%5 == 4 { // enough for several workers
			for w := range 40 {
				words = append(words, fmt.Sprintf("w%dx", w))
			}
		}
		query := keyword.Terms(strings.Join(words, " "))
		want := formula.scores(query)
		k := []int{1, 10, 100, 80_000}[q%4]
		allowed := func(int) bool { return true }
		var allow []uint64
		if q%3 == 0 {
			each := []int{7, 97}[q/3%2] // many of a window, and few
			allowed = func(id int) bool { return id%each == 3 && (id < 8000 || id > 28_800) }
			allow = make([]uint64, len(docs)/64+1)
			for id := range docs {
				if allowed(id) {
					allow[id/64] |= 1 << (id % 64)
				}
			}
		}
		var best []int
		for i := range docs {
			if want[i] > 0 && allowed(i) {
				best = append(best, i)
			}
		}
		slices.SortStableFunc(best, func(x, y int) int {
			if d := want[y] - want[x]; math.Abs(d) > 1e-6 {
				return int(math.Copysign(1, d))
			}
			return x - y
		})
		best = best[:min(k, len(best))]
		for name, r := range map[string]*keyword.Ranker{"whole": whole, "in parts": parts, "by workers": workers} {
			got := r.Search(query, k, allow)
			if len(got) != len(best) {
				t.Fatalf("%s %q: %d hits, want %d", name, query, len(got), len(best))
			}
			ids := make([]uint32, len(got))
			for i, h := range got {
				ids[i] = h.ID
				if math.Abs(h.Score-want[h.ID]) > 1e-4 || math.Abs(h.Score-want[best[i]]) > 1e-4 {
					t.Fatalf("%s %q rank %d: document %d with %g, want %d with %g", name, query, i, h.ID, h.Score, best[i], want[best[i]])
				}
			}
			scores := r.Scores(query, ids)
			for i, h := range got[:min(len(got), 5)] {
				if text := r.ScoreText(query, docs[h.ID]); text != h.Score {
					t.Fatalf("%s %q: ScoreText of document %d = %g, Search gave %g", name, query, h.ID, text, h.Score)
				}
				if scores[i] != h.Score {
					t.Fatalf("%s %q: Scores(%d) = %g, Search gave %g", name, query, h.ID, scores[i], h.Score)
				}
				sum := 0.
				for _, c := range r.Explain(query, h.ID) {
					sum += c.Score
				}
				if math.Abs(sum-h.Score) > 1e-9 {
					t.Fatalf("%s %q: the parts of %d add up to %g, want %g", name, query, h.ID, sum, h.Score)
				}
			}
		}
	}
}

func TestSearchBorders(t *testing.T) {
	r := keyword.NewRanker(1, build(t, 10, []string{"alpha beta", "", "beta gamma"}))
	for _, c := range []struct {
		name  string
		query string
		k     int
		want  []uint32
	}{
		{"no terms", "", 5, nil},
		{"unknown word", "delta", 5, nil},
		{"k zero", "beta", 0, nil},
		{"k negative", "beta", -1, nil},
		{"k beyond the collection", "beta", 50, []uint32{10, 12}},
		{"equal scores by number", "beta", 1, []uint32{10}},
		{"a word twice weighs twice", "gamma gamma beta", 2, []uint32{12, 10}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []uint32
			for _, h := range r.Search(keyword.Terms(c.query), c.k, nil) {
				got = append(got, h.ID)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	empty := keyword.NewRanker(1)
	if got := empty.Search([]string{"alpha"}, 3, nil); got != nil {
		t.Errorf("an empty collection answered %v", got)
	}
	if got := r.Scores([]string{"beta"}, []uint32{0, 11, 99}); !slices.Equal(got, []float64{0, 0, 0}) {
		t.Errorf("scores of documents that are not there or empty: %v, want zeros", got)
	}
}

func TestHolding(t *testing.T) {
	docs := texts(6000, 4)
	r := keyword.NewRanker(1, build(t, 0, docs[:4500]), build(t, 4500, docs[4500:]))
	formula := newOracle(docs)
	for _, query := range []string{"w1x", "w1x w3x", "w2x w40x w9x", "w1x absent", "w800x w2x", ""} {
		terms := keyword.Terms(query)
		var got, want []uint32
		r.Holding(terms, func(id uint32) { got = append(got, id) })
		for i, tf := range formula.tf {
			if len(terms) > 0 && !slices.ContainsFunc(terms, func(w string) bool { return tf[w] == 0 }) {
				want = append(want, uint32(i))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is held by %d documents, want %d", query, len(got), len(want))
		}
	}
}

func TestSameDocumentsSameBytes(t *testing.T) {
	docs := texts(500, 9)
	a, b := build(t, 0, docs), build(t, 0, docs)
	if diff := cmp.Diff(len(a.Bytes()), len(b.Bytes())); diff != "" || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two builds of the same documents differ", diff)
	}
}

func TestDamageIsFoundAndHarmless(t *testing.T) {
	s := build(t, 0, texts(400, 5))
	query := keyword.Terms("w1x w2x w3x w50x w700x")
	rng := rand.New(rand.NewPCG(2, 2))
	for range 3000 {
		data := bytes.Clone(s.Bytes())
		data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		damaged, err := keyword.Open(data)
		if err != nil {
			continue
		}
		if damaged.Check() == nil {
			t.Fatal("a flipped bit was not found")
		}
		keyword.NewRanker(1, damaged).Search(query, 10, nil) // must return
	}
	for n := range len(s.Bytes()) {
		if n > 200 && n%97 != 0 {
			continue
		}
		if d, err := keyword.Open(s.Bytes()[:n]); err == nil && d.Check() == nil {
			t.Fatalf("a segment cut at %d of %d bytes was accepted", n, len(s.Bytes()))
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(build(f, 0, []string{"alpha beta beta", "gamma", "alpha"}).Bytes())
	f.Add(build(f, 3, texts(300, 1)).Bytes())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := keyword.Open(data)
		if err != nil {
			return
		}
		_ = s.Check()
		r := keyword.NewRanker(1, s)
		query := []string{"alpha", "beta", "gamma", "w1x", "w2x"}
		for _, h := range r.Search(query, 5, nil) {
			r.Explain(query, h.ID)
		}
	})
}

func FuzzTerms(f *testing.F) {
	f.Add("Alzheimer's ﬁ α-synuclein 深度\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, term := range keyword.Terms(text) {
			if len(term) == 0 || len(term) > 64+4 {
				t.Fatalf("Terms(%q) holds a term of %d bytes", text, len(term))
			}
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	docs := texts(2000, 3)
	for b.Loop() {
		bd := keyword.NewBuilder(0)
		for _, d := range docs {
			bd.Add(d)
		}
		bd.Bytes()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(docs)), "µs/doc")
}

func BenchmarkSearch(b *testing.B) {
	r := keyword.NewRanker(1, build(b, 0, texts(100_000, 3)))
	query := keyword.Terms("w2x w7x w15x w40x w90x w200x w450x w1000x w2000x w4000x")
	b.ResetTimer()
	for b.Loop() {
		r.Search(query, 100, nil)
	}
}
