package cluster

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// collection is what every method of this package works on: the distinct vectors in
// the order of their own bytes, so that nothing depends on the order of input.
// Copies of one vector are one row; they are counted, and get one answer.
type collection struct {
	vectors matrix   // [distinct, dim], unit length (a zero vector stays zero)
	keys    []uint64 // a hash of each row's bytes: the row's own source of randomness
	copies  []int32  // how many items of the input are this row
	rowOf   []int32  // the row of each item of the input
	itemOf  []int32  // the first item of the input that is this row
}

// collect checks vectors ([n, dim], n rows) and brings them into order.
// Cost: O(n dim log n) comparisons at the worst, in practice O(n log n).
func collect(vectors []float32, dim int) (*collection, error) {
	if dim <= 0 {
		return nil, fmt.Errorf("grouping vectors: dimension %d: want at least 1", dim)
	}
	if len(vectors)%dim != 0 {
		return nil, fmt.Errorf("grouping vectors: %d numbers do not divide into vectors of %d", len(vectors), dim)
	}
	n := len(vectors) / dim
	for i, v := range vectors {
		if v-v != 0 { // infinite, or not a number
			return nil, fmt.Errorf("grouping vectors: vector %d holds %v: want finite numbers", i/dim, v)
		}
	}
	row := func(i int32) []float32 { return vectors[dim*int(i) : dim*int(i+1)] }
	order := everyRow(n)
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(compareBits(row(a), row(b)), cmp.Compare(a, b))
	})

	c := &collection{rowOf: make([]int32, n)}
	for i, item := range order {
		if i == 0 || compareBits(row(order[i-1]), row(item)) != 0 {
			c.itemOf = append(c.itemOf, item)
			c.copies = append(c.copies, 0)
		}
		c.rowOf[item] = int32(len(c.itemOf) - 1)
		c.copies[len(c.copies)-1]++
	}
	c.vectors = newMatrix(len(c.itemOf), dim)
	for i, item := range c.itemOf {
		copy(c.vectors.row(i), vectors[int(item)*dim:])
		normalise(c.vectors.row(i))
	}
	return c, nil
}

// draw gives each row its key, from its vector in the input.
func (c *collection) draw(vectors []float32) {
	dim := c.vectors.dim
	c.keys = make([]uint64, len(c.itemOf))
	for i, item := range c.itemOf {
		c.keys[i] = hashRow(vectors[dim*int(item) : dim*int(item+1)])
	}
}

// centre takes the mean row off every row and scales to unit length again: what all
// papers have in common says nothing about what tells them apart, and without it the
// neighbours of a paper are of its area more often.
func (c *collection) centre() {
	mean := make([]float64, c.vectors.dim)
	for i := range c.vectors.n {
		for d, v := range c.vectors.row(i) {
			mean[d] += float64(v)
		}
	}
	for i := range c.vectors.n {
		row := c.vectors.row(i)
		for d := range row {
			row[d] -= float32(mean[d] / float64(c.vectors.n))
		}
		normalise(row)
	}
}

// The constants of FNV-1a (Fowler, Noll, Vo).
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// compareBits orders rows by the bits of their numbers.
func compareBits(a, b []float32) int {
	for d, v := range a {
		if x, y := bits(v), bits(b[d]); x != y {
			return cmp.Compare(x, y)
		}
	}
	return 0
}

// bits of a number; a negative zero is the same number as zero.
func bits(v float32) uint32 {
	if v == 0 {
		return 0
	}
	return math.Float32bits(v)
}

// hashRow is FNV-1a over the numbers of a row, mixed at the end.
func hashRow(row []float32) uint64 {
	h := uint64(fnvOffset)
	for _, v := range row {
		h = (h ^ uint64(bits(v))) * fnvPrime
	}
	return mix(h)
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood: Fast Splittable
// Pseudorandom Number Generators, OOPSLA 2014): every bit of x moves every bit of the result.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// uniform is a number in (0, 1) that depends on a row's key and on the stream alone:
// a paper draws the same numbers whatever else is in the collection, so most draws
// stay as they were when papers are added or leave.
func uniform(key, stream uint64) float64 {
	return (float64(mix(key^mix(stream))>>11) + 0.5) / (1 << 53)
}

// stream numbers an independent sequence of draws.
func stream(seed uint64, purpose, run, step int) uint64 {
	return mix(mix(mix(seed^uint64(purpose))^uint64(run)) ^ uint64(step))
}

// What draws are for: the purposes of streams.
const (
	drawSample     = iota + 1 // which rows a large collection's runs look at
	drawSubset                // which rows one run learns from
	drawStart                 // where one run starts
	drawNoise                 // the Gaussian collections of the structure test
	drawRestart               // the starts of plain k-means
	drawDirections            // where the search for principal directions starts
)

// sample returns the rows (ascending) with the smallest draws, at most limit of them:
// a bottom-k sample, which changes by about one row for each one added.
func sample(keys []uint64, limit int, stream uint64) []int32 {
	rows := make([]int32, len(keys))
	for i := range rows {
		rows[i] = int32(i)
	}
	if len(keys) <= limit {
		return rows
	}
	slices.SortFunc(rows, func(a, b int32) int {
		if c := cmp.Compare(uniform(keys[a], stream), uniform(keys[b], stream)); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	rows = rows[:limit]
	slices.Sort(rows)
	return rows
}
