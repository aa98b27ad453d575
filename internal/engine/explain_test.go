package engine_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func TestExplain(t *testing.T) {
	e := shelfOfWords(t)
	a, err := e.Search(t.Context(), engine.Query{Text: "Variance of gradients. Baselines", Explain: true})
	if err != nil || keys(a)[0] != "gradient" {
		t.Fatalf("%v, %v; want gradient first", a, err)
	}
	x := a.Results[0].Explain
	if x.Pair == nil || !strings.Contains(x.Pair.Paper, "ariance") || x.Pair.Asked == "" || x.Pair.Cosine <= 0 {
		t.Errorf("the pair of sentences: %+v", x.Pair)
	}
	if len(x.Words) != 3 || x.Words[0].Word != "baselines" || x.Words[0].Weight <= x.Words[1].Weight {
		t.Errorf("the shared words: %+v; want baselines first, being in one paper only", x.Words)
	}
	if x.Share == nil || x.Share.Meaning+x.Share.Words != a.Results[0].Score || x.Share.Words == 0 {
		t.Errorf("the shares %+v do not add up to %g", x.Share, a.Results[0].Score)
	}
	if x.Nearness == nil || x.Nearness.RandomPairs < 50 {
		t.Errorf("nearness: %+v; want it above most pairs", x.Nearness)
	}
}

func TestExplainSimilarAndKeyword(t *testing.T) {
	e := shelfOfWords(t)
	a, err := e.Similar(t.Context(), engine.Query{Like: []string{"critic"}, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	x := a.Results[0].Explain
	if keys(a)[0] != "gradient" || x.Pair == nil || len(x.Words) == 0 || x.Share != nil {
		t.Errorf("similar: %v, %+v; want gradient with a pair and words, and no shares", keys(a), x)
	}
	var sum float64
	for _, word := range x.Words {
		sum += word.Score
	}
	if sum == 0 || len(x.Words) < 5 && math.Abs(x.Keyword-sum) > 1e-9 || x.Keyword < sum-1e-9 {
		t.Errorf("similar: words %g, of which those that are shown have %g", x.Keyword, sum)
	}
	if a, err = e.Search(t.Context(), engine.Query{Text: "variance", Mode: "keyword", Explain: true}); err != nil {
		t.Fatal(err)
	}
	if x := a.Results[0].Explain; x.Dense != 0 || x.Pair != nil || x.Nearness != nil || len(x.Words) != 1 || x.Words[0].Word != "variance" {
		t.Errorf("by words: %+v; want the word alone", x)
	}
}

// The best sentence of a query of one sentence is the sentence of the pair: there is one
// figure of it, not that of the codes which the ranking scans beside the exact one.
func TestExplainHasOneFigureOfTheBestSentence(t *testing.T) {
	e := shelfOfWords(t)
	a, err := e.Search(t.Context(), engine.Query{Text: "baselines lower the variance", Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, r := range a.Results {
		x := r.Explain
		if x.Sentence == 0 {
			continue
		}
		seen++
		if math.Abs(x.Sentence-x.Pair.Cosine) > 1e-6 {
			t.Errorf("%s: the best sentence has %g, the nearest %g", r.Keys[0], x.Sentence, x.Pair.Cosine)
		}
	}
	if seen == 0 {
		t.Error("no result has sentences")
	}
}

func TestExplainOnePaperAndTheSeeds(t *testing.T) {
	dir := t.TempDir()
	e := open(t, dir+"/lib")
	add(t, e, write(t, dir, "one.jsonl", graphs))
	a, err := e.Search(t.Context(), engine.Query{Text: "graphs", Explain: true})
	if err != nil || len(a.Results) != 1 || a.Results[0].Explain == nil || a.Results[0].Explain.Nearness != nil {
		t.Errorf("one paper: %+v, %v; want an explanation without nearness", a, err)
	}
}
