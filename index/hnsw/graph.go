package hnsw

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/internal/table"
	"github.com/seed-9f29d379/akin/index/internal/work"
	"github.com/seed-9f29d379/akin/index/snapshot"
)

// Graph is an index that answers by walking a graph. It is safe for concurrent use:
// one change at a time, searches beside it.
type Graph struct {
	writer sync.Mutex   // held by a change from its start to its end
	mu     sync.RWMutex // held while core is read by a search, or changed
	core   *core
	ef     int
	file   *snapshot.File // what core was opened from, or nil

	walkers sync.Pool // of *walker
}

// Options is the shape of a graph. The zero value is what the measurements in
// docs/benchmarks recommend.
type Options struct {
	// M is how many links a new node gets; in level 0 a node may come to have twice
	// as many. 0 is 24.
	M int
	// EfConstruction is the breadth of the walk that finds a new node's links. 0 is
	// 100.
	EfConstruction int
	// EfSearch is the breadth of a search that names none. 0 is 64. A search whose
	// query is easy ends sooner, a hard one may take four times as much.
	EfSearch int
}

const (
	defaultM              = 24
	defaultEfConstruction = 100
	defaultEfSearch       = 64

	minM, maxM = 2, 256
	maxEf      = 1 << 20
)

// New returns an empty graph for vectors of dim elements.
func New(dim int, opts Options) (*Graph, error) {
	s := shape{m: or(opts.M, defaultM), efConstruction: or(opts.EfConstruction, defaultEfConstruction)}
	ef := or(opts.EfSearch, defaultEfSearch)
	switch {
	case dim < 1 || dim > table.MaxDim:
		return nil, fmt.Errorf("making a graph: dimension %d, want 1 to %d", dim, table.MaxDim)
	case s.m < minM || s.m > maxM:
		return nil, fmt.Errorf("making a graph: M %d, want %d to %d", s.m, minM, maxM)
	case s.efConstruction < 1 || s.efConstruction > maxEf || ef < 1 || ef > maxEf:
		return nil, fmt.Errorf("making a graph: EfConstruction %d, EfSearch %d, want 1 to %d", s.efConstruction, ef, maxEf)
	}
	return &Graph{core: newCore(table.New(dim), s, 1), ef: ef}, nil
}

func or(n, fallback int) int {
	if n == 0 {
		return fallback
	}
	return n
}

// Add implements index.Index. Its cost is that of a search of breadth EfConstruction.
// It never rebuilds; see Stale.
func (g *Graph) Add(id uint32, v []float32) error {
	g.writer.Lock()
	defer g.writer.Unlock()
	b := &batch{dim: g.core.rows.Dim()}
	if err := b.add(id, v); err != nil {
		return err
	}
	if err := b.settle(g.core.rows, 1); err != nil {
		return err
	}
	return g.extend(context.Background(), b, BuildOptions{})
}

// AddAll adds items, many at a time and with several workers; of an id that comes
// twice the later counts, and an item that is stored with the same vector is left as it
// is. Vectors are copied as they come. A refused one is an error, and then nothing is
// added.
//
// Where more than a third of what the graph would hold is new since it was last built
// fresh, or deleted, AddAll builds it fresh, as Rebuild does. A new graph is therefore
// the same, byte for byte, in whatever order its items come.
//
// If ctx ends, AddAll returns its error within one round of some milliseconds: a fresh
// build is then dropped and the graph is as it was; an extended one keeps the items
// that are linked, whole and searchable. Only the last hundredth of a fresh build, which
// moves rows to their places, is not interrupted.
//
// It takes O(n·log n·dim) time, and memory for a second copy of the items.
func (g *Graph) AddAll(ctx context.Context, items iter.Seq2[uint32, []float32], opts BuildOptions) error {
	g.writer.Lock()
	defer g.writer.Unlock()
	b := &batch{dim: g.core.rows.Dim()}
	for id, v := range items {
		if err := b.add(id, v); err != nil {
			return err
		}
	}
	if err := b.settle(g.core.rows, opts.Workers); err != nil {
		return err
	}
	if len(b.order) == 0 {
		return ctx.Err()
	}
	if g.core.stale(b) {
		return g.rebuild(ctx, b, opts)
	}
	return g.extend(ctx, b, opts)
}

// Rebuild links all items afresh and drops the deleted ones. The result is a function
// of the items: of their vectors and, but for the place of each id, of nothing else.
// Searches go on meanwhile in the old graph. If ctx ends, the old graph stays.
func (g *Graph) Rebuild(ctx context.Context, opts BuildOptions) error {
	g.writer.Lock()
	defer g.writer.Unlock()
	return g.rebuild(ctx, &batch{dim: g.core.rows.Dim()}, opts)
}

// Stale reports whether more than a third of the rows are new since the last fresh
// build, or deleted: from there on a fresh build is worth its time. AddAll sees to it
// by itself.
func (g *Graph) Stale() bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.core.stale(&batch{})
}

