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

// BenchmarkRows is the kernels that pass over rows which lie in the nearest cache, by the
// bytes that they read.
func BenchmarkRows(b *testing.B) {
	const n, k = 8, 384
	x, y := random(n*k, 1), random(n*k, 2)
	half, _ := halves(2*n*k, 3)
	norm := vec.LayerNorm{Weight: random(k, 4), Bias: random(k, 5), Epsilon: 1e-12}
	for _, c := range []struct {
		name  string
		bytes int64
		start func() func()
	}{
		{"GELU", 4 * n * k, func() func() {
			return func() {
				copy(y, x) // GELU of GELU of ... would be denormal, and slow
				vec.GELU(y)
			}
		}},
		{"LayerNorm", 8 * n * k, func() func() { return func() { norm.Add(y, x) } }},
		{"RowsI16.Set", 4 * n * k, func() func() {
			p := vec.NewPackedI16(n, k)
			p.SetHalf(0, half[:n*k], k)
			rows := rowsFor(x, n, k, p)
			return func() { rows.Set(0, x, p) }
		}},
		{"PackedI16.SetHalf", 4 * n * k, func() func() {
			p := vec.NewPackedI16(2*n, k) // as many rows as AVX-512 packs at once
			return func() { p.SetHalf(0, half, k) }
		}},
		{"QuantizeRow", 4 * n * k, func() func() {
			codes := make([]int8, n*k)
			return func() { vec.QuantizeRow(codes, x) }
		}},
		{"Widen", 2 * n * k, func() func() { return func() { vec.Widen(y, half[:n*k]) } }},
		{"Measure", 4 * n * k, func() func() { return func() { vec.Measure(x) } }},
		{"Add", 8 * n * k, func() func() { return func() { vec.Add(y, x) } }},
		{"Scale", 4 * n * k, func() func() { return func() { vec.Scale(y, 1) } }},
		{"Normalize", 4 * n * k, func() func() { return func() { vec.Normalize(y) } }},
	} {
		b.Run(c.name, func(b *testing.B) {
			benchLevels(b, func(b *testing.B) {
				clear(y)
				f := c.start()
				b.SetBytes(c.bytes)
				for b.Loop() {
					f()
				}
			})
		})
	}
}
