package vec_test

import (
	"math"
	"slices"
	"testing"

	"github.com/seed-9f29d379/akin/internal/vec"
)

func TestGELU(t *testing.T) {
	for _, n := range edges {
		x := random(n, 1)
		sameBytes(t, roundings, func() []float32 {
			y := append([]float32(nil), x...)
			vec.GELU(y)
			return y
		})
	}
}

func TestGELUIsTheErfForm(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for v := -12.0; v <= 12; v += 0.01 {
			x := []float32{float32(v)}
			want := float64(x[0]) / 2 * (1 + math.Erf(float64(x[0])/math.Sqrt2))
			vec.GELU(x)
			if off := math.Abs(float64(x[0]) - want); off > 4e-6 {
				t.Fatalf("GELU(%v) is %v, want %v", v, x[0], want)
			}
		}
	})
}

func TestGELUOfSpecialValues(t *testing.T) {
	x := special(40, inf, math.MaxFloat32, -math.MaxFloat32, 1e-40, 0)
	sameBytes(t, roundings, func() []float32 {
		y := append([]float32(nil), x...)
		vec.GELU(y)
		return y
	})
}

func TestLayerNorm(t *testing.T) {
	for _, n := range edges {
		x, y := random(n, 1), random(n, 2)
		norm := vec.LayerNorm{Weight: random(n, 3), Bias: random(n, 4), Epsilon: 1e-12}
		sameBytes(t, roundings*10, func() []float32 {
			z := append([]float32(nil), x...)
			norm.Add(z, y)
			return z
		})
	}
}

func TestLayerNormOfRowsIsThatOfEach(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, width := range []int{1, 16, 37, 384} {
			for _, rows := range []int{0, 1, 8, 9, 17} {
				x, y := random(rows*width, 1), random(rows*width, 2)
				norm := vec.LayerNorm{Weight: random(width, 3), Bias: random(width, 4), Epsilon: 1e-12}
				want := slices.Clone(x)
				for i := 0; i < len(x); i += width {
					norm.Add(want[i:i+width], y[i:i+width])
				}
				norm.Add(x, y)
				if i := differ(x, want, 0); i >= 0 {
					t.Errorf("%d rows of %d: element %d is %v, want %v as one by one", rows, width, i, x[i], want[i])
				}
			}
		}
	})
}

func TestLayerNormOfAConstantRowIsItsBias(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		x, zero := special(40, 3), make([]float32, 40)
		norm := vec.LayerNorm{Weight: random(40, 3), Bias: random(40, 4), Epsilon: 1e-12}
		norm.Add(x, zero)
		if i := differ(x, norm.Bias, 0); i >= 0 {
			t.Errorf("element %d is %v, want the bias %v", i, x[i], norm.Bias[i])
		}
	})
}

func TestMeasure(t *testing.T) {
	for _, n := range edges {
		x := random(n, 5)
		sameBytes(t, roundings, func() []float32 {
			s := vec.Measure(x)
			return []float32{s.Top, s.Squares}
		})
	}
}

func TestWidenIsExact(t *testing.T) {
	half := make([]uint16, 1<<16)
	for i := range half {
		half[i] = uint16(i)
	}
	sameBytes(t, 0, func() []float32 {
		dst := make([]float32, len(half))
		vec.Widen(dst, half)
		return dst
	})
	eachLevel(t, func(t *testing.T) {
		dst := make([]float32, 5)
		vec.Widen(dst, []uint16{0x3c00, 0xc000, 0x0001, 0x7bff, 0xfc00})
		want := []float32{1, -2, 0x1p-24, 65504, -inf}
		if i := differ(dst, want, 0); i >= 0 {
			t.Errorf("element %d is %v, want %v", i, dst[i], want[i])
		}
	})
}

func BenchmarkGELU(b *testing.B) {
	from, x := random(1536, 1), make([]float32, 1536)
	benchLevels(b, func(b *testing.B) {
		b.SetBytes(1536 * 4)
		for b.Loop() {
			copy(x, from) // GELU of GELU of ... would be denormal, and slow
			vec.GELU(x)
		}
	})
}

func BenchmarkLayerNorm(b *testing.B) {
	x, y := random(384, 1), random(384, 2)
	norm := vec.LayerNorm{Weight: random(384, 3), Bias: random(384, 4), Epsilon: 1e-12}
	benchLevels(b, func(b *testing.B) {
		b.SetBytes(384 * 4)
		for b.Loop() {
			norm.Add(x, y)
		}
	})
}
