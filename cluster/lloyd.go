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
	before := newMatrix(l.k, l.x.dim)
	for s.rounds < l.rounds && ctx.Err() == nil {
		s.rounds++
		if moved := l.assign(s, t, b); moved <= l.still && s.rounds > 1 {
			break
		}
		l.fill(s, t, b)
		copy(before.data, s.centroids.data)
		t.centroids(s.centroids)
		b.drifted(s, before)
	}
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

// bounds say which rows cannot have another nearest centroid than before, so that only
// the others are compared with all: the distance of each row to its own centroid is at
// most own, that to any other at least other (Hamerly, "Making k-means Even Faster",
// SDM 2010). Distances are Euclidean, between points of the unit sphere.
type bounds struct {
	own, other []float32 // [n]
	drift      []float32 // [k]
}

// boundMargin covers the rounding of a distance: a row that is nearer to two centroids
// alike than this is always compared.
const boundMargin = 2e-3

// boundTighten is the number of groups from which one exact distance is worth trying
// before all.
const boundTighten = 24

func newBounds(n, k int) *bounds {
	b := &bounds{own: make([]float32, n), other: make([]float32, n), drift: make([]float32, k)}
	for i := range b.own {
		b.own[i] = 2 // nothing is known
	}
	return b
}

func distance(cosine float32) float32 {
	return float32(math.Sqrt(float64(max(0, 2-2*cosine))))
}

// drifted loosens the bounds by how far the centroids have moved.
func (b *bounds) drifted(s *solution, before matrix) {
	first, second, at := float32(0), float32(0), int32(-1)
	for c := range b.drift {
		sum := float32(0)
		old := before.row(c)
		for d, v := range s.centroids.row(c) {
			sum += float32((v - old[d]) * (v - old[d]))
		}
		drift := float32(math.Sqrt(float64(sum)))
		b.drift[c] = drift
		if drift > first {
			first, second, at = drift, first, int32(c)
		} else if drift > second {
			second = drift
		}
	}
	for i, label := range s.labels {
		b.own[i] += b.drift[label]
		if label == at {
			b.other[i] -= second
		} else {
			b.other[i] -= first
		}
	}
}

// assign puts every row to its nearest centroid (equal ones: the first) and says how
// many of those that count have moved.
func (l *lloyd) assign(s *solution, t *totals, b *bounds) int {
	moved := 0
	right := pack(s.centroids)
	dots := make([]float32, tileRows*l.k)
	take := func(i int, dots []float32) {
		label, best, second := nearestTwo(dots)
		b.own[i], b.other[i] = distance(best), distance(second)
		was := s.labels[i]
		if was == label {
			return
		}
		s.labels[i] = label
		if w := l.weight(i); w > 0 {
			moved++
			if was >= 0 {
				t.move(l.x.row(i), was, -w)
			}
			t.move(l.x.row(i), label, w)
		}
	}
	few := newMatrix(tileRows, l.x.dim) // rows of several tiles that are to be compared
	fewRows := make([]int, 0, tileRows)
	compareFew := func() {
		right.products(dots, few, 0, len(fewRows))
		for at, i := range fewRows {
			take(i, dots[at*l.k:(at+1)*l.k])
		}
		fewRows = fewRows[:0]
	}
	open := make([]int, 0, tileRows) // rows of a tile that are to be compared
	for at := range tiles(l.x.n) {
		lo, hi := tile(at, l.x.n)
		open = open[:0]
		for i := lo; i < hi; i++ {
			if l.open(i, s, b) {
				open = append(open, i)
			}
		}
		if len(open) >= wholeTile {
			right.products(dots, l.x, lo, hi)
			for _, i := range open {
				take(i, dots[(i-lo)*l.k:(i-lo+1)*l.k])
			}
			continue
		}
		for _, i := range open {
			copy(few.row(len(fewRows)), l.x.row(i))
			if fewRows = append(fewRows, i); len(fewRows) == tileRows {
				compareFew()
			}
		}
	}
	compareFew()
	return moved
}

// wholeTile rows of a tile that are to be compared are reason enough to compare all of
// it where it lies: copying them together takes longer.
const wholeTile = tileRows * 5 / 8

// open reports whether row i may have another nearest centroid than before.
func (l *lloyd) open(i int, s *solution, b *bounds) bool {
	label := s.labels[i]
	if label < 0 {
		return true
	}
	if l.k >= boundTighten && b.own[i]+boundMargin >= b.other[i] {
		b.own[i] = distance(vec.Dot(l.x.row(i), s.centroids.row(int(label))))
	}
	return b.own[i]+boundMargin >= b.other[i]
}

// nearestTwo is the place of the largest value (the first of equal ones), and the two
// largest values; of a single value the second is -1.
func nearestTwo(values []float32) (at int32, best, second float32) {
	best, second = values[0], -1
	for j, v := range values[1:] {
		if v > best {
			best, second, at = v, best, int32(j+1)
		} else if v > second {
			second = v
		}
	}
	return at, best, second
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
		b.own[at], b.other[at] = 0, 0
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
