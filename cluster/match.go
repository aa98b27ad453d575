package cluster

import (
	"cmp"
	"fmt"
	"slices"
)

// sameTheme is the share of the items of two themes together that both have, from
// which the newer one is the older one still.
const sameTheme = 1.0 / 3

// Match tells for each theme of a newer division which theme of an older one it still
// is, or -1: so that ids and given names stay. old and new are the theme of each item
// (negative: none); items that are not in both say nothing. Two themes are the same
// where the items that both have are at least a third of those that either has (the
// Jaccard index), the best pairs first, each theme once.
// Cost: O(items + themes² log themes).
func Match(old, new []int32) []int32 {
	if len(old) != len(new) {
		panic(fmt.Sprintf("cluster: Match of %d and %d items", len(old), len(new)))
	}
	olds, news := themesIn(old), themesIn(new)
	both := make([]int, olds*news)
	inOld, inNew := make([]int, olds), make([]int, news)
	for i := range old {
		if old[i] < 0 || new[i] < 0 {
			continue
		}
		both[int(old[i])*news+int(new[i])]++
		inOld[old[i]]++
		inNew[new[i]]++
	}
	type pair struct {
		old, new int
		share    float64
	}
	var pairs []pair
	for o := range olds {
		for n := range news {
			if b := both[o*news+n]; b > 0 {
				pairs = append(pairs, pair{o, n, float64(b) / float64(inOld[o]+inNew[n]-b)})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.share, a.share) })
	matched := slices.Repeat([]int32{-1}, news)
	taken := make([]bool, olds)
	for _, p := range pairs {
		if p.share < sameTheme {
			break
		}
		if !taken[p.old] && matched[p.new] < 0 {
			matched[p.new], taken[p.old] = int32(p.old), true
		}
	}
	return matched
}

func themesIn(labels []int32) int {
	k := int32(0)
	for _, l := range labels {
		k = max(k, l+1)
	}
	return int(k)
}
