package table

import (
	"github.com/seed-9f29d379/akin/index/internal/quant"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// Query is what an exact search looks for.
type Query struct {
	Vector []float32
	K      int
	// Rows are the only rows to look at, each once; nil is all.
	Rows []uint32
	// Keep, where not nil, tells which ids may be returned.
	Keep func(id uint32) bool
	// Float compares every vector in float32, without the codes.
	Float bool
}

// chunk is how many rows are compared in one call of a kernel: their scores stay in
// the first cache.
const chunk = 256

// Search returns the K nearest rows that are alive and kept, best first, ties in
// ascending order of id. Its cost is one pass over the codes (or vectors) of the rows.
func (t *Table) Search(q Query) []Hit {
	n := t.Rows()
	if q.Rows != nil {
		n = len(q.Rows)
	}
	q.K = min(q.K, n)
	if q.K <= 0 {
		return nil
	}
	if t.HasCodes() && !q.Float {
		if hits, ok := t.searchCodes(q, n); ok {
			return hits
		}
	}
	h := top{size: q.K}
	t.eachFloat(q, func(row uint32, score float32) {
		if id := t.ids[row]; floatKey(score, id) > h.floor() && t.keeps(q, row) {
			h.push(floatKey(score, id))
		}
	})
	return floatHits(h)
}

func (t *Table) keeps(q Query, row uint32) bool {
	return !t.Dead(row) && (q.Keep == nil || q.Keep(t.ids[row]))
}

func floatHits(h top) []Hit {
	hits := make([]Hit, len(h.keys))
	for i, key := range h.descending() {
		hits[i] = floatHit(key)
	}
	return hits
}

func (t *Table) eachFloat(q Query, visit func(row uint32, score float32)) {
	var scores [chunk]float32
	if q.Rows != nil {
		for rows := q.Rows; len(rows) > 0; rows = rows[min(chunk, len(rows)):] {
			some := rows[:min(chunk, len(rows))]
			t.Scores(scores[:len(some)], q.Vector, some)
			for i, row := range some {
				visit(row, scores[i])
			}
		}
		return
	}
	row := uint32(0)
	for _, vectors := range [2][]float32{t.base, t.tail} {
		for len(vectors) > 0 {
			n := min(chunk, len(vectors)/t.dim)
			vec.Dots(scores[:n], q.Vector, vectors[:n*t.dim])
			for _, score := range scores[:n] {
				visit(row, score)
				row++
			}
			vectors = vectors[n*t.dim:]
		}
	}
}

const (
	// reserve is how many candidates more than K are ranked in float32 at least.
	reserve = 24
	// sigmas is how far, in standard deviations of the codes' rounding error, a row
	// that the codes leave out may be better than they say. Beyond it the odds are
	// below one in a hundred million a row.
	sigmas = 6
	// give-up: where so many are so near that a larger share than this would be
	// ranked in float32, all are.
	maxShare = 8
)

// Scores sets dst[i] to the inner product of q and the vector of rows[i].
func (t *Table) Scores(dst, q []float32, rows []uint32) {
	inFile := uint32(len(t.base) / t.dim)
	for len(rows) > 0 {
		// A run of rows that lie in one of the two parts.
		n, first := 1, rows[0] < inFile
		for n < len(rows) && rows[n] < inFile == first {
			n++
		}
		if first {
			vec.DotsAt(dst[:n], q, t.base, rows[:n])
		} else {
			t.tailScores(dst[:n], q, rows[:n], inFile)
		}
		dst, rows = dst[n:], rows[n:]
	}
}

// tailScores is Scores for rows that came since the snapshot.
func (t *Table) tailScores(dst, q []float32, rows []uint32, inFile uint32) {
	var at [chunk]uint32
	for len(rows) > 0 {
		n := min(chunk, len(rows))
		for i, row := range rows[:n] {
			at[i] = row - inFile
		}
		vec.DotsAt(dst[:n], q, t.tail, at[:n])
		dst, rows = dst[n:], rows[n:]
	}
}

// searchCodes ranks by codes and the best again in float32. It takes as many
// candidates as it needs for the codes' error not to matter, and reports false where
// these would be too many.
func (t *Table) searchCodes(q Query, n int) ([]Hit, bool) {
	codes := make([]int8, t.stride)
	scale := quant.Query(codes, q.Vector)
	unit := 1 / (float64(scale) * float64(t.scale)) // of a code product, as inner product
	margin := sigmas * quant.Noise(t.dim, q.Vector, scale, t.scale)

	for size := q.K + reserve; ; size *= 4 {
		h := top{size: min(size, n)}
		t.eachCode(q, codes, &h)
		floor, complete := float64(intScore(h.floor()))*unit, !h.full()
		best := t.rank(q, h.keys)
		if complete || size >= n || best.full() && float64(floatHit(best.floor()).Score) >= floor+margin {
			return floatHits(best), true
		}
		if size*4 > n/maxShare {
			return nil, false
		}
	}
}

// rank takes the best K of what the codes have found.
func (t *Table) rank(q Query, keys []uint64) top {
	rows, scores := make([]uint32, len(keys)), make([]float32, len(keys))
	for i, key := range keys {
		rows[i] = ^uint32(key)
	}
	t.Scores(scores, q.Vector, rows)
	best := top{size: q.K}
	for i, row := range rows {
		best.push(floatKey(scores[i], t.ids[row]))
	}
	return best
}

func (t *Table) eachCode(q Query, codes []int8, h *top) {
	var scores [chunk]int32
	for start, n := 0, 0; start < t.Rows(); start += n {
		if q.Rows != nil {
			if start >= len(q.Rows) {
				return
			}
			n = min(chunk, len(q.Rows)-start)
			vec.DotsI8At(scores[:n], codes, t.codes, q.Rows[start:start+n])
		} else {
			n = min(chunk, t.Rows()-start)
			vec.DotsI8(scores[:n], codes, t.codes[start*t.stride:(start+n)*t.stride])
		}
		floor := intScore(h.floor())
		for i, score := range scores[:n] {
			if score < floor {
				continue
			}
			row := uint32(start + i)
			if q.Rows != nil {
				row = q.Rows[start+i]
			}
			if key := intKey(score, row); key > h.floor() && t.keeps(q, row) {
				h.push(key)
				floor = intScore(h.floor())
			}
		}
	}
}
