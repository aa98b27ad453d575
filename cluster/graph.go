package cluster

import (
	"context"
	"math"
	"slices"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// The nearest neighbours that a collection is blurred over: 1.2 √n, at least 3 and at most 40.
const (
	neighbourFactor = 1.2
	fewestNeighbour = 3
	mostNeighbours  = 40
)

func neighbourCount(n int) int {
	m := int(math.Round(neighbourFactor * math.Sqrt(float64(n))))
	return max(0, min(max(m, fewestNeighbour), mostNeighbours, n-1))
}

// nearest holds up to m neighbours of each of a number of rows, nearest first, and
// their inner products: [rows, m]; none is -1.
type nearest struct {
	ids    []int32
	scores []float32
	m      int
}

// lowest is the score of no neighbour.
const lowest = -math.MaxFloat32

func newNearest(rows, m int) nearest {
	return nearest{ids: slices.Repeat([]int32{-1}, rows*m), scores: slices.Repeat([]float32{lowest}, rows*m), m: m}
}

// unscored has room for neighbours whose scores nobody asks for.
func unscored(rows, m int) nearest { return nearest{ids: slices.Repeat([]int32{-1}, rows*m), m: m} }

func (g nearest) of(i int) []int32 {
	ids := g.ids[i*g.m : (i+1)*g.m]
	for len(ids) > 0 && ids[len(ids)-1] < 0 {
		ids = ids[:len(ids)-1]
	}
	return ids
}

// graph is undirected: the rows that row i is linked with are
// targets[offsets[i]:offsets[i+1]], ascending.
type graph struct {
	offsets []int32
	targets []int32
}

func (g graph) of(i int) []int32 { return g.targets[g.offsets[i]:g.offsets[i+1]] }

// union links two rows where either is among the other's first m neighbours.
func union(near nearest, n, m int) graph {
	offsets := make([]int32, n+1)
	visit := func(do func(i, j int32)) {
		for i := range n {
			list := near.of(i)
			for _, j := range list[:min(m, len(list))] {
				do(int32(i), j)
				do(j, int32(i))
			}
		}
	}
	visit(func(i, _ int32) { offsets[i+1]++ })
	for i := range n {
		offsets[i+1] += offsets[i]
	}
	targets := make([]int32, offsets[n])
	fill := slices.Clone(offsets[:n])
	visit(func(i, j int32) { targets[fill[i]] = j; fill[i]++ })

	g := graph{offsets: make([]int32, n+1), targets: targets[:0]}
	for i := range n {
		list := targets[offsets[i]:offsets[i+1]]
		slices.Sort(list)
		g.targets = append(g.targets, slices.Compact(list)...) // never ahead of what is read
		g.offsets[i+1] = int32(len(g.targets))
	}
	return g
}

// The rounds of blurring, and the size below which there is one fewer.
const (
	blurRounds      = 3
	blurRoundsSmall = 2
	blurSmall       = 60
)

// roundsOfBlur for n rows.
func roundsOfBlur(n int) int {
	if n < blurSmall {
		return blurRoundsSmall
	}
	return blurRounds
}

// blurColumns are blurred at a time: what a round must not overwrite yet is then a part
// of the vectors, not all of them.
const blurColumns = 128

// blur moves every row of x towards the mean of its neighbours, x <- unit(x + mean), the
// graph staying as it is: graph convolution without weights, as in Wu and others,
// "Simplifying Graph Convolutional Networks", ICML 2019.
// Cost: O(rounds · links · dim); memory 128 numbers a row.
func blur(ctx context.Context, x matrix, g graph, rounds, workers int) error {
	part := newMatrix(x.n, min(x.dim, blurColumns))
	for range rounds {
		for first := 0; first < x.dim; first += blurColumns {
			last := min(first+blurColumns, x.dim)
			err := each(ctx, workers, tiles(x.n), func(t int) {
				lo, hi := tile(t, x.n)
				for i := lo; i < hi; i++ {
					blurRow(part.row(i)[:last-first], x, i, g.of(i), first)
				}
			})
			if err != nil {
				return err
			}
			err = each(ctx, workers, tiles(x.n), func(t int) {
				lo, hi := tile(t, x.n)
				for i := lo; i < hi; i++ {
					copy(x.row(i)[first:last], part.row(i))
					if last == x.dim {
						vec.Normalize(x.row(i))
					}
				}
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// blurRow sets dst to row i plus the mean of the rows that it is linked with, in the
// columns from first on.
func blurRow(dst []float32, x matrix, i int, links []int32, first int) {
	clear(dst)
	for _, j := range links {
		vec.Add(dst, x.row(int(j))[first:first+len(dst)])
	}
	if len(links) > 0 {
		vec.Scale(dst, 1/float32(len(links)))
	}
	vec.Add(dst, x.row(i)[first:first+len(dst)])
}
