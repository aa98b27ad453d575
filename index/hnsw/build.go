package hnsw

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/seed-9f29d379/akin/internal/mapped"
	"github.com/seed-9f29d379/akin/internal/vec"
)

const (
	// roundShare is which share of the linked rows a round may add: its items do not
	// see each other's links.
	roundShare = 64
	// roundMost is the most items of a round. Each compares itself with the earlier
	// ones of its round, which up to here costs little beside the walk.
	roundMost = 1024
	// buildSlack is the slack of a walk for the M nearest: with less, recall falls on
	// sentences; with more, only the build takes longer. All that it meets are candidates.
	buildSlack = .06
)

// builder links rows in rounds. All items of a round search the graph as it was before
// the round, side by side, and compare themselves with the earlier items of the round;
// then all links are applied, grouped by target, in the order of sources. What comes
// out does not depend on the number of workers.
type builder struct {
	c       *core
	workers []*worker
	items   []item
	rows    []uint32 // of items

	back, grouped []backLink // of a level, by source and by target
	order         []uint64   // target, then index in back
	starts        []int      // of each target in grouped
}

// item is a row of the round.
type item struct {
	row   uint32
	level int
	twin  uint32    // an earlier row with the same codes, or none
	at    []uint32  // [level+1] its positions
	links [][]entry // [level+1] chosen links
}

// worker is what one goroutine of a builder needs.
type worker struct {
	walker   walker
	selector selector
	mates    []int32 // scores with the earlier items of the round
}

func newBuilder(c *core, workers int) *builder {
	b := &builder{c: c}
	for range max(1, workers) {
		b.workers = append(b.workers, &worker{})
	}
	return b
}

// roundSize is how many rows may be added to a graph of n.
func roundSize(n int) int { return max(1, min(n/roundShare, roundMost)) }

// begin gives rows, whose vectors have these keys, their places. The graph is changed, but no
// walk meets the new nodes.
func (b *builder) begin(rows []uint32, keys []uint64) {
	c := b.c
	c.extend(1)
	b.items, b.rows = b.items[:0], append(b.rows[:0], rows...)
	for i, row := range rows {
		it := item{row: row, level: c.shape.levelOf(keys[i]), twin: none, at: []uint32{row}}
		c.place(row, it.level)
		for l := 1; l <= it.level; l++ {
			it.at = append(it.at, uint32(c.levels[l].count-1))
		}
		it.links = make([][]entry, it.level+1)
		b.items = append(b.items, it)
	}
}

// search finds the links of every item of the round. The graph is only read.
func (b *builder) search() {
	parallel(b.workers, len(b.items), func(w *worker, i int) { b.searchItem(w, i) })
}

// parallel calls do for each i in [0, n), side by side, each worker for one at a time.
func parallel(workers []*worker, n int, do func(w *worker, i int)) {
	var next atomic.Int64
	work := func(w *worker) {
		for {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			do(w, i)
		}
	}
	var group mapped.Group
	defer group.Wait()
	for _, w := range workers[1:min(len(workers), max(n, 1))] {
		group.Go(func() { work(w) })
	}
	work(workers[0])
}

func (b *builder) searchItem(w *worker, i int) {
	c, it := b.c, &b.items[i]
	code := c.rows.Code(it.row)
	w.mates = slices.Grow(w.mates[:0], i)[:i]
	vec.DotsI8At(w.mates, code, c.rows.Codes(), b.rows[:i])
	walk := &w.walker
	walk.query = code
	walk.goal = goal{rank: c.shape.m, slack: buildSlack, self: float64(vec.DotI8(code, code)), noise: math.Inf(1)}
	ef := c.shape.efConstruction
	for l := max(c.top, it.level); l >= 0; l-- {
		breadth := beam
		if l <= it.level {
			breadth = ef
		}
		lv := &c.levels[l]
		switch {
		case l == c.top:
			walk.start(c, breadth)
		case l < c.top:
			walk.descend(c, l+1, breadth)
		default: // above what is linked there are only the round's own items
			walk.pool.reset(breadth)
			walk.marks.reset(lv.count)
		}
		if l <= c.top {
			walk.walk(c, lv, walk.goalAt(l, it.level))
		}
		if l > it.level {
			continue
		}
		w.addMates(b.items[:i], l)
		if l == 0 {
			if it.twin = twinOf(c, it.row, walk.pool.keys); it.twin != none {
				return
			}
		}
		it.links[l] = slices.Clone(w.selector.choose(c, lv, walk.pool.keys, c.shape.m))
	}
}

// goalAt is the goal of a walk in level l for an item of level own. Above level 0 all
// efConstruction nodes are looked for: these are few walks, and every later one begins there.
func (w *walker) goalAt(l, own int) goal {
	switch {
	case l > own:
		return w.goal.approach()
	case l > 0:
		return goal{}
	}
	return w.goal
}

