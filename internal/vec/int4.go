package vec

import "fmt"

// Row4 is what the length of a query for [DotsI4At] must be a multiple of.
const Row4 = 128

// DotsI4At sets dst[i] to the inner product of q and row ids[i] of rows. A row is len(q)
// numbers from 0 to 15 in len(q)/2 bytes: byte j holds number j in its low half and number
// len(q)/2 + j in its high half. An id beyond the rows panics.
func DotsI4At(dst []int32, q []int8, rows []uint8, ids []uint32) {
	if len(q)%Row4 != 0 || len(q) == 0 {
		panic(fmt.Sprintf("vec: DotsI4At of %d elements, want a multiple of %d", len(q), Row4))
	}
	checkIDs(len(dst), len(q)/2, len(rows), ids)
	dotsI4At(dst, q, rows, ids)
}
