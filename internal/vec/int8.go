package vec

import (
	"fmt"
	"math"
)

// QuantizeRow writes the codes of x, one byte an element in ±127, and returns the scale:
// x[i] is about scale·dst[i], off by at most scale/2. The scale of a zero vector is 0.
func QuantizeRow(dst []int8, x []float32) (scale float32) {
	if len(dst) != len(x) {
		panic(fmt.Sprintf("vec: QuantizeRow of %d elements into %d", len(x), len(dst)))
	}
	var top float32
	for _, v := range x {
		top = max(top, float32(math.Abs(float64(v))))
	}
	scale = top / 127
	if scale == 0 || math.IsInf(float64(1/scale), 0) {
		clear(dst)
		return 0
	}
	for i, v := range x {
		dst[i] = int8(math.RoundToEven(float64(v / scale)))
	}
	return scale
}

// DotI8 returns the exact inner product of a and b, which have one length of at most
// 2^17 elements.
func DotI8(a, b []int8) int32 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("vec: DotI8 of %d and %d elements", len(a), len(b)))
	}
	var dst [1]int32
	DotsI8(dst[:], a, b)
	return dst[0]
}

// DotsI8 sets dst[i] to the inner product of q and row i of rows, which holds len(dst)
// rows of len(q) elements.
func DotsI8(dst []int32, q, rows []int8) {
	if len(rows) != len(dst)*len(q) {
		panic(fmt.Sprintf("vec: DotsI8 of %d rows of %d in %d elements", len(dst), len(q), len(rows)))
	}
	if len(q) < minBytes {
		dotsI8Go(dst, q, rows)
		return
	}
	dotsI8(dst, q, rows)
}

// DotsI8At sets dst[i] to the inner product of q and row ids[i] of rows, whose rows have
// len(q) elements. An id beyond the rows panics.
func DotsI8At(dst []int32, q, rows []int8, ids []uint32) {
	checkIDs(len(dst), len(q), len(rows), ids)
	if len(q) < minBytes {
		dotsI8AtGo(dst, q, rows, ids)
		return
	}
	dotsI8At(dst, q, rows, ids)
}

// minBytes is the shortest row that the kernels take: they read the last 16 bytes of a
// row at once.
const minBytes = 16
