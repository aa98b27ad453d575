package engine

import (
	"context"
	"errors"
	"fmt"

	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/store"
)

// Add reads papers into the library, encodes what has no vector and brings the
// snapshot up to date. On a context's end it keeps what is done and returns the
// report so far beside the context's error. There is no report of a library that was taken
// away meanwhile.
func (e *Engine) Add(ctx context.Context, req AddRequest) (_ *AddReport, err error) {
	defer e.begin(&err)()
	start := time.Now()
	a := &adding{e: e, req: req, report: &AddReport{Rejected: []Rejected{}}, began: start, truncated: make(map[store.TextKey]bool)}
	err = a.run(ctx)
	if a.w != nil {
		var countErr error // counted also after an interrupt
		a.report.NotEncoded, countErr = pendingIn(context.WithoutCancel(ctx), a.w.Library)
		err = errors.Join(err, countErr, a.w.Close(), e.written(ctx))
	}
	if err = missed(a.w, err); errors.Is(err, store.ErrMoved) { // what it would count is in no library
		return nil, explain(err)
	}
	a.report.Seconds = time.Since(start).Seconds()
	return a.report, explain(err)
}

// adding is one call of Add.
type adding struct {
	e      *Engine
	req    AddRequest
	report *AddReport
	began  time.Time

	w        *store.Writer // nil before there is something to write
	imported int64         // number in the ledger
	tally    store.Tally
	sources  map[string]store.Source
	unsaved  int // records since the last commit
	// Texts that were encoded now and are longer than the model reads.
	truncated map[store.TextKey]bool
	// A large file that is read again is compared in memory.
	known        atomic.Pointer[knownFile]
	repeated     int // records in a row that were unchanged, of repeatedFile
	repeatedFile string
	// Bytes of the files that the reader has read, and of all of them.
	readBytes, totalBytes atomic.Int64
	committed             time.Time
}

func (a *adding) run(ctx context.Context) error {
	if a.e.hasLibrary() || len(a.req.Paths) == 0 {
		if err := a.open(ctx); err != nil {
			return err
		}
	}
	err := a.read(ctx)
	if ctx.Err() != nil {
		return errors.Join(err, a.finish("interrupted"))
	}
	if err != nil && a.tally.Read == 0 {
		return errors.Join(err, a.finish("failed"))
	}
	isPart := err != nil && a.tally.Read > a.tally.Rejected
	if a.w != nil && !a.req.NoEmbed { // also after a damaged file: what was read is kept
		encErr := a.encode(ctx)
		if encErr == nil {
			encErr = a.e.indexing(ctx, a.w)
		}
		if encErr == nil {
			a.report.Themes, encErr = a.e.join(ctx, a.w)
		}
		if encErr == nil && !a.req.NoSentences {
			encErr = a.sentences(ctx)
		}
		err = errors.Join(err, encErr)
	}
	switch {
	case ctx.Err() != nil:
		return errors.Join(err, a.finish("interrupted"))
	case isPart:
		return errors.Join(err, a.finish("partial"))
	case err != nil:
		return errors.Join(err, a.finish("failed"))
	}
	return a.finish("done")
}

// hasLibrary reports whether the library's database is there already.
func (e *Engine) hasLibrary() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.lib != nil
}

// open takes the lock and makes the library where it is missing.
func (a *adding) open(ctx context.Context) error {
	if a.w != nil {
		return nil
	}
	if len(a.req.Paths) == 0 && !a.e.hasLibrary() {
		return &Error{Kind: NotFound, Err: errors.New("there is no library to finish"), Hint: "akin add PATH reads papers into one"}
	}
	w, err := a.e.writer(ctx, "add")
	if err != nil {
		return err
	}
	a.w, a.sources, a.committed = w, make(map[string]store.Source), time.Now()
	if !a.req.NoEmbed {
		if err := a.checkModel(ctx); err != nil {
			return err
		}
	}
	if len(a.req.Paths) == 0 {
		return nil
	}
	a.imported, err = w.Begin("add "+strings.Join(a.req.Paths, " "), a.began)
	return err
}

// checkModel refuses to add to a library of another model before anything is read.
func (a *adding) checkModel(ctx context.Context) error {
	m, ok, err := a.w.Model(ctx)
	if err != nil || !ok {
		return err
	}
	enc, err := a.e.model()
	if err != nil {
		return err
	}
	if want := string(enc.Fingerprint()); want != m.Fingerprint {
		return fmt.Errorf("adding to %s: %w: they are of %s, not of %s", a.w.Dir(), store.ErrOtherModel, m.Fingerprint, want)
	}
	return nil
}

// finish closes the entry of the ledger.
func (a *adding) finish(state string) error {
	r := a.report
	r.Read, r.Added, r.Updated, r.Merged, r.Unchanged = a.tally.Read, a.tally.Added, a.tally.Updated, a.tally.Merged, a.tally.Unchanged
	r.RejectedCount, r.WithoutAbstract = a.tally.Rejected, a.tally.WithoutAbstract
	if a.w == nil {
		return nil
	}
	r.KeptApart = a.w.KeptApart()
	if a.imported != 0 {
		if err := a.w.Record(a.imported, state, a.tally); err != nil {
			return err
		}
	}
	return a.w.Commit()
}

