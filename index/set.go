package index

import "math/bits"

// Set is a set of items, a bitmap with its count. The zero value is empty. It is
// safe for concurrent reads.
type Set struct {
	words []uint64
	n     int
}

// Add puts id into s.
func (s *Set) Add(id uint32) {
	w := int(id >> 6)
	if w >= len(s.words) {
		s.words = append(s.words, make([]uint64, w+1-len(s.words))...)
	}
	if b := uint64(1) << (id & 63); s.words[w]&b == 0 {
		s.words[w] |= b
		s.n++
	}
}

// Has reports whether id is in s. A nil Set, as a filter, allows all: the caller
// tests for nil.
func (s *Set) Has(id uint32) bool {
	w := int(id >> 6)
	return w < len(s.words) && s.words[w]>>(id&63)&1 != 0
}

// Len is the number of items in s.
func (s *Set) Len() int { return s.n }

// All yields the items of s in ascending order.
func (s *Set) All(yield func(uint32) bool) {
	for w, word := range s.words {
		for ; word != 0; word &= word - 1 {
			if !yield(uint32(w<<6 + bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}
