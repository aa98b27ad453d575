package cluster

import (
	"context"
	"fmt"
	"math"
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
	if c.vectors.n == 0 {
		return &Partition{}, nil
	}
	l := lloyd{x: c.vectors, keys: c.keys, weights: c.copies, k: min(opts.K, c.vectors.n), rounds: opts.Rounds}
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

// lloyd is spherical k-means on the rows of x. Safe for concurrent runs.
type lloyd struct {
	x       matrix
	keys    []uint64
	weights []int32 // how much each row counts; nil: 1
	subset  []bool  // the rows that centroids are learnt from; nil: all
	k       int
	rounds  int
	still   int       // rows that may move in the last round
	start   []float32 // [k, dim] or nil
}

// solution is where one start of k-means ended.
type solution struct {
	k         int
	labels    []int32
	centroids matrix // [k, dim]
	objective float64
	rounds    int
}

func (l *lloyd) weight(i int) int32 {
	if l.subset != nil && !l.subset[i] {
		return 0
	}
	if l.weights == nil {
		return 1
	}
	return l.weights[i]
}

// run does one start. It returns what it has when ctx ends: the caller asks ctx.
func (l *lloyd) run(ctx context.Context, draws uint64) *solution {
	s := &solution{k: l.k, labels: make([]int32, l.x.n), centroids: newMatrix(l.k, l.x.dim)}
	if l.start != nil {
		copy(s.centroids.data, l.start)
		for c := range l.k {
			normalise(s.centroids.row(c))
		}
	} else {
		l.plusPlus(s.centroids, draws)
	}
	for i := range s.labels {
		s.labels[i] = -1
	}
	t := &totals{sums: make([]float64, l.k*l.x.dim), weight: make([]int64, l.k)}
	cosines := make([]float32, l.x.n)
	for s.rounds < l.rounds && ctx.Err() == nil {
		s.rounds++
		if moved := l.assign(s, t, cosines); moved <= l.still && s.rounds > 1 {
			break
		}
		l.fill(s, t, cosines)
		t.centroids(s.centroids)
	}
	var sum, weight float64
	for i, c := range cosines {
		w := float64(l.weight(i))
		sum += w * float64(c)
		weight += w
	}
	s.objective = sum / weight
	return s
}

// totals are the sums that centroids are made of, kept up to date as rows move: after
// the first rounds few do.
type totals struct {
	sums   []float64 // [k, dim]
	weight []int64   // [k]
}

func (t *totals) move(v []float32, label int32, weight int32) {
	sums := t.sums[int(label)*len(v):][:len(v)]
	w := float64(weight)
	for d, x := range v {
		sums[d] += w * float64(x)
	}
	t.weight[label] += int64(weight)
}

func (t *totals) centroids(dst matrix) {
	for c := range dst.n {
		if t.weight[c] == 0 {
			continue // nothing is nearest to it, and nothing could be moved: it stays
		}
		row := dst.row(c)
		for d, v := range t.sums[c*dst.dim : (c+1)*dst.dim] {
			row[d] = float32(v)
		}
		normalise(row)
	}
}

// assign puts every row to its nearest centroid (equal ones: the first) and says how
// many of those that count have moved.
func (l *lloyd) assign(s *solution, t *totals, cosines []float32) int {
	moved := 0
	b := pack(s.centroids)
	dots := make([]float32, tileRows*l.k)
	for lo := 0; lo < l.x.n; lo += tileRows {
		hi := min(lo+tileRows, l.x.n)
		b.products(dots, l.x, lo, hi)
		for i := lo; i < hi; i++ {
			label, cosine := largest(dots[(i-lo)*l.k : (i-lo+1)*l.k])
			cosines[i] = cosine
			if was := s.labels[i]; was != label {
				s.labels[i] = label
				if w := l.weight(i); w > 0 {
					moved++
					if was >= 0 {
						t.move(l.x.row(i), was, -w)
					}
					t.move(l.x.row(i), label, w)
				}
			}
		}
	}
	return moved
}

func largest(values []float32) (int32, float32) {
	best, at := values[0], 0
	for j, v := range values {
		if v > best {
			best, at = v, j
		}
	}
	return int32(at), best
}

// fill gives each empty group the row that fits its own group least, from groups that
// have another.
func (l *lloyd) fill(s *solution, t *totals, cosines []float32) {
	for c := range l.k {
		if t.weight[c] > 0 {
			continue
		}
		worst, at := float32(math.Inf(1)), -1
		for i, cosine := range cosines {
			if w := l.weight(i); w > 0 && cosine < worst && t.weight[s.labels[i]] > int64(w) {
				worst, at = cosine, i
			}
		}
		if at < 0 {
			return
		}
		w := l.weight(at)
		t.move(l.x.row(at), s.labels[at], -w)
		t.move(l.x.row(at), int32(c), w)
		s.labels[at], cosines[at] = int32(c), 1
	}
}

// plusPlus draws k rows as centroids, each with a chance in proportion to its squared
// distance from those drawn before. The draw is a race of exponential clocks, one a
// row with the row's own randomness (Efraimidis and Spirakis, "Weighted Random
// Sampling with a Reservoir", 2006): without one in ten papers, nine starts in ten draw the same.
func (l *lloyd) plusPlus(centroids matrix, draws uint64) {
	distance := make([]float32, l.x.n)
	for i := range distance {
		distance[i] = 1
	}
	dots := make([]float32, l.x.n)
	for c := range l.k {
		first, at := math.Inf(1), -1
		for i, d := range distance {
			w := l.weight(i)
			if w == 0 || d <= 0 {
				continue
			}
			clock := -math.Log(uniform(l.keys[i], mix(draws+uint64(c)))) / (float64(d) * float64(w))
			if clock < first {
				first, at = clock, i
			}
		}
		if at < 0 { // all rows that count are centroids: the rest start empty
			at = 0
		}
		copy(centroids.row(c), l.x.row(at))
		dotRows(dots, centroids.row(c), l.x)
		for i, v := range dots {
			distance[i] = min(distance[i], max(0, 1-v))
		}
		distance[at] = 0
	}
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
