package cluster

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// How the number of themes is chosen.
const (
	fewestThemes    = 5    // tried, from chooseSmall papers on
	mostThemes      = 30   // tried
	fewestBroad     = 4    // tried for the upper of two levels
	mostBroad       = 10   // the same
	rowsPerTried    = 15   // k is tried while a theme has so many papers on average
	rowsPerTriedLow = 3    // the same below chooseSmall papers
	chooseSmall     = 150  // below, modularity alone decides
	chooseSample    = 3000 // rows that the choice looks at
	chooseRuns      = 20   // runs a number of themes tried
	qualityLinks    = 15   // neighbours of the graph that modularity is measured on: √n, up to so many
)

func qualityLinkCount(n int) int {
	return min(max(fewestNeighbour, int(math.Ceil(math.Sqrt(float64(n))))), qualityLinks, n-1)
}

// quality is how well k themes fit a collection.
type quality struct {
	k          int
	modularity float64 // Q, on the graph weighted by shared neighbours
	agreement  float64 // mean adjusted Rand index of the runs with the consensus
	silhouette float64 // on the blurred vectors
}

func (q quality) product() float64 {
	return max(0, q.modularity) * max(0, q.agreement) * max(0, q.silhouette)
}

// judge makes the consensus of k themes and measures it.
func judge(ctx context.Context, blurred matrix, shared weighted, keys []uint64, p plan) (quality, error) {
	rows := make([]int32, blurred.n)
	for i := range rows {
		rows[i] = int32(i)
	}
	v, err := castVotes(ctx, blurred, keys, rows, p)
	if err != nil {
		return quality{}, err
	}
	labels := consensus(v, keys, rows, p)
	return quality{
		k:          p.k,
		modularity: shared.modularity(labels, p.k),
		agreement:  v.agreement(rows, labels),
		silhouette: silhouette(blurred, labels, p.k),
	}, nil
}

// agreement is the mean adjusted Rand index of the runs with the given labels of rows.
func (v votes) agreement(rows, labels []int32) float64 {
	sum := 0.0
	run := make([]int32, len(rows))
	for r := range v.runs {
		for i, row := range rows {
			run[i] = int32(v.of(int(row))[r])
		}
		sum += AdjustedRand(run, labels)
	}
	return sum / float64(v.runs)
}

// weighted is a graph with a weight on each link: how many neighbours its ends share.
type weighted struct {
	graph
	weights []float32 // [links]
}

// sharedNeighbours weights the union graph of the first m neighbours (Jarvis and
// Patrick, "Clustering Using a Similarity Measure Based on Shared Near Neighbors", 1973).
func sharedNeighbours(near nearest, n, m int) weighted {
	w := weighted{graph: union(near, n, m)}
	w.weights = make([]float32, len(w.targets))
	mark := make([]int32, n)
	for i := range n {
		own := near.of(i)
		for _, j := range own[:min(m, len(own))] {
			mark[j] = int32(i + 1)
		}
		mark[i] = int32(i + 1)
		for at := w.offsets[i]; at < w.offsets[i+1]; at++ {
			j := int(w.targets[at])
			common := 0
			other := near.of(j)
			for _, t := range other[:min(m, len(other))] {
				if mark[t] == int32(i+1) {
					common++
				}
			}
			if mark[j] == int32(i+1) {
				common++
			}
			w.weights[at] = float32(common)
		}
	}
	return w
}

// modularity of a partition (Newman and Girvan, "Finding and Evaluating Community
// Structure in Networks", 2004), links weighted. Cost: O(links).
func (w weighted) modularity(labels []int32, k int) float64 {
	var total, within float64
	degree := make([]float64, k)
	for i, label := range labels {
		for at := w.offsets[i]; at < w.offsets[i+1]; at++ {
			weight := float64(w.weights[at])
			total += weight
			degree[label] += weight
			if labels[w.targets[at]] == label {
				within += weight
			}
		}
	}
	if total == 0 {
		return 0
	}
	q := within / total
	for _, d := range degree {
		q -= (d / total) * (d / total)
	}
	return q
}

