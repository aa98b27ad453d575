package quant

import (
	"math"

	"github.com/seed-9f29d379/akin/index/internal/work"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// Half codes vectors in 4 bits an element. Each element has a step and a middle of its
// own, those of all vectors: an element that hardly varies is coded as finely, for its
// range, as one that varies much. A query is multiplied by the steps instead, and the
// middles are the same for all rows, so that a comparison costs nothing more.
type Half struct {
	Middles []float32 // [dim]
	Steps   []float32 // [dim], all above 0
}

// HalfStride is the number of 4-bit codes of a vector of dim elements, two of which are
// a byte.
func HalfStride(dim int) int { return (dim + vec.Row4 - 1) / vec.Row4 * vec.Row4 }

const (
	// halfLevels are codes 0 to 15; code c of an element stands for its middle and
	// c - 7.5 steps.
	halfLevels = 16
	// halfStep, in standard deviations of an element, is a quarter more than the step at
	// which 16 levels lose least of a Gaussian (.3352; Max, IRE Transactions, 1960): the
	// members of a cluster that lies apart are all cut in the same elements, which are
	// those that tell them apart. On clustered vectors the error of neighbours' scores
	// is the same on average as with .3352, and half as large for the worst query.
	halfStep = .42
	// leastStep is the least step, in steps of an element of medium length.
	leastStep = 1e-3
)

// HalfError is the standard deviation of the error of an element, in its steps: a uniform
// error's, and a little for what is cut.
const HalfError = .295

// FitHalf chooses middles and steps for vectors of dim elements. They depend on the
// order of vectors in the last bits. Its cost is one pass.
func FitHalf(dim int, vectors Vectors) Half {
	// The sums of each run, which are added in the order of runs.
	runs := make([][]float64, (vectors.N+work.Run-1)/work.Run)
	work.Runs(vectors.Workers, vectors.N, func(from, to int) {
		run := make([]float64, 2*dim)
		sums, squares := run[:dim], run[dim:]
		for i := from; i < to; i++ {
			for j, x := range vectors.At(i)[:dim] {
				sums[j] += float64(x)
				squares[j] += float64(float64(x) * float64(x)) // not fused: the same everywhere
			}
		}
		runs[from/work.Run] = run
	})
	total := make([]float64, 2*dim)
	for _, run := range runs {
		for i, x := range run {
			total[i] += x
		}
	}
	sums, squares, n := total[:dim], total[dim:], float64(vectors.N)
	h := Half{Middles: make([]float32, dim), Steps: make([]float32, dim)}
	least := float32(leastStep * halfStep / math.Sqrt(float64(dim)))
	for i := range dim {
		mean := sums[i] / max(n, 1)
		variance := squares[i]/max(n, 1) - float64(mean*mean)
		h.Middles[i] = float32(mean)
		h.Steps[i] = max(least, float32(halfStep*math.Sqrt(max(0, variance))))
	}
	return h
}

// Encode writes the codes of v to dst [HalfStride/2], in the layout of vec.DotsI4At.
func (h Half) Encode(dst []uint8, v []float32) {
	clear(dst)
	low := v[:min(len(v), len(dst))]
	for i, x := range low {
		dst[i] = h.code(i, x)
	}
	for i, x := range v[len(low):] {
		dst[i] |= h.code(len(low)+i, x) << 4
	}
}

func (h Half) code(i int, x float32) uint8 {
	c := (x-h.Middles[i])/h.Steps[i] + halfLevels/2
	return uint8(max(0, min(halfLevels-1, c)))
}

// Query writes to dst [HalfStride] what the codes of rows are multiplied by to be
// compared with q. The inner product of q with a row is about product / scale + offset.
func (h Half) Query(dst []int8, q []float32) (scale, offset float64) {
	steps := h.Steps[:len(q)]
	var bits, odd uint32 // see magnitude; two, each of which waits for itself only
	for i := 1; i < len(q); i += 2 {
		bits = max(bits, math.Float32bits(q[i-1]*steps[i-1])&^(1<<31))
		odd = max(odd, math.Float32bits(q[i]*steps[i])&^(1<<31))
	}
	if last := len(q) - 1; last%2 == 0 {
		bits = max(bits, math.Float32bits(q[last]*steps[last])&^(1<<31))
	}
	by := fill(math.Float32frombits(max(bits, odd)))
	for i, x := range q {
		y := float32(x * steps[i])
		dst[i] = int8(math.Float32bits(float32(y*by) + rounder))
	}
	clear(dst[len(q):])
	return float64(by), float64(vec.Dot(q, h.Middles)) - (halfLevels-1)/2.*float64(vec.Dot(q, steps))
}