// addMates puts the earlier items of the round that are in level l into the pool.
func (w *worker) addMates(mates []item, l int) {
	walk := &w.walker
	for j := range mates {
		mate := &mates[j] // not a copy: what its own worker finds is being written
		if mate.level < l || walk.marks.stamps[mate.at[l]] == walk.marks.stamp {
			continue
		}
		if e := newEntry(w.mates[j], mate.at[l]); e > walk.pool.floor() {
			walk.marks.stamps[mate.at[l]] = walk.marks.stamp
			walk.pool.insert(e)
		}
	}
}

// twinOf returns the first of the found rows whose codes are those of row, or none.
func twinOf(c *core, row uint32, found []entry) uint32 {
	code := c.rows.Code(row)
	self := vec.DotI8(code, code)
	twin := none
	for _, e := range found {
		if e.score() < self {
			break
		}
		if pos := e.pos(); e.score() == self && pos < twin && slices.Equal(c.rows.Code(pos), code) {
			twin = pos
		}
	}
	return twin
}

// apply links the items of the round. It needs the graph for itself.
func (b *builder) apply() {
	c := b.c
	for i := range b.items {
		it := &b.items[i]
		if it.twin == none {
			continue
		}
		if mate, ok := b.mate(it.twin); ok && mate.twin != none {
			it.twin = mate.twin
		}
		c.chain(it.twin, it.row)
	}
	for l := range c.levels {
		b.applyLevel(l)
	}
	for _, it := range b.items {
		if it.twin == none && it.level > c.top {
			c.top, c.entry = it.level, it.at[it.level]
		}
	}
}

// chain makes row a twin of the node head, right behind it. Rows only grow, so that
// what follows a head is descending and greater than it: a walk along a chain ends even
// in a damaged file.
func (c *core) chain(head, row uint32) {
	c.twins[row] = c.twins[head]
	c.twins[head] = row
}

// chained yields a node's row and those of its twins.
func (c *core) chained(head uint32, yield func(row uint32)) {
	yield(head)
	for before, row := none, c.twins[head]; row < before && row > head && int(row) < len(c.twins); before, row = row, c.twins[row] {
		yield(row)
	}
}

// backLink is a link from a new node, seen from its target.
type backLink struct {
	target uint32
	link   entry // score and the new node's position
}

func (b *builder) applyLevel(l int) {
	c := b.c
	lv := &c.levels[l]
	back := b.back[:0]
	for i := range b.items {
		it := &b.items[i]
		if it.twin != none || it.level < l {
			continue
		}
		links := lv.of(it.at[l])
		n := 0
		for _, e := range it.links[l] {
			if mate, ok := b.mate(lv.row(e.pos())); ok && mate.twin != none {
				continue // it turned out to be no node
			}
			links[n] = e.pos()
			n++
			back = append(back, backLink{e.pos(), newEntry(e.score(), it.at[l])})
		}
	}
	// Those of a target stay in the order of sources, in which they are.
	order := b.order[:0]
	for i, a := range back {
		order = append(order, uint64(a.target)<<32|uint64(i))
	}
	slices.Sort(order)
	grouped, starts := b.grouped[:0], b.starts[:0]
	for i, key := range order {
		if i == 0 || key>>32 != order[i-1]>>32 {
			starts = append(starts, i)
		}
		grouped = append(grouped, back[uint32(key)])
	}
	starts = append(starts, len(grouped))
	parallel(b.workers, len(starts)-1, func(w *worker, i int) {
		w.link(c, lv, grouped[starts[i]:starts[i+1]])
	})
	b.back, b.grouped, b.order, b.starts = back, grouped, order, starts
}

// mate returns the item of this round that row is.
func (b *builder) mate(row uint32) (*item, bool) {
	i, ok := slices.BinarySearch(b.rows, row)
	if !ok {
		return nil, false
	}
	return &b.items[i], true
}

// link adds links to one target. Where they are more than it may have, it chooses
// among the old and the new.
func (w *worker) link(c *core, lv *level, added []backLink) {
	target := added[0].target
	links := lv.of(target)
	n := 0
	for n < len(links) && links[n] != none {
		n++
	}
	if n+len(added) <= lv.width {
		for i, a := range added {
			links[n+i] = a.link.pos()
		}
		return
	}
	walk := &w.walker
	walk.query = c.rows.Code(lv.row(target))
	walk.pool.reset(n + len(added))
	walk.batch = append(walk.batch[:0], links[:n]...)
	walk.score(c, lv)
	for _, a := range added {
		walk.pool.insert(a.link)
	}
	n = 0
	for _, e := range w.selector.choose(c, lv, walk.pool.keys, lv.width) {
		links[n] = e.pos()
		n++
	}
	for ; n < len(links); n++ {
		links[n] = none
	}
}

// BuildOptions says how much of the machine a build takes, and who is told.
type BuildOptions struct {
	// Workers is how many goroutines search and link; 0 is one. The graph does not
	// depend on it.
	Workers int
	// Progress, where not nil, is called after each round, from the goroutine that
	// builds, with the items linked and how many there are to link.
	Progress func(done, total int)
}
