package vec

import (
	"math"
	"unsafe"
)

// AttentionI16 is [Attention] with products of exact 16-bit integers and the softmax between
// them in 32-bit floats. Q and K have one scale a head of a text, a channel of V has one of
// its own, and probabilities are integers of which the largest of a row is a power of two:
// what they are off is then the same small part of a row's largest for all of them. As in
// [PackedI16], lengths are bounded so that no sum leaves 32 bits.
type AttentionI16 struct {
	Width  int // as in Attention
	Stride int // as in Attention

	q, k   []int16 // [m, width]
	keys   []int16 // k: [ceil(m/narrow), width/2, narrow, 2]
	v      []int16 // [ceil(width/narrow), ceil(m/2), narrow, 2]
	vScale []float32
	scores []int32 // one block of rows, [attentionRows, ceil(m/narrow)·narrow]
}

// LongestText is the most tokens that [AttentionI16] takes.
const LongestText = 1 << 14

// Head is [Attention.Head].
func (t *AttentionI16) Head(dst, q, k, v []float32) {
	m := headRows(t.Width, t.Stride, dst, q, k, v)
	if m == 0 {
		return
	}
	if m > LongestText {
		panic("vec: attention of more tokens than integers hold")
	}
	// |q·k| is at most 2^30, and no element is beyond 16 bits.
	room := math.MaxInt16 - 0.5*math.Sqrt(float64(t.Width))
	t.q, t.k = grow(t.q, m*t.Width), grow(t.k, m*t.Width)
	qScale, kScale := quantizeRows(t.q, q, t.Width, room), quantizeRows(t.k, k, t.Width, room)
	factor := float32(float64(qScale) * float64(kScale) * math.Log2E / math.Sqrt(float64(t.Width)))
	high := probabilityBits(m)
	t.scaleColumns(v, m, high)
	if level == Reference {
		t.headGo(dst, v, factor, high)
		return
	}
	t.packKeys(m)
	t.packValues(v, m)
	t.head(dst, m, factor, float32(high))
}

// quantizeRows rounds rows of width elements to integers of one scale, at which the longest
// row is as long as there is room.
func quantizeRows(dst []int16, x []float32, width int, room float64) (scale float32) {
	scale = float32(math.Sqrt(float64(longestRow(x, width))) * ((1 + squaresError) / room))
	quantI16(dst, x, inverseOf(scale))
	return scale
}

// inverseOf is 1/scale, or 0 where there is nothing to scale, or nothing finite.
func inverseOf(scale float32) float32 {
	if scale > 0 {
		return 1 / scale
	}
	return 0
}

// probabilityBits is which power of two the largest probability of a row of m becomes: more
// bits for them leave fewer for V. With a bit less, the worst cosine of the bundled model's
// vectors fell from 0.9999972 to 0.9999957.
func probabilityBits(m int) int {
	switch {
	case m <= 256:
		return 14
	case m <= 1024:
		return 13
	default:
		return 12
	}
}

// scaleColumns sets the scales of V's channels: a row of m probabilities is at most √m times
// its largest long.
func (t *AttentionI16) scaleColumns(v []float32, m, high int) {
	t.vScale = grow(t.vScale, t.Width)
	for j := 0; j < t.Width; j += lanes {
		columnSquares(t.vScale[j:j+lanes], v[j:], m, t.Width)
	}
	rows := math.Sqrt(float64(m))
	room := min(math.MaxInt32/(rows*float64(int(1)<<high+1)), math.MaxInt16) - 0.5*rows
	each := float32((1 + squaresError) / room)
	for j, squares := range t.vScale {
		t.vScale[j] = float32(math.Sqrt(float64(squares))) * each
	}
}

// packKeys lays K out in panels as wide as a narrow tile.
func (t *AttentionI16) packKeys(m int) {
	narrow := narrowColumns * level.register()
	t.keys = grow(t.keys, roundUp(m, narrow)*t.Width)
	packRows(words(t.keys), words(t.k), t.Width/2, 0, narrow)
}

// packValues lays V out in panels as wide as a narrow tile, a step for two rows.
func (t *AttentionI16) packValues(v []float32, m int) {
	narrow, steps := narrowColumns*level.register(), (m+1)/2
	t.v = grow(t.v, 2*steps*t.Width)
	var inverse [lanes]float32
	for j := 0; j < t.Width; j += lanes {
		for c := range inverse {
			inverse[c] = inverseOf(t.vScale[j+c])
		}
		panel := t.v[2*(j/narrow*narrow*steps+j%narrow):]
		packPairs(panel, v[j:], inverse[:], m, t.Width, narrow)
	}
}

// head multiplies block by block of rows, as in [Attention].
func (t *AttentionI16) head(dst []float32, m int, factor, high float32) {
	reg, rows := level.register(), level.tileRows()
	narrow := narrowColumns * reg
	stride := roundUp(m, narrow)
	t.scores = grow(t.scores, attentionRows*stride)
	var zeros [2 * lanes]float32
	var inverse [attentionRows]float32
	score := tile{most: rows, lda: 2 * t.Width, bStep: 4 * narrow, steps: t.Width / 2, ldc: 4 * stride}
	value := tile{
		most: rows, lda: 4 * stride, bStep: 4 * narrow, steps: (m + 1) / 2, ldc: 4 * t.Stride,
		start0: unsafe.Pointer(&zeros), start1: unsafe.Pointer(&zeros),
	}
	for first := 0; first < m; first += attentionRows {
		last := min(first+attentionRows, m)
		for j := 0; j < m; j += narrow {
			score.b = unsafe.Pointer(&t.keys[j*t.Width])
			score.rows = last - first
			score.a = unsafe.Pointer(&t.q[first*t.Width])
			score.c0, score.c1 = unsafe.Pointer(&t.scores[j]), unsafe.Pointer(&t.scores[j+reg])
			tileI16Scores(&score)
		}
		softmaxI16(t.scores, stride, m, inverse[:last-first], factor, high)
		for j := 0; j < t.Width; j += narrow {
			value.rows = last - first
			value.a = unsafe.Pointer(&t.scores[0])
			value.aScale = unsafe.Pointer(&inverse)
			value.b = unsafe.Pointer(&t.v[j*2*value.steps])
			value.bScale = unsafe.Pointer(&t.vScale[j])
			value.c0 = unsafe.Pointer(&dst[first*t.Stride+j])
			value.c1 = unsafe.Pointer(&dst[first*t.Stride+j+reg])
			tileI16Narrow(&value)
		}
	}
}
