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

func newNearest(rows, m int) nearest {
	return nearest{
		ids:    slices.Repeat([]int32{-1}, rows*m),
		scores: slices.Repeat([]float32{float32(math.Inf(-1))}, rows*m),
		m:      m,
	}
}

func (g nearest) of(i int) []int32 {
	ids := g.ids[i*g.m : (i+1)*g.m]
	for len(ids) > 0 && ids[len(ids)-1] < 0 {
		ids = ids[:len(ids)-1]
	}
	return ids
}

// Rows of the two sides of a tile of products.
const (
	tileRows    = 64
	tileColumns = 1024
)

// neighbours finds the m nearest other rows of each row, exactly.
func neighbours(ctx context.Context, x matrix, m, workers int) (nearest, error) {
	return search(ctx, query{x, everyRow(x.n), nil}, x, max(0, min(m, x.n-1)), workers)
}

// query is what neighbours are looked for.
type query struct {
	rows  matrix
	self  []int32 // the row of the other side that each row is, which is left out; -1: none
	meter *meter  // told after each block of columns, or nil
}

// search finds the m rows of x nearest to each row of q by inner product, exactly;
// equal ones by row number. Cost: O(rows x.n dim) multiplications by tiles, memory O(rows m).
func search(ctx context.Context, q query, x matrix, m, workers int) (nearest, error) {
	g := newNearest(q.rows.n, m)
	if m == 0 {
		return g, nil
	}
	for first := 0; first < x.n; first += tileColumns {
		last := min(first+tileColumns, x.n)
		width := last - first
		columns := pack(matrix{data: x.data[first*x.dim : last*x.dim], n: width, dim: x.dim})
		err := each(ctx, workers, tiles(q.rows.n), func(t int) {
			lo, hi := tile(t, q.rows.n)
			dots := make([]float32, (hi-lo)*width)
			columns.products(dots, q.rows, lo, hi)
			for i := lo; i < hi; i++ {
				keepNearest(g.ids[i*m:(i+1)*m], g.scores[i*m:(i+1)*m], dots[(i-lo)*width:(i-lo+1)*width], first, int(q.self[i]))
			}
		})
		if err != nil {
			return nearest{}, err
		}
		q.meter.part()
	}
	return g, nil
}

// keepNearest merges the candidates first, first+1, ... with the given scores into the
// sorted list ids, best; self is left out.
func keepNearest(ids []int32, best, scores []float32, first, self int) {
	last := len(best) - 1
	worst := best[last]
	for j, s := range scores {
		if s <= worst || first+j == self {
			continue
		}
		p := last
		for ; p > 0 && best[p-1] < s; p-- {
			best[p], ids[p] = best[p-1], ids[p-1]
		}
		best[p], ids[p] = s, int32(first+j)
		worst = best[last]
	}
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

// blur moves every row towards the mean of its neighbours, x <- unit(x + mean), the
// graph staying as it is: graph convolution without weights, as in Wu and others,
// "Simplifying Graph Convolutional Networks", ICML 2019. x itself is not changed.
// Cost: O(rounds · links · dim).
func blur(ctx context.Context, x matrix, g graph, rounds, workers int) (matrix, error) {
	from, to, spare := x, newMatrix(x.n, x.dim), matrix{}
	for round := range rounds {
		err := each(ctx, workers, tiles(x.n), func(t int) {
			lo, hi := tile(t, x.n)
			for i := lo; i < hi; i++ {
				blurRow(to.row(i), from, i, g.of(i))
			}
		})
		if err != nil {
			return matrix{}, err
		}
		if round == 0 && rounds > 1 {
			spare = newMatrix(x.n, x.dim)
		} else {
			spare = from
		}
		from, to = to, spare
	}
	return from, nil
}

func blurRow(dst []float32, x matrix, i int, links []int32) {
	clear(dst)
	for _, j := range links {
		vec.Add(dst, x.row(int(j)))
	}
	if len(links) > 0 {
		vec.Scale(dst, 1/float32(len(links)))
	}
	vec.Add(dst, x.row(i))
	vec.Normalize(dst)
}
