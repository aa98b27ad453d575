package cluster

import (
	"math"
)

// bounds say which centroids a row must be compared with. They hold what is known of
// each row's cosine with its own centroid and, by group of centroids, with all others,
// and how far centroids have moved since: the cosine of a row of unit length changes by
// no more than that. (One bound a centroid as in Elkan, "Using the Triangle Inequality to
// Accelerate k-Means", ICML 2003; groups for many centroids as in Ding and others,
// "Yinyang K-Means", ICML 2015.)
//
// Every bound is stored as it would have been before any centroid moved: upper ones less,
// lower ones plus the drift at the time. A round then costs nothing for rows that stay
// closed.
type bounds struct {
	own   []float32 // [n]: the cosine with the own centroid is at least own[i] - drift[label]
	upper []float32 // [n, groups]: that with any other of group g at most upper[i, g] + far[g]

	drift []float32 // [k]: how far each centroid has moved in all rounds
	far   []float32 // [groups]: how far the centroids of a group have, at most

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
	b := &bounds{own: make([]float32, n), drift: make([]float32, k), dense: true}
	b.size = (k + mostGroups - 1) / mostGroups
	b.groups = (k + b.size - 1) / b.size
	b.upper, b.far = make([]float32, n*b.groups), make([]float32, b.groups)
	return b
}

// drifted notes that the centroids have moved.
func (b *bounds) drifted(now, before matrix) {
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
	}
}

// open appends to ids the centroids that may be nearer to row i than its own, of the
// given label, with which its cosine is at least own.
func (b *bounds) open(ids []uint32, i int, label int32, own float32) []uint32 {
	least := own - boundMargin
	upper := b.upper[i*b.groups : (i+1)*b.groups]
	if b.size == 1 {
		// That of the own centroid is the lowest. No branch depends on what cannot be foretold.
		ids = ids[:len(upper)]
		n := 0
		for g, far := range b.far[:len(upper)] {
			ids[n] = uint32(g)
			step := 0
			if upper[g]+far >= least {
				step = 1
			}
			n += step
		}
		return ids[:n]
	}
	for g, u := range upper {
		if u+b.far[g] < least {
			continue
		}
		for c := g * b.size; c < min((g+1)*b.size, len(b.drift)); c++ {
			if int32(c) != label {
				ids = append(ids, uint32(c))
			}
		}
	}
	return ids
}

// learn takes the cosines of row i with all centroids, of which that of its label is the
// largest.
func (b *bounds) learn(i int, label int32, own float32, cosines []float32) {
	b.own[i] = own + b.drift[label]
	upper := b.upper[i*b.groups : (i+1)*b.groups]
	if b.size == 1 {
		for g, far := range b.far[:len(upper)] {
			upper[g] = cosines[g] - far
		}
		upper[label] = lowest
		return
	}
	for g := range upper {
		top := float32(lowest)
		for c := g * b.size; c < min((g+1)*b.size, len(cosines)); c++ {
			if cosines[c] > top && int32(c) != label {
				top = cosines[c]
			}
		}
		upper[g] = top - b.far[g]
	}
}

// compared is a row's cosines with the centroids that were open.
type compared struct {
	ids  []uint32
	dots []float32
}

// relearn takes the cosines of row i with the centroids that were open; the row leaves
// label, with which its cosine is own, for nearest, or stays.
func (b *bounds) relearn(i int, label int32, own float32, nearest int32, with compared) {
	upper := b.upper[i*b.groups : (i+1)*b.groups]
	for _, c := range with.ids {
		upper[int(c)/b.size] = lowest
	}
	for j, c := range with.ids {
		if int32(c) == nearest {
			b.own[i] = with.dots[j] + b.drift[c]
			continue
		}
		g := int(c) / b.size
		upper[g] = max(upper[g], with.dots[j]-b.far[g])
	}
	if nearest != label {
		g := int(label) / b.size
		upper[g] = max(upper[g], own-b.far[g])
	}
}

// forget opens row i to all centroids.
func (b *bounds) forget(i int) {
	b.own[i] = -1
	for g := range b.far {
		b.upper[i*b.groups+g] = 2
	}
}