// silhouette is the mean silhouette by cosine distance (Rousseeuw, "Silhouettes", 1987).
// A row's mean distance to a group is one minus its product with the group's mean, so
// that it costs O(n k dim) instead of O(n² dim).
func silhouette(x matrix, labels []int32, k int) float64 {
	sums := newMatrix(k, x.dim)
	sizes := make([]float64, k)
	for i, label := range labels {
		vec.Add(sums.row(int(label)), x.row(i))
		sizes[label]++
	}
	b := pack(sums)
	dots := make([]float32, tileRows*k)
	total := 0.0
	for lo := 0; lo < x.n; lo += tileRows {
		hi := min(lo+tileRows, x.n)
		b.products(dots, x, lo, hi)
		for i := lo; i < hi; i++ {
			line := dots[(i-lo)*k : (i-lo+1)*k]
			own := labels[i]
			if sizes[own] < 2 {
				continue // 0 by definition
			}
			inside := 1 - (float64(line[own])-1)/(sizes[own]-1)
			outside := math.Inf(1)
			for c, s := range line {
				if int32(c) != own && sizes[c] > 0 {
					outside = min(outside, 1-float64(s)/sizes[c])
				}
			}
			if m := max(inside, outside); m > 0 && !math.IsInf(outside, 1) {
				total += (outside - inside) / m
			}
		}
	}
	return total / float64(x.n)
}

// choice is a number of themes and what it was chosen by.
type choice struct {
	quality
	lo, hi int // numbers tried
	small  bool
	tried  []quality
}

// reason says why a number of themes was chosen. Where the collection has no clear
// structure it praises none.
func (c choice) reason(clear bool) string {
	figures := fmt.Sprintf("modularity %.2f", c.modularity)
	if !c.small {
		figures = fmt.Sprintf("modularity %.2f, agreement of the runs %.2f, silhouette %.2f", c.modularity, c.agreement, c.silhouette)
	}
	best := "keep papers that are near each other together best"
	switch {
	case !clear:
		best = "divide them best, but hardly better than chance would"
	case !c.small:
		best = "are the most distinct and repeatable together"
	}
	said := fmt.Sprintf("of %d to %d themes, %d %s (%s)", c.lo, c.hi, c.k, best, figures)
	if !clear {
		return "the papers have no clear structure: " + said
	}
	return said
}

// choose finds the number of themes of a group between its lo and hi: where modularity · agreement · silhouette, smoothed over neighbouring k, is largest;
// of small collections where modularity is.
func choose(ctx context.Context, blurred matrix, near nearest, keys []uint64, p plan, g group) (choice, error) {
	shared := sharedNeighbours(near, blurred.n, qualityLinkCount(blurred.n))
	var c choice
	if blurred.n < chooseSmall {
		p.runs = consensusRuns
	}
	for k := g.lo; k <= g.hi; k++ {
		p.k = k
		q, err := judge(ctx, blurred, shared, keys, p)
		if err != nil {
			return choice{}, err
		}
		c.tried = append(c.tried, q)
		g.meter.part()
	}
	best, at := math.Inf(-1), 0
	small := blurred.n < chooseSmall
	for i := range c.tried {
		s := smoothed(c.tried, i, small)
		if s > best {
			best, at = s, i
		}
	}
	c.quality, c.lo, c.hi, c.small = c.tried[at], g.lo, g.hi, small
	return c, nil
}

// smoothed is the score of tried[i], over its neighbours by weights 1-2-1 except in
// small collections, where modularity alone is the score.
func smoothed(tried []quality, i int, small bool) float64 {
	score := quality.product
	if small {
		score = func(q quality) float64 { return q.modularity }
	}
	sum, weight := 2*score(tried[i]), 2.0
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(tried) {
			sum += score(tried[j])
			weight++
		}
	}
	return sum / weight
}

// span is the range of k to try for n papers.
func span(n int) (lo, hi int) {
	if n < chooseSmall {
		return 2, max(2, min(mostBroad, n/rowsPerTriedLow))
	}
	return fewestThemes, max(fewestThemes, min(mostThemes, n/rowsPerTried))
}
