package cluster

import (
	"context"
	"math"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// lloyd is spherical k-means on the rows of x. Safe for concurrent runs.
type lloyd struct {
	x       matrix
	keys    []uint64
	weights []int32 // how much each row counts; nil: 1
	subset  []bool  // the rows that centroids are learnt from; nil: all
	k       int
	rounds  int
	still   int       // rows that may move in the last round
	codes   *codes    // of the rows; nil: none
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
	b := newBounds(l.x.n, l.k)
	var e *estimates
	if l.codes != nil && b.size == 1 {
		e = newEstimates(l.codes, l.k)
	}
	before := newMatrix(l.k, l.x.dim)
	for {
		moved := l.assign(s, t, b, e)
		if s.rounds == l.rounds || s.rounds > 0 && moved <= l.still || ctx.Err() != nil {
			break // what the labels say is what the centroids say
		}
		s.rounds++
		copy(before.data, s.centroids.data)
		l.fill(s, t, b)
		t.centroids(s.centroids)
		b.drifted(s.centroids, before)
		if e != nil && !b.dense {
			e.follow(s.centroids)
		}
	}
	l.fill(s, t, b)
	var sum, weight float64
	for i, label := range s.labels {
		w := float64(l.weight(i))
		sum += w * float64(vec.Dot(l.x.row(i), s.centroids.row(int(label))))
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
	for len(v) >= 4 && len(sums) >= 4 {
		sums[0] += float64(w * float64(v[0]))
		sums[1] += float64(w * float64(v[1]))
		sums[2] += float64(w * float64(v[2]))
		sums[3] += float64(w * float64(v[3]))
		v, sums = v[4:], sums[4:]
	}
	for d, x := range v {
		sums[d] += float64(w * float64(x))
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
func (l *lloyd) assign(s *solution, t *totals, b *bounds, e *estimates) int {
	a := &assignment{lloyd: l, s: s, t: t, b: b, e: e}
	if b.dense {
		a.all()
	} else {
		a.few()
	}
	b.dense = a.moved*denseShare > l.x.n
	return a.moved
}

// While more than one row in denseShare moves, the bounds exclude too little: products of
// whole tiles are faster.
const denseShare = 8

// assignment is one round of putting rows to their nearest centroids.
type assignment struct {
	*lloyd
	s     *solution
	t     *totals
	b     *bounds
	e     *estimates // or nil
	moved int
}

// all compares every row with every centroid. Cost: O(n k dim).
func (a *assignment) all() {
	right := pack(a.s.centroids)
	dots := make([]float32, tileRows*a.k)
	if a.e != nil {
		copy(a.e.then.data, a.s.centroids.data)
	}
	for at := range tiles(a.x.n) {
		lo, hi := tile(at, a.x.n)
		if a.e != nil {
			dots = a.e.known[lo*a.k : hi*a.k]
		}
		right.products(dots, a.x, lo, hi)
		for i := lo; i < hi; i++ {
			line := dots[(i-lo)*a.k : (i-lo+1)*a.k]
			label, best := largest(line)
			a.b.learn(i, label, best, line)
			a.take(i, label)
		}
	}
}

// few compares only the rows with only the centroids that the bounds leave open, and of
// those only the ones of which estimates do not tell enough.
func (a *assignment) few() {
	b, centroids := a.b, a.s.centroids
	ids, dots := make([]uint32, 0, a.k+1), make([]float32, a.k)
	for i, label := range a.s.labels {
		if ids = b.open(ids[:0], i, label, b.own[i]-b.drift[label]); len(ids) == 0 {
			continue
		}
		if a.e != nil {
			if ids = a.e.narrow(ids, b, i, label); len(ids) == 0 {
				continue
			}
		}
		x := a.x.row(i)
		best := vec.Dot(x, centroids.row(int(label)))
		b.own[i] = best + b.drift[label]
		if ids = b.open(ids[:0], i, label, best); len(ids) == 0 {
			continue
		}
		vec.DotsAt(dots[:len(ids)], x, centroids.data, ids)
		nearest, own := label, best
		for j, c := range ids {
			if d := dots[j]; d > best || d == best && int32(c) < nearest {
				nearest, best = int32(c), d
			}
		}
		b.relearn(i, label, own, nearest, compared{ids, dots})
		a.take(i, nearest)
	}
}

// take gives row i its label.
func (a *assignment) take(i int, label int32) {
	was := a.s.labels[i]
	if was == label {
		return
	}
	a.s.labels[i] = label
	if w := a.weight(i); w > 0 {
		a.moved++
		if was >= 0 {
			a.t.move(a.x.row(i), was, -w)
		}
		a.t.move(a.x.row(i), label, w)
	}
}

// largest is the place of the largest value (the first of equal ones) and the value.
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
func (l *lloyd) fill(s *solution, t *totals, b *bounds) {
	for c := range l.k {
		if t.weight[c] > 0 {
			continue
		}
		worst, at := float32(math.Inf(1)), -1
		for i, label := range s.labels {
			w := l.weight(i)
			if w == 0 || t.weight[label] <= int64(w) {
				continue
			}
			if cosine := vec.Dot(l.x.row(i), s.centroids.row(int(label))); cosine < worst {
				worst, at = cosine, i
			}
		}
		if at < 0 {
			return
		}
		w := l.weight(at)
		t.move(l.x.row(at), s.labels[at], -w)
		t.move(l.x.row(at), int32(c), w)
		s.labels[at] = int32(c)
		copy(s.centroids.row(c), l.x.row(at))
		b.forget(at)
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
