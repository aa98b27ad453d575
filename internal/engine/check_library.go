package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/number"
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
		id, err := identity(ctx, lib, m, int64(entry.Generation))
		if err != nil {
			return err
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

// recallSamples stored vectors, and up to as many again, are searched for to measure recall.
const recallSamples = 200

// compareWithLibrary verifies that a snapshot holds the vectors of the library as of its
// generation, and measures recall.
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
		problem(fmt.Sprintf("the snapshot, with what came since, has %s, the library %s", number.Of(s.Len(), "vector"), number.Grouped(r.Vectors)))
		return nil
	}
	lost, err := measureRecall(ctx, s, lib, r)
	if err == nil && lost > 0 {
		problem(fmt.Sprintf("of %s of the library %s %s not in the snapshot", number.Of(r.RecallSamples, "vector"), number.Grouped(lost), number.Pick(lost, "is", "are")))
	}
	return err
}

// measureRecall searches for stored vectors, and reports how many are not found at all.
func measureRecall(ctx context.Context, s *searched, sh shelf, r *CheckReport) (lost int, err error) {
	var a agreement
	every := max(1, r.Vectors/recallSamples)
	at := 0
	err = sh.Vectors(ctx, func(_ uint32, v []float32) error {
		if at++; at%every != 0 {
			return nil
		}
		exact, err := a.measure(s, v)
		if len(exact) == 0 || exact[0].Score < sameVector {
			lost++
		}
		return err
	})
	r.RecallAt10, r.RecallSamples = a.recall(), a.samples
	return lost, err
}

// sameVector is the least cosine of a stored vector with itself, in float32.
const sameVector = 0.9999