// A library is committed after so many records or so much time. Index pages are
// written once a commit, so that small commits would write a large import many times.
const (
	commitRecords = 20_000
	commitAfter   = 2 * time.Second
)

// read reads all paths into the library. Errors of files are told together at the end;
// the records of the other files stand.
func (a *adding) read(ctx context.Context) error {
	if len(a.req.Paths) == 0 {
		return nil
	}
	var faults []error
	for c := range a.chunks(ctx) {
		<-c.ready
		faults = append(faults, c.faults...)
		if err := a.put(context.WithoutCancel(ctx), c); err != nil { // what came before an interrupt is kept
			return err
		}
		a.e.progress(Progress{Stage: "reading", Done: a.tally.Read, Total: a.expected(), Unit: "records"})
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(faults) == 0 && a.tally.Read == a.tally.Rejected {
		faults = append(faults, a.nothing())
	}
	return errors.Join(faults...)
}

// expected is how many records there may be in all, from the share of the files' bytes
// that is read; 0 where that is not known.
func (a *adding) expected() int {
	read, total := a.readBytes.Load(), a.totalBytes.Load()
	if read <= 0 || total <= 0 {
		return 0
	}
	return int(float64(a.tally.Read) * max(1, float64(total)/float64(read)))
}

// nothing says that no record could be used.
func (a *adding) nothing() error {
	what := strings.Join(a.req.Paths, ", ")
	if a.tally.Read > 0 {
		return &Error{Kind: Failed, Err: fmt.Errorf("reading %s: none of %s can be used", what, number.Of(a.tally.Read, "record")), Hint: "a paper needs a title or an abstract; --map names the columns that hold them"}
	}
	return &Error{Kind: Failed, Err: fmt.Errorf("reading %s: there are no papers in it", what), Hint: "akin add --help lists the formats"}
}

// put writes a chunk of records.
func (a *adding) put(ctx context.Context, c *chunk) error {
	if len(c.records)+len(c.rejected) == 0 {
		return nil
	}
	if err := a.open(ctx); err != nil {
		return err
	}
	for _, r := range c.rejected {
		if err := a.reject(r); err != nil {
			return err
		}
	}
	if len(c.records) > 0 {
		src, err := a.source(c.file)
		if err != nil {
			return err
		}
		out, err := a.w.Put(ctx, a.imported, src, c.prepared)
		if err != nil {
			return err
		}
		if err := a.recognise(ctx, c, src, out); err != nil {
			return err
		}
		for i, o := range out {
			a.tally.Count(o)
			if !c.prepared[i].Usable {
				a.tally.WithoutAbstract++
			}
		}
	}
	a.unsaved += len(c.records) + len(c.rejected)
	if a.unsaved < commitRecords && time.Since(a.committed) < commitAfter {
		return nil
	}
	if err := a.w.Record(a.imported, "running", a.tally); err != nil {
		return err
	}
	a.unsaved, a.committed = 0, time.Now()
	return a.w.Commit()
}

// knownFile is what the library has of a file.
type knownFile struct {
	file    string
	records *store.Known
}

// recogniseAfter unchanged records in a row, a file is being read again, and what the
// library has of it is worth reading at once.
const recogniseAfter = 10_000

func (a *adding) recognise(ctx context.Context, c *chunk, src store.Source, out []store.Outcome) error {
	if k := a.known.Load(); k != nil && k.file == c.file {
		return nil
	}
	if c.file != a.repeatedFile || slices.ContainsFunc(out, func(o store.Outcome) bool { return o != store.Unchanged }) {
		a.repeatedFile, a.repeated = c.file, 0
		return nil
	}
	if a.repeated += len(out); a.repeated < recogniseAfter {
		return nil
	}
	records, err := a.w.Known(ctx, src)
	if err == nil {
		a.known.Store(&knownFile{c.file, records})
	}
	return err
}

// listedRejections are told in the report; the ledger has all.
const listedRejections = 1000

func (a *adding) reject(r *corpus.Rejected) error {
	a.tally.Read++
	a.tally.Rejected++
	if len(a.report.Rejected) < listedRejections {
		a.report.Rejected = append(a.report.Rejected, Rejected{File: r.File, Line: r.Line, ID: r.Key, Reason: r.Reason})
	}
	return a.w.Reject(a.imported, store.Rejection{File: sourceName(r.File), Line: r.Line, Key: r.Key, Reason: r.Reason})
}

// source returns the number of the source that a file is.
func (a *adding) source(file string) (store.Source, error) {
	if s, ok := a.sources[file]; ok {
		return s, nil
	}
	s, err := a.w.Source(sourceName(file))
	if err == nil {
		a.sources[file] = s
	}
	return s, err
}

// stdinName is the source of what came through a pipe.
const stdinName = "stdin"

// sourceName is a file's whole path, so that the same file is the same source from
// whatever folder it is named.
func sourceName(file string) string {
	if file == stdinName {
		return file
	}
	if whole, err := filepath.Abs(file); err == nil {
		return whole
	}
	return file
}
