package eval

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Judgements are the grades of documents for queries: by the query's id, then the
// document's. A grade of 0 is "judged, not relevant"; what is absent was not judged,
// and counts as not relevant.
type Judgements map[string]map[string]int

// Relevant is the number of documents with a grade above 0.
func Relevant(grades map[string]int) int {
	n := 0
	for _, g := range grades {
		if g > 0 {
			n++
		}
	}
	return n
}

// NDCG is the normalised discounted cumulative gain of the first k of ranked: the gain
// of a document is its grade, discounted by log2(rank + 1), over that of the best
// possible order (Järvelin and Kekäläinen, 2002; as trec_eval's ndcg_cut counts it).
func NDCG(ranked []string, grades map[string]int, k int) float64 {
	got := 0.
	for i, id := range ranked[:min(k, len(ranked))] {
		got += float64(max(grades[id], 0)) / math.Log2(float64(i+2))
	}
	var ideal []int
	for _, g := range grades {
		if g > 0 {
			ideal = append(ideal, g)
		}
	}
	slices.SortFunc(ideal, func(a, b int) int { return b - a })
	best := 0.
	for i, g := range ideal[:min(k, len(ideal))] {
		best += float64(g) / math.Log2(float64(i+2))
	}
	if best == 0 {
		return 0
	}
	return got / best
}

// Recall is the share of the relevant documents among the first k of ranked.
func Recall(ranked []string, grades map[string]int, k int) float64 {
	n := Relevant(grades)
	if n == 0 {
		return 0
	}
	found := 0
	for _, id := range ranked[:min(k, len(ranked))] {
		if grades[id] > 0 {
			found++
		}
	}
	return float64(found) / float64(n)
}

// MRR is one over the rank of the first relevant document among the first k, 0 if
// there is none: of one query, so its mean over queries is the mean reciprocal rank.
func MRR(ranked []string, grades map[string]int, k int) float64 {
	for i, id := range ranked[:min(k, len(ranked))] {
		if grades[id] > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// Figures are means over queries; CI95 is the interval of NDCG10.
type Figures struct {
	NDCG10    float64    `json:"ndcg@10"`
	Recall10  float64    `json:"recall@10"`
	Recall100 float64    `json:"recall@100"`
	MRR10     float64    `json:"mrr@10"`
	CI95      [2]float64 `json:"ci95"`
}

// Measure returns the figures of rankings, by query id, over the queries that have a
// relevant document; a query without a ranking counts 0. n is the number of queries.
func Measure(rankings map[string][]string, judged Judgements) (f Figures, n int) {
	ids := make([]string, 0, len(judged))
	for id, grades := range judged {
		if Relevant(grades) > 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	ndcg := make([]float64, len(ids))
	for i, id := range ids {
		ranked, grades := rankings[id], judged[id]
		ndcg[i] = NDCG(ranked, grades, 10)
		f.Recall10 += Recall(ranked, grades, 10)
		f.Recall100 += Recall(ranked, grades, 100)
		f.MRR10 += MRR(ranked, grades, 10)
	}
	if n = len(ids); n > 0 {
		f.NDCG10 = mean(ndcg)
		f.Recall10 /= float64(n)
		f.Recall100 /= float64(n)
		f.MRR10 /= float64(n)
		f.CI95 = Bootstrap(ndcg)
	}
	return f, n
}

// Bootstrap returns the 95 % interval of the mean of values, from 2,000 samples with
// replacement (Efron, 1979: the percentile interval). The same values give the same
// interval.
func Bootstrap(values []float64) [2]float64 {
	const samples = 2000
	if len(values) == 0 {
		return [2]float64{}
	}
	rng := rand.New(rand.NewPCG(uint64(len(values)), 95))
	means := make([]float64, samples)
	for i := range means {
		sum := 0.
		for range values {
			sum += values[rng.IntN(len(values))]
		}
		means[i] = sum / float64(len(values))
	}
	slices.Sort(means)
	return [2]float64{means[samples*25/1000], means[samples*975/1000-1]}
}

func mean(values []float64) float64 {
	sum := 0.
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
