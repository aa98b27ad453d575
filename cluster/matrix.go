package cluster

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/seed-9f29d379/akin/internal/mapped"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// matrix is n vectors one after the other: [n, dim].
type matrix struct {
	data   []float32
	n, dim int
}

func newMatrix(n, dim int) matrix {
	return matrix{data: make([]float32, n*dim), n: n, dim: dim}
}

func (m matrix) row(i int) []float32 { return m.data[i*m.dim : (i+1)*m.dim : (i+1)*m.dim] }

// pick returns a copy of the given rows, or m itself where they are all of it in order.
func (m matrix) pick(rows []int32) matrix {
	if len(rows) == m.n && slices.IsSorted(rows) {
		return m
	}
	out := newMatrix(len(rows), m.dim)
	for i, r := range rows {
		copy(out.row(i), m.row(int(r)))
	}
	return out
}

// normalise scales v to unit length; a zero vector stays.
func normalise(v []float32) { vec.Scale(v, toUnit(v)) }

// toUnit is what v is multiplied with for unit length; 1 for a zero vector.
func toUnit(v []float32) float32 {
	var sum float64
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	return inverseRoot(sum)
}

// toUnit4 is toUnit of as many vectors as dst has room for, four at most, whose sums do not
// wait for each other. Of a vector that is not finite it is not finite.
func toUnit4(dst, vectors []float32, dim int) {
	if len(dst) < 4 {
		for i := range dst {
			dst[i] = toUnit(vectors[i*dim : (i+1)*dim])
		}
		return
	}
	a, b, c, d := vectors[:dim], vectors[dim:2*dim], vectors[2*dim:3*dim], vectors[3*dim:4*dim]
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	var s, t, u, v float64
	for i, x := range a {
		s += float64(float64(x) * float64(x))
		t += float64(float64(b[i]) * float64(b[i]))
		u += float64(float64(c[i]) * float64(c[i]))
		v += float64(float64(d[i]) * float64(d[i]))
	}
	dst[0], dst[1], dst[2], dst[3] = inverseRoot(s), inverseRoot(t), inverseRoot(u), inverseRoot(v)
}

// inverseRoot of a sum of squares: 1 where a vector is next to nothing and stays as it is.
func inverseRoot(sum float64) float32 {
	if math.IsInf(sum, 1) {
		return float32(math.NaN())
	}
	if scale := float32(1 / math.Sqrt(sum)); !math.IsInf(float64(scale), 0) {
		return scale
	}
	return 1
}

// packed is a matrix of n rows laid out to be the right side of a product.
type packed struct {
	b *vec.Packed
	n int
}

func pack(m matrix) packed { return packed{vec.PackB(m.data, m.n, m.dim), m.n} }

// products fills the head of dst ([hi-lo, n]) with the inner products of rows lo to hi
// of a with all n rows.
func (p packed) products(dst []float32, a matrix, lo, hi int) {
	vec.MatMul(dst[:(hi-lo)*p.n], a.data[lo*a.dim:hi*a.dim], p.b)
}

// dotRows fills dst ([m.n]) with the inner products of q and every row of m.
func dotRows(dst, q []float32, m matrix) { vec.Dots(dst, q, m.data) }

// tiles is how many tiles of rows n rows are.
func tiles(n int) int { return (n + tileRows - 1) / tileRows }

// tile is the rows of tile t: from lo to hi.
func tile(t, n int) (lo, hi int) { return t * tileRows, min((t+1)*tileRows, n) }

// each calls do(0) to do(n-1) on up to workers goroutines and waits for them; the
// context is asked before every call.
func each(ctx context.Context, workers, n int, do func(i int)) error {
	workers = min(workerCount(workers), n)
	if workers <= 1 {
		for i := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			do(i)
		}
		return nil
	}
	var next atomic.Int64
	var group mapped.Group
	for range workers {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

func workerCount(workers int) int {
	if workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return workers
}
