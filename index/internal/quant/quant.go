package quant

import (
	"iter"
	"math"

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
	var bits uint32 // of finite magnitudes, which order as their bits do
	for _, x := range q {
		bits = max(bits, math.Float32bits(x)&^(1<<31))
	}
	scale = fill(bits)
	Encode(dst, q, scale)
	return scale
}

// fill is the scale at which the magnitude of these bits is Limit.
func fill(bits uint32) float32 {
	scale := Limit / math.Float32frombits(bits)
	if math.IsInf(float64(scale), 0) { // zero or subnormal
		return math.MaxFloat32
	}
	return scale
}

// Scale returns the scale that suits vectors: the finest at which no vector loses more
// by cutting than minCosine allows. It does not depend on their order. Its cost is two
// passes.
func Scale(vectors iter.Seq[[]float32]) float32 {
	var h histogram
	for v := range vectors {
		for _, x := range v {
			h.add(abs(x))
		}
	}
	scale := Limit / h.quantile(clipped)
	// A few vectors may have most of their length in a few elements (a one-hot
	// vector): for them the range is widened for all.
	var top float32
	for v := range vectors {
		if !Fits(v, scale) {
			for _, x := range v {
				top = max(top, abs(x))
			}
		}
	}
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

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// histogram counts magnitudes by the leading bits of their float32 form: 128 steps an
// octave, below 1 per cent each. Sums of counts do not depend on order.
type histogram struct {
	counts [1 << 15]uint64
	n      uint64
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
