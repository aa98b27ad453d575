package hnsw

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/internal/table"
)

// Check implements index.Index: the checksums of the file that the graph was opened
// from, every row, and every link.
func (g *Graph) Check(ctx context.Context) error {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.file != nil {
		if err := g.file.Check(ctx); err != nil {
			return err
		}
	}
	if err := g.core.rows.Check(ctx, index.CheckVector); err != nil {
		return fmt.Errorf("checking a graph: %w", err)
	}
	if err := g.core.checkHalf(ctx); err != nil {
		return fmt.Errorf("checking a graph: %w", err)
	}
	for l := range g.core.levels {
		if err := g.core.checkLevel(ctx, l); err != nil {
			return fmt.Errorf("checking a graph: %w", err)
		}
	}
	if err := g.core.checkTwins(); err != nil {
		return fmt.Errorf("checking a graph: %w", err)
	}
	return nil
}

// checkHalf holds:
//
// INVARIANT: the 4-bit codes of a row are those of its vector.
func (c *core) checkHalf(ctx context.Context) error {
	size := halfLen(c.rows.Dim())
	if size == 0 {
		return nil
	}
	want := make([]uint8, size)
	for row := range c.rows.Rows() {
		if row%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		c.steps.Encode(want, c.rows.Vector(uint32(row)))
		if !slices.Equal(c.half[row*size:(row+1)*size], want) {
			return table.Damaged("4-bit codes of row %d are not those of its vector", row)
		}
	}
	return nil
}

// checkLevel holds the invariants of a level:
//
// INVARIANT: a list of links holds each position once, not its own, and nothing behind
// its end.
// INVARIANT: a position leads down to the position of the same row.
func (c *core) checkLevel(ctx context.Context, l int) error {
	lv := &c.levels[l]
	for at := range lv.count {
		if at%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		pos := uint32(at)
		if l > 0 {
			below := &c.levels[l-1]
			if int(lv.rows[pos]) >= c.rows.Rows() || int(lv.down[pos]) >= below.count || below.row(lv.down[pos]) != lv.rows[pos] {
				return table.Damaged("position %d of level %d leads down to another row", pos, l)
			}
		}
		if err := checkLinks(lv, l, pos); err != nil {
			return err
		}
	}
	return nil
}

func checkLinks(lv *level, l int, pos uint32) error {
	links, ended := lv.of(pos), false
	for i, next := range links {
		switch {
		case next == none:
			ended = true
			continue
		case ended || int(next) >= lv.count || next == pos:
			return table.Damaged("link %d of node %d in level %d is %d", i, pos, l, next)
		}
		for _, other := range links[:i] {
			if other == next {
				return table.Damaged("node %d in level %d is linked to %d twice", pos, l, next)
			}
		}
	}
	return nil
}

// checkTwins holds:
//
// INVARIANT: every row is a node or in the chain of one, once; twins have equal codes;
// behind its head a chain descends.
func (c *core) checkTwins() error {
	behind := make([]bool, c.rows.Rows()) // some row leads to it
	for row, next := range c.twins {
		switch {
		case next == none:
			continue
		case int(next) >= len(c.twins) || behind[next]:
			return table.Damaged("row %d has the twin %d", row, next)
		}
		behind[next] = true
		if code := c.rows.Code(uint32(row)); !slices.Equal(code, c.rows.Code(next)) {
			return table.Damaged("twins %d and %d have different codes", row, next)
		}
	}
	met := 0
	for row := range c.twins {
		if !behind[row] {
			c.chained(uint32(row), func(uint32) { met++ })
		}
	}
	if met != len(c.twins) {
		return table.Damaged("%d rows in chains of twins, want %d", met, len(c.twins))
	}
	return nil
}
