package cluster

import (
	"cmp"
	"slices"
)

// Match tells for each theme of a newer division which older theme it still is, or -1:
// so that ids and given names stay. A theme is the items that it has; new themes have no
// item in common, old ones may (of several earlier divisions). Items that no older theme,
// or no newer one, has say nothing: they came, or went. Two themes are the same where
// more than half of the items of each are in the other: so no theme is two others in one,
// nor a part of what it was. Of several pairs those with the most of both in common (the
// Jaccard index) come first, of equal ones the first; each theme once.
// Cost: O(items + themes² log themes).
func Match(old, new [][]uint32) []int32 {
	in := make(map[uint32]int) // an item's newer theme
	for n, items := range new {
		for _, item := range items {
			in[item] = n
		}
	}
	known := make(map[uint32]bool)
	for _, items := range old {
		for _, item := range items {
			known[item] = true
		}
	}
	sizes := make([]int, len(new))
	for n, items := range new {
		for _, item := range items {
			if known[item] {
				sizes[n]++
			}
		}
	}
	type pair struct {
		old, new int
		share    float64
	}
	var pairs []pair
	for o, items := range old {
		both, size := make([]int, len(new)), 0
		for _, item := range items {
			if n, ok := in[item]; ok {
				both[n]++
				size++
			}
		}
		for n, b := range both {
			if 2*b > max(size, sizes[n]) {
				pairs = append(pairs, pair{o, n, float64(b) / float64(size+sizes[n]-b)})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.share, a.share) })
	matched := slices.Repeat([]int32{-1}, len(new))
	taken := make([]bool, len(old))
	for _, p := range pairs {
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
