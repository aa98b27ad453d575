package cluster

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// collection is what every method of this package works on: the distinct vectors in
// the order of their own bytes, so that nothing depends on the order of input.
// Copies of one vector are one row; they are counted, and get one answer.
//
// It holds how the rows are made of the input rather than the rows: of many vectors a
// method keeps no more copies than it needs at the time.
type collection struct {
	input  []float32 // [items, dim]
	n, dim int       // distinct rows and their elements
	scale  []float32 // [n]: makes a row's vector unit length
	mean   []float32 // [dim]: taken off then; nil: nothing is
	again  []float32 // [n]: makes it unit length once more

	keys   []uint64 // a hash of each row's bytes: the row's own source of randomness
	copies []int32  // how many items of the input are this row
	rowOf  []int32  // the row of each item of the input
	itemOf []int32  // the first item of the input that is this row
}

// collect checks vectors ([n, dim], n rows), which are kept, and brings them into order.
// Cost: O(n dim log n) comparisons at the worst, in practice O(n log n).
func collect(vectors []float32, dim int) (*collection, error) {
	if dim <= 0 {
		return nil, fmt.Errorf("grouping vectors: dimension %d: want at least 1", dim)
	}
	if len(vectors)%dim != 0 {
		return nil, fmt.Errorf("grouping vectors: %d numbers do not divide into vectors of %d", len(vectors), dim)
	}
	n := len(vectors) / dim
	scale := make([]float32, n)
	for i := 0; i < n; i += 4 {
		toUnit4(scale[i:min(i+4, n)], vectors[i*dim:], dim)
	}
	row := func(i int32) []float32 { return vectors[dim*int(i) : dim*int(i+1)] }
	order := make([]placed, n)
	for i := range order {
		v := row(int32(i))
		if s := scale[i]; s-s != 0 {
			for _, x := range v {
				if x-x != 0 { // infinite, or not a number
					return nil, fmt.Errorf("grouping vectors: vector %d holds %v: want finite numbers", i, x)
				}
			}
		}
		order[i] = placed{uint64(bits(v[0]))<<32 | uint64(bits(v[min(1, dim-1)])), int32(i)}
	}
	slices.SortFunc(order, func(a, b placed) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return cmp.Or(compareBits(row(a.item), row(b.item)), cmp.Compare(a.item, b.item))
	})

	c := &collection{input: vectors, dim: dim, rowOf: make([]int32, n)}
	for i, p := range order {
		item := p.item
		if i == 0 || p.head != order[i-1].head || compareBits(row(order[i-1].item), row(item)) != 0 {
			c.itemOf = append(c.itemOf, item)
			c.copies = append(c.copies, 0)
		}
		c.rowOf[item] = int32(len(c.itemOf) - 1)
		c.copies[len(c.copies)-1]++
	}
	c.n = len(c.itemOf)
	c.scale = make([]float32, c.n)
	for i, item := range c.itemOf {
		c.scale[i] = scale[item]
	}
	return c, nil
}

// placed is an item with the bits of its vector's first two numbers, which almost always
// decide its place.
type placed struct {
	head uint64
	item int32
}

// vector is that of row i, as it came.
func (c *collection) vector(i int) []float32 { return c.input[int(c.itemOf[i])*c.dim:][:c.dim] }

// row fills dst with row i: of unit length (a zero vector stays zero), or as it is after centre.
func (c *collection) row(dst []float32, i int) {
	copy(dst, c.vector(i))
	vec.Scale(dst, c.scale[i])
	if c.mean != nil {
		vec.Axpy(dst, -1, c.mean)
		vec.Scale(dst, c.again[i])
	}
}

// rows are the given rows, ascending, in memory of their own.
func (c *collection) rows(ctx context.Context, list []int32, workers int) (matrix, error) {
	m := newMatrix(len(list), c.dim)
	err := each(ctx, workers, tiles(m.n), func(t int) {
		lo, hi := tile(t, m.n)
		for i := lo; i < hi; i++ {
			c.row(m.row(i), int(list[i]))
		}
	})
	return m, err
}

// draw gives each row its key, from its vector in the input.
func (c *collection) draw() {
	c.keys = make([]uint64, c.n)
	for i := range c.keys {
		c.keys[i] = hashRow(c.vector(i))
	}
}

// centre takes the mean row off every row and scales to unit length again: what all
// papers have in common says nothing about what tells them apart, and without it the
// neighbours of a paper are of its area more often.
func (c *collection) centre() {
	sums, row := make([]float64, c.dim), make([]float32, c.dim)
	for i := range c.n {
		c.row(row, i)
		for d, v := range row {
			sums[d] += float64(v)
		}
	}
	mean := make([]float32, c.dim)
	for d, sum := range sums {
		mean[d] = float32(sum / float64(c.n))
	}
	again := make([]float32, c.n)
	for i := range again {
		c.row(row, i)
		vec.Axpy(row, -1, mean)
		again[i] = toUnit(row)
	}
	c.mean, c.again = mean, again
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
