package cluster

import (
	"context"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// The directions that blurred vectors are kept in. Blurring leaves little beyond them,
// and the runs of k-means cost a sixth.
const (
	principalDirections = 64
	principalSample     = 4000 // rows that directions are found from
	principalRounds     = 12
)

// project turns x into its coordinates along the directions in which it varies most,
// scaled to unit length. What counts is the space that they span, which orthogonal
// iteration finds (Golub and Van Loan, Matrix Computations, section 8.2.4).
// Cost: O(s dim²) for a sample of s rows, O(n dim directions) to project.
func project(ctx context.Context, x matrix, keys []uint64, p plan) (matrix, error) {
	if x.dim <= principalDirections || x.n <= 2*principalDirections {
		return x, nil
	}
	directions := principal(x.pick(sample(keys, principalSample, stream(p.seed, drawSample, 4, 0))), p.seed)
	b := pack(directions)
	out := newMatrix(x.n, directions.n)
	err := each(ctx, p.workers, tiles(x.n), func(t int) {
		lo, hi := tile(t, x.n)
		b.products(out.data[lo*out.dim:hi*out.dim], x, lo, hi)
		for i := lo; i < hi; i++ {
			vec.Normalize(out.row(i))
		}
	})
	return out, err
}

// principal finds an orthonormal basis of the space of the first directions of x.
func principal(x matrix, seed uint64) matrix {
	turned := newMatrix(x.dim, x.n)
	for i := range x.n {
		for d, v := range x.row(i) {
			turned.data[d*x.n+i] = v
		}
	}
	square := newMatrix(x.dim, x.dim) // xᵀx: symmetric
	pack(turned).products(square.data, turned, 0, x.dim)
	b := pack(square)

	basis := newMatrix(principalDirections, x.dim)
	for i := range basis.data {
		basis.data[i] = float32(normal(stream(seed, drawDirections, 0, 0), uint64(i)))
	}
	next := newMatrix(principalDirections, x.dim)
	for range principalRounds {
		b.products(next.data, basis, 0, basis.n)
		basis, next = next, basis
		orthonormal(basis)
	}
	return basis
}

// orthonormal makes the rows of m perpendicular and of unit length, one after the
// other (modified Gram-Schmidt, twice each for accuracy).
func orthonormal(m matrix) {
	for i := range m.n {
		row := m.row(i)
		for range 2 {
			for j := range i {
				vec.Axpy(row, -vec.Dot(row, m.row(j)), m.row(j))
			}
			vec.Normalize(row)
		}
	}
}
