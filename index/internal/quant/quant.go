package quant

import (
	"math"
	"sync"

	"github.com/seed-9f29d379/akin/index/internal/work"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// Limit is the largest magnitude of a code.
const Limit = 127

// align is what a row of codes is padded to: the widest vector register, a cache line.
const align = 64

// Stride is the length of a row of codes for vectors of dim elements.
func Stride(dim int) int { return (dim + align - 1) / align * align }

// Encode writes the codes of v to dst [Stride]: v times scale, rounded to the nearest
// integer and cut at ±Limit; the padding is zero.
func Encode(dst []int8, v []float32, scale float32) {
	_ = dst[:len(v)]
	for i, x := range v {
		// The product is stored as float32 first, so that no processor fuses it
		// with what follows: the codes are the same bytes everywhere.
		y := float32(x * scale)
		if y > Limit {
			y = Limit
		} else if y < -Limit {
			y = -Limit
		}
		dst[i] = int8(math.Float32bits(y + rounder))
	}
	clear(dst[len(v):])
}

// Error is the standard deviation of the rounding of an element, in steps of its code: a
// uniform error's, the root of 1/12.
const Error = .2887

// rounder is 1.5·2^23: added to a small number it leaves the nearest integer, ties to
// even, in the last bits of the sum.
const rounder = 12582912

// Query writes the codes of q to dst [Stride], at the scale that q itself fills, and
// returns that scale: q ≈ codes / scale. A query is compared only with stored codes,
// so its scale is free.
func Query(dst []int8, q []float32) (scale float32) {
	scale = fill(magnitude(q))
	Encode(dst, q, scale)
	return scale
}

// fill is the scale at which a magnitude is Limit.
func fill(magnitude float32) float32 {
	scale := Limit / magnitude
	if math.IsInf(float64(scale), 0) { // zero or subnormal
		return math.MaxFloat32
	}
	return scale
}

// Vectors are n vectors, asked for by workers side by side (0 is one).
type Vectors struct {
	N, Workers int
	At         func(i int) []float32
}

// Scale returns the scale that suits vectors: the finest at which no vector loses more
// by cutting than minCosine allows. It does not depend on their order. Its cost is two
// passes.
func Scale(vectors Vectors) float32 {
	scale := Limit / countMagnitudes(vectors).quantile(clipped)
	// A few vectors may have most of their length in a few elements (a one-hot
	// vector): for them the range is widened for all.
	var mu sync.Mutex
	var top float32
	work.Each(vectors.Workers, vectors.N, func(i int) {
		if v := vectors.At(i); !Fits(v, scale) {
			mu.Lock()
			defer mu.Unlock()
			top = max(top, magnitude(v))
		}
	})
	if top > 0 {
		scale = min(scale, Limit/top)
	}
	return scale
}

const (
	// clipped is the share of elements that may be cut: one in a hundred thousand.
	clipped = 1e-5
	// minCosine is how near a vector must be to itself after cutting.
	minCosine = 0.9995
)

// Fits reports whether v keeps its direction when it is cut at the range of scale.
func Fits(v []float32, scale float32) bool {
	limit := Limit / scale
	if magnitude(v) <= limit {
		return true
	}
	var dot, cut, whole float64
	for _, x := range v {
		y := float64(max(-limit, min(limit, x)))
		dot += float64(x) * y
		cut += y * y
		whole += float64(x) * float64(x)
	}
	return dot*dot >= minCosine*minCosine*cut*whole
}

// Noise is the standard deviation of the error of an approximate inner product of a
// unit vector with one coded at scale, from rounding both: each element is off by a
// uniform error of one step.
func Noise(dim int, q []float32, queryScale, scale float32) float64 {
	step, queryStep := 1/float64(scale), 1/float64(queryScale)
	norm := float64(vec.Norm(q))
	return math.Sqrt((step*step*norm*norm + queryStep*queryStep) / 12)
}

// magnitude is that of the largest element.
func magnitude(v []float32) float32 {
	var bits uint32 // of finite magnitudes, which order as their bits do
	for _, x := range v {
		bits = max(bits, math.Float32bits(x)&^(1<<31))
	}
	return math.Float32frombits(bits)
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// histogram counts magnitudes by the leading bits of their float32 form: 128 steps an
// octave, below 1 per cent each. Sums of counts do not depend on order.
type histogram struct {
	counts [1 << 15]uint64
	n      uint64
}

// countMagnitudes counts those of all elements, in a histogram for each goroutine.
func countMagnitudes(vectors Vectors) *histogram {
	var mu sync.Mutex
	var idle []*histogram
	all := &histogram{}
	work.Runs(vectors.Workers, vectors.N, func(from, to int) {
		mu.Lock()
		if len(idle) == 0 {
			idle = append(idle, &histogram{})
		}
		h := idle[len(idle)-1]
		idle = idle[:len(idle)-1]
		mu.Unlock()
		for i := from; i < to; i++ {
			for _, x := range vectors.At(i) {
				h.add(abs(x))
			}
		}
		mu.Lock()
		idle = append(idle, h)
		mu.Unlock()
	})
	for _, h := range idle {
		for i, n := range h.counts {
			all.counts[i] += n
		}
		all.n += h.n
	}
	return all
}

// mantissaBits is how many bits of a magnitude are left out: 31 bits, 15 kept.
const mantissaBits = 16

func (h *histogram) add(x float32) {
	h.counts[math.Float32bits(x)>>mantissaBits]++
	h.n++
}

// quantile is a magnitude that at most share of the values exceed.
func (h *histogram) quantile(share float64) float32 {
	over, allowed := uint64(0), uint64(share*float64(h.n))
	for i := len(h.counts) - 1; i > 0; i-- {
		if over += h.counts[i]; over > allowed {
			return math.Float32frombits(uint32(i+1) << mantissaBits)
		}
	}
	return 1
}
