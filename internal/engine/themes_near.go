package engine

import (
	"context"
	"errors"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/internal/store"
)

// nearer finds the papers nearest to a vector.
type nearer func(q []float32, opts index.SearchOptions) ([]index.Hit, error)

// neighbours asks the graph for the neighbours of items, where the collection is large
// enough for one: computing them all exactly takes the square of their number, an hour for
// a million papers, of which the graph is built in two minutes. nil leaves it to the
// clustering.
func (e *Engine) neighbours(ctx context.Context, c *themed) (func(item, m int) []uint32, error) {
	ask, err := e.nearestByGraph(ctx, c)
	if err != nil || ask == nil {
		return nil, err
	}
	item := make(map[uint32]uint32, len(c.papers))
	for i, n := range c.papers {
		item[n] = uint32(i)
	}
	return func(i, m int) []uint32 {
		hits, err := ask(c.vectors[i*c.dim:(i+1)*c.dim], index.SearchOptions{K: m + 1})
		if err != nil { // a stored vector can be searched for
			panic("engine: " + err.Error())
		}
		near := make([]uint32, 0, m)
		for _, h := range hits {
			if j, ok := item[h.ID]; ok && j != uint32(i) && len(near) < m {
				near = append(near, j)
			}
		}
		return near
	}, nil
}

// nearestByGraph walks the graph of the library's index, or one of its own where the
// library is large and has none; nil where papers are compared exactly.
func (e *Engine) nearestByGraph(ctx context.Context, c *themed) (nearer, error) {
	ix, err := e.vectors(ctx)
	if err != nil || e.cfg.Exact {
		return nil, err
	}
	lib, ok := c.shelf.(*store.Library)
	switch {
	case ix.method(false) == "hnsw" && ix.fresh.Len() <= freshFor(len(c.papers)):
		return ix.nearest, nil
	case !ok || len(c.papers) < e.graphFrom():
		return nil, nil
	}
	built, err := e.graph(ctx, lib, c.dim, nil)
	if err != nil {
		return nil, err
	}
	return built.Search, nil
}

// indexFirst brings the index of a large library up to date before its papers are
// grouped. Where the library cannot be written, neighbours makes do without.
func (e *Engine) indexFirst(ctx context.Context) error {
	sh, err := e.papers(ctx)
	if err != nil {
		return err
	}
	lib, ok := sh.(*store.Library)
	if !ok || e.cfg.Exact {
		return nil
	}
	counts, err := lib.Counts(ctx)
	if err != nil || counts.Vectors < e.graphFrom() {
		return err
	}
	w, err := e.writer(ctx, "themes")
	if unavailable(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(e.indexing(ctx, w), w.Close())
}
