package cluster

import (
	"cmp"
	"math"
	"slices"
)

// How many texts names are made from.
const (
	papersRead      = 20000 // of a larger collection so many are read
	papersReadTheme = 300   // and of each theme at least so many
)

// TextKey is what [ToRead] chooses by: a hash of a text. That of no text is the largest.
func TextKey(text string) uint64 {
	if text == "" {
		return math.MaxUint64
	}
	h := uint64(fnvOffset)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * fnvPrime
	}
	return mix(h)
}

// ToRead returns the items whose texts [Names] reads, which has the same labels and k: all,
// of more than 20,000 those with the smallest keys of each theme ([TextKey] of each item's
// text). The other texts may be empty: a collection need not hold what is not read.
// Cost: O(n log n).
func ToRead(keys []uint64, labels []int32, k int) []int32 {
	limit := len(keys)
	if len(keys) > papersRead {
		limit = max(papersReadTheme, papersRead/k)
	}
	var all []int32
	for _, list := range byTheme(labels, k) {
		if len(list) > limit {
			slices.SortFunc(list, func(a, b int32) int {
				return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b))
			})
			list = list[:limit]
		}
		all = append(all, list...)
	}
	return all
}

// toRead is ToRead with the texts themselves.
func toRead(texts []string, labels []int32, k int) []int32 {
	keys := make([]uint64, len(texts))
	for i, text := range texts {
		keys[i] = TextKey(text)
	}
	return ToRead(keys, labels, k)
}
