package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/internal/store"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// What an answer is ordered by.
const (
	orderScore         = "score"
	orderNeighbourhood = "neighbourhood"
	orderDiversity     = "diversity"
)

const (
	// rerankDepth papers are ordered by neighbourhood: 30 and 100 give the same figures.
	rerankDepth = 50
	// rerankNeighbours make a neighbourhood: 4 to 7 gain on every judged set, 10 lose what
	// is special to a paper (docs/decisions/0011-neighbours-without-blur.md).
	rerankNeighbours = 5
	// rerankBreadth is the breadth of the walks for neighbourhoods.
	rerankBreadth = 256
)

// rerank orders the first papers of a ranking by how near their neighbourhoods are to
// that of what was asked for. The vector of a neighbourhood is that of its paper plus the
// mean of the paper's nearest in all of the library (query expansion: Chum et al., "Total
// Recall", 2007, with augmentation of the database's side: Turcot and Lowe, 2009; here of
// the papers found alone, so that nothing stored can be stale). Scores stay what they are.
//
// Its cost is rerankDepth+1 searches, and the reading of the vectors that they name.
func (e *Engine) rerank(ctx context.Context, w *wanted, ranked []scored) error {
	first := ranked[:min(len(ranked), rerankDepth)]
	ns := make([]uint32, len(first))
	for i, s := range first {
		ns[i] = s.N
	}
	own, err := e.vectorsAt(ctx, ns)
	if err != nil {
		return err
	}
	// The query comes last. What it names is not near it but part of it.
	near := make([][]uint32, len(first)+1)
	err = e.parallel(ctx, len(near), "ranking", func(i int) error {
		v, known := w.direction, slices.Concat(w.like, w.unlike)
		if i < len(first) {
			v, known = own[i], []store.Match{{N: ns[i]}}
		}
		if v == nil { // it was removed meanwhile
			return nil
		}
		var err error
		near[i], err = e.nearestBut(w.in, v, known)
		return err
	})
	if err != nil {
		return err
	}
	around := slices.Concat(near...)
	slices.Sort(around)
	around = slices.Compact(around)
	vectors, err := e.vectorsAt(ctx, around)
	if err != nil {
		return err
	}
	of := make(map[uint32][]float32, len(around))
	for i, n := range around {
		of[n] = vectors[i]
	}
	query := neighbourhood(w.direction, near[len(first)], of)
	for i := range first {
		if own[i] != nil {
			first[i].neighbourhood = float64(vec.Dot(query, neighbourhood(own[i], near[i], of)))
		}
	}
	slices.SortStableFunc(first, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.neighbourhood, a.neighbourhood), cmp.Compare(b.score, a.score), strings.Compare(a.ID, b.ID))
	})
	return nil
}

// nearestBut are the papers nearest to v, best first, without those that are known.
func (e *Engine) nearestBut(in *searched, v []float32, known []store.Match) ([]uint32, error) {
	hits, err := in.nearest(v, index.SearchOptions{K: rerankNeighbours + len(known), Ef: rerankBreadth, Exact: e.cfg.Exact})
	var ns []uint32
	for _, h := range hits {
		if len(ns) < rerankNeighbours && !slices.ContainsFunc(known, func(m store.Match) bool { return m.N == h.ID }) {
			ns = append(ns, h.ID)
		}
	}
	return ns, err
}

// neighbourhood is the direction of v plus the mean of those that are near to it.
func neighbourhood(v []float32, near []uint32, of map[uint32][]float32) []float32 {
	var list [][]float32
	for _, n := range near {
		if x := of[n]; len(x) == len(v) {
			list = append(list, x)
		}
	}
	out := slices.Clone(v)
	if len(list) > 0 {
		for i, x := range mean(list) {
			out[i] += x
		}
	}
	normalise(out) // nearest vectors hardly cancel out; where they do, nothing is near
	return out
}
