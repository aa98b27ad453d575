package cluster

import (
	"context"
	"sync/atomic"
)

// Rows of the two sides of a tile of products.
const (
	tileRows    = 64
	tileColumns = 1024
)

// neighbours finds the m nearest other rows of each row by inner product, exactly; equal
// ones by row number. Each two blocks of rows are multiplied once, for both. p says how
// many workers there are and who is told after each block.
// Cost: O(n² dim / 2) multiplications, memory O(n m).
func neighbours(ctx context.Context, x matrix, m int, p plan) (nearest, error) {
	m = max(0, min(m, x.n-1))
	g := newNearest(x.n, m)
	if m == 0 {
		return g, nil
	}
	workers := workerCount(p.workers)
	scratch := make([]tileScratch, workers)
	for w := range scratch {
		scratch[w] = tileScratch{dots: make([]float32, tileRows*tileColumns), below: newNearest(tileColumns, m)}
	}
	for first := 0; first < x.n; first += tileColumns {
		last := min(first+tileColumns, x.n)
		columns := pack(matrix{data: x.data[first*x.dim : last*x.dim], n: last - first, dim: x.dim})
		var next atomic.Int64
		err := each(ctx, workers, workers, func(w int) {
			s := &scratch[w]
			s.below.reset()
			for ctx.Err() == nil {
				t := int(next.Add(1)) - 1
				if t >= tiles(last) {
					return
				}
				lo, hi := tile(t, last)
				dots := s.dots[:(hi-lo)*(last-first)]
				columns.products(dots, x, lo, hi)
				for i := lo; i < hi; i++ {
					line := dots[(i-lo)*(last-first) : (i-lo+1)*(last-first)]
					after := max(0, i+1-first) // the columns that row i has not met
					g.offer(i, line[after:], first+after)
					s.below.offerAll(line[after:], after, int32(i))
				}
			}
		})
		if err != nil {
			return nearest{}, err
		}
		for i := first; i < last; i++ {
			for w := range scratch {
				below := &scratch[w].below
				for at, row := range below.of(i - first) {
					g.insert(i, row, below.scores[(i-first)*m+at])
				}
			}
		}
		p.meter.part()
	}
	return g, nil
}

// tileScratch is what one worker needs of its own: the products of a tile, and the
// nearest rows that it has seen of each column.
type tileScratch struct {
	dots  []float32
	below nearest // [tileColumns, m]
}

// reset forgets all neighbours.
func (g nearest) reset() {
	for i := range g.ids {
		g.ids[i], g.scores[i] = -1, lowest
	}
}

// offer takes the rows first, first+1, … with the given scores for neighbours of row i.
func (g nearest) offer(i int, scores []float32, first int) {
	last := (i+1)*g.m - 1
	worst := g.scores[last]
	for j, s := range scores {
		if s >= worst {
			g.insert(i, int32(first+j), s)
			worst = g.scores[last]
		}
	}
}

// offerAll takes one row for a neighbour of the rows first, first+1, …, whose scores
// with it are given.
func (g nearest) offerAll(scores []float32, first int, row int32) {
	last := (first+1)*g.m - 1
	for j, s := range scores {
		if s >= g.scores[last+j*g.m] {
			g.insert(first+j, row, s)
		}
	}
}

// insert puts a row in its place among the neighbours of row i, if it has one there:
// by score, equal ones by row number, whatever the order in which they come.
func (g nearest) insert(i int, row int32, score float32) {
	ids, best := g.ids[i*g.m:(i+1)*g.m], g.scores[i*g.m:(i+1)*g.m]
	p := len(best)
	for p > 0 && (best[p-1] < score || best[p-1] == score && ids[p-1] > row) {
		p--
	}
	if p == len(best) {
		return
	}
	copy(best[p+1:], best[p:])
	copy(ids[p+1:], ids[p:])
	best[p], ids[p] = score, row
}

// query is what neighbours are looked for.
type query struct {
	rows matrix
	self []int32 // the row of the other side that each row is, which is left out; -1: none
}

// search finds the m rows of x nearest to each row of q by inner product, exactly;
// equal ones by row number. Cost: O(rows x.n dim) multiplications by tiles, memory O(rows m).
func search(ctx context.Context, q query, x matrix, m, workers int) (nearest, error) {
	g := newNearest(q.rows.n, m)
	if m == 0 {
		return g, nil
	}
	workers = workerCount(workers)
	dots := newMatrix(workers, tileRows*tileColumns)
	for first := 0; first < x.n; first += tileColumns {
		last := min(first+tileColumns, x.n)
		columns := pack(matrix{data: x.data[first*x.dim : last*x.dim], n: last - first, dim: x.dim})
		var next atomic.Int64
		err := each(ctx, workers, workers, func(w int) {
			for ctx.Err() == nil {
				t := int(next.Add(1)) - 1
				if t >= tiles(q.rows.n) {
					return
				}
				lo, hi := tile(t, q.rows.n)
				products := dots.row(w)[:(hi-lo)*(last-first)]
				columns.products(products, q.rows, lo, hi)
				for i := lo; i < hi; i++ {
					line := products[(i-lo)*(last-first) : (i-lo+1)*(last-first)]
					if self := int(q.self[i]) - first; self >= 0 && self < len(line) {
						g.offer(i, line[:self], first)
						g.offer(i, line[self+1:], first+self+1)
					} else {
						g.offer(i, line, first)
					}
				}
			}
		})
		if err != nil {
			return nearest{}, err
		}
	}
	return g, nil
}
