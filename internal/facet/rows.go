package facet

import "math/bits"

// Rows is a set of rows: bit row%64 of word row/64.
type Rows []uint64

// NewRows returns an empty set for rows below n.
func NewRows(n int) Rows { return make(Rows, (n+63)/64) }

// Add puts a row into the set, which must have been made for it.
func (r Rows) Add(row uint32) { r[row/64] |= 1 << (row % 64) }

// Remove takes a row out of the set.
func (r Rows) Remove(row uint32) { r[row/64] &^= 1 << (row % 64) }

// Has reports whether a row is in the set.
func (r Rows) Has(row uint32) bool {
	return int(row/64) < len(r) && r[row/64]>>(row%64)&1 != 0
}

// Keep leaves only what is in other, too.
func (r Rows) Keep(other Rows) {
	for i := range r {
		if i < len(other) {
			r[i] &= other[i]
		} else {
			r[i] = 0
		}
	}
}

// Join puts what is in other, which must not reach further, into the set.
func (r Rows) Join(other Rows) {
	for i, word := range other {
		r[i] |= word
	}
}

// Drop leaves out what is in other.
func (r Rows) Drop(other Rows) {
	for i := range min(len(r), len(other)) {
		r[i] &^= other[i]
	}
}

// Len is the number of rows in the set.
func (r Rows) Len() int {
	n := 0
	for _, word := range r {
		n += bits.OnesCount64(word)
	}
	return n
}

// All yields the rows in ascending order.
func (r Rows) All(yield func(row uint32) bool) {
	for i, word := range r {
		for ; word != 0; word &= word - 1 {
			if !yield(uint32(i<<6 + bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}
