package vec

import (
	"fmt"
	"unsafe"
)

// Packed is a matrix B [n, k] laid out for the product A·Bᵀ: panels of as many
// columns of the product as a tile is wide, in each the k values of one step side by
// side ([k, width], zero beyond n). The layout belongs to the level that packed it. A
// Packed is safe for concurrent use once packed.
type Packed struct {
	// Bias is added to every row of the product; it has n elements, or none.
	Bias []float32
	// Block splits the columns of the product: dst then holds n/Block matrices
	// [m, Block] one after the other instead of one [m, n]. It is a multiple of 16; 0
	// is no split.
	Block int

	n, k   int
	width  int       // columns a panel: three registers, or one
	panels []float32 // [ceil(n/width), k, width], aligned to 64 bytes
}

// PackB packs b, a matrix [n, k]: its rows are the columns of the product.
func PackB(b []float32, n, k int) *Packed {
	p := new(Packed)
	p.Pack(b, n, k)
	return p
}

// Pack makes p hold b, a matrix [n, k], and reuses the memory that p has.
func (p *Packed) Pack(b []float32, n, k int) { p.pack(b, n, k, level.floatWidth(n)) }

// pack is Pack in panels of a width.
func (p *Packed) pack(b []float32, n, k, width int) {
	if len(b) != n*k {
		panic(fmt.Sprintf("vec: Pack of [%d, %d] with %d elements", n, k, len(b)))
	}
	p.n, p.k, p.width = n, k, width
	p.panels = grow(p.panels, roundUp(n, width)*k)
	// Columns beyond n are multiplied too.
	clear(p.panels[n/width*width*k:])
	if k > 0 {
		packRows(p.panels, b, k, 0, width)
	}
}

// MatMul sets dst [m, n] to a [m, k] · bᵀ plus the bias, on the calling goroutine. The
// time is 2·m·n·k operations near the processor's peak for m of at least 8.
func MatMul(dst, a []float32, b *Packed) {
	m := len(dst) / max(b.n, 1)
	if len(dst) != m*b.n || len(a) != m*b.k {
		panic(fmt.Sprintf("vec: MatMul of %d elements by [%d, %d] into %d", len(a), b.n, b.k, len(dst)))
	}
	if m == 0 || b.n == 0 {
		return
	}
	if level == Reference || b.k == 0 {
		matMulGo(dst, a, false, b, m, func(panel int) []float32 { return b.panels[panel*b.width*b.k:] })
		return
	}
	p := product{
		a: unsafe.Pointer(&a[0]), b: unsafe.Pointer(&b.panels[0]), dst: dst,
		m: m, n: b.n, steps: b.k, width: b.width, block: b.Block, bias: b.Bias,
	}
	p.run()
}
