package hnsw

import (
	"math"
	"slices"

	"github.com/seed-9f29d379/akin/internal/vec"
)

const (
	// beam is the breadth of the walk in the levels above the one that is searched. Greedy
	// descent (a breadth of 1) ends in the wrong cluster for a query in a hundred, and no
	// breadth below mends that.
	beam = 8
	// beamSlack ends that walk, and leaves behind what is farther from the query than 1 +
	// beamSlack times the best: a quarter of the nodes less are compared, and recall is
	// the same.
	beamSlack = .08
)

// walker is what one walk needs, kept from walk to walk. It serves one goroutine.
type walker struct {
	query  []int8 // [stride], maybe a stored row
	half   bool   // compare with 4-bit codes: query is as long as theirs
	own    []int8 // the codes of a query that is not stored
	pool   pool
	marks  marks
	batch  []uint32 // positions whose scores come next
	rows   []uint32 // their rows, in levels above 0; then those of the last ranking
	scores []int32
	floats []float32 // scores of the last ranking
	goal   goal
	// An inner product is about a score / scale + offset.
	scale, offset float64
	care          float64 // see leastCare
}

// goal says when a walk has found what it is for, before its breadth is exhausted: no
// node is expanded whose distance is more than 1 + slack times that of the rank-th best
// (Al-Jazzazi et al., Distance Adaptive Beam Search, arXiv 2505.15636). A fixed breadth
// spends on every query what only the hard ones need. The zero goal ends no walk.
type goal struct {
	rank  int
	slack float64
	self  float64 // score of a node at the place of the query
	noise float64 // standard deviation of the error of a score; 0 keeps what is expanded
	last  int32   // score of the rank-th best for which the pool's bounds were set
}

// bound sets the pool's bounds. What the error of the codes may put among the best is
// kept.
func (g *goal) bound(p *pool) {
	if g.rank == 0 || len(p.keys) < g.rank {
		return
	}
	score := p.keys[g.rank-1].score()
	if score == g.last && p.expand > 0 {
		return
	}
	g.last = score
	// Of unit vectors the squared distance is twice what the score lacks.
	far := (1+g.slack)*(1+g.slack) - 1
	expand := max(math.MinInt32, float64(score)-far*max(0, g.self-float64(score)))
	keep := max(math.MinInt32, min(expand, float64(score)-sigmas*g.noise))
	p.expand, p.keep = newEntry(int32(expand), maxPosition), newEntry(int32(keep), maxPosition)
}

// start puts the entry point into the pool.
func (w *walker) start(c *core, ef int) {
	l := &c.levels[c.top]
	w.pool.reset(ef)
	w.marks.reset(l.count)
	w.batch = append(w.batch[:0], c.entry)
	w.marks.stamps[c.entry] = w.marks.stamp
	w.score(c, l)
}

// walk follows the links of a level from what is in the pool, until the pool holds the
// best ef nodes that such a walk can find, or has reached its goal (Malkov & Yashunin,
// algorithm 2, with one sorted pool, and the two best nodes expanded at once so that one
// call of the kernel has more to do). Every position that it reads is compared with the
// level's count.
func (w *walker) walk(c *core, l *level, to goal) {
	w.batch = slices.Grow(w.batch[:0], 2*l.width)
	for {
		w.batch = w.batch[:0]
		to.bound(&w.pool)
		taken := 0
		for ; taken < 2; taken++ {
			pos, ok := w.pool.take()
			if !ok {
				break
			}
			w.batch = w.marks.appendNew(w.batch, l.of(pos), l.count)
		}
		if taken == 0 {
			return
		}
		if len(w.batch) > 0 {
			w.fetchLinks(l, 2)
			w.score(c, l)
			w.fetchLinks(l, 2)
		}
	}
}

// fetchLinks asks for the links of the n best nodes that are not expanded, so that they
// come while something else is done.
func (w *walker) fetchLinks(l *level, n int) {
	keys := w.pool.keys
	for i := w.pool.next; i < len(keys) && n > 0; i++ {
		if keys[i]&expanded == 0 {
			vec.Fetch(l.of(keys[i].pos()))
			n--
		}
	}
}

// score compares the query with the nodes of the batch and puts the best into the pool.
func (w *walker) score(c *core, l *level) {
	rows := w.batch
	if l.rows != nil {
		rows = w.rows[:0]
		kept := w.batch[:0]
		for _, pos := range w.batch {
			if row := l.rows[pos]; int(row) < c.levels[0].count {
				rows, kept = append(rows, row), append(kept, pos)
			}
		}
		w.rows, w.batch = rows, kept
	}
	w.scores = slices.Grow(w.scores[:0], len(rows))[:len(rows)]
	if w.half {
		vec.DotsI4At(w.scores, w.query, c.half, rows)
	} else {
		vec.DotsI8At(w.scores, w.query, c.rows.Codes(), rows)
	}
	w.pool.insertAll(w.scores, w.batch)
}

// descend takes the pool, which holds positions of level l, to the level below, for a
// walk of breadth ef there.
func (w *walker) descend(c *core, l int, ef int) {
	from, to := &c.levels[l], &c.levels[l-1]
	w.marks.reset(to.count)
	p := &w.pool
	kept := p.keys[:0]
	for _, e := range p.keys {
		if pos := from.down[e.pos()]; int(pos) < to.count && len(kept) < ef {
			kept = append(kept, newEntry(e.score(), pos))
			w.marks.stamps[pos] = w.marks.stamp
		}
	}
	slices.SortFunc(kept, func(a, b entry) int { // equal scores may have changed places
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	p.keys, p.size, p.next = slices.Grow(kept, max(0, ef-len(kept))), ef, 0
	p.keep, p.expand = 0, 0
}

// approach is the goal of a walk in the levels above the one that is searched.
func (g goal) approach() goal { return goal{rank: 1, slack: beamSlack, self: g.self} }

// find leaves in the pool the best ef nodes of level 0 that lie within its goal.
func (w *walker) find(c *core, ef int) {
	breadth := beam
	if c.top == 0 {
		breadth = ef
	}
	w.start(c, breadth)
	for l := c.top; l > 0; l-- {
		w.walk(c, &c.levels[l], w.goal.approach())
		if l == 1 {
			breadth = ef
		}
		w.descend(c, l, breadth)
	}
	w.walk(c, &c.levels[0], w.goal)
}
