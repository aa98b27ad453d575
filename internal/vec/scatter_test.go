package vec_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// What a walk through a graph does: two dozen rows at a time, all over the memory.
func BenchmarkScatteredDots(b *testing.B) {
	const dim, batch = 384, 24
	for _, n := range []int{1000, 50_000, 1_000_000} {
		rows := make([]int8, n*dim)
		for i := range rows {
			rows[i] = int8(i * 7)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		ids := make([]uint32, 1<<16)
		for i := range ids {
			ids[i] = rng.Uint32N(uint32(n))
		}
		q, dst := make([]int8, dim), make([]int32, batch)
		halves := make([]uint8, n*dim/2)
		for i := range halves {
			halves[i] = uint8(i * 7)
		}
		for _, c := range []struct {
			name string
			dots func(ids []uint32)
		}{
			{"bytes", func(ids []uint32) { vec.DotsI8At(dst, q, rows, ids) }},
			{"4 bits", func(ids []uint32) { vec.DotsI4At(dst, q, halves, ids) }},
		} {
			b.Run(fmt.Sprintf("%d rows of %s", n, c.name), func(b *testing.B) {
				for i := range b.N {
					at := i * batch % (len(ids) - batch)
					c.dots(ids[at : at+batch])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/row")
			})
		}
	}
}
