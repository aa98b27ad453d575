package cluster

import (
	"math"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// codes are the rows of a matrix in a byte a number: row i is nearly scale[i] times its
// codes, and what is left of it no longer than slack[i].
type codes struct {
	data         []int8 // [n, dim]
	scale, slack []float32
	dim          int
}

func newCodes(n, dim int) *codes {
	return &codes{data: make([]int8, n*dim), scale: make([]float32, n), slack: make([]float32, n), dim: dim}
}

func (c *codes) row(i int) []int8 { return c.data[i*c.dim : (i+1)*c.dim] }

// set makes row i the codes of x.
func (c *codes) set(i int, x []float32) {
	// The bits of numbers that are not negative are in the numbers' order.
	var top [4]uint32
	d := 0
	for ; d+4 <= len(x); d += 4 {
		top[0] = max(top[0], math.Float32bits(x[d])&^signBit)
		top[1] = max(top[1], math.Float32bits(x[d+1])&^signBit)
		top[2] = max(top[2], math.Float32bits(x[d+2])&^signBit)
		top[3] = max(top[3], math.Float32bits(x[d+3])&^signBit)
	}
	for ; d < len(x); d++ {
		top[0] = max(top[0], math.Float32bits(x[d])&^signBit)
	}
	largest, row := math.Float32frombits(max(top[0], top[1], top[2], top[3])), c.row(i)
	scale := largest / math.MaxInt8
	inverse := 1 / scale
	if math.IsInf(float64(inverse), 0) {
		clear(row)
		c.scale[i], c.slack[i] = 0, largest*float32(math.Sqrt(float64(c.dim)))
		return
	}
	var lost [2]float32 // sums of the squares of what rounding takes away
	d = 0
	for row := row[:len(x)]; d+2 <= len(x); d += 2 {
		v, w := float32(x[d]*inverse), float32(x[d+1]*inverse)
		a, b := v+roundingAt, w+roundingAt
		row[d], row[d+1] = int8(math.Float32bits(a)), int8(math.Float32bits(b))
		v, w = v-(a-roundingAt), w-(b-roundingAt)
		lost[0] += float32(v * v)
		lost[1] += float32(w * w)
	}
	for ; d < len(x); d++ {
		v := float32(x[d] * inverse)
		a := v + roundingAt
		row[d] = int8(math.Float32bits(a))
		v -= a - roundingAt
		lost[0] += float32(v * v)
	}
	c.scale[i], c.slack[i] = scale, slackMargin*scale*float32(math.Sqrt(float64(lost[0]+lost[1])))
}

const (
	signBit = 1 << 31
	// roundingAt is where float32 has no fractions: a small number added to it is rounded,
	// and the low byte of the sum is that of the integer.
	roundingAt = 3 << 22
	// slackMargin covers the rounding of what is lost and of the scale's inverse.
	slackMargin = 1.001
)

// estimates tell a row's cosine with a centroid from a quarter of the memory: what it was
// at a time is known, and the product with what the centroid has moved since is computed
// from bytes. It is off by a hundredth of how far that is.
type estimates struct {
	rows  *codes
	known []float32 // [n, k]: the cosines with the centroids as they were then
	then  matrix    // [k, dim]
	moved *codes    // [k, dim]
	far   []float32 // [k]: how far each has moved
	step  []float32 // [dim]
	dots  []int32   // [k]
}

// newEstimates for rows whose codes are given, with k centroids.
func newEstimates(rows *codes, k int) *estimates {
	return &estimates{
		rows: rows, known: make([]float32, len(rows.scale)*k), then: newMatrix(k, rows.dim), moved: newCodes(k, rows.dim),
		far: make([]float32, k), step: make([]float32, rows.dim), dots: make([]int32, k),
	}
}

// follow takes where the centroids are now.
func (e *estimates) follow(now matrix) {
	for c := range e.far {
		copy(e.step, now.row(c))
		vec.Axpy(e.step, -1, e.then.row(c))
		e.far[c] = vec.Norm(e.step)
		e.moved.set(c, e.step)
	}
}

// around is what the cosine of row i with centroid c is about, the product of their codes
// being dot, and by how much it is off at most.
func (e *estimates) around(i int, c uint32, dot int32) (cosine, off float32) {
	cosine = e.known[i*len(e.far)+int(c)] + float32(e.rows.scale[i]*e.moved.scale[c]*float32(dot))
	slack := e.rows.slack[i]
	return cosine, float32(slack*e.far[c]) + float32((1+slack)*e.moved.slack[c])
}

// narrow takes out of ids, the centroids that may be nearer to row i than its own, those
// that are not, and tells b of the cosines.
func (e *estimates) narrow(ids []uint32, b *bounds, i int, label int32) []uint32 {
	ids = append(ids, uint32(label))
	dots := e.dots[:len(ids)]
	vec.DotsI8At(dots, e.rows.row(i), e.moved.data, ids)
	others := len(ids) - 1
	cosine, off := e.around(i, uint32(label), dots[others])
	least := cosine - off
	b.own[i] = least + b.drift[label]
	left := ids[:0]
	for j, c := range ids[:others] {
		cosine, off := e.around(i, c, dots[j])
		b.upper[i*b.groups+int(c)] = cosine + off - b.far[c]
		if cosine+off >= least-boundMargin {
			left = append(left, c)
		}
	}
	return left
}
