package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/hnsw"
	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/store"
)

// A snapshot holds the index of all vectors as of one change of the library, whose
// number is its generation. It is derived: where it is missing, damaged or not this
// library's, the vectors are read from the library and compared exactly, and the next
// add writes it again.

// snapshotFolder is where a library keeps its snapshots.
const snapshotFolder = "index"

func snapshotsOf(lib *store.Library) string { return filepath.Join(lib.Dir(), snapshotFolder) }

// How many vectors are worth what. Measured on two cores with 384 numbers a vector:
// fewer than snapshotFrom are read from the database in 15 ms; an exact scan of
// graphFrom takes 1 ms, a fifth of what encoding a query takes.
const (
	snapshotFrom = 2_000
	graphFrom    = 100_000
)

// graphFrom is the number of vectors from which a graph is walked.
func (e *Engine) graphFrom() int {
	if e.cfg.GraphFrom > 0 {
		return e.cfg.GraphFrom
	}
	return graphFrom
}

// identity names what a snapshot of a library, as of change number seq, is derived from.
func identity(ctx context.Context, lib *store.Library, m store.Model, seq int64) (snapshot.Identity, error) {
	id, err := lib.Identity(ctx)
	if err != nil {
		return snapshot.Identity{}, err
	}
	mark, err := lib.Mark(ctx, seq)
	if mark != 0 {
		id += fmt.Sprintf(" %016x", uint64(mark))
	}
	return snapshot.Identity{Dim: m.Dim, Fingerprint: m.Fingerprint + " " + id, Generation: uint64(seq)}, err
}

// errStale: a snapshot is of another library, model or history.
var errStale = errors.New("it is of another library or model, or of a state that this library never had")

// opened is a snapshot in use.
type opened struct {
	file  *snapshot.File
	index index.Index
	graph *hnsw.Graph // index, where it is a graph
	lacks error       // what an older akin did not write; nil: nothing
}

func (o *opened) method() string {
	if o.graph != nil {
		return "hnsw"
	}
	return "exact"
}

func (o *opened) generation() int64 { return int64(o.file.Identity().Generation) }

// openSnapshot opens the newest snapshot of a library that is not ahead of seq; nil if there
// is none that can be used. What cannot is told.
func openSnapshot(ctx context.Context, lib *store.Library, m store.Model, seq int64, tell func(path string, err error)) (*opened, error) {
	entries, err := snapshot.List(snapshotsOf(lib))
	if err != nil {
		return nil, err
	}
	for {
		var failed []func()
		for _, entry := range entries {
			if entry.Generation > uint64(seq) {
				continue
			}
			want, err := identity(ctx, lib, m, int64(entry.Generation))
			if err != nil {
				return nil, err
			}
			o, err := openOne(entry.Path, want)
			if err == nil {
				return o, nil
			}
			failed = append(failed, func() { tell(entry.Path, err) })
		}
		now, err := snapshot.List(snapshotsOf(lib))
		if err != nil {
			return nil, err
		}
		if slices.Equal(now, entries) {
			for _, tell := range failed {
				tell()
			}
			return nil, nil
		}
		entries = now // a writer replaced what was to be opened
	}
}

