package vec

import (
	"fmt"
	"math"
	"unsafe"
)

// PackedI16 is a matrix B [n, k] of 16-bit integers with one scale a row, laid out for
// the product A·Bᵀ like a [Packed] whose words are pairs of integers. A PackedI16 is safe
// for concurrent use once all its rows are set.
//
// The product is exact: every sum of a row of A and a row of B stays within 32 bits, in
// whatever order it is added up. By Cauchy-Schwarz no part of the sum is larger than
// |a|·|b|, so the scale of a row of A is chosen for |a|·max|b| to be below 2^31 (see
// [RowsI16.Set]). More bits for B leave fewer for A. Rounding one of them errs by as much,
// relative to its length, as the length in units is short, so both get the same: a row of
// B is made 2^15.5 long, unless an element would not fit.
type PackedI16 struct {
	Bias  []float32 // as in Packed
	Block int       // as in Packed

	n, k   int
	width  int
	panels []int16   // [ceil(n/width), k/2, width, 2], aligned to 64 bytes
	scale  []float32 // [n]: of the rows of B
	after  uintptr   // the address of the matrix that comes next, or 0
	norm   float64   // the largest length of a row of integers
}

// weightLength is the length of a row of B: the square root of 2^31.
const weightLength = 46340

// NewPackedI16 returns a matrix of zeros; k is a multiple of 16.
func NewPackedI16(n, k int) *PackedI16 { return newPackedI16(n, k, nil) }

// newPackedI16 uses memory where it has room.
func newPackedI16(n, k int, memory []int16) *PackedI16 {
	if k%lanes != 0 {
		panic(fmt.Sprintf("vec: a matrix of integers with rows of %d, not a multiple of %d", k, lanes))
	}
	width := panelWidth()
	return &PackedI16{n: n, k: k, width: width, panels: grow(memory, roundUp(n, width)*k), scale: make([]float32, n)}
}

// SetHalf sets rows of B from the first one on: half holds rows of k 16-bit floats, stride
// apart. It returns their Stats.
func (p *PackedI16) SetHalf(first int, half []uint16, stride int) Stats {
	rows := rowsOf(first, len(half), stride, p.n, p.k)
	group := level.group()
	x := make([]float32, p.k)
	codes := grow[int16](nil, group*p.k)
	var all Stats
	for r := 0; r < rows; r += group {
		size := min(group, rows-r)
		for i := range size {
			row := half[(r+i)*stride : (r+i)*stride+p.k]
			Widen(x, row)
			top, squares := stats(x)
			all = Stats{max(all.Top, top), all.Squares + squares}
			scale := max(top/math.MaxInt16, float32(math.Sqrt(float64(squares))/weightLength))
			inverse := float32(0)
			if scale > 0 {
				inverse = 1 / scale
			}
			quantI16(codes[i*p.k:(i+1)*p.k], x, inverse)
			p.scale[first+r+i] = scale
			p.norm = max(p.norm, longest(squares, scale, p.k))
		}
		packRows(words(p.panels), words(codes[:size*p.k]), p.k/2, first+r, p.width)
	}
	return all
}

// rowsOf is how many rows of [n, k], stride apart, some elements are, which are set from
// first on.
func rowsOf(first, elements, stride, n, k int) int {
	rows := 0
	if elements > 0 && k > 0 {
		rows = (elements-k)/max(stride, 1) + 1
	}
	if stride < k || rows > 0 && (rows-1)*stride+k != elements || first < 0 || first+rows > n {
		panic(fmt.Sprintf("vec: setting rows of [%d, %d] from %d on with %d elements, %d apart", n, k, first, elements, stride))
	}
	return rows
}

// ShareRows makes rows that are set for one of some matrices fit all of them.
func ShareRows(matrices []*PackedI16) {
	var norm float64
	for _, p := range matrices {
		norm = max(norm, p.norm)
	}
	for _, p := range matrices {
		p.norm = norm
	}
}

