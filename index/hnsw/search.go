package hnsw

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/internal/quant"
	"github.com/seed-9f29d379/akin/index/internal/table"
	"github.com/seed-9f29d379/akin/internal/vec"
)

const (
	// walkCost is about how many rows a walk compares for each unit of its breadth.
	walkCost = 20
	// inOrder is how many rows are compared in the order of memory in the time of one
	// that is elsewhere.
	inOrder = 4
	// retry is by how much a walk that found too few grows.
	retry = 4
	// sigmas is how far below the K-th best, in standard deviations of the codes'
	// error, a node is still ranked in float32.
	sigmas = 5
	// reach is by how much the breadth of a walk that has a goal may exceed the breadth
	// that was asked for: what easy queries leave, hard ones may take.
	reach = 4
	// leastSlack and slackStep are the slack of a goal: at a breadth of K, and what each
	// doubling of the breadth adds.
	leastSlack, slackStep = .005, .028
)

// Search implements index.Index: a walk over the codes, and the best ranked again in
// float32. The breadth grows with the share of rows that are deleted or not allowed.
// Where a walk would cost more than comparing the query with everything allowed, or
// where it ends with fewer than K, that is what is done: the answer is then exact.
func (g *Graph) Search(q []float32, opts index.SearchOptions) ([]index.Hit, error) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	c := g.core
	if opts.K < 0 {
		return nil, fmt.Errorf("searching: %w: %d", index.ErrK, opts.K)
	}
	if err := index.CheckQuery(q, c.rows.Dim()); err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	allowed := c.rows.Alive()
	if opts.Allow != nil {
		allowed = min(allowed, opts.Allow.Len())
	}
	k := min(opts.K, allowed)
	if k == 0 {
		return []index.Hit{}, nil
	}
	if !opts.Exact {
		ef := max(or(opts.Ef, g.ef), k)
		// The share of rows that count decides how many a walk must keep to have ef
		// of them.
		ef = scaled(ef, c.rows.Rows(), allowed)
		most := c.rows.Rows() // breadth from which on a scan costs less
		if opts.Allow != nil {
			most = allowed / walkCost
		}
		for c.top >= 0 && ef < most {
			if hits := g.walk(q, k, ef, opts.Allow); len(hits) == k {
				return hits, nil
			}
			// What is near the query is deleted or not allowed.
			ef, most = ef*retry, min(most, c.rows.Rows()/(walkCost*inOrder))
		}
	}
	return c.scan(q, k, opts), nil
}

func scaled(ef, rows, allowed int) int {
	return min(int(int64(ef)*int64(rows)/int64(allowed)), maxEf)
}

// scan compares q with everything that is allowed.
func (c *core) scan(q []float32, k int, opts index.SearchOptions) []index.Hit {
	query := table.Query{Vector: q, K: k, Float: opts.Exact}
	if opts.Allow != nil {
		query.Rows = make([]uint32, 0, opts.Allow.Len())
		for id := range opts.Allow.All {
			if row, ok := c.rows.Row(id); ok {
				query.Rows = append(query.Rows, row)
			}
		}
	}
	return hits(c.rows.Search(query))
}

func hits(found []table.Hit) []index.Hit {
	out := make([]index.Hit, len(found))
	for i, h := range found {
		out[i] = index.Hit(h)
	}
	return out
}

// walk returns the best k of a walk of breadth ef that are alive and allowed, or fewer
// if it met fewer.
func (g *Graph) walk(q []float32, k, ef int, allow *index.Set) []index.Hit {
	c := g.core
	w, ok := g.walkers.Get().(*walker)
	if !ok {
		w = &walker{}
	}
	defer g.walkers.Put(w)
	w.ask(c, q)
	w.goal.aim(c, k, ef, allow)
	w.find(c, min(reach*ef, maxEf))
	if !w.candidates(c, k, allow) {
		// What counts is rarer around the query than elsewhere, and farther than the
		// walk went.
		w.goal.rank = 0
		w.find(c, ef)
		w.candidates(c, k, allow)
	}
	w.floats = slices.Grow(w.floats[:0], len(w.rows))[:len(w.rows)]
	c.rows.Scores(w.floats, q, w.rows)
	best := table.NewTop(k)
	for i, row := range w.rows {
		best.Push(c.rows.ID(row), w.floats[i])
	}
	return hits(best.Hits())
}

// ask makes the walker ready to compare q with codes.
func (w *walker) ask(c *core, q []float32) {
	length := float64(vec.Norm(q))
	if w.half = len(c.half) > 0; w.half {
		w.query = w.room(quant.HalfStride(len(q)))
		scale, offset := c.steps.Query(w.query, q)
		w.goal.self = (length - offset) * scale
		w.goal.noise = quant.HalfError * math.Sqrt(float64(vec.DotI8(w.query, w.query)))
		return
	}
	w.query = w.room(c.rows.Stride())
	own, stored := float64(quant.Query(w.query, q)), float64(c.rows.Scale())
	w.goal.self = length * own * stored
	// stored is the length of a row's codes.
	w.goal.noise = quant.Error * math.Sqrt(float64(vec.DotI8(w.query, w.query))+stored*stored)
}

// room is n codes of the walker's own.
func (w *walker) room(n int) []int8 {
	w.own = slices.Grow(w.own[:0], n)[:n]
	return w.own
}

// aim sets the goal of a walk that is to find k rows with a breadth of ef. Where some rows
// do not count, as many nodes more are looked for as it takes to have k of them, twice
// over for the chance of it.
func (g *goal) aim(c *core, k, ef int, allow *index.Set) {
	rows, counted := c.rows.Rows(), c.rows.Alive()
	if allow != nil {
		counted = min(counted, allow.Len())
	}
	g.rank = k
	if counted < rows {
		g.rank = 2 * scaled(k, rows, counted)
	}
	g.slack = leastSlack + slackStep*max(0, math.Log2(float64(ef)/float64(scaled(k, rows, counted))))
}

// candidates leaves in w.rows those that may be among the best k: the rows of the first
// k nodes that have one which is alive and allowed, and of those after them that the
// error of the codes may have put there. It reports whether the walk went as far as its
// goal supposed: whether these k are among the nodes that it was bounded by.
func (w *walker) candidates(c *core, k int, allow *index.Set) (enough bool) {
	w.rows = w.rows[:0]
	nodes, floor := 0, int32(math.MinInt32)
	for i, e := range w.pool.keys {
		if e.score() < floor {
			break
		}
		before := len(w.rows)
		c.chained(e.pos(), func(row uint32) {
			if !c.rows.Dead(row) && (allow == nil || allow.Has(c.rows.ID(row))) {
				w.rows = append(w.rows, row)
			}
		})
		if len(w.rows) == before {
			continue
		}
		if nodes++; nodes == k {
			floor = e.score() - int32(sigmas*w.goal.noise)
			enough = i < w.goal.rank
		}
	}
	return enough || w.pool.expand == 0
}
