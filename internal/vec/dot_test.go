package vec_test

import (
	"math"
	"testing"

	"github.com/seed-9f29d379/akin/internal/vec"
)

func TestDotAtEveryLength(t *testing.T) {
	for _, n := range edges {
		a, b := random(n, 1), random(n+1, 2)[1:] // b is not aligned
		sameBytes(t, roundings*10, func() []float32 { return []float32{vec.Dot(a, b)} })
	}
}

func TestDotOfSpecialValues(t *testing.T) {
	for what, a := range map[string][]float32{
		"denormals":  special(50, 1e-40, -3e-42),
		"infinities": special(50, 1, inf),
		"both signs": special(50, inf, -inf),
		"largest":    special(50, math.MaxFloat32, 1),
		"zeros":      special(50, 0, float32(math.Copysign(0, -1))),
	} {
		t.Run(what, func(t *testing.T) {
			b := special(50, 1)
			sameBytes(t, roundings, func() []float32 { return []float32{vec.Dot(a, b)} })
		})
	}
}

func TestDotsEqualDot(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, dim := range edges {
			for rows := range 10 {
				q, x := random(dim, 3), random(rows*dim, 4)
				got := make([]float32, rows)
				vec.Dots(got, q, x)
				ids := make([]uint32, rows)
				for i := range ids {
					ids[i] = uint32(rows - 1 - i)
				}
				at := make([]float32, rows)
				vec.DotsAt(at, q, x, ids)
				for i := range rows {
					want := vec.Dot(q, x[i*dim:(i+1)*dim])
					if got[i] != want {
						t.Fatalf("Dots of %d rows of %d: row %d is %v, want %v", rows, dim, i, got[i], want)
					}
					if at[rows-1-i] != want {
						t.Fatalf("DotsAt of %d rows of %d: row %d is %v, want %v", rows, dim, i, at[rows-1-i], want)
					}
				}
			}
		}
	})
}

func TestDotsAtRefusesARowBeyondTheRows(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		defer func() {
			if recover() == nil {
				t.Error("DotsAt read a row beyond the rows")
			}
		}()
		vec.DotsAt(make([]float32, 1), make([]float32, 4), make([]float32, 8), []uint32{2})
	})
}

func TestAxpyAndScale(t *testing.T) {
	for _, n := range edges {
		x, y := random(n, 5), random(n, 6)
		sameBytes(t, roundings, func() []float32 {
			dst := append([]float32(nil), y...)
			vec.Axpy(dst, -1.5, x)
			vec.Scale(dst, 0.3)
			vec.Add(dst, x)
			return dst
		})
	}
}

func TestNormalize(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		x := random(384, 7)
		before := vec.Norm(x)
		if got := vec.Normalize(x); got != before {
			t.Errorf("Normalize returned %v, want the length %v", got, before)
		}
		if got := vec.Norm(x); math.Abs(float64(got)-1) > 1e-6 {
			t.Errorf("length after Normalize is %v, want 1", got)
		}
		zero := make([]float32, 384)
		if got := vec.Normalize(zero); got != 0 || zero[0] != 0 {
			t.Errorf("Normalize of zero returned %v and %v", got, zero[0])
		}
	})
}

func BenchmarkDot(b *testing.B) {
	x, y := random(384, 1), random(384, 2)
	benchLevels(b, func(b *testing.B) {
		b.SetBytes(384 * 8)
		for b.Loop() {
			vec.Dot(x, y)
		}
	})
}

func BenchmarkDots(b *testing.B) {
	const rows = 64
	x, y, dst := random(384, 1), random(384*rows, 2), make([]float32, rows)
	benchLevels(b, func(b *testing.B) {
		b.SetBytes(384 * 4 * rows)
		for b.Loop() {
			vec.Dots(dst, x, y)
		}
	})
}

func benchLevels(b *testing.B, f func(b *testing.B)) {
	before, _ := vec.CPU()
	for _, l := range vec.Levels() {
		if err := vec.Use(l); err != nil {
			b.Fatal(err)
		}
		b.Run(l.String(), f)
	}
	vec.Use(before)
}
