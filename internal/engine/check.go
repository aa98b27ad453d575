package engine

import (
	"context"
	"errors"
	"strings"

	"github.com/seed-9f29d379/akin/internal/store"
	"github.com/seed-9f29d379/akin/models"
)

// Stats describes the library.
func (e *Engine) Stats(ctx context.Context) (_ *Stats, err error) {
	defer e.begin(&err)()
	s, err := e.stats(ctx)
	if err != nil {
		return nil, explain(err)
	}
	return s, nil
}

func (e *Engine) stats(ctx context.Context) (*Stats, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := &Stats{Snapshot: SnapshotStats{Method: "exact"}}
	sh, err := e.shelfLocked(ctx)
	switch {
	case errors.Is(err, ErrNoPapers): // a library that was never filled has statistics too
		s.Library = e.cfg.Library
		return s, nil
	case err != nil:
		return nil, err
	}
	if seeds, ok := sh.(*seedShelf); ok {
		s.Papers, s.WithAbstract, s.Vectors = len(seeds.papers), len(seeds.papers), len(seeds.vectors)
		s.Model = modelStats(seeds.model)
		return s, nil
	}
	s.Library = e.cfg.Library
	c, err := e.lib.Counts(ctx)
	if err != nil {
		return nil, err
	}
	s.Papers, s.WithAbstract, s.Vectors = c.Papers, c.WithAbstract, c.Vectors
	if s.NotEncoded, err = pendingIn(ctx, e.lib); err != nil {
		return nil, err
	}
	if s.NoSentences, err = e.lib.CountPendingSentences(ctx); err != nil {
		return nil, err
	}
	m, _, err := e.lib.Model(ctx)
	if err != nil {
		return nil, err
	}
	s.Model = modelStats(m)
	if s.Snapshot, err = e.snapshotStats(ctx, m); err != nil {
		return nil, err
	}
	s.Bytes, err = e.lib.Bytes()
	return s, err
}

// snapshotStats describes the snapshot that a search would use.
func (e *Engine) snapshotStats(ctx context.Context, m store.Model) (SnapshotStats, error) {
	none := SnapshotStats{Method: "exact"}
	seq, err := e.lib.Seq(ctx)
	if err != nil {
		return none, err
	}
	o, err := openSnapshot(ctx, e.lib, m, seq, func(string, error) {})
	if err != nil || o == nil {
		return none, err
	}
	s := SnapshotStats{Generation: o.file.Identity().Generation, Method: o.method(), Bytes: o.file.Size()}
	return s, o.file.Close()
}

// Check verifies the library and the model. What it finds is in the report; an error is
// that it could not look.
func (e *Engine) Check(ctx context.Context) (_ *CheckReport, err error) {
	defer e.begin(&err)()
	r, err := e.check(ctx)
	if err != nil {
		return nil, explain(err)
	}
	return r, nil
}

func (e *Engine) check(ctx context.Context) (*CheckReport, error) {
	r := &CheckReport{Problems: []Problem{}}
	if err := checkModel(ctx, r); err != nil {
		return nil, err
	}
	e.mu.Lock()
	sh, err := e.shelfLocked(ctx)
	e.mu.Unlock()
	if err != nil && !errors.Is(err, ErrNoPapers) {
		return nil, err
	}
	switch sh := sh.(type) {
	case *seedShelf:
		r.Papers, r.Vectors = len(sh.papers), len(sh.vectors)
	case *store.Library:
		if err := checkLibrary(ctx, sh, r); err != nil {
			return nil, err
		}
	}
	if r.Vectors > 0 && r.RecallSamples == 0 && len(r.Problems) == 0 { // there is no snapshot
		in, err := e.vectors(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := measureRecall(ctx, in, sh, r); err != nil {
			return nil, err
		}
	}
	r.OK = len(r.Problems) == 0
	return r, nil
}

// checkModel compares the bundled model with its manifest.
func checkModel(ctx context.Context, r *CheckReport) error {
	_, sections := models.Bundled()
	v, err := models.Verify(ctx, models.List()[0], sections)
	if err != nil {
		return err
	}
	for _, s := range v.Sections {
		if s.Problem != "" {
			r.Problems = append(r.Problems, Problem{What: s.Name + ": " + s.Problem, Where: "the model in the program", Hint: "install akin again"})
		}
	}
	return nil
}

func modelStats(m store.Model) ModelStats {
	name, _, _ := strings.Cut(m.Fingerprint, "/")
	return ModelStats{Name: name, Dim: m.Dim, Fingerprint: m.Fingerprint}
}
