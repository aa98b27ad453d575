package index

import (
	"context"
	"fmt"
	"sync"

	"github.com/seed-9f29d379/akin/index/internal/table"
	"github.com/seed-9f29d379/akin/index/snapshot"
)

// Flat is the exact index: a search compares the query with every vector, in O(n·dim).
// Without codes it is the oracle that other indexes are measured against.
type Flat struct {
	mu   sync.RWMutex
	rows *table.Table
	file *snapshot.File // what rows were opened from, or nil
}

// FlatOptions says how vectors are compared.
type FlatOptions struct {
	// Codes keeps a byte an element beside the vectors. A search reads only these and
	// ranks the best again in float32: a quarter of the memory traffic. It takes as
	// many candidates as six standard deviations of the codes' error ask for.
	Codes bool
}

// NewFlat returns an empty index for vectors of dim elements.
func NewFlat(dim int, opts FlatOptions) (*Flat, error) {
	if dim < 1 || dim > table.MaxDim {
		return nil, fmt.Errorf("making an index: dimension %d, want 1 to %d", dim, table.MaxDim)
	}
	if opts.Codes {
		return &Flat{rows: table.New(dim)}, nil
	}
	return &Flat{rows: table.NewWithoutCodes(dim)}, nil
}

// OpenFlat reads what Flat.Write wrote, in place: f must stay open as long as the
// index is used. The cost does not depend on the number of items.
func OpenFlat(f *snapshot.File) (*Flat, error) {
	rows, err := table.Open(f)
	if err != nil {
		return nil, fmt.Errorf("opening an index: %w", err)
	}
	return &Flat{rows: rows, file: f}, nil
}

// Add implements Index. Amortised O(dim).
func (x *Flat) Add(id uint32, v []float32) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := CheckVector(v, x.rows.Dim()); err != nil {
		return fmt.Errorf("adding item %d: %w", id, err)
	}
	x.rows.Append([]uint32{id}, v)
	x.compact()
	return nil
}

// compact drops the dead rows once they are more than half: a search reads them too.
func (x *Flat) compact() {
	if dead := x.rows.Rows() - x.rows.Alive(); dead <= x.rows.Alive() || dead < minDead {
		return
	}
	x.rows, x.file = x.ordered(), nil
}

// ordered returns the items that are alive in the order of their vectors' keys.
func (x *Flat) ordered() *table.Table {
	rows := x.rows.ByKey()
	return x.rows.Build(len(rows), 1, func(i int) (uint32, []float32) {
		return x.rows.ID(rows[i]), x.rows.Vector(rows[i])
	})
}

// minDead is how many dead rows are not worth moving the rest for.
const minDead = 1024

// Delete implements Index. O(1).
func (x *Flat) Delete(id uint32) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	ok := x.rows.Delete(id)
	if ok {
		x.compact()
	}
	return ok
}

// Len implements Index.
func (x *Flat) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.rows.Alive()
}

// Search implements Index. Where few items are allowed it reads only these.
func (x *Flat) Search(q []float32, opts SearchOptions) ([]Hit, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if err := checkSearch(q, x.rows.Dim(), opts); err != nil {
		return nil, err
	}
	query := table.Query{Vector: q, K: opts.K, Float: opts.Exact}
	if opts.Allow != nil {
		query.Keep = opts.Allow.Has
		if opts.Allow.Len() < x.rows.Alive()/scanShare {
			query.Rows = allowedRows(x.rows, opts.Allow)
		}
	}
	return hits(x.rows.Search(query)), nil
}

// scanShare is from which share of the rows on reading them all in order is cheaper
// than reading the allowed ones one by one.
const scanShare = 4

func checkSearch(q []float32, dim int, opts SearchOptions) error {
	if opts.K < 0 {
		return fmt.Errorf("searching: %w: %d", ErrK, opts.K)
	}
	if err := CheckQuery(q, dim); err != nil {
		return fmt.Errorf("searching: %w", err)
	}
	return nil
}

func allowedRows(t *table.Table, allow *Set) []uint32 {
	rows := make([]uint32, 0, allow.Len())
	for id := range allow.All {
		if row, ok := t.Row(id); ok {
			rows = append(rows, row)
		}
	}
	return rows
}

func hits(found []table.Hit) []Hit {
	out := make([]Hit, len(found))
	for i, h := range found {
		out[i] = Hit(h)
	}
	return out
}

// Check implements Index.
func (x *Flat) Check(ctx context.Context) error {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.file != nil {
		if err := x.file.Check(ctx); err != nil {
			return err
		}
	}
	if err := x.rows.Check(ctx, CheckVector); err != nil {
		return fmt.Errorf("checking an index: %w", err)
	}
	return nil
}

// Write implements Index. The file depends on the items only, not on the order in
// which they came, and all of it but the ids on their vectors only. It needs memory for a second copy of them.
func (x *Flat) Write(w *snapshot.Writer) error {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if err := x.ordered().Write(w); err != nil {
		return fmt.Errorf("writing an index: %w", err)
	}
	return nil
}