// Delete implements index.Index. The node stays as a step for walks; O(1).
func (g *Graph) Delete(id uint32) bool {
	g.writer.Lock()
	defer g.writer.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.core.rows.Delete(id)
}

// Len implements index.Index.
func (g *Graph) Len() int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.core.rows.Alive()
}

// blockRows is the rows of a block of vectors on their way into a graph.
const blockRows = 1024

// batch is items on their way into a graph.
type batch struct {
	dim     int
	ids     []uint32
	vectors [][]float32 // [ids, dim] in blocks of blockRows rows: what came does not move
	keys    []uint64    // of the vectors that count
	order   []int       // which of them count, in the order of building
}

func (b *batch) add(id uint32, v []float32) error {
	if err := index.CheckVector(v, b.dim); err != nil {
		return fmt.Errorf("adding item %d: %w", id, err)
	}
	if len(b.ids)%blockRows == 0 {
		room := 0 // the first block grows as it must
		if len(b.ids) > 0 {
			room = blockRows * b.dim
		}
		b.vectors = append(b.vectors, make([]float32, 0, room))
	}
	block := &b.vectors[len(b.ids)/blockRows]
	*block = append(*block, v...)
	b.order = append(b.order, len(b.ids))
	b.ids = append(b.ids, id)
	return nil
}

func (b *batch) vector(i int) []float32 {
	at := i % blockRows * b.dim
	return b.vectors[i/blockRows][at : at+b.dim : at+b.dim]
}

// settle keeps the last of each id, drops those that rows has already, and puts the rest
// in the order of building: that of their vectors' keys. It refuses more rows than a graph can hold.
func (b *batch) settle(rows *table.Table, workers int) error {
	slices.SortStableFunc(b.order, func(i, j int) int { return cmp.Compare(b.ids[i], b.ids[j]) })
	kept := b.order[:0]
	for at, i := range b.order {
		if at+1 < len(b.order) && b.ids[b.order[at+1]] == b.ids[i] {
			continue
		}
		if row, ok := rows.Row(b.ids[i]); ok && slices.Equal(rows.Vector(row), b.vector(i)) {
			continue
		}
		kept = append(kept, i)
	}
	b.keys = make([]uint64, len(b.ids))
	work.Each(workers, len(kept), func(i int) { b.keys[kept[i]] = table.Key(b.vector(kept[i])) })
	slices.SortStableFunc(kept, func(i, j int) int { return cmp.Compare(b.keys[i], b.keys[j]) })
	b.order = kept
	if n := rows.Rows() + len(kept); n > maxPosition {
		return fmt.Errorf("adding items: %d rows, a graph holds %d", n, maxPosition)
	}
	return nil
}

// stale reports whether, once b is added, more than a third of the rows would be new
// since the last fresh build, or dead.
func (c *core) stale(b *batch) bool {
	changed := len(b.order)
	for _, i := range b.order {
		if row, ok := c.rows.Row(b.ids[i]); ok && int(row) < c.built {
			changed++ // its old row dies
		}
	}
	total := c.rows.Rows() + len(b.order)
	changed += c.rows.Rows() - c.built
	for row := range c.built {
		if c.rows.Dead(uint32(row)) {
			changed++
		}
	}
	return changed*3 > total
}

// extend links a batch to the graph as it is.
func (g *Graph) extend(ctx context.Context, b *batch, opts BuildOptions) error {
	c := g.core
	builder := newBuilder(c, opts.Workers)
	for done := 0; done < len(b.order); {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(roundSize(c.rows.Rows()), len(b.order)-done)
		ids, keys, vectors := b.slice(done, done+n)
		g.change(func() {
			first := c.rows.Rows()
			c.rows.Append(ids, vectors)
			builder.begin(span(first, first+n), keys)
		})
		builder.search()
		g.change(builder.apply)
		done += n
		if opts.Progress != nil {
			opts.Progress(done, len(b.order))
		}
	}
	return nil
}

// change calls do while nobody reads the core.
func (g *Graph) change(do func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	do()
}

// slice gathers the items [from, to) of the order.
func (b *batch) slice(from, to int) (ids []uint32, keys []uint64, vectors []float32) {
	for _, i := range b.order[from:to] {
		ids, keys = append(ids, b.ids[i]), append(keys, b.keys[i])
		vectors = append(vectors, b.vector(i)...)
	}
	return ids, keys, vectors
}

// span is the rows [from, to).
func span(from, to int) []uint32 {
	rows := make([]uint32, to-from)
	for i := range rows {
		rows[i] = uint32(from + i)
	}
	return rows
}

// rebuild links all items and those of b afresh.
func (g *Graph) rebuild(ctx context.Context, b *batch, opts BuildOptions) error {
	fresh, err := g.core.rebuilt(ctx, b, opts)
	if err != nil {
		return err
	}
	g.mu.Lock()
	g.core, g.file = fresh, nil
	g.mu.Unlock()
	return nil
}
