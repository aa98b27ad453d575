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

// Add sets x to the LayerNorm of x + y. All have one length.
func (n *LayerNorm) Add(x, y []float32) {
	if len(y) != len(x) || len(n.Weight) != len(x) || len(n.Bias) != len(x) {
		panic(fmt.Sprintf("vec: LayerNorm of %d and %d elements with %d weights", len(x), len(y), len(n.Weight)))
	}
	addNorm(x, y, n.Weight, n.Bias, float32(len(x)), n.Epsilon)
}

// Widen sets dst to the 16-bit floats half, which have the same number.
func Widen(dst []float32, half []uint16) {
	if len(dst) != len(half) {
		panic(fmt.Sprintf("vec: Widen of %d elements into %d", len(half), len(dst)))
	}
	whole := len(dst) / lanes * lanes
	widen(dst[:whole], half[:whole])
	widenGo(dst[whole:], half[whole:])
}
