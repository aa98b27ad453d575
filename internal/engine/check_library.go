package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/store"
)

// checkLibrary verifies the database, and the snapshots against it.
func checkLibrary(ctx context.Context, lib *store.Library, r *CheckReport) error {
	err := lib.Check(ctx, func(f store.Fault) {
		r.Problems = append(r.Problems, Problem{What: f.What, Where: f.Where, Hint: f.Hint})
	})
	switch {
	case errors.Is(err, store.ErrDamaged):
		r.Problems = append(r.Problems, Problem{What: err.Error(), Where: lib.Dir(), Hint: "akin restore brings a backup back; the sources can be added again to a new folder"})
		return nil
	case err != nil:
		return fmt.Errorf("checking the library: %w", err)
	}
	c, err := lib.Counts(ctx)
	if err != nil {
		return err
	}
	r.Papers, r.Vectors = c.Papers, c.Vectors
	if len(r.Problems) > 0 { // texts that are damaged are not read
		r.NotEncoded, err = lib.CountPending(ctx)
	} else {
		r.NotEncoded, err = pendingIn(ctx, lib)
	}
	if err != nil {
		return err
	}
	if err := checkSnapshots(ctx, lib, r); err != nil {
		return fmt.Errorf("checking the snapshot: %w", err)
	}
	return nil
}

const hintSnapshot = "akin check --repair writes it again; answers are exact meanwhile"

// checkSnapshots verifies every snapshot in the library's folder.
func checkSnapshots(ctx context.Context, lib *store.Library, r *CheckReport) error {
	m, ok, err := lib.Model(ctx)
	if err != nil || !ok {
		return err
	}
	seq, err := lib.Seq(ctx)
	if err != nil {
		return err
	}
	id, err := identity(ctx, lib, m)
	if err != nil {
		return err
	}
	entries, err := snapshot.List(snapshotsOf(lib))
	if err != nil {
		return err
	}
	for i, entry := range entries {
		problem := func(what string) {
			r.Problems = append(r.Problems, Problem{What: what, Where: entry.Path, Hint: hintSnapshot})
		}
		if entry.Generation > uint64(seq) {
			problem("the snapshot is ahead of the library")
			continue
		}
		o, err := openOne(entry.Path, id)
		if err != nil {
			problem(err.Error())
			continue
		}
		if o.lacks != nil {
			problem(o.lacks.Error())
		}
		err = o.index.Check(ctx)
		if err == nil && i == 0 {
			err = compareWithLibrary(ctx, lib, o, m.Dim, r, problem)
		} else if err != nil && ctx.Err() == nil {
			problem(err.Error())
			err = nil
		}
		if err := errors.Join(err, o.file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// recallSamples stored vectors are searched for to measure a graph's recall.
const recallSamples = 200

// compareWithLibrary verifies that a snapshot holds the vectors of the library as of its
// generation, and measures what a walk of its graph finds of the true ten nearest.
func compareWithLibrary(ctx context.Context, lib *store.Library, o *opened, dim int, r *CheckReport, problem func(string)) error {
	s := &searched{base: o, dim: dim, seq: o.generation()}
	var err error
	if s.fresh, err = index.NewFlat(dim, index.FlatOptions{Codes: true}); err != nil {
		return err
	}
	switch err := s.catchUp(ctx, lib); {
	case errors.Is(err, store.ErrForgotten):
		problem("the snapshot is older than one that is lost")
		return nil
	case err != nil:
		return err
	}
	if s.Len() != r.Vectors {
		problem(fmt.Sprintf("the snapshot, with what came since, has %d vectors, the library %d", s.Len(), r.Vectors))
		return nil
	}
	every := max(1, r.Vectors/recallSamples)
	at, common, of, lost := 0, 0, 0, 0
	err = lib.Vectors(ctx, func(n uint32, v []float32) error {
		if at++; at%every != 0 {
			return nil
		}
		exact, err := s.nearest(v, index.SearchOptions{K: 10, Exact: true})
		if err != nil {
			return err
		}
		if len(exact) == 0 || exact[0].Score < sameVector {
			lost++
		}
		if o.graph == nil {
			return nil
		}
		walked, err := s.nearest(v, index.SearchOptions{K: 10, Ef: denseBreadth})
		if err != nil {
			return err
		}
		r.RecallSamples++
		of += len(exact)
		common += shared(exact, walked)
		return nil
	})
	if err != nil {
		return err
	}
	if lost > 0 {
		problem(fmt.Sprintf("%d of %d vectors of the library are not in the snapshot", lost, at/every))
	}
	if of > 0 {
		recall := float64(common) / float64(of)
		r.RecallAt10 = &recall
	}
	return nil
}

// sameVector is the least cosine of a stored vector with itself, in float32.
const sameVector = 0.9999

// shared counts the papers that are in both lists.
func shared(a, b []index.Hit) int {
	in := make(map[uint32]bool, len(a))
	for _, h := range a {
		in[h.ID] = true
	}
	n := 0
	for _, h := range b {
		if in[h.ID] {
			n++
		}
	}
	return n
}
