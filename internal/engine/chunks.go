package engine

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"sync"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/all"
	"github.com/seed-9f29d379/akin/internal/store"
)

// chunk is some records of one file on their way from the reader, which runs alone,
// over a worker that derives what can be derived without the library, to the writer,
// which takes chunks in order.
type chunk struct {
	file     string
	records  []corpus.Record
	rejected []*corpus.Rejected
	faults   []error
	bytes    int
	prepared []store.Prepared // of records, once ready is closed
	ready    chan struct{}
}

// A chunk is handed on at either bound; so many are on their way at a time.
const (
	chunkRecords = 512
	chunkBytes   = 2 << 20
	chunksAhead  = 8
)

// chunks yields the records of the request; when ctx ends, those that were read by then.
// All goroutines have ended when the loop over it has.
func (a *adding) chunks(ctx context.Context) iter.Seq[*chunk] {
	return func(yield func(*chunk) bool) {
		ctx, cancel := context.WithCancel(ctx)
		unwanted := make(chan struct{}) // closed when the loop is left
		inOrder := make(chan *chunk, chunksAhead)
		work := make(chan *chunk, chunksAhead)
		var group sync.WaitGroup
		group.Go(func() {
			defer close(inOrder)
			defer close(work)
			a.produce(ctx, func(c *chunk) bool {
				select {
				case inOrder <- c:
				case <-unwanted: // a context's end alone keeps what was read
					return false
				}
				work <- c // has room whenever inOrder had, or a worker is about to make some
				return true
			})
		})
		for range a.e.workers() {
			group.Go(func() {
				for c := range work {
					var known *store.Known
					if k := a.known.Load(); k != nil && k.file == c.file {
						known = k.records
					}
					c.prepared = make([]store.Prepared, len(c.records))
					for i, r := range c.records {
						c.prepared[i] = store.Prepare(r, known)
					}
					close(c.ready)
				}
			})
		}
		defer group.Wait()
		defer cancel()
		defer close(unwanted)
		for c := range inOrder {
			if !yield(c) {
				return
			}
		}
	}
}

// produce reads the paths and sends chunks until send reports false.
func (a *adding) produce(ctx context.Context, send func(*chunk) bool) {
	c := &chunk{ready: make(chan struct{})}
	flush := func(file string) bool {
		if len(c.records)+len(c.rejected)+len(c.faults) > 0 && !send(c) {
			return false
		}
		c = &chunk{file: file, ready: make(chan struct{})}
		return true
	}
	told := &oddities{warn: a.e.warn}
	defer func() { // before the last chunk is taken: the channel is closed after it
		told.rest()
		a.report.PassedOver, a.report.PassedOverCount = told.passed, told.count()
	}()
	opts := corpus.Options{Format: a.req.Format, Columns: a.req.Map, Stdin: a.req.Stdin, Warn: told.oddity, Progress: func(read, total int64) {
		a.readBytes.Store(read)
		a.totalBytes.Store(total)
	}}
	for r, err := range corpus.Read(ctx, all.Formats(), a.req.Paths, opts) {
		file := r.File
		rejected, isRejected := errors.AsType[*corpus.Rejected](err)
		if isRejected {
			file = rejected.File
		}
		if (err == nil || isRejected) && file != c.file && !flush(file) {
			return
		}
		switch {
		case err == nil:
			c.records = append(c.records, r)
			c.bytes += len(r.Paper.Abstract) + len(r.Paper.Title)
		case isRejected:
			c.rejected = append(c.rejected, rejected)
		default:
			if skipped, ok := errors.AsType[*corpus.Skipped](err); ok {
				told.skipped(skipped)
				continue
			}
			c.faults = append(c.faults, fault(err))
		}
		if (len(c.records)+len(c.rejected) >= chunkRecords || c.bytes >= chunkBytes) && !flush(c.file) {
			return
		}
	}
	flush("")
}

// fault gives an error of a file its hint.
func fault(err error) error {
	if f, ok := errors.AsType[*corpus.Fault](err); ok {
		return &Error{Kind: Failed, Err: err, Hint: f.Hint}
	}
	return err
}

// workers is how many goroutines may compute at a time.
func (e *Engine) workers() int {
	if e.cfg.Workers > 0 {
		return e.cfg.Workers
	}
	return runtime.GOMAXPROCS(0)
}
