package vec

import (
	"fmt"
	"math"
	"unsafe"
)

// Attention computes softmax(Q·Kᵀ/√Width)·V, head by head. Its fields say what is computed; it
// keeps the memory that it needs, and is for one goroutine.
type Attention struct {
	Heads int
	Width int // of a head, a multiple of 32

	keys   Packed    // one head's K, [m, width]
	scores []float32 // one block of rows, [tileRows, ceil(m/panel)·panel]
}

// Rows computes rows from to to of dst, which attend to one another: one text among
// several. qkv holds 3·Heads matrices [total, Width], the heads of Q, of K and
// of V; dst is [total, Heads·Width]. The scores of a block of a few rows stay in the
// nearest cache from their product to the next.
func (t *Attention) Rows(dst, qkv []float32, from, to int) {
	dim := t.Heads * t.Width
	total := len(dst) / dim
	if len(dst) != total*dim || len(qkv) != 3*len(dst) || from < 0 || from > to || to > total || t.Width%32 != 0 {
		panic(fmt.Sprintf("vec: attention of rows %d to %d in %d and %d elements", from, to, len(dst), len(qkv)))
	}
	if from == to {
		return
	}
	matrix := func(i int) []float32 {
		return qkv[(i*total+from)*t.Width : (i*total+to)*t.Width]
	}
	for h := range t.Heads {
		q, k, v := matrix(h), matrix(t.Heads+h), matrix(2*t.Heads+h)
		out := dst[from*dim+h*t.Width : to*dim-(t.Heads-1-h)*t.Width]
		if level == Reference {
			t.headGo(out, q, k, v)
			continue
		}
		t.keys.Pack(k, to-from, t.Width)
		scale(t.keys.panels, t.factor())
		t.head(out, q, v)
	}
}

// factor is what the scores are multiplied by: it goes into K.
func (t *Attention) factor() float32 { return float32(1 / math.Sqrt(float64(t.Width))) }

// head is one head of m rows; dst has a stride of Heads·Width.
func (t *Attention) head(dst, q, v []float32) {
	m := len(q) / t.Width
	reg, rows := level.register(), level.tileRows()
	panel := tileColumns * reg
	stride := (m + panel - 1) / panel * panel
	t.scores = grow(t.scores, rows*stride)
	dim := t.Heads * t.Width
	var zeros [referenceWidth]float32
	product := tile{bias: unsafe.Pointer(&zeros)}
	for i := 0; i < m; i += rows {
		size := min(rows, m-i)
		product.rows = size
		product.a, product.lda = unsafe.Pointer(&q[i*t.Width]), 4*t.Width
		product.steps, product.bStep = t.Width, 4*panel
		product.ldc = 4 * stride
		for j := 0; j < m; j += panel {
			product.b = unsafe.Pointer(&t.keys.panels[j*t.Width])
			product.c0 = unsafe.Pointer(&t.scores[j])
			product.c1 = unsafe.Pointer(&t.scores[j+reg])
			product.c2 = unsafe.Pointer(&t.scores[j+2*reg])
			tileF32(&product)
		}
		var inverse [8]float32
		for r := range size {
			inverse[r] = 1 / softmax(t.scores[r*stride:r*stride+m])
		}
		product.a, product.lda = unsafe.Pointer(&t.scores[0]), 4*stride
		product.steps, product.bStep = m, 4*t.Width
		product.ldc = 4 * dim
		for j := 0; j < t.Width; j += narrowColumns * reg {
			product.b = unsafe.Pointer(&v[j])
			product.c0 = unsafe.Pointer(&dst[i*dim+j])
			product.c1 = unsafe.Pointer(&dst[i*dim+j+reg])
			tileF32Narrow(&product)
		}
		for r := range size {
			row := (i + r) * dim
			scale(dst[row:row+t.Width], inverse[r])
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
		inverse := 1 / softmaxGo(scores)
		out := dst[i*t.Heads*t.Width:][:t.Width]
		for s := range out {
			out[s] = 0
			for j := range m {
				out[s] += float32(scores[j] * v[j*t.Width+s])
			}
			out[s] *= inverse
		}
	}
}
