package vec_test

import (
	"math"
	"testing"

	"github.com/seed-9f29d379/akin/internal/vec"
)

func TestDotsI8AreExact(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, dim := range edges {
			for rows := range 10 {
				q, x := randomBytes(dim, 1), randomBytes(rows*dim, 2)
				got, at := make([]int32, rows), make([]int32, rows)
				vec.DotsI8(got, q, x)
				ids := make([]uint32, rows)
				for i := range ids {
					ids[i] = uint32(rows - 1 - i)
				}
				vec.DotsI8At(at, q, x, ids)
				for i := range rows {
					var want int32
					for j := range dim {
						want += int32(q[j]) * int32(x[i*dim+j])
					}
					if got[i] != want {
						t.Fatalf("DotsI8 of %d rows of %d: row %d is %d, want %d", rows, dim, i, got[i], want)
					}
					if at[rows-1-i] != want {
						t.Fatalf("DotsI8At of %d rows of %d: row %d is %d, want %d", rows, dim, i, at[rows-1-i], want)
					}
				}
			}
		}
	})
}

func TestDotI8OfTheLargestCodes(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		x := make([]int8, 1<<17)
		for i := range x {
			x[i] = -128
		}
		n := 1<<17 - 1
		if got, want := vec.DotI8(x[:n], x[:n]), int32(n<<14); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	})
}

func TestQuantizeRow(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, n := range edges {
			x := random(n, 8)
			codes := make([]int8, n)
			scale := vec.QuantizeRow(codes, x)
			for i, v := range x {
				if off := math.Abs(float64(v - scale*float32(codes[i]))); off > 0.501*float64(scale) {
					t.Fatalf("%d elements: code %d of %v is off by %v at scale %v", n, codes[i], v, off, scale)
				}
			}
		}
		codes := []int8{1, 1}
		if scale := vec.QuantizeRow(codes, []float32{0, 1e-45}); scale != 0 || codes[1] != 0 {
			t.Errorf("a vector of nothing has scale %v and codes %v, want 0", scale, codes)
		}
	})
}

func BenchmarkDotsI8(b *testing.B) {
	const rows = 64
	x, y, dst := randomBytes(384, 1), randomBytes(384*rows, 2), make([]int32, rows)
	benchLevels(b, func(b *testing.B) {
		b.SetBytes(384 * rows)
		for b.Loop() {
			vec.DotsI8(dst, x, y)
		}
	})
}
