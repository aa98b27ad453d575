package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/mapped"
	"github.com/seed-9f29d379/akin/internal/store"
)

// Engine answers on one library. It is safe for concurrent use; the verbs that write
// take the library's lock. It opens the encoder, and reads the vectors, at their first
// use.
type Engine struct {
	cfg Config

	life sync.RWMutex // held for reading by every verb, for writing by Close

	mu        sync.Mutex
	lib       *store.Library // nil where there is none
	onSeeds   bool           // there is not even a folder
	closed    bool
	shelf     shelf      // what is read from: lib, or the seeds once they are needed
	index     *searched  // nil before the first search
	nearness  *nearness  // nil before the first explanation
	wordIndex *wordIndex // nil before the first search by words
	sentences recentSentences
	waiting   unencoded
	foreign   sync.Once        // a query in another language was told
	files     []*snapshot.File // that index has, or had: a search may still read them
	encoder   embed.Encoder    // nil before its first use
}

// Open opens the library of cfg for reading; writing verbs take the lock themselves
// and make the folder when it is missing. Without a folder, or until the first import into
// one is committed, it answers on the seeds.
func Open(ctx context.Context, cfg Config) (*Engine, error) {
	if err := checkConfig(cfg); err != nil {
		return nil, err
	}
	e := &Engine{cfg: cfg, encoder: cfg.Encoder}
	if err := e.openLibrary(ctx); err != nil {
		return nil, explain(err)
	}
	return e, nil
}

// openLibrary opens what there is to read from.
func (e *Engine) openLibrary(ctx context.Context) error {
	e.onSeeds = e.cfg.Library == ""
	if e.onSeeds {
		return nil
	}
	lib, err := store.Open(ctx, e.cfg.Library)
	switch {
	case err == nil:
		e.lib, e.shelf = lib, lib
		return nil
	case !errors.Is(err, store.ErrNoLibrary):
		return err
	}
	_, noFolder := os.Stat(e.cfg.Library)
	e.onSeeds = errors.Is(noFolder, fs.ErrNotExist) || errors.Is(err, store.ErrBeingMade)
	return nil
}

// Close waits for the verbs that are running and releases the library.
func (e *Engine) Close() error {
	e.life.Lock()
	defer e.life.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	var errs []error
	for _, f := range e.files {
		errs = append(errs, f.Close())
	}
	if e.lib != nil {
		errs = append(errs, e.lib.Close())
	}
	e.lib, e.shelf, e.index, e.wordIndex, e.files, e.closed = nil, nil, nil, nil, nil, true
	return errors.Join(errs...)
}

var errClosed = errors.New("the library was closed")

// begin keeps the library open until the function that it returns is called, which every
// verb defers. A snapshot that was cut short, or cannot be read any more, is then the error
// of the verb, and the next one opens what there is.
func (e *Engine) begin(err *error) (end func()) {
	e.life.RLock()
	before := debug.SetPanicOnFault(true)
	return func() {
		p := recover()
		debug.SetPanicOnFault(before)
		defer e.life.RUnlock()
		if p != nil {
			*err = explain(mapped.Fault(p))
		}
		if errors.Is(*err, mapped.ErrUnreadable) {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.index, e.wordIndex = nil, nil
		}
	}
}

// written is called after something was written: a library that was made just now is
// read from now on. One that was there tells its changes itself.
func (e *Engine) written(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.lib != nil {
		return nil
	}
	e.shelf, e.index, e.wordIndex = nil, nil, nil
	return e.openLibrary(context.WithoutCancel(ctx))
}

// OnSeeds reports whether the answers come from the bundled seed papers.
func (e *Engine) OnSeeds() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.onSeeds
}

// papers returns the shelf to read from, or says that there is nothing on it.
func (e *Engine) papers(ctx context.Context) (shelf, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	sh, err := e.shelfLocked(ctx)
	if err != nil || e.lib == nil {
		return sh, err
	}
	return sh, e.needPapers(ctx, e.lib)
}

// needPapers is the error of a library that has no papers.
func (e *Engine) needPapers(ctx context.Context, lib *store.Library) error {
	newest, err := lib.Newest(ctx)
	if err == nil && newest == 0 {
		err = e.empty()
	}
	return err
}

// shelfLocked returns the shelf to read from, which may be a library without papers. The
// error is empty's where it was never filled.
func (e *Engine) shelfLocked(ctx context.Context) (shelf, error) {
	switch {
	case e.closed:
		return nil, errClosed
	case e.shelf == nil && !e.onSeeds:
		return nil, e.empty()
	}
	if e.shelf == nil {
		s, err := openSeeds(ctx)
		if err != nil {
			return nil, err
		}
		e.shelf = s
	}
	return e.shelf, nil
}

// ErrNoPapers is in the error of every verb that needs papers, of a library without any:
// one that was never filled, or whose papers were all removed.
var ErrNoPapers = errors.New("no papers")

// empty says that the library has no papers.
func (e *Engine) empty() error {
	return &Error{Kind: NotFound, Err: fmt.Errorf("the library %s has %w", e.cfg.Library, ErrNoPapers), Hint: "add some with: akin add PATH"}
}

// writer takes the library's lock for a command.
func (e *Engine) writer(ctx context.Context, command string) (*store.Writer, error) {
	if e.cfg.Library == "" {
		return nil, &Error{Kind: Usage, Err: errors.New("no library's folder is known"), Hint: "name one with --library"}
	}
	return store.OpenWriter(ctx, e.cfg.Library, command)
}

func (e *Engine) warn(format string, args ...any) {
	if e.cfg.Warn != nil {
		e.cfg.Warn(fmt.Sprintf(format, args...))
	}
}

func (e *Engine) progress(p Progress) {
	if e.cfg.Progress != nil {
		e.cfg.Progress(p)
	}
}
