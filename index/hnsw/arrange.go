package hnsw

import (
	"cmp"
	"slices"

	"github.com/seed-9f29d379/akin/index/internal/table"
)

// arrange numbers the rows of a fresh graph so that what a walk reads lies together in
// memory, and it waits less for codes, links and marks: the few rows of the upper levels,
// which every walk reads, and neighbours. It moves rows in place, in O(n·dim).
func (c *core) arrange() {
	order := c.depthFirst()
	c.highestFirst(order)
	to := inverse(order)
	c.rows.Arrange(order)
	table.Permute(c.half, halfLen(c.rows.Dim()), order)
	table.Permute(c.twins, 1, order)
	renumber(c.twins, to)
	below := to // new positions of the level below
	for l := range c.levels {
		lv := &c.levels[l]
		here := to
		if l > 0 {
			renumber(lv.rows, to)
			renumber(lv.down, below)
			order = ascending(lv.rows)
			here = inverse(order)
			table.Permute(lv.rows, 1, order)
			table.Permute(lv.down, 1, order)
		}
		table.Permute(lv.links, lv.width, order)
		renumber(lv.links, here)
		if l == c.top {
			c.entry = here[c.entry]
		}
		below = here
	}
}

// depthFirst lists the rows as a depth-first walk along the links of level 0 meets them,
// which goes to the nearest first. Twins come right behind their node, in their order.
func (c *core) depthFirst() []uint32 {
	links := &c.levels[0]
	order := make([]uint32, 0, links.count)
	met := make([]bool, links.count)
	var path []uint32
	visit := func(row uint32) {
		from := len(order)
		c.chained(row, func(twin uint32) {
			met[twin] = true
			order = append(order, twin)
		})
		slices.Sort(order[from:])
		path = append(path, row)
	}
	for row := range uint32(links.count) {
		if met[row] {
			continue
		}
		visit(row)
		for len(path) > 0 {
			next := links.of(path[len(path)-1])
			at := slices.IndexFunc(next, func(row uint32) bool { return row == none || !met[row] })
			if at < 0 || next[at] == none {
				path = path[:len(path)-1]
				continue
			}
			visit(next[at])
		}
	}
	return order
}

// highestFirst sorts rows by their highest level, those of one level in the order in which
// they are. Twins of a node are not in the levels that it is in.
func (c *core) highestFirst(order []uint32) {
	highest := make([]uint8, len(order))
	for l := 1; l < len(c.levels); l++ {
		for _, row := range c.levels[l].rows {
			highest[row] = uint8(l)
		}
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(highest[b], highest[a]) })
}

// ascending is the order of the positions of a level whose rows ascend.
func ascending(rows []uint32) []uint32 {
	order := span(0, len(rows))
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(rows[a], rows[b]) })
	return order
}

// inverse is where each entry of an order stands in it.
func inverse(order []uint32) []uint32 {
	to := make([]uint32, len(order))
	for i, from := range order {
		to[from] = uint32(i)
	}
	return to
}

// renumber replaces positions by what they have become.
func renumber(positions, to []uint32) {
	for i, pos := range positions {
		if pos != none {
			positions[i] = to[pos]
		}
	}
}
