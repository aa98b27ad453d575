package vec_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/vec"
)

func TestDotsI4AtAreExact(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, dim := range []int{128, 256, 384, 1536, 65536} {
			for n := range 10 {
				const rows = 9
				q, x := randomBytes(dim, 3), bytesOf(randomBytes(rows*dim/2, 4))
				if n == 9 { // the largest of all
					for i := range q {
						q[i] = -128
					}
					for i := range x {
						x[i] = 255
					}
				}
				ids := make([]uint32, n)
				for i := range ids {
					ids[i] = uint32(i * 5 % rows)
				}
				got := make([]int32, n)
				vec.DotsI4At(got, q, x, ids)
				for i, id := range ids {
					var want int32
					for j := range dim / 2 {
						b := x[int(id)*dim/2+j]
						want += int32(q[j])*int32(b&15) + int32(q[dim/2+j])*int32(b>>4)
					}
					if got[i] != want {
						t.Fatalf("DotsI4At of %d rows of %d: row %d is %d, want %d", n, dim, i, got[i], want)
					}
				}
			}
		}
	})
}

func TestDotsI4AtRefusesWhatItWouldReadBeyond(t *testing.T) {
	for name, call := range map[string]func(){
		"an id beyond the rows":   func() { vec.DotsI4At(make([]int32, 1), make([]int8, 128), make([]uint8, 64), []uint32{1}) },
		"a part of a row":         func() { vec.DotsI4At(make([]int32, 1), make([]int8, 128), make([]uint8, 63), []uint32{0}) },
		"a query of 64 elements":  func() { vec.DotsI4At(make([]int32, 1), make([]int8, 64), make([]uint8, 64), []uint32{0}) },
		"more results than ids":   func() { vec.DotsI4At(make([]int32, 2), make([]int8, 128), make([]uint8, 64), []uint32{0}) },
		"a query without element": func() { vec.DotsI4At(make([]int32, 1), nil, make([]uint8, 64), []uint32{0}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("DotsI4At of %s did not panic", name)
				}
			}()
			call()
		}()
	}
}

func bytesOf(x []int8) []uint8 {
	b := make([]uint8, len(x))
	for i, v := range x {
		b[i] = uint8(v)
	}
	return b
}

func BenchmarkDotsI4At(b *testing.B) {
	const rows = 64
	q, x, dst, ids := randomBytes(384, 1), bytesOf(randomBytes(192*rows, 2)), make([]int32, rows), make([]uint32, rows)
	for i := range ids {
		ids[i] = uint32(i * 5 % rows)
	}
	benchLevels(b, func(b *testing.B) {
		b.SetBytes(192 * rows)
		for b.Loop() {
			vec.DotsI4At(dst, q, x, ids)
		}
	})
}
