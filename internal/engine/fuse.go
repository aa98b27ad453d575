package engine

import (
	"cmp"
	"slices"
)

// candidate is a paper that one of a query's lists has found, with its score in each.
type candidate struct {
	n       uint32
	dense   float64 // 0 where the paper has no vector
	keyword float64 // 0 where it holds none of the words
	score   float64

	sentence    float64 // the cosine of its best sentence
	sentenceAt  int     // which one it is
	hasSentence bool    // it has sentences: not yet in every library
	share       Share   // of a hybrid score

	neighbourhood float64 // the cosine by which it is ordered with Rerank
}

// sentenceWeight is the best sentence's part of the meaning's score in a hybrid search:
// half and half lies on a plateau from .2 to 1, and beats the whole text alone
// (docs/benchmarks/search.md).
const sentenceWeight = 0.5

// meaning is the vectors' score of c.
func (c *candidate) meaning() float64 {
	if !c.hasSentence {
		return c.dense
	}
	return (1-sentenceWeight)*c.dense + sentenceWeight*c.sentence
}

// denseWeight is the vectors' part of a hybrid score. Between .45 and .7 the figures on
// judged queries are level (docs/benchmarks/search.md): the two halves count alike.
const denseWeight = 0.5

// order gives candidates the score of a mode and puts the best first, ties in ascending
// order of number.
func order(list []candidate, mode string) {
	switch mode {
	case modeHybrid:
		fuse(list)
	case modeDense:
		for i := range list {
			list[i].score = list[i].dense
		}
	case modeKeyword:
		for i := range list {
			list[i].score = list[i].keyword
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.n, b.n))
	})
}

// fuse gives candidates their hybrid score: each score is divided by the best of its
// kind for this query, and the two are added by weight (the convex combination of
// Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2023,
// with the maximum as normaliser). Both scores of every candidate must be there: a
// missing one counted as 0 costs quality.
func fuse(list []candidate) {
	var topDense, topKeyword float64
	for _, c := range list {
		topDense, topKeyword = max(topDense, c.meaning()), max(topKeyword, c.keyword)
	}
	share := func(x, top, weight float64) float64 {
		if top <= 0 {
			return 0
		}
		return weight * max(x, 0) / top
	}
	for i := range list {
		c := &list[i]
		c.share = Share{Meaning: share(c.meaning(), topDense, denseWeight), Words: share(c.keyword, topKeyword, 1-denseWeight)}
		c.score = c.share.Meaning + c.share.Words
	}
}

// diversify reorders a ranking so that the first results differ: maximal marginal
// relevance (Carbonell and Goldstein, 1998). Each next result is the one of the
// greatest (1 − diversity)·score − diversity·(largest cosine with those before it).
// Scores must be comparable to cosines: the caller divides by the best. vectors[i] is
// the vector of result i, nil if it has none; cosine compares two.
func diversify(scores []float64, vectors [][]float32, diversity float64, cosine func(a, b []float32) float32) []int {
	order := make([]int, 0, len(scores))
	nearest := make([]float64, len(scores)) // to what is chosen already
	chosen := make([]bool, len(scores))
	for range scores {
		best, bestGain := -1, 0.
		for i, s := range scores {
			if gain := (1-diversity)*s - diversity*nearest[i]; !chosen[i] && (best < 0 || gain > bestGain) {
				best, bestGain = i, gain
			}
		}
		order = append(order, best)
		chosen[best] = true
		for i := range scores {
			if !chosen[i] && vectors[i] != nil && vectors[best] != nil {
				nearest[i] = max(nearest[i], float64(cosine(vectors[i], vectors[best])))
			}
		}
	}
	return order
}
