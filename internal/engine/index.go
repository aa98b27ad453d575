package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/internal/store"
)

// searched is the vectors in memory, as of one state of the library.
type searched struct {
	index.Index
	dim    int
	method string // "exact" or "hnsw", as answers call it
	seq    int64  // of the last change that it knows
}

// vectors returns the index, made at its first use and brought up to date with what
// other processes wrote since.
func (e *Engine) vectors(ctx context.Context) (*searched, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, err := e.papersLocked(ctx); err != nil {
		return nil, err
	}
	if e.index == nil {
		s, err := e.loadVectors(ctx)
		if err != nil {
			return nil, err
		}
		e.index = s
		return s, nil
	}
	if e.lib == nil {
		return e.index, nil
	}
	return e.index, e.catchUp(ctx, e.index)
}

// loadVectors puts all vectors into an exact index.
func (e *Engine) loadVectors(ctx context.Context) (*searched, error) {
	s := &searched{method: "exact"}
	m, err := e.vectorModel(ctx)
	if err != nil {
		return nil, err
	}
	s.dim = m.Dim
	if e.lib != nil { // before the vectors: what comes in between is told again
		if s.seq, err = e.lib.Seq(ctx); err != nil {
			return nil, err
		}
	}
	flat, err := index.NewFlat(m.Dim, index.FlatOptions{Codes: true})
	if err != nil {
		return nil, err
	}
	s.Index = flat
	err = e.shelf.Vectors(ctx, func(n uint32, v []float32) error { return flat.Add(n, v) })
	return s, err
}

// catchUp applies the changes that the library has had since.
func (e *Engine) catchUp(ctx context.Context, s *searched) error {
	seq, err := e.lib.Seq(ctx)
	if err != nil || seq == s.seq {
		return err
	}
	s.seq, err = e.lib.Changes(ctx, s.seq, func(n uint32, v []float32) error {
		if v == nil {
			s.Delete(n)
			return nil
		}
		return s.Add(n, v)
	})
	return err
}

// vectorModel is whose vectors the shelf has. There may be papers and no vectors yet.
func (e *Engine) vectorModel(ctx context.Context) (store.Model, error) {
	sh, err := e.papersLocked(ctx)
	if err != nil {
		return store.Model{}, err
	}
	if s, ok := sh.(*seedShelf); ok {
		return s.model, nil
	}
	m, ok, err := e.lib.Model(ctx)
	if err != nil || ok {
		return m, err
	}
	counts, err := e.lib.Counts(ctx)
	if err != nil {
		return m, err
	}
	if counts.Papers == 0 {
		return m, e.empty()
	}
	return m, errNotEncoded
}

var errNotEncoded = &Error{Kind: NotFound, Err: errors.New("no paper of the library is encoded yet"), Hint: "akin add, without a path, encodes what is missing"}

// nearest returns the k nearest papers to q.
func (s *searched) nearest(q []float32, opts index.SearchOptions) ([]index.Hit, error) {
	if len(q) != s.dim {
		return nil, fmt.Errorf("%w: they have %d elements, the query %d", store.ErrOtherModel, s.dim, len(q))
	}
	return s.Search(q, opts)
}
