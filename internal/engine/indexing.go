package engine

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/hnsw"
	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/mapped"
	"github.com/seed-9f29d379/akin/internal/store"
)

// A snapshot is written again when more than freshMost papers, or a freshShare-th of
// them, changed since: until then they are scanned exactly, which takes less than a
// tenth of a millisecond for each thousand.
const (
	freshMost  = 1_000
	freshShare = 100
)

// freshFor is how many papers may have changed since the snapshot of so many vectors.
func freshFor(vectors int) int { return max(freshMost, vectors/freshShare) }

// indexing brings the snapshot of a library up to date with its vectors. What the library
// kept of changes for that is forgotten then.
func (e *Engine) indexing(ctx context.Context, w *store.Writer) (err error) {
	defer mapped.Guard(&err)()
	lib := w.Library
	m, ok, err := lib.Model(ctx)
	if err != nil || !ok {
		return err
	}
	c, err := lib.Counts(ctx)
	if err != nil {
		return err
	}
	dir := snapshotsOf(lib)
	if c.Vectors < min(snapshotFrom, e.graphFrom()) {
		return e.removeSnapshots(dir, 0)
	}
	seq, err := lib.Seq(ctx)
	if err != nil {
		return err
	}
	id, err := identity(ctx, lib, m, seq)
	if err != nil {
		return err
	}
	var unusable []string
	old, err := openSnapshot(ctx, lib, m, seq, func(path string, err error) { unusable = append(unusable, path) })
	if err != nil {
		return fmt.Errorf("opening the snapshot: %w", err)
	}
	for _, path := range unusable {
		if err := e.disk().Remove(path); err != nil {
			return fmt.Errorf("removing a snapshot that cannot be used: %w", err)
		}
	}
	wantGraph := c.Vectors >= e.graphFrom()
	if old != nil {
		defer old.file.Close()
		defer mapped.Guard(&err)() // before it is closed
		changed, err := lib.CountChanges(ctx, old.generation())
		switch {
		case errors.Is(err, store.ErrForgotten):
			old = nil // older than one that was lost
		case err != nil:
			return err
		case old.lacks != nil:
			// It is written again; what is linked is not linked again.
		case old.generation() == seq:
			return nil // nothing came since; of the other kind it answers as well
		case changed <= freshFor(c.Vectors) && wantGraph == (old.graph != nil):
			return nil
		}
	}
	e.progress(Progress{Stage: "indexing", Total: c.Vectors, Unit: "papers"})
	var built index.Index
	if wantGraph {
		built, err = e.graph(ctx, lib, m.Dim, old)
	} else {
		built, err = flat(ctx, lib, m.Dim)
	}
	if err != nil {
		return fmt.Errorf("indexing: %w", err)
	}
	if old != nil && old.lacks != nil { // of the same name it may be; what is mapped stays
		if err := e.disk().Remove(old.file.Path()); err != nil {
			return fmt.Errorf("removing the snapshot of an older akin: %w", err)
		}
	}
	if err := w.InPlace(); err != nil { // no folder is made again for a library that is gone
		return err
	}
	if err := e.writeSnapshot(ctx, lib, id, built); err != nil {
		return fmt.Errorf("indexing: %w", err)
	}
	if err := e.removeSnapshots(dir, id.Generation); err != nil {
		return err
	}
	if err := w.Forget(seq); err != nil {
		return err
	}
	return w.Commit()
}

// flat reads all vectors into an exact index.
func flat(ctx context.Context, lib *store.Library, dim int) (index.Index, error) {
	x, err := index.NewFlat(dim, index.FlatOptions{Codes: true})
	if err != nil {
		return nil, err
	}
	return x, lib.Vectors(ctx, x.Add)
}

// graph links what changed to the graph of a snapshot, or all vectors afresh.
func (e *Engine) graph(ctx context.Context, lib *store.Library, dim int, old *opened) (index.Index, error) {
	opts := hnsw.BuildOptions{Workers: e.workers(), Progress: func(done, total int) {
		e.progress(Progress{Stage: "indexing", Done: done, Total: total, Unit: "papers"})
	}}
	if old == nil || old.graph == nil {
		g, err := hnsw.New(dim, hnsw.Options{})
		if err != nil {
			return nil, err
		}
		var failed error
		err = g.AddAll(ctx, func(yield func(uint32, []float32) bool) {
			failed = lib.Vectors(ctx, func(n uint32, v []float32) error {
				if !yield(n, v) {
					return errEnough
				}
				return nil
			})
		}, opts)
		return g, errors.Join(unlessEnough(failed), err)
	}
	// What is gone has to be deleted first: AddAll decides by it whether to build afresh.
	_, err := lib.Changes(ctx, old.generation(), func(n uint32, v []float32) error {
		if v == nil {
			old.graph.Delete(n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var failed error
	err = old.graph.AddAll(ctx, func(yield func(uint32, []float32) bool) {
		_, failed = lib.Changes(ctx, old.generation(), func(n uint32, v []float32) error {
			if v != nil && !yield(n, v) {
				return errEnough
			}
			return nil
		})
	}, opts)
	return old.graph, errors.Join(unlessEnough(failed), err)
}

// unlessEnough drops the error that only ends a walk early.
func unlessEnough(err error) error {
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// writeSnapshot writes an index and the papers' words into a new file, which is there
// whole or not at all.
func (e *Engine) writeSnapshot(ctx context.Context, lib *store.Library, id snapshot.Identity, x index.Index) error {
	dir := snapshotsOf(lib)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	w, err := snapshot.Create(e.disk(), dir, id)
	if err != nil {
		return err
	}
	if err := writeSections(ctx, lib, w, x); err != nil {
		w.Abort()
		return err
	}
	_, err = w.Commit()
	return err
}

// writeSections writes what a snapshot holds. An index that was extended is read from the
// one before.
func writeSections(ctx context.Context, lib *store.Library, w *snapshot.Writer, x index.Index) (err error) {
	defer mapped.Guard(&err)()
	return errors.Join(x.Write(w), writeWords(ctx, lib, w))
}

// removeSnapshots removes all but the one of generation keep. One that another process
// has mapped stays where the system does not let go of it, until the next time.
func (e *Engine) removeSnapshots(dir string, keep uint64) error {
	entries, err := snapshot.List(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Generation != keep {
			_ = e.disk().Remove(entry.Path)
		}
	}
	return nil
}

// disk is where snapshots are written to.
func (e *Engine) disk() snapshot.FS {
	if e.cfg.Files != nil {
		return e.cfg.Files
	}
	return snapshot.OS{}
}