// longest bounds the length of a row of k elements with a sum of squares, as integers of a
// scale: the sum was rounded, and a rounded element is off by at most half a unit.
func longest(squares, scale float32, k int) float64 {
	if scale == 0 {
		return 0
	}
	return math.Sqrt(float64(squares))*(1+squaresError)/float64(scale) + 0.5*math.Sqrt(float64(k))
}

// squaresError bounds the relative error of a length computed from Stats.
const squaresError = 1e-4

// RowsI16 is a matrix A [m, k] of 16-bit integers with one scale a row.
type RowsI16 struct {
	k     int
	codes []int16
	scale []float32
}

// Len is m.
func (r *RowsI16) Len() int { return len(r.scale) }

// Resize makes r a matrix [m, k] of unset rows.
func (r *RowsI16) Resize(m, k int) {
	r.k = k
	r.codes = grow(r.codes, m*k)
	r.scale = grow(r.scale, m)
}

// Set sets rows from first on to x, which holds whole rows, for the product with b: as many
// bits as 16 hold, and as keep the product's sums within 32.
func (r *RowsI16) Set(first int, x []float32, b *PackedI16) {
	rows := len(x) / max(r.k, 1)
	if rows*r.k != len(x) || r.k != b.k || first < 0 || first+rows > len(r.scale) {
		panic(fmt.Sprintf("vec: setting rows of [%d, %d] from %d on with %d elements for a matrix of %d", len(r.scale), r.k, first, len(x), b.k))
	}
	// The scale at which a row is as long as it may be; see longest.
	room := (math.MaxInt32-1)/max(b.norm, 1) - 0.5*math.Sqrt(float64(r.k))
	quantRows(r.codes[first*r.k:(first+rows)*r.k], x, r.scale[first:first+rows], r.k, 1.0/math.MaxInt16, float32((1+squaresError)/room), leastScale)
}

// leastScale is the scale of a row of zeros, or of next to nothing.
const leastScale = 1e-30

// MatMulI16 sets dst [m, n] to a [m, k] · bᵀ plus the bias, on the calling goroutine.
func MatMulI16(dst []float32, a *RowsI16, b *PackedI16) { matMulI16(dst, a, b, false) }

// AddMatMulI16 adds a [m, k] · bᵀ to dst [m, n], without the bias.
func AddMatMulI16(dst []float32, a *RowsI16, b *PackedI16) { matMulI16(dst, a, b, true) }

func matMulI16(dst []float32, a *RowsI16, b *PackedI16, adds bool) {
	m := len(a.scale)
	if len(dst) != m*b.n || a.k != b.k {
		panic(fmt.Sprintf("vec: MatMulI16 of [%d, %d] by [%d, %d] into %d", m, a.k, b.n, b.k, len(dst)))
	}
	if m == 0 || b.n == 0 {
		return
	}
	if level == Reference || b.k == 0 {
		matMulI16Go(dst, a, b, adds)
		return
	}
	p := product{
		a: unsafe.Pointer(&a.codes[0]), b: unsafe.Pointer(&b.panels[0]), dst: dst,
		m: m, n: b.n, steps: b.k / 2, width: b.width, block: b.Block, bias: b.Bias, adds: adds, aScale: a.scale, bScale: b.scale, after: b.after,
	}
	p.run()
}

// words views pairs of integers as words.
func words(x []int16) []float32 {
	if len(x) == 0 {
		return nil
	}
	// Valid: both are plain numbers, and the slices made here start on even elements of
	// memory aligned for larger values. No word is used as a float.
	return unsafe.Slice((*float32)(unsafe.Pointer(&x[0])), len(x)/2)
}

// int16s views 32-bit integers as twice as many of 16 bits.
func int16s(x []int32) []int16 {
	if len(x) == 0 {
		return nil
	}
	// Valid: both are plain numbers, and 4 bytes are aligned for 2.
	return unsafe.Slice((*int16)(unsafe.Pointer(&x[0])), 2*len(x))
}
