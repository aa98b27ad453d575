package cluster

import "fmt"

// AdjustedRand is the adjusted Rand index of two partitions of the same items (Hubert
// and Arabie, "Comparing Partitions", Journal of Classification 2, 1985): 1 where they
// are the same but for the names of the groups, about 0 where they agree by chance.
// Items with a negative label in either are left out. Cost: O(n + groups²).
func AdjustedRand(a, b []int32) float64 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("cluster: AdjustedRand of %d and %d labels", len(a), len(b)))
	}
	ka, kb := int32(0), int32(0)
	for i := range a {
		ka, kb = max(ka, a[i]+1), max(kb, b[i]+1)
	}
	both := make([]int64, int(ka)*int(kb))
	rows, columns := make([]int64, ka), make([]int64, kb)
	n := int64(0)
	for i := range a {
		if a[i] < 0 || b[i] < 0 {
			continue
		}
		both[a[i]*kb+b[i]]++
		rows[a[i]]++
		columns[b[i]]++
		n++
	}
	together, inA, inB := pairs(both), pairs(rows), pairs(columns)
	if n < 2 {
		return 1
	}
	expected := inA * inB / (float64(n) * float64(n-1) / 2)
	largest := (inA + inB) / 2
	if largest == expected {
		return 1
	}
	return (together - expected) / (largest - expected)
}

// pairs is the number of pairs within groups of the given sizes.
func pairs(sizes []int64) float64 {
	sum := 0.0
	for _, s := range sizes {
		sum += float64(s) * float64(s-1) / 2
	}
	return sum
}
