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

// attentionRows is how many rows of scores are kept at a time: a panel of K is read for
// all of them while it is in the nearest cache.
const attentionRows = 16

// head is one head of m rows; dst has a stride of Heads·Width.
func (t *Attention) head(dst, q, v []float32) {
	m := len(q) / t.Width
	reg, rows := level.register(), level.tileRows()
	panel := tileColumns * reg
	stride := (m + panel - 1) / panel * panel
	t.scores = grow(t.scores, attentionRows*stride)
	dim := t.Heads * t.Width
	var zeros [referenceWidth]float32
	inverse, ones := [attentionRows]float32{}, [8]float32{1, 1, 1, 1, 1, 1, 1, 1}
	product := tile{bias: unsafe.Pointer(&zeros)}
	for first := 0; first < m; first += attentionRows {
		last := min(first+attentionRows, m)
		product.lda, product.ldc = 4*t.Width, 4*stride
		product.steps, product.bStep = t.Width, 4*panel
		product.aScale = unsafe.Pointer(&ones)
		for j := 0; j < m; j += panel {
			product.b = unsafe.Pointer(&t.keys.panels[j*t.Width])
			for i := first; i < last; i += rows {
				product.rows = min(rows, last-i)
				product.a = unsafe.Pointer(&q[i*t.Width])
				scores := t.scores[(i-first)*stride+j:]
				product.c0 = unsafe.Pointer(&scores[0])
				product.c1 = unsafe.Pointer(&scores[reg])
				product.c2 = unsafe.Pointer(&scores[2*reg])
				if m-j <= narrowColumns*reg {
					tileF32Narrow(&product)
				} else {
					tileF32(&product)
				}
			}
		}
		softmax(t.scores, stride, m, inverse[:last-first])
		product.lda, product.ldc = 4*stride, 4*dim
		product.steps, product.bStep = m, 4*t.Width
		for i := first; i < last; i += rows {
			product.rows = min(rows, last-i)
			product.a = unsafe.Pointer(&t.scores[(i-first)*stride])
			product.aScale = unsafe.Pointer(&inverse[i-first])
			for j := 0; j < t.Width; j += narrowColumns * reg {
				product.b = unsafe.Pointer(&v[j])
				product.c0 = unsafe.Pointer(&dst[i*dim+j])
				product.c1 = unsafe.Pointer(&dst[i*dim+j+reg])
				tileF32Narrow(&product)
			}
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
		out := dst[i*t.Heads*t.Width:][:t.Width]
		for s := range out {
			out[s] = 0
			for j := range m {
				out[s] += float32(scores[j] * v[j*t.Width+s])
			}
			out[s] *= inverse[0]
		}
	}
}
