package cluster

import (
	"context"
	"math"
	"slices"
)

// How "no clear structure" is decided.
const (
	structureSample = 1500 // rows looked at
	structureNoise  = 5    // Gaussian collections compared with
	structureRuns   = 15
	clearRatio      = 2.0 // real collections of 200 rows and more have 2.1 to 6.2, random vectors 0.8 at most
	clearRatioSmall = 1.6 // below chooseSmall rows
)

// nearCopies is the mean cosine of all pairs of a group from which its members are copies
// of one text but for a word or a number, whose groups are those of that word: 1,000 such
// papers have .91 to .99, collections of one or two fields .1 to .2.
const nearCopies = 0.85

// likeness is the mean cosine of all pairs of rows, as the vectors came. Cost: O(n dim).
func (c *collection) likeness(rows []int32) float64 {
	sums := make([]float64, c.dim)
	for _, i := range rows {
		scale := float64(c.scale[i])
		for d, v := range c.vector(int(i)) {
			sums[d] += scale * float64(v)
		}
	}
	square := 0.0
	for _, sum := range sums {
		square += sum * sum
	}
	return square / (float64(len(rows)) * float64(len(rows)))
}

// structureTried are the numbers of themes tried.
var structureTried = [...]int{3, 4, 6, 8, 10}

// structure is how many times better a collection can be divided than Gaussian noise with
// the collection's own mean and covariance, for the number of themes where that is most:
// about 1 where it has no groups. Each number is compared with itself, because two or
// three wide directions alone let noise fall into as many groups, and a collection of two
// fields has such directions too. Cost: that of choosing k, on at most 1,500 rows, six times.
func structure(ctx context.Context, c *collection, p plan) (float64, error) {
	rows := sample(c.keys, structureSample, stream(p.seed, drawSample, 1, 0))
	picked := pickKeys(c.keys, rows)
	x, err := c.rows(ctx, rows, p.workers)
	if err != nil {
		return 0, err
	}
	own, err := products(ctx, x, picked, p)
	if err != nil {
		return 0, err
	}
	p.meter.part()
	var noise [len(structureTried)]float64
	for g := range structureNoise {
		y, err := gaussian(ctx, x, stream(p.seed, drawNoise, g, 0), p.workers)
		if err != nil {
			return 0, err
		}
		drawn, err := products(ctx, y, picked, p)
		if err != nil {
			return 0, err
		}
		for i, product := range drawn {
			noise[i] += product / structureNoise
		}
		p.meter.part()
	}
	ratio := 0.0
	for i := range own {
		if own[i] > 0 { // with no quality at all it is not clearer than any noise
			ratio = max(ratio, own[i]/noise[i])
		}
	}
	return ratio, nil
}

// products are the qualities of x divided into each of the numbers of themes tried.
func products(ctx context.Context, x matrix, keys []uint64, p plan) ([len(structureTried)]float64, error) {
	var list [len(structureTried)]float64
	near, err := neighbours(ctx, x, graphLinks(x.n), plan{workers: p.workers})
	if err != nil {
		return list, err
	}
	blurred := matrix{data: slices.Clone(x.data), n: x.n, dim: x.dim}
	if err := blur(ctx, blurred, union(near, x.n, neighbourCount(x.n)), roundsOfBlur(x.n), p.workers); err != nil {
		return list, err
	}
	if blurred, err = project(ctx, blurred, keys, p); err != nil {
		return list, err
	}
	shared := sharedNeighbours(near, x.n, qualityLinkCount(x.n))
	p.runs, p.meter = structureRuns, nil
	for i, k := range structureTried {
		p.k = k
		q, err := judge(ctx, blurred, shared, keys, p)
		if err != nil {
			return list, err
		}
		list[i] = q.product()
	}
	return list, nil
}

// gaussian draws x.n rows from the normal distribution with the mean and covariance of
// x, scaled to unit length: each is the mean plus a random combination of the centred
// rows, which has exactly that covariance. Cost: O(n² dim) multiplications.
func gaussian(ctx context.Context, x matrix, draws uint64, workers int) (matrix, error) {
	mean := make([]float64, x.dim)
	for i := range x.n {
		for d, v := range x.row(i) {
			mean[d] += float64(v) / float64(x.n)
		}
	}
	columns := newMatrix(x.dim, x.n) // the centred rows, turned: [dim, n]
	for i := range x.n {
		for d, v := range x.row(i) {
			columns.data[d*x.n+i] = float32(float64(v) - mean[d])
		}
	}
	b := pack(columns)
	out := newMatrix(x.n, x.dim)
	scale := 1 / math.Sqrt(float64(x.n))
	err := each(ctx, workers, tiles(x.n), func(t int) {
		lo, hi := tile(t, x.n)
		weights := newMatrix(hi-lo, x.n)
		for i := range weights.data {
			weights.data[i] = float32(scale * normal(draws, uint64(lo*x.n+i)))
		}
		b.products(out.data[lo*x.dim:hi*x.dim], weights, 0, hi-lo)
		for i := lo; i < hi; i++ {
			row := out.row(i)
			for d := range row {
				row[d] += float32(mean[d])
			}
			normalise(row)
		}
	})
	return out, err
}

// normal is a draw from the standard normal distribution (Box and Muller, 1958).
func normal(draws, i uint64) float64 {
	u, v := uniform(2*i, draws), uniform(2*i+1, draws)
	return math.Sqrt(-2*math.Log(u)) * math.Cos(2*math.Pi*v)
}
