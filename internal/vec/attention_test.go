package vec_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// attention is what both arithmetics do.
type attention interface{ Head(dst, q, k, v []float32) }

var attentions = map[string]func(width, stride int) attention{
	"floats":   func(w, s int) attention { return &vec.Attention{Width: w, Stride: s} },
	"integers": func(w, s int) attention { return &vec.AttentionI16{Width: w, Stride: s} },
}

func TestAttentionAtEverySize(t *testing.T) {
	for name, with := range attentions {
		for _, width := range []int{32, 64} {
			for _, m := range []int{1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 48, 64, 65, 100, 513} {
				t.Run(fmt.Sprintf("%s/%dx%d", name, m, width), func(t *testing.T) {
					q, k, v := random(m*width, uint64(m)), random(m*width, 2), random(m*width, 3)
					stride := width + 32
					// A probability may be rounded the other way.
					sameBytes(t, 1e-3, func() []float32 {
						dst := make([]float32, m*stride)
						with(width, stride).Head(dst, q, k, v)
						return dst
					})
				})
			}
		}
	}
}

// The definition, in 64 bits. What integers are off is small beside the largest of V.
func TestAttentionIsTheSoftmaxOfItsScores(t *testing.T) {
	const m, width = 100, 32
	for name, c := range map[string]struct {
		sharpness float32
		tolerance map[string]float64
	}{
		"even rows":             {0.01, map[string]float64{"floats": 1e-6, "integers": 1e-4}},
		"as scores are":         {3, map[string]float64{"floats": 5e-6, "integers": 2e-3}},
		"a word or two of each": {100, map[string]float64{"floats": 2e-4, "integers": 2e-2}},
	} {
		q, k, v := random(m*width, 1), random(m*width, 2), random(m*width, 3)
		for i := range q {
			q[i] *= c.sharpness
		}
		want := make([]float64, m*width)
		for i := range m {
			var p [m]float64
			top, sum := math.Inf(-1), 0.0
			for j := range m {
				for s := range width {
					p[j] += float64(q[i*width+s]) * float64(k[j*width+s]) / math.Sqrt(width)
				}
				top = max(top, p[j])
			}
			for j := range m {
				p[j] = math.Exp(p[j] - top)
				sum += p[j]
			}
			for j := range m {
				for s := range width {
					want[i*width+s] += p[j] / sum * float64(v[j*width+s])
				}
			}
		}
		for arithmetic, with := range attentions {
			t.Run(name+"/"+arithmetic, func(t *testing.T) {
				eachLevel(t, func(t *testing.T) {
					got := make([]float32, m*width)
					with(width, width).Head(got, q, k, v)
					worst := 0.0
					for i := range got {
						worst = max(worst, math.Abs(float64(got[i])-want[i]))
					}
					if !(worst <= c.tolerance[arithmetic]) {
						t.Errorf("an element is off by %v, want at most %v", worst, c.tolerance[arithmetic])
					}
				})
			})
		}
	}
}

// The sums that come nearest to overflow: all rows alike, and as long as they may be. A
// value has as little as 256 units then.
func TestAttentionOfTheLargestValuesDoesNotOverflow(t *testing.T) {
	const width = 32
	for name, with := range attentions {
		for _, m := range []int{1, 64, 65, 512, 600} {
			t.Run(fmt.Sprintf("%s/%d", name, m), func(t *testing.T) {
				x := special(m*width, 1000)
				eachLevel(t, func(t *testing.T) {
					got := make([]float32, m*width)
					with(width, width).Head(got, x, x, x)
					for i, v := range got {
						if math.Abs(float64(v)-1000) > 2 {
							t.Fatalf("element %d is %v, want 1000", i, v)
						}
					}
				})
			})
		}
	}
}

func TestAttentionOfSpecialValues(t *testing.T) {
	const m, width = 5, 32
	nan := float32(math.NaN())
	for name, with := range attentions {
		t.Run(name, func(t *testing.T) {
			eachLevel(t, func(t *testing.T) {
				with(width, width).Head(nil, nil, nil, nil)
				zeros, got := make([]float32, m*width), special(m*width, 7)
				with(width, width).Head(got, zeros, zeros, zeros)
				if i := differ(got, zeros, 0); i >= 0 {
					t.Errorf("of zeros, element %d is %v", i, got[i])
				}
				small := special(m*width, 1e-40, -1e-42)
				with(width, width).Head(got, small, small, small)
				for i, v := range got {
					if !(math.Abs(float64(v)) <= 1e-39) {
						t.Fatalf("of denormals, element %d is %v", i, v)
					}
				}
				for _, bad := range []float32{nan, inf, -inf} {
					x := random(m*width, 1)
					x[2*width+3] = bad
					with(width, width).Head(got, x, x, x)
					if !isNaN(got[3]) && !math.IsInf(float64(got[3]), 0) {
						t.Errorf("with %v in a row the channel is %v, want no number", bad, got[3])
					}
				}
			})
		})
	}
}

func BenchmarkAttention(b *testing.B) {
	const m, width, stride = 256, 32, 384
	for name, with := range attentions {
		b.Run(name, func(b *testing.B) {
			q, k, v, dst := random(m*width, 1), random(m*width, 2), random(m*width, 3), make([]float32, m*stride)
			benchLevels(b, func(b *testing.B) {
				a := with(width, stride)
				perSecond(b, 4*float64(m*m*width)/1e9, "GF/s", func() { a.Head(dst, q, k, v) })
			})
		})
	}
}
