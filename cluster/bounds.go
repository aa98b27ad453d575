package cluster

import (
	"math"
)

// bounds say which centroids a row must be compared with. They hold what is known of
// each row's cosine with its own centroid and, by group of centroids, with all others,
// and how far centroids have moved since: the cosine of a row of unit length changes by
// no more than that. (One bound a row as in Hamerly, "Making k-means Even Faster", SDM
// 2010, asked first; one a centroid as in Elkan, "Using the Triangle Inequality to
// Accelerate k-Means", ICML 2003; groups for many centroids as in Ding and others,
// "Yinyang K-Means", ICML 2015.)
//
// Every bound is stored as it would have been before any centroid moved: upper ones less,
// lower ones plus the drift at the time. A round then costs nothing for rows that stay
// closed.
type bounds struct {
	own   []float32 // [n]: the cosine with the own centroid is at least own[i] - drift[label]
	other []float32 // [n]: that with any other at most other[i] + most
	upper []float32 // [n, groups]: that with any other of group g at most upper[i, g] + far[g]

	drift []float32 // [k]: how far each centroid has moved in all rounds
	far   []float32 // [groups]: how far the centroids of a group have, at most
	most  float32   // how far any has, at most

	size, groups int  // centroids a group, the last may have fewer; groups
	dense        bool // all rows are to be compared with all centroids
}

// mostGroups of centroids have bounds of their own. Up to as many centroids each is its
// own group; beyond, memory would be a multiple of the vectors'.
const mostGroups = 64

// boundMargin covers the rounding of a cosine and of the drifts: a row that is this much
// nearer to its own centroid than to another is still compared with both.
const boundMargin = 5e-4

func newBounds(n, k int) *bounds {
	b := &bounds{own: make([]float32, n), other: make([]float32, n), drift: make([]float32, k), dense: true}
	b.size = (k + mostGroups - 1) / mostGroups
	b.groups = (k + b.size - 1) / b.size
	b.upper, b.far = make([]float32, n*b.groups), make([]float32, b.groups)
	return b
}

// drifted notes that the centroids have moved.
func (b *bounds) drifted(now, before matrix) {
	most := float32(0)
	for g := range b.far {
		far := float32(0)
		for c := g * b.size; c < min((g+1)*b.size, len(b.drift)); c++ {
			sum, old := float32(0), before.row(c)
			for d, v := range now.row(c) {
				sum += float32((v - old[d]) * (v - old[d]))
			}
			moved := float32(math.Sqrt(float64(sum)))
			b.drift[c] += moved
			far = max(far, moved)
		}
		b.far[g] += far
		most = max(most, far)
	}
	b.most += most
}

// closed reports whether row i, whose cosine with its own centroid is at least own, has
// no nearer one.
func (b *bounds) closed(i int, own float32) bool { return own > b.other[i]+b.most+boundMargin }

// open appends to ids the centroids that may be nearer to row i than its own, of the
// given label and cosine. The cosine with any other is at most rest.
func (b *bounds) open(ids []uint32, i int, label int32, own float32) (open []uint32, rest float32) {
	least := own - boundMargin
	rest = lowest
	for g, u := range b.upper[i*b.groups : (i+1)*b.groups] {
		u += b.far[g]
		switch {
		case u < least:
			if u > rest {
				rest = u
			}
		case b.size == 1:
			if int32(g) != label {
				ids = append(ids, uint32(g))
			}
		default:
			for c := g * b.size; c < min((g+1)*b.size, len(b.drift)); c++ {
				if int32(c) != label {
					ids = append(ids, uint32(c))
				}
			}
		}
	}
	return ids, rest
}

// learn takes the cosines of row i with all centroids, of which that of its label is the
// largest.
func (b *bounds) learn(i int, label int32, own float32, cosines []float32) {
	b.own[i] = own + b.drift[label]
	upper := b.upper[i*b.groups : (i+1)*b.groups]
	second := float32(lowest)
	for g := range upper {
		top := float32(lowest)
		for c := g * b.size; c < min((g+1)*b.size, len(cosines)); c++ {
			if cosines[c] > top && int32(c) != label {
				top = cosines[c]
			}
		}
		upper[g] = top - b.far[g]
		if top > second {
			second = top
		}
	}
	b.other[i] = second - b.most
}

// compared is the cosines of a row with the centroids that were open; with the others
// they are at most rest.
type compared struct {
	ids  []uint32
	dots []float32
	rest float32
}

// relearn takes the cosines of row i with the centroids that were open; the row leaves
// label, with which its cosine is own, for nearest, or stays.
func (b *bounds) relearn(i int, label int32, own float32, nearest int32, with compared) {
	upper := b.upper[i*b.groups : (i+1)*b.groups]
	second := with.rest
	if b.size > 1 {
		for _, c := range with.ids {
			upper[int(c)/b.size] = lowest
		}
	}
	raise := func(c int, cosine float32) {
		g := c
		if b.size > 1 {
			g /= b.size
		}
		if u := cosine - b.far[g]; b.size == 1 || u > upper[g] {
			upper[g] = u
		}
		if cosine > second {
			second = cosine
		}
	}
	for j, c := range with.ids {
		if int32(c) != nearest {
			raise(int(c), with.dots[j])
		} else {
			b.own[i] = with.dots[j] + b.drift[c]
		}
	}
	if nearest != label {
		raise(int(label), own)
	}
	b.other[i] = second - b.most
}

// forget opens row i to all centroids.
func (b *bounds) forget(i int) {
	b.own[i], b.other[i] = -1, 2+b.most
	for g := range b.far {
		b.upper[i*b.groups+g] = 2
	}
}
