package vec

import "math"

// headGo is the reference of head, with q, k and the scales of V set.
func (t *AttentionI16) headGo(dst, v []float32, factor float32, high int) {
	m := len(t.q) / t.Width
	codes := make([]int16, len(v))
	for i, x := range v {
		quantI16Go(codes[i:i+1], []float32{x}, inverseOf(t.vScale[i%t.Width]))
	}
	scores := make([]int32, roundUp(m, lanes))
	var inverse [1]float32
	for i := range m {
		for j := range m {
			scores[j] = 0
			for s, x := range t.q[i*t.Width : (i+1)*t.Width] {
				scores[j] += int32(x) * int32(t.k[j*t.Width+s])
			}
		}
		softmaxI16Go(scores, len(scores), m, inverse[:], factor, float32(high))
		probabilities := int16s(scores)
		for c := range t.Width {
			var sum int32
			for j := range m {
				sum += int32(probabilities[j]) * int32(codes[j*t.Width+c])
			}
			dst[i*t.Stride+c] = float32(sum) * t.vScale[c] * inverse[0]
		}
	}
}

func softmaxI16Go(x []int32, stride, n int, inverse []float32, factor, high float32) {
	for r := range inverse {
		row := x[r*stride : r*stride+roundUp(n, lanes)]
		top := int32(math.MinInt32)
		for _, v := range row[:n] {
			top = max(top, v)
		}
		var sum int32
		out := int16s(row)
		for i, v := range row {
			p := int32(0)
			if i < n {
				p = int32(math.RoundToEven(float64(powerOf2(float32(float32(v-top)*factor) + high))))
			}
			out[i] = int16(p)
			sum += p
		}
		inverse[r] = 1 / float32(sum)
	}
}

// powerOf2 is 2 to the power of y; see gen/attention.go.
func powerOf2(y float32) float32 {
	y = max(y, -2)
	n := float32(math.RoundToEven(float64(y)))
	y -= n
	p := float32(0.009582857601344585)
	for _, c := range [...]float32{0.05590643733739853, 0.24024099111557007, 0.6931241750717163, 1} {
		p = float32(p*y) + c
	}
	return math.Float32frombits(math.Float32bits(p) + uint32(int32(n))<<23)
}

func longestRowGo(x []float32, n int) (squares float32) {
	for ; len(x) > 0; x = x[n:] {
		_, s := statsGo(x[:n])
		squares = max(squares, s)
	}
	return squares
}

func columnSquaresGo(dst, x []float32, rows, stride int) {
	clear(dst)
	for i := range rows {
		for c, v := range x[i*stride : i*stride+lanes] {
			dst[c] += float32(v * v)
		}
	}
}

func packPairsGo(dst []int16, x, inverse []float32, rows, stride, step int) {
	for i := range (rows + 1) / 2 * 2 {
		for c := range lanes {
			at := dst[i/2*step*2+c*2+i%2:]
			at[0] = 0
			if i < rows {
				quantI16Go(at[:1], x[i*stride+c:i*stride+c+1], inverse[c])
			}
		}
	}
}
