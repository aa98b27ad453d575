package vec_test

import (
	"fmt"
	"testing"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// Widening is exact, so that the product is the same as with the floats themselves.
func TestMatMulHalfEqualsMatMulOfTheWidened(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range []int{1, 8, 13} {
			for _, n := range []int{1, 24, 48, 100} {
				for _, k := range []int{1, 32, 33, 384} {
					a, bias := random(m*k, 1), random(n, 2)
					half, w := halves(n*k, 3)
					b, h := vec.PackB(w, n, k), vec.NewPackedHalf(n, k)
					h.SetHalf(0, half, k)
					b.Bias, h.Bias = bias, bias
					want, got := make([]float32, m*n), make([]float32, m*n)
					vec.MatMul(want, a, b)
					vec.MatMulHalf(got, a, h)
					if i := differ(got, want, 0); i >= 0 {
						t.Fatalf("%dx%dx%d: element %d is %v, want %v", m, n, k, i, got[i], want[i])
					}
				}
			}
		}
	})
}

func BenchmarkMatMulHalf(b *testing.B) {
	for _, m := range []int{1, 8, 16, 64, 256} {
		const n, k = 1536, 384
		a, dst := random(m*k, 1), make([]float32, m*n)
		half, _ := halves(n*k, 2)
		b.Run(fmt.Sprintf("m=%d", m), func(b *testing.B) {
			benchLevels(b, func(b *testing.B) {
				p := vec.NewPackedHalf(n, k)
				p.SetHalf(0, half, k)
				perSecond(b, 2*float64(m*n*k)/1e9, "GF/s", func() { vec.MatMulHalf(dst, a, p) })
			})
		})
	}
}
