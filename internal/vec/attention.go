package vec

import (
	"fmt"
	"math"
	"unsafe"
)

// Attention computes softmax(Q·Kᵀ/√Width)·V in 32-bit floats. Its fields say what is
// computed; it keeps the memory that it needs, and is for one goroutine.
type Attention struct {
	Width  int // of a head, a multiple of 32
	Stride int // from row to row of the result: the width of all heads

	keys   Packed    // one head's K, [m, width]
	scores []float32 // one block of rows, [tileRows, ceil(m/panel)·panel]
}

// Head computes one head of one text of m tokens. q, k and v are [m, Width]; dst begins at
// the head's first column of the text's first row. The scores of a block of a few rows
// stay in the nearest cache from their product to the next.
func (t *Attention) Head(dst, q, k, v []float32) {
	m := headRows(t.Width, t.Stride, dst, q, k, v)
	switch {
	case m == 0:
	case level == Reference:
		t.headGo(dst, q, k, v)
	default:
		t.keys.pack(k, m, t.Width, panelWidth())
		scale(t.keys.panels, t.factor())
		t.head(dst, q, v)
	}
}

// headRows is m, where all lengths fit.
func headRows(width, stride int, dst, q, k, v []float32) int {
	m := len(q) / max(width, 1)
	if width%32 != 0 || len(q) != m*width || len(k) != len(q) || len(v) != len(q) || m > 0 && len(dst) < (m-1)*stride+width {
		panic(fmt.Sprintf("vec: attention of %d, %d and %d elements, in heads of %d, into %d", len(q), len(k), len(v), width, len(dst)))
	}
	return m
}

// factor is what the scores are multiplied by: it goes into K.
func (t *Attention) factor() float32 { return float32(1 / math.Sqrt(float64(t.Width))) }

// attentionRows is how many rows of scores are kept at a time: a panel of K is read for
// all of them while it is in the nearest cache.
const attentionRows = 16

// head is one head of m rows.
func (t *Attention) head(dst, q, v []float32) {
	m := len(q) / t.Width
	reg, rows := level.register(), level.tileRows()
	panel := tileColumns * reg
	stride := (m + panel - 1) / panel * panel
	t.scores = grow(t.scores, attentionRows*stride)
	var zeros [referenceWidth]float32
	var inverse, ones [attentionRows]float32
	for i := range ones {
		ones[i] = 1
	}
	product := tile{most: rows, start0: unsafe.Pointer(&zeros), start1: unsafe.Pointer(&zeros), start2: unsafe.Pointer(&zeros)}
	for first := 0; first < m; first += attentionRows {
		last := min(first+attentionRows, m)
		product.lda, product.ldc = 4*t.Width, 4*stride
		product.steps, product.bStep = t.Width, 4*panel
		for j := 0; j < m; j += panel {
			product.b = unsafe.Pointer(&t.keys.panels[j*t.Width])
			product.rows = last - first
			product.a, product.aScale = unsafe.Pointer(&q[first*t.Width]), unsafe.Pointer(&ones)
			scores := t.scores[j:]
			product.c0 = unsafe.Pointer(&scores[0])
			product.c1 = unsafe.Pointer(&scores[reg])
			product.c2 = unsafe.Pointer(&scores[2*reg])
			if m-j <= narrowColumns*reg {
				tileF32Narrow(&product)
			} else {
				tileF32(&product)
			}
		}
		softmax(t.scores, stride, m, inverse[:last-first])
		product.lda, product.ldc = 4*stride, 4*t.Stride
		product.steps, product.bStep = m, 4*t.Width
		for j := 0; j < t.Width; j += narrowColumns * reg {
			product.rows = last - first
			product.a, product.aScale = unsafe.Pointer(&t.scores[0]), unsafe.Pointer(&inverse)
			product.b = unsafe.Pointer(&v[j])
			product.c0 = unsafe.Pointer(&dst[first*t.Stride+j])
			product.c1 = unsafe.Pointer(&dst[first*t.Stride+j+reg])
			tileF32Narrow(&product)
		}
	}
}

// headGo is the reference of head.
func (t *Attention) headGo(dst, q, k, v []float32) {
	m := len(q) / t.Width
	scores := make([]float32, m)
	for i := range m {
		for j := range m {
			scores[j] = 0
			for s := range t.Width {
				scores[j] += float32(q[i*t.Width+s] * float32(k[j*t.Width+s]*t.factor()))
			}
		}
		var inverse [1]float32
		softmaxGo(scores, 0, m, inverse[:])
		out := dst[i*t.Stride:][:t.Width]
		for s := range out {
			out[s] = 0
			for j := range m {
				out[s] += float32(scores[j] * v[j*t.Width+s])
			}
			out[s] *= inverse[0]
		}
	}
}
