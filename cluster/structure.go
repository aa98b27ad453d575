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
	structureLow    = 4    // numbers of themes tried, every second
	structureHigh   = 10
	structureRuns   = 15
	clearRatio      = 1.5 // noise of 200 rows and more reaches 1.45, real collections 2.3 to 8.5
	clearRatioSmall = 1.2 // below chooseSmall rows
)

// structure is how many times better the best division of a collection is than that of
// Gaussian noise with the collection's own mean and covariance: about 1 where it has no
// groups. Cost: that of choosing k, on at most 1,500 rows, six times.
func structure(ctx context.Context, c *collection, p plan) (float64, error) {
	rows := sample(c.keys, structureSample, stream(p.seed, drawSample, 1, 0))
	picked := pickKeys(c.keys, rows)
	x, err := c.rows(ctx, rows, p.workers)
	if err != nil {
		return 0, err
	}
	own, err := bestProduct(ctx, x, picked, p)
	if err != nil {
		return 0, err
	}
	p.meter.part()
	noise := 0.0
	for g := range structureNoise {
		y, err := gaussian(ctx, x, stream(p.seed, drawNoise, g, 0), p.workers)
		if err != nil {
			return 0, err
		}
		best, err := bestProduct(ctx, y, picked, p)
		if err != nil {
			return 0, err
		}
		noise += best / structureNoise
		p.meter.part()
	}
	if noise == 0 {
		return math.Inf(1), nil
	}
	return own / noise, nil
}

// bestProduct is the best quality of x divided into 4 to 10 themes.
func bestProduct(ctx context.Context, x matrix, keys []uint64, p plan) (float64, error) {
	near, err := neighbours(ctx, x, graphLinks(x.n), plan{workers: p.workers})
	if err != nil {
		return 0, err
	}
	blurred := matrix{data: slices.Clone(x.data), n: x.n, dim: x.dim}
	if err := blur(ctx, blurred, union(near, x.n, neighbourCount(x.n)), roundsOfBlur(x.n), p.workers); err != nil {
		return 0, err
	}
	if blurred, err = project(ctx, blurred, keys, p); err != nil {
		return 0, err
	}
	shared := sharedNeighbours(near, x.n, qualityLinkCount(x.n))
	p.runs, p.meter = structureRuns, nil
	best := 0.0
	for k := structureLow; k <= min(structureHigh, x.n/2); k += 2 {
		p.k = k
		q, err := judge(ctx, blurred, shared, keys, p)
		if err != nil {
			return 0, err
		}
		best = max(best, q.product())
	}
	return best, nil
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
