package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// areas are papers of two areas, each paper with some of its area's words, and a few
// that are of one area and borrow the other's words.
func areas(n int) []string {
	r := rand.New(rand.NewPCG(7, 7))
	some := func(area string, k int) string {
		var words []string
		for range k {
			words = append(words, fmt.Sprintf("%s%d", area, r.IntN(30)))
		}
		return strings.Join(words, " ")
	}
	var lines []string
	for i := range n {
		area := []string{"gene", "star"}[i%2]
		lines = append(lines, fmt.Sprintf(`{"id":"%s%d","title":"On %s","abstract":"%s %s.","year":%d}`, area, i, some(area, 3), some(area, 8), some("any", 6), 2000+i%5))
	}
	return lines
}

// sameArea counts the results that are of the area of a key.
func sameArea(a *engine.Answer, area string) int {
	n := 0
	for _, key := range keys(a) {
		if strings.HasPrefix(key, area) {
			n++
		}
	}
	return n
}

func TestRerankFindsMoreOfTheSameArea(t *testing.T) {
	dir := t.TempDir()
	lines := areas(200)
	cfg := engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}, GraphFrom: 150}
	add(t, openWith(t, cfg), write(t, dir, "papers.jsonl", lines...))
	e := openWith(t, cfg)
	plain, again, changed := 0, 0, 0
	for i := range 60 {
		area := []string{"gene", "star"}[i%2]
		q := engine.Query{Like: []string{fmt.Sprintf("%s%d", area, i)}}
		a, err := e.Similar(t.Context(), q)
		if err != nil || a.Order != "score" || a.Neighbours != "hnsw" {
			t.Fatalf("%+v, %v; want an answer of the graph in the order of scores", a, err)
		}
		q.Rerank, q.Explain = true, true
		b, err := e.Similar(t.Context(), q)
		if err != nil || b.Order != "neighbourhood" || len(b.Results) != 10 {
			t.Fatalf("%+v, %v; want ten in the order of neighbourhoods", b, err)
		}
		plain, again = plain+sameArea(a, area), again+sameArea(b, area)
		if !slices.Equal(keys(a), keys(b)) {
			changed++
		}
		for k, r := range b.Results {
			if k > 0 && r.Explain.Neighbourhood > b.Results[k-1].Explain.Neighbourhood {
				t.Errorf("result %d of %v is not in the order of neighbourhoods", k, q.Like)
			}
			for _, s := range a.Results {
				if s.ID == r.ID && s.Score != r.Score {
					t.Errorf("the score of %s is %g, and %g in the order of neighbourhoods", r.ID, s.Score, r.Score)
				}
			}
		}
	}
	if again <= plain || changed == 0 {
		t.Errorf("of the same area are %d of 600 results by score and %d by neighbourhood, %d of 60 answers differ; want more, and some", plain, again, changed)
	}
}