func openOne(path string, want snapshot.Identity) (*opened, error) {
	file, err := snapshot.Open(path, snapshot.OpenOptions{})
	if err != nil {
		return nil, err
	}
	o := &opened{file: file}
	_, err = openWords(file)
	if errors.Is(err, errNoWords) {
		o.lacks, err = fmt.Errorf("opening snapshot %s: %w", path, err), nil
	}
	_, isGraph := file.Section("graph")
	switch id := file.Identity(); {
	case id.Dim != want.Dim || id.Fingerprint != want.Fingerprint:
		err = fmt.Errorf("opening snapshot %s: %w", path, errStale)
	case err != nil:
		err = fmt.Errorf("opening snapshot %s: %w", path, err)
	case isGraph:
		o.graph, err = hnsw.Open(file)
		o.index = o.graph
	default:
		o.index, err = index.OpenFlat(file)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return o, nil
}

// searched is all vectors, as of one state of the library: those of a snapshot, if
// there is one, and those that came since, which are scanned exactly.
type searched struct {
	base   *opened     // nil where there is no snapshot
	newest os.FileInfo // the newest snapshot when it was loaded, whether it can be used or not; nil for none
	fresh  *index.Flat // what base does not have, or has otherwise
	dim    int
	seq    int64 // of the last change that it knows
}

// vectors returns the index, made at its first use and brought up to date with what was
// written since.
func (e *Engine) vectors(ctx context.Context) (*searched, error) {
	if err := checkProcessor(); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, err := e.shelfLocked(ctx); err != nil {
		return nil, err
	}
	if e.index == nil || e.lib != nil && e.index.outgrown(e.lib) {
		return e.reload(ctx)
	}
	if e.lib == nil {
		return e.index, nil
	}
	err := e.index.catchUp(ctx, e.lib)
	if errors.Is(err, store.ErrForgotten) {
		return e.reload(ctx)
	}
	return e.index, err
}

// reload opens the newest snapshot, or reads all vectors.
func (e *Engine) reload(ctx context.Context) (*searched, error) {
	s, err := e.loadVectors(ctx)
	if err != nil {
		return nil, err
	}
	e.index = s
	return s, nil
}

// loadVectors opens the snapshot, or reads all vectors.
func (e *Engine) loadVectors(ctx context.Context) (*searched, error) {
	m, err := e.vectorModel(ctx)
	if err != nil {
		return nil, err
	}
	s := &searched{dim: m.Dim}
	if s.fresh, err = index.NewFlat(m.Dim, index.FlatOptions{Codes: true}); err != nil {
		return nil, err
	}
	if e.lib == nil {
		return s, e.shelf.Vectors(ctx, s.fresh.Add)
	}
	// The number comes before the vectors: a change in between is told again.
	seq, err := e.lib.Seq(ctx)
	if err != nil {
		return nil, err
	}
	s.newest = newestSnapshot(e.lib)
	unusable := func(_ string, err error) {
		e.warn("%v: every paper is compared instead; akin add, without a path, mends it", err)
	}
	s.base, err = openSnapshot(ctx, e.lib, m, seq, unusable)
	if err != nil {
		e.warn("%v: every paper is compared instead", err)
	}
	if s.base != nil && s.base.lacks != nil {
		unusable(s.base.file.Path(), s.base.lacks)
		if err := s.base.file.Close(); err != nil {
			return nil, err
		}
		s.base = nil
	}
	if s.base != nil {
		e.files = append(e.files, s.base.file)
		s.seq = s.base.generation()
		if err := s.catchUp(ctx, e.lib); !errors.Is(err, store.ErrForgotten) {
			return s, err
		}
		// Another was written meanwhile, or was lost: what came since this one is not known.
		s.base = nil
		if s.fresh, err = index.NewFlat(m.Dim, index.FlatOptions{Codes: true}); err != nil {
			return nil, err
		}
	}
	s.seq = seq
	return s, e.lib.Vectors(ctx, s.fresh.Add)
}

// catchUp applies the changes that the library has had since.
func (s *searched) catchUp(ctx context.Context, lib *store.Library) error {
	seq, err := lib.Seq(ctx)
	if err != nil || seq == s.seq {
		return err
	}
	s.seq, err = lib.Changes(ctx, s.seq, func(n uint32, v []float32) error {
		if s.base != nil {
			s.base.index.Delete(n)
		}
		if v == nil {
			s.fresh.Delete(n)
			return nil
		}
		return s.fresh.Add(n, v)
	})
	return err
}

// outgrown reports whether so much came since the snapshot that a newer one, if there is
// one, is better opened. One that could not be used is not tried again.
func (s *searched) outgrown(lib *store.Library) bool {
	if s.fresh.Len() <= 2*freshMost {
		return false
	}
	newest := newestSnapshot(lib)
	known := s.newest != nil && newest != nil && os.SameFile(newest, s.newest) && newest.ModTime().Equal(s.newest.ModTime())
	return newest != nil && !known
}

// newestSnapshot is the file of a library's newest snapshot; nil if there is none.
func newestSnapshot(lib *store.Library) os.FileInfo {
	list, err := snapshot.List(snapshotsOf(lib))
	if err != nil || len(list) == 0 {
		return nil
	}
	info, err := os.Stat(list[0].Path)
	if err != nil {
		return nil
	}
	return info
}

// Len is the number of vectors.
func (s *searched) Len() int {
	n := s.fresh.Len()
	if s.base != nil {
		n += s.base.index.Len()
	}
	return n
}

// method is how an answer was found, as it is told: "hnsw" or "exact".
func (s *searched) method(exact bool) string {
	if s.base == nil || exact {
		return "exact"
	}
	return s.base.method()
}

// nearest returns the nearest papers to q, best first.
func (s *searched) nearest(q []float32, opts index.SearchOptions) ([]index.Hit, error) {
	if len(q) != s.dim {
		return nil, fmt.Errorf("%w: they have %d elements, the query %d", store.ErrOtherModel, s.dim, len(q))
	}
	hits, err := s.fresh.Search(q, opts)
	if err != nil || s.base == nil {
		return hits, err
	}
	more, err := s.base.index.Search(q, opts)
	if err != nil {
		return nil, err
	}
	return merge(hits, more, opts.K), nil
}

// merge returns the k best of two lists of different papers, each best first.
func merge(a, b []index.Hit, k int) []index.Hit {
	out := make([]index.Hit, 0, min(k, len(a)+len(b)))
	for len(out) < k && len(a)+len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && (a[0].Score > b[0].Score || a[0].Score == b[0].Score && a[0].ID < b[0].ID) {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return out
}

// vectorModel is whose vectors the shelf has. There may be papers and no vectors yet.
func (e *Engine) vectorModel(ctx context.Context) (store.Model, error) {
	sh, err := e.shelfLocked(ctx)
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
	return m, errNotEncoded
}

var errNotEncoded = &Error{Kind: NotFound, Err: errors.New("no paper of the library is encoded yet"), Hint: "akin add, without a path, encodes what is missing"}
