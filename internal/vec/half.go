package vec

import (
	"fmt"
	"sync"
	"unsafe"
)

// PackedHalf is a matrix B [n, k] of 16-bit floats laid out like a [Packed]. A panel is
// widened by the first rows that are multiplied by it, which is exact and takes a fifth of
// the time of eight rows; for few rows the time is that of reading the matrix, of which
// this is half. A PackedHalf is safe for concurrent use once all its rows are set.
type PackedHalf struct {
	Bias  []float32 // as in Packed
	Block int       // as in Packed

	n, k   int
	width  int
	panels []uint16 // [ceil(n/width), k, width]
	after  uintptr  // the address of the matrix that comes next, or 0
}

// NewPackedHalf returns a matrix of zeros.
func NewPackedHalf(n, k int) *PackedHalf { return newPackedHalf(n, k, nil) }

// newPackedHalf uses memory where it has room.
func newPackedHalf(n, k int, memory []uint16) *PackedHalf {
	width := panelWidth()
	return &PackedHalf{n: n, k: k, width: width, panels: grow(memory, roundUp(n, width)*k)}
}

// SetHalf sets rows of B from the first one on: half holds rows of k 16-bit floats, stride
// apart. It returns their Stats.
func (p *PackedHalf) SetHalf(first int, half []uint16, stride int) Stats {
	rows := rowsOf(first, len(half), stride, p.n, p.k)
	x := make([]float32, p.k)
	var all Stats
	for r := range rows {
		row := half[r*stride : r*stride+p.k]
		Widen(x, row)
		top, squares := stats(x)
		all = Stats{max(all.Top, top), all.Squares + squares}
		j := first + r
		column := p.panels[j/p.width*p.width*p.k+j%p.width:]
		for s, h := range row {
			column[s*p.width] = h
		}
	}
	return all
}

// widePanels holds the memory of one widened panel for each product under way.
var widePanels = sync.Pool{New: func() any { return new([]float32) }}

// MatMulHalf sets dst [m, n] to a [m, k] · bᵀ plus the bias, on the calling goroutine.
func MatMulHalf(dst, a []float32, b *PackedHalf) { matMulHalf(dst, a, b, false) }

// AddMatMulHalf adds a [m, k] · bᵀ to dst [m, n], without the bias: a product whose k is cut
// in pieces gives the same bytes as a whole one.
func AddMatMulHalf(dst, a []float32, b *PackedHalf) { matMulHalf(dst, a, b, true) }

func matMulHalf(dst, a []float32, b *PackedHalf, adds bool) {
	m := len(dst) / max(b.n, 1)
	if len(dst) != m*b.n || len(a) != m*b.k {
		panic(fmt.Sprintf("vec: MatMulHalf of %d elements by [%d, %d] into %d", len(a), b.n, b.k, len(dst)))
	}
	if m == 0 || b.n == 0 {
		return
	}
	memory := widePanels.Get().(*[]float32)
	defer widePanels.Put(memory)
	wide := grow(*memory, b.width*b.k)
	*memory = wide
	if level == Reference || b.k == 0 {
		matMulGo(dst, a, adds, &Packed{Bias: b.Bias, Block: b.Block, n: b.n, k: b.k, width: b.width}, m, func(panel int) []float32 {
			Widen(wide, b.panels[panel*len(wide):(panel+1)*len(wide)])
			return wide
		})
		return
	}
	p := product{
		a: unsafe.Pointer(&a[0]), half: b.panels, wide: wide, dst: dst,
		m: m, n: b.n, steps: b.k, width: b.width, block: b.Block, bias: b.Bias, adds: adds, after: b.after,
	}
	p.run()
}
