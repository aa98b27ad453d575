package vec_test

import (
	"fmt"
	"testing"

	"github.com/seed-9f29d379/akin/internal/vec"
)

func TestMatMulAtEverySize(t *testing.T) {
	for _, m := range []int{1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17} {
		for _, n := range []int{1, 7, 8, 12, 16, 17, 24, 47, 48, 49, 64, 96, 100} {
			for _, k := range []int{1, 2, 3, 32, 33, 384} {
				a, w, bias := random(m*k, 1), random(n*k, 2), random(n, 3)
				t.Run(fmt.Sprintf("%dx%dx%d", m, n, k), func(t *testing.T) {
					sameBytes(t, roundings*10, func() []float32 {
						b := vec.PackB(w, n, k)
						b.Bias = bias
						dst := make([]float32, m*n)
						vec.MatMul(dst, a, b)
						return dst
					})
				})
			}
		}
	}
}

func TestMatMulSplitsColumnsInBlocks(t *testing.T) {
	const m, n, k, block = 13, 96, 20, 32
	a, w := random(m*k, 1), random(n*k, 2)
	eachLevel(t, func(t *testing.T) {
		b := vec.PackB(w, n, k)
		want, got := make([]float32, m*n), make([]float32, m*n)
		vec.MatMul(want, a, b)
		b.Block = block
		vec.MatMul(got, a, b)
		for i := range m {
			for j := range n {
				if g := got[j/block*m*block+i*block+j%block]; g != want[i*n+j] {
					t.Fatalf("row %d, column %d is %v, want %v", i, j, g, want[i*n+j])
				}
			}
		}
	})
}

func TestMatMulOfNothing(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		vec.MatMul(nil, nil, vec.PackB(nil, 0, 5))
		vec.MatMul(nil, nil, vec.PackB(make([]float32, 10), 2, 5))
		dst := []float32{7, 7}
		vec.MatMul(dst, nil, vec.PackB(nil, 2, 0))
		if dst[0] != 0 {
			t.Errorf("a product over nothing is %v, want 0", dst[0])
		}
	})
}

func BenchmarkMatMul(b *testing.B) {
	for _, m := range []int{1, 8, 16, 64, 256} {
		const n, k = 1536, 384
		a, w, dst := random(m*k, 1), random(n*k, 2), make([]float32, m*n)
		b.Run(fmt.Sprintf("m=%d", m), func(b *testing.B) {
			benchLevels(b, func(b *testing.B) {
				p := vec.PackB(w, n, k)
				perSecond(b, 2*float64(m*n*k)/1e9, "GF/s", func() { vec.MatMul(dst, a, p) })
			})
		})
	}
}
