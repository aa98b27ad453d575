package vec_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// halves are 16-bit floats, and what they stand for.
func halves(n int, seed uint64) ([]uint16, []float32) {
	half, x := make([]uint16, n), make([]float32, n)
	for i, v := range random(n, seed) {
		half[i] = uint16(math.Float32bits(v)>>16&0x8000 | uint32(0x2c00+i*7%0x1000))
	}
	vec.Widen(x, half)
	return half, x
}

func TestMatMulI16AtEverySize(t *testing.T) {
	for _, m := range []int{1, 2, 3, 4, 5, 8, 9, 13} {
		for _, n := range []int{1, 16, 24, 47, 48, 49, 96, 100} {
			for _, k := range []int{16, 32, 48, 384} {
				a, bias := random(m*k, 1), random(n, 3)
				half, w := halves(n*k, 2)
				t.Run(fmt.Sprintf("%dx%dx%d", m, n, k), func(t *testing.T) {
					var got []float32
					sameBytes(t, 1e-6, func() []float32 {
						b := vec.NewPackedI16(n, k)
						b.Bias = bias
						b.SetHalf(0, half, k)
						rows := rowsFor(a, m, k, b)
						got = make([]float32, m*n)
						vec.MatMulI16(got, rows, b)
						return got
					})
					want := make([]float32, m*n)
					f := vec.PackB(w, n, k)
					vec.MatMul(want, a, f)
					for i := range want {
						want[i] = want[i] + bias[i%n]
					}
					for i := range want {
						if off := math.Abs(float64(got[i] - want[i])); off > 1e-3*math.Sqrt(float64(k)) {
							t.Fatalf("element %d is %v, as floats %v", i, got[i], want[i])
						}
					}
				})
			}
		}
	}
}

// The rows that come nearest to overflow: all weights at the top, and an activation
// parallel to a row of them.
func TestMatMulI16OfTheLargestValuesDoesNotOverflow(t *testing.T) {
	const n, k = 48, 1536
	half := make([]uint16, n*k)
	for i := range half {
		half[i] = 0x3c00 // 1
		if i%k%2 == 1 {
			half[i] = 0xbc00
		}
	}
	a := special(k, 1000, -1000)
	eachLevel(t, func(t *testing.T) {
		b := vec.NewPackedI16(n, k)
		b.SetHalf(0, half, k)
		rows := rowsFor(a, 1, k, b)
		got := make([]float32, n)
		vec.MatMulI16(got, rows, b)
		for j, v := range got {
			if want := float32(1000 * k); math.Abs(float64(v-want)) > float64(want)*1e-3 {
				t.Fatalf("column %d is %v, want about %v", j, v, want)
			}
		}
	})
}

func BenchmarkMatMulI16(b *testing.B) {
	for _, m := range []int{1, 8, 16, 64, 256} {
		const n, k = 1536, 384
		b.Run(fmt.Sprintf("m=%d", m), func(b *testing.B) {
			benchLevels(b, func(b *testing.B) {
				perSecond(b, 2*float64(m*n*k)/1e9, "GF/s", productI16(m, n, k))
			})
		})
	}
}

// productI16 returns a function that multiplies m rows by a matrix [n, k], packed for the
// level in use.
func productI16(m, n, k int) func() {
	a, dst := random(m*k, 1), vec.NewArena(4*m*n).Floats(m*n)
	half, _ := halves(n*k, 2)
	p := vec.NewArena(vec.MatrixSize(n, k)).NewPackedI16(n, k)
	p.SetHalf(0, half, k)
	rows := rowsFor(a, m, k, p)
	return func() { vec.MatMulI16(dst, rows, p) }
}