// TestRerankEqualsTheDefinition: the order is that of vectors that were all blurred
// beforehand, for papers, several of them, a text, and away from one.
func TestRerankEqualsTheDefinition(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	lines := areas(80)
	add(t, e, write(t, dir, "papers.jsonl", lines...))
	enc := &words{}
	vectors := make(map[string][]float64)
	err := e.List(t.Context(), engine.ListRequest{}, func(p *engine.Paper) error {
		vectors[p.Keys[0]] = wide(enc.one(p.Title + ". " + p.Abstract).Vector)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	blurred := func(v []float64, without ...string) []float64 {
		around := slices.DeleteFunc(nearestOf(vectors, v), func(key string) bool { return slices.Contains(without, key) })
		sum := slices.Clone(v)
		for _, key := range around[:5] {
			for d, x := range vectors[key] {
				sum[d] += x / 5
			}
		}
		return unit(sum)
	}
	for _, c := range []struct {
		name   string
		q      engine.Query
		toward []float64
		named  []string
	}{
		{"a paper", engine.Query{Like: []string{"gene4"}}, vectors["gene4"], []string{"gene4"}},
		{"several", engine.Query{Like: []string{"gene4", "star5"}}, plus(vectors["gene4"], vectors["star5"], 1), []string{"gene4", "star5"}},
		{"a text", engine.Query{Text: "any3 star5 gene7"}, wide(enc.one("any3 star5 gene7").Vector), nil},
		{"unlike", engine.Query{Like: []string{"gene4"}, Unlike: []string{"star5"}}, plus(vectors["gene4"], vectors["star5"], -.5), []string{"gene4", "star5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.q.Rerank = true
			a, err := e.Similar(t.Context(), c.q)
			if err != nil {
				t.Fatal(err)
			}
			toward := unit(c.toward)
			first := slices.DeleteFunc(nearestOf(vectors, toward), func(key string) bool { return slices.Contains(c.named, key) })[:50]
			target := blurred(toward, c.named...)
			near := make(map[string]float64)
			for _, key := range first {
				near[key] = dot(target, blurred(vectors[key], key))
			}
			slices.SortFunc(first, func(x, y string) int {
				if near[x] > near[y] {
					return -1
				}
				return 1
			})
			if diff := cmp.Diff(keys(a), first[:10]); diff != "" {
				t.Errorf("the order (-got +want):\n%s", diff)
			}
		})
	}
}

// TestRerankNarrowed: filters, a number of results and the order in which papers came do
// not change what a neighbourhood is.
func TestRerankNarrowed(t *testing.T) {
	dir := t.TempDir()
	lines := areas(120)
	ask := func(q engine.Query, lines []string) []string {
		t.Helper()
		dir := t.TempDir()
		e := open(t, filepath.Join(dir, "lib"))
		add(t, e, write(t, dir, "papers.jsonl", lines...))
		q.Like, q.Rerank = []string{"gene10"}, true
		a, err := e.Similar(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return keys(a)
	}
	hundred := ask(engine.Query{N: 100}, lines)
	if len(hundred) != 100 {
		t.Fatalf("%d results, want 100: those beyond the first 50 too", len(hundred))
	}
	if diff := cmp.Diff(ask(engine.Query{}, lines), hundred[:10]); diff != "" {
		t.Errorf("ten results are not the first of a hundred (-got +want):\n%s", diff)
	}
	slices.Reverse(lines)
	if diff := cmp.Diff(ask(engine.Query{N: 100}, lines), hundred); diff != "" {
		t.Errorf("papers that came in another order (-got +want):\n%s", diff)
	}
	ofYear := ask(engine.Query{N: 100, Filters: engine.Filters{YearFrom: 2001, YearTo: 2001}}, lines)
	inOrder := slices.DeleteFunc(slices.Clone(hundred[:50]), func(key string) bool { return !slices.Contains(ofYear, key) })
	firsts := slices.DeleteFunc(slices.Clone(ofYear), func(key string) bool { return !slices.Contains(inOrder, key) })
	if diff := cmp.Diff(firsts, inOrder); diff != "" || len(ofYear) != 24 || len(inOrder) < 5 {
		t.Errorf("%d papers of a year, in another order than without the filter (-got +want):\n%s", len(ofYear), diff)
	}
	e := open(t, filepath.Join(dir, "few"))
	add(t, e, write(t, dir, "few.jsonl", lines[:2]...))
	for _, q := range []engine.Query{{Like: []string{"star119"}, Rerank: true}, {Like: []string{"star119", "gene118"}, Rerank: true}} {
		a, err := e.Similar(t.Context(), q)
		if want := 2 - len(q.Like); err != nil || len(a.Results) != want {
			t.Errorf("of two papers, similar to %v: %+v, %v; want %d", q.Like, a, err, want)
		}
	}
	seeds := openWith(t, engine.Config{})
	a, err := seeds.Similar(t.Context(), engine.Query{Like: []string{"sparse autoencoders"}, Rerank: true, N: 100})
	if err != nil || len(a.Results) != 18 || a.Order != "neighbourhood" {
		t.Errorf("among the seeds: %+v, %v; want the 18 others", a, err)
	}
}

func TestRerankIsForSimilarAndAlone(t *testing.T) {
	e := shelfOfWords(t)
	if _, err := e.Search(t.Context(), engine.Query{Text: "gradients", Rerank: true}); engine.KindOf(err) != engine.Usage {
		t.Errorf("a search: %v, want a usage error", err)
	}
	if _, err := e.Similar(t.Context(), engine.Query{Like: []string{"critic"}, Rerank: true, Diversity: .5}); engine.KindOf(err) != engine.Usage {
		t.Errorf("with a diversity: %v, want a usage error", err)
	}
}

func nearestOf(vectors map[string][]float64, v []float64) []string {
	var all []string
	for key := range vectors {
		all = append(all, key)
	}
	slices.SortFunc(all, func(x, y string) int {
		if a, b := dot(v, vectors[x]), dot(v, vectors[y]); a != b {
			if a > b {
				return -1
			}
			return 1
		}
		return strings.Compare(x, y)
	})
	return all
}

func wide(v []float32) []float64 {
	out := make([]float64, len(v))
	for d, x := range v {
		out[d] = float64(x)
	}
	return out
}

func dot(a, b []float64) float64 {
	var sum float64
	for d, x := range a {
		sum += x * b[d]
	}
	return sum
}

func unit(v []float64) []float64 {
	out := slices.Clone(v)
	for d := range out {
		out[d] /= math.Sqrt(dot(v, v))
	}
	return out
}

// plus is a + weight·b.
func plus(a, b []float64, weight float64) []float64 {
	out := slices.Clone(a)
	for d, x := range b {
		out[d] += weight * x
	}
	return out
}
