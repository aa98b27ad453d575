package vec

import "fmt"

// Stats are the largest magnitude and the sum of squares of some numbers.
type Stats struct{ Top, Squares float32 }

// Measure returns the Stats of x.
func Measure(x []float32) Stats {
	top, squares := stats(x)
	return Stats{top, squares}
}

// GELU sets each element of x to x·Φ(x), where Φ is the normal distribution function
// (the erf form), within 4e-6.
func GELU(x []float32) { gelu(x) }

// LayerNorm is the parameters of a LayerNorm.
type LayerNorm struct {
	Weight, Bias []float32
	Epsilon      float32
}

// Add sets each row of x to the LayerNorm of x + y. Both hold whole rows; some rows at once
// take less time than one by one.
func (n *LayerNorm) Add(x, y []float32) {
	width := len(n.Weight)
	rows := len(x) / max(width, 1)
	if rows*width != len(x) || len(y) != len(x) || len(n.Bias) != width {
		panic(fmt.Sprintf("vec: LayerNorm of %d and %d elements with %d weights and %d biases", len(x), len(y), width, len(n.Bias)))
	}
	var kept [2 * normRows]float32
	for first := 0; first < rows; first += normRows {
		from, to := first*width, min(first+normRows, rows)*width
		addNorm(x[from:to], y[from:to], n.Weight, n.Bias, kept[:], float32(width), n.Epsilon)
	}
}

// normRows is how many rows are normalised together.
const normRows = 8

// Widen sets dst to the 16-bit floats half, which have the same number.
func Widen(dst []float32, half []uint16) {
	if len(dst) != len(half) {
		panic(fmt.Sprintf("vec: Widen of %d elements into %d", len(half), len(dst)))
	}
	whole := len(dst) / lanes * lanes
	widen(dst[:whole], half[:whole])
	widenGo(dst[whole:], half[whole:])
}
