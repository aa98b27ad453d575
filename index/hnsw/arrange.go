package hnsw

import (
	"cmp"
	"slices"

	"github.com/seed-9f29d379/akin/index/internal/table"
)

// arrange numbers the rows of a fresh graph so that neighbours lie together in memory: a
// walk then waits less for codes, links and marks. It moves rows in place, in O(n·dim).
func (c *core) arrange() {
	order := c.depthFirst()
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
