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
	// error, a node is still kept.
	sigmas = 5
	// leastCare and careStep are how far below the K-th best in float32 a node may score,
	// in the same unit, to be ranked in float32 too: at a breadth of K, and what each
	// doubling of the breadth adds.
	leastCare, careStep = 2.75, .5
	// ranked is how many rows are at least ranked in float32 at a time.
	ranked = 8
	// reach is by how much the breadth of a walk that has a goal may exceed the breadth
	// that was asked for: what easy queries leave, hard ones may take.
	reach = 4
	// leastSlack and slackStep are the slack of a goal: at a breadth of K, and what each
	// doubling of the breadth adds. A breadth below K takes as much away.
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
		// The share of rows that count decides how many a walk must keep to have ef
		// of them.
		ef := scaled(max(1, or(opts.Ef, g.ef)), c.rows.Rows(), allowed)
		least := scaled(k, c.rows.Rows(), allowed)
		most := c.rows.Rows() // breadth from which on a scan costs less
		if opts.Allow != nil {
			most = allowed / walkCost
		}
		for c.top >= 0 && max(ef, least) < most {
			if hits := g.walk(q, k, ef, opts.Allow); len(hits) == k {
				return hits, nil
			}
			// What is near the query is deleted or not allowed.
			ef, most = max(ef, least)*retry, min(most, c.rows.Rows()/(walkCost*inOrder))
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
	ef = w.aim(c, k, ef, allow)
	w.find(c, min(reach*ef, maxEf))
	best, enough := w.rank(c, q, k, allow)
	if !enough {
		// What counts is rarer around the query than elsewhere, and farther than the
		// walk went: it goes on without a goal, as far as there is room.
		w.goal.rank = 0
		w.find(c, min(reach*ef, maxEf))
		best, _ = w.rank(c, q, k, allow)
	}
	return hits(best.Hits())
}

// ask makes the walker ready to compare q with codes.
func (w *walker) ask(c *core, q []float32) {
	length := float64(vec.Norm(q))
	if w.half = len(c.half) > 0; w.half {
		w.query = w.room(quant.HalfStride(len(q)))
		w.scale, w.offset = c.steps.Query(w.query, q)
		w.goal.self = (length - w.offset) * w.scale
		w.goal.noise = quant.HalfError * math.Sqrt(float64(vec.DotI8(w.query, w.query)))
		return
	}
	w.query = w.room(c.rows.Stride())
	own, stored := float64(quant.Query(w.query, q)), float64(c.rows.Scale())
	w.scale, w.offset = own*stored, 0
	w.goal.self = length * w.scale
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
// over for the chance of it. It returns the breadth that the walk has room for at least.
func (w *walker) aim(c *core, k, ef int, allow *index.Set) (breadth int) {
	rows, counted := c.rows.Rows(), c.rows.Alive()
	if allow != nil {
		counted = min(counted, allow.Len())
	}
	w.goal.rank = k
	if counted < rows {
		w.goal.rank = 2 * scaled(k, rows, counted)
	}
	least := scaled(k, rows, counted)
	doublings := math.Log2(float64(ef) / float64(least))
	w.goal.slack = leastSlack + slackStep*doublings
	w.care = max(0, leastCare+careStep*doublings)
	return max(ef, least)
}

// rank ranks in float32, of the rows of the pool's nodes that are alive and allowed, those
// that may be among the best k. It reports whether the walk went as far as its goal
// supposed: whether k nodes with such rows are among those that it was bounded by.
func (w *walker) rank(c *core, q []float32, k int, allow *index.Set) (best *table.Top, enough bool) {
	best = table.NewTop(k)
	w.rows = w.rows[:0]
	nodes, last, floor := 0, int32(0), int32(math.MinInt32)
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
			last, enough = e.score(), i < w.goal.rank
		}
		if nodes >= k && len(w.rows) >= ranked {
			w.push(c, q, best)
			floor = w.floor(last, best)
		}
	}
	w.push(c, q, best)
	return best, enough || w.pool.expand == 0
}

// push ranks w.rows in float32.
func (w *walker) push(c *core, q []float32, best *table.Top) {
	w.floats = slices.Grow(w.floats[:0], len(w.rows))[:len(w.rows)]
	c.rows.Scores(w.floats, q, w.rows)
	for i, row := range w.rows {
		best.Push(c.rows.ID(row), w.floats[i])
	}
	w.rows = w.rows[:0]
}

// floor is the score below which no node is among the best, as far as w.care goes. Of the
// best by codes, whose last score is given, some owe that to an error, so that the last in
// float32 scores less; where codes are cut, and all score less than they should, it is more.
func (w *walker) floor(last int32, best *table.Top) int32 {
	score := min(float64(last), (float64(best.Least())-w.offset)*w.scale) - w.care*w.goal.noise
	return int32(max(math.MinInt32, score))
}
