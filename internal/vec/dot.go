package vec

import (
	"fmt"
	"math"
)

// Dot returns the inner product of a and b, which have one length.
func Dot(a, b []float32) float32 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("vec: Dot of %d and %d elements", len(a), len(b)))
	}
	return dot(a, b)
}

// Dots sets dst[i] to the inner product of q and row i of rows, which holds len(dst)
// rows of len(q) elements.
func Dots(dst, q, rows []float32) {
	if len(rows) != len(dst)*len(q) {
		panic(fmt.Sprintf("vec: Dots of %d rows of %d in %d elements", len(dst), len(q), len(rows)))
	}
	dots(dst, q, rows)
}

// DotsAt sets dst[i] to the inner product of q and row ids[i] of rows, whose rows have
// len(q) elements. An id beyond the rows panics.
func DotsAt(dst, q, rows []float32, ids []uint32) {
	checkIDs(len(dst), len(q), len(rows), ids)
	dotsAt(dst, q, rows, ids)
}

// Norm returns the Euclidean length of x.
func Norm(x []float32) float32 {
	return float32(math.Sqrt(float64(dot(x, x))))
}

// Normalize scales x to unit length and returns the length that it had. A zero vector
// stays as it is.
func Normalize(x []float32) float32 {
	n := Norm(x)
	if n > 0 {
		Scale(x, 1/n)
	}
	return n
}

// Add adds x to dst, element by element.
func Add(dst, x []float32) { Axpy(dst, 1, x) }

// Axpy adds a·x to dst, element by element.
func Axpy(dst []float32, a float32, x []float32) {
	if len(dst) != len(x) {
		panic(fmt.Sprintf("vec: Axpy of %d and %d elements", len(dst), len(x)))
	}
	axpy(dst, x, a)
}

// Scale multiplies x by a.
func Scale(x []float32, a float32) { scale(x, a) }

// checkIDs panics unless ids names n rows of dim elements, all within total elements:
// the kernels read where an id points.
func checkIDs(n, dim, total int, ids []uint32) {
	if len(ids) != n {
		panic(fmt.Sprintf("vec: %d ids for %d results", len(ids), n))
	}
	if dim == 0 {
		return
	}
	rows := uint32(min(total/dim, math.MaxUint32))
	for _, id := range ids {
		if id >= rows {
			panic(fmt.Sprintf("vec: row %d of %d", id, rows))
		}
	}
}
