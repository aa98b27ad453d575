package cluster

import (
	"context"
	"fmt"
)

// KMeansOptions are the choices of [KMeans]; the zero value works.
type KMeansOptions struct {
	K        int       // how many groups; at least 1, cut down to the number of distinct vectors
	Seed     uint64    // another seed, other starts
	Restarts int       // how many starts, of which the best is kept; 0: 10
	Rounds   int       // at most so many rounds a start; 0: 100
	Workers  int       // goroutines; 0: as many as processors
	Start    []float32 // [K, dim]: begin with these centroids, once, instead of drawing them
}

// The defaults of [KMeansOptions].
const (
	defaultRestarts = 10
	defaultRounds   = 100
)

// Partition is vectors in k groups.
type Partition struct {
	K         int
	Labels    []int32   // the group of each vector, 0 to K-1
	Centroids []float32 // [K, dim], unit length
	Objective float64   // mean cosine of a vector with its centroid, at most 1
	Rounds    int       // rounds that the kept start took
}

// KMeans groups vectors ([n, dim], one after the other) by spherical k-means: the
// centroid of a group is the mean of its unit vectors scaled to unit length, and each
// vector belongs to the centroid with the largest cosine (Dhillon and Modha, "Concept
// Decompositions for Large Sparse Text Data Using Clustering", Machine Learning 42,
// 2001). Starts are k-means++ (Arthur and Vassilvitskii, SODA 2007), drawn so that a
// vector's chance depends on its own content alone. Groups are numbered by size.
//
// The result does not depend on the order of vectors, nor on the number of workers.
// Vectors are scaled to unit length in a copy; a vector of zeros has cosine 0 with all.
// Cost: O(n k dim) multiplications a round by tiles of a matrix product, Restarts times;
// memory O(n dim).
func KMeans(ctx context.Context, vectors []float32, dim int, opts KMeansOptions) (*Partition, error) {
	if opts.K < 1 {
		return nil, fmt.Errorf("grouping vectors: k is %d: want at least 1", opts.K)
	}
	c, err := collect(vectors, dim)
	if err != nil {
		return nil, err
	}
	if c.n == 0 {
		return &Partition{}, nil
	}
	if opts.Start == nil {
		c.draw()
	}
	x, rows := newMatrix(c.n, dim), newCodes(c.n, dim)
	err = each(ctx, opts.Workers, tiles(c.n), func(t int) {
		lo, hi := tile(t, c.n)
		for i := lo; i < hi; i++ {
			c.row(x.row(i), i)
			rows.set(i, x.row(i))
		}
	})
	if err != nil {
		return nil, err
	}
	l := lloyd{x: x, codes: rows, keys: c.keys, weights: c.copies, k: min(opts.K, c.n), rounds: opts.Rounds}
	if l.rounds <= 0 {
		l.rounds = defaultRounds
	}
	restarts := opts.Restarts
	if restarts <= 0 {
		restarts = defaultRestarts
	}
	if opts.Start != nil {
		if len(opts.Start) != opts.K*dim {
			return nil, fmt.Errorf("grouping vectors: the start has %d numbers: want %d centroids of %d", len(opts.Start), opts.K, dim)
		}
		l.start = opts.Start[:l.k*dim]
		restarts = 1
	}
	found := make([]*solution, restarts)
	err = each(ctx, opts.Workers, restarts, func(r int) {
		found[r] = l.run(ctx, stream(opts.Seed, drawRestart, r, 0))
	})
	if err != nil {
		return nil, err
	}
	best := found[0]
	for _, s := range found[1:] {
		if s.objective > best.objective {
			best = s
		}
	}
	return best.partition(c), nil
}

// partition gives the labels of the distinct rows to the items of the input, groups
// numbered by size.
func (s *solution) partition(c *collection) *Partition {
	sizes := make([]int, s.k)
	for i, label := range s.labels {
		sizes[label] += int(c.copies[i])
	}
	order := bySize(sizes)
	p := &Partition{K: s.k, Labels: make([]int32, len(c.rowOf)), Objective: s.objective, Rounds: s.rounds}
	rank := make([]int32, s.k)
	for r, old := range order {
		rank[old] = int32(r)
		p.Centroids = append(p.Centroids, s.centroids.row(old)...)
	}
	for item, row := range c.rowOf {
		p.Labels[item] = rank[s.labels[row]]
	}
	return p
}
