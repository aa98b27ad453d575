package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-9f29d379/akin/internal/store"
)

// Import is one entry of the ledger: what one command did to the library.
type Import struct {
	N               int64  `json:"n"`
	Command         string `json:"command"` // "add"; "merge", "split": they read nothing, and their counts are 0
	What            string `json:"what"`    // the command and what it was given
	Started         string `json:"started"` // RFC 3339, UTC
	State           string `json:"state"`   // "running" (also after a crash), "done", "partial" (a file could not be read, or not to its end), "interrupted", "failed", "undone"
	Read            int    `json:"read"`
	Added           int    `json:"added"`
	Updated         int    `json:"updated"`
	Merged          int    `json:"merged"`
	Unchanged       int    `json:"unchanged"`
	RejectedCount   int    `json:"rejected_count"`
	WithoutAbstract int    `json:"without_abstract"`
}

// ImportDetail is an entry of the ledger with what stands behind it.
type ImportDetail struct {
	Import
	Files    []ImportedFile `json:"files"`
	Rejected []Rejected     `json:"rejected"` // all of them
}

// ImportedFile is a source and how many records of it are in the library through this
// import.
type ImportedFile struct {
	Name    string `json:"name"`
	Records int    `json:"records"`
}

// Undone says what undoing an import changed.
type Undone struct {
	N         int64 `json:"n"`
	Removed   int   `json:"removed"`   // papers that are gone
	Withdrawn int   `json:"withdrawn"` // records that are gone from papers that stay
	Restored  int   `json:"restored"`  // records that have their earlier content again
	Parted    int   `json:"parted"`    // papers that had been merged
}

// errNoLibrary is what verbs on a library say where there is none.
var errNoLibrary = &Error{Kind: NotFound, Err: errors.New("there is no library yet"), Hint: "akin add PATH makes one"}

// library returns the library, for verbs that the seeds have no answer to.
func (e *Engine) library() (*store.Library, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.lib != nil:
		return e.lib, nil
	case e.onSeeds:
		return nil, errNoLibrary
	}
	return nil, e.empty()
}

// Sources returns the ledger: every import ever made, oldest first.
func (e *Engine) Sources(ctx context.Context) (_ []Import, err error) {
	defer e.begin(&err)()
	lib, err := e.library()
	if err != nil {
		return nil, err
	}
	entries, err := lib.Imports(ctx)
	if err != nil {
		return nil, explain(err)
	}
	list := make([]Import, len(entries))
	for i, entry := range entries {
		list[i] = imported(entry)
	}
	return list, nil
}

func imported(i store.Import) Import {
	command, _, _ := strings.Cut(i.What, " ")
	return Import{
		N: i.N, Command: command, What: i.What, Started: i.Started.UTC().Format(time.RFC3339), State: i.State, Read: i.Read, Added: i.Added,
		Updated: i.Updated, Merged: i.Merged, Unchanged: i.Unchanged, RejectedCount: i.Rejected, WithoutAbstract: i.WithoutAbstract,
	}
}

// Source returns what import n did.
func (e *Engine) Source(ctx context.Context, n int64) (_ *ImportDetail, err error) {
	defer e.begin(&err)()
	lib, err := e.library()
	if err != nil {
		return nil, err
	}
	d, err := detail(ctx, lib, n)
	if err != nil {
		return nil, explain(err)
	}
	return d, nil
}

func detail(ctx context.Context, lib *store.Library, n int64) (*ImportDetail, error) {
	entry, err := entryOf(ctx, lib, n)
	if err != nil {
		return nil, err
	}
	d := &ImportDetail{Import: imported(entry), Files: []ImportedFile{}, Rejected: []Rejected{}}
	files, err := lib.Sources(ctx, n)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		d.Files = append(d.Files, ImportedFile{Name: f.Source, Records: f.Records})
	}
	rejected, err := lib.Rejections(ctx, n)
	if err != nil {
		return nil, err
	}
	for _, r := range rejected {
		d.Rejected = append(d.Rejected, Rejected{File: r.File, Line: r.Line, ID: r.Key, Reason: r.Reason})
	}
	return d, nil
}

func entryOf(ctx context.Context, lib *store.Library, n int64) (store.Import, error) {
	entries, err := lib.Imports(ctx)
	if err != nil {
		return store.Import{}, err
	}
	for _, entry := range entries {
		if entry.N == n {
			return entry, nil
		}
	}
	return store.Import{}, &Error{Kind: NotFound, Err: fmt.Errorf("there is no import number %d", n), Hint: "akin sources lists them"}
}

// Undo takes back what import n did: its new records go, what it replaced comes back,
// and what it merged is taken apart, each unless a later import changed it again. A split
// is no import: a merge takes it back.
func (e *Engine) Undo(ctx context.Context, n int64) (*Undone, error) {
	out := &Undone{N: n}
	err := e.change(ctx, fmt.Sprintf("sources undo %d", n), func(w *store.Writer) error {
		entry, err := entryOf(ctx, w.Library, n)
		if err != nil {
			return err
		}
		if entry.State == "undone" {
			return usagef("akin sources shows what is left", "number %d is undone already", n)
		}
		if imported(entry).Command == "split" {
			return usagef("akin merge makes one paper of them again", "number %d is a split, which cannot be undone by its number", n)
		}
		u, err := w.Undo(n)
		out.Removed, out.Withdrawn, out.Restored, out.Parted = u.Removed, u.Withdrawn, u.Restored, u.Parted
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Merge makes one paper of several; it has the id of the first.
func (e *Engine) Merge(ctx context.Context, names []string) (*Paper, error) {
	var into store.Match
	err := e.change(ctx, "merge "+strings.Join(names, " "), func(w *store.Writer) error {
		found, err := e.resolveIn(ctx, w, names)
		if err != nil {
			return err
		}
		if len(found) < 2 {
			return usagef("name two papers or more", "there is nothing to merge: %s is one paper", strings.Join(names, ", "))
		}
		n, err := w.Begin("merge "+strings.Join(names, " "), time.Now())
		if err != nil {
			return err
		}
		ns := make([]uint32, len(found))
		for i, m := range found {
			ns[i] = m.N
		}
		into = found[0]
		if err := w.Merge(n, ns); err != nil {
			return err
		}
		return w.Record(n, "done", store.Tally{})
	})
	if err != nil {
		return nil, err
	}
	return e.Show(ctx, into.ID)
}

// Split takes apart what became one paper, by its last merge, and returns the papers
// that it is now, the one that keeps the id first.
func (e *Engine) Split(ctx context.Context, name string) ([]*Paper, error) {
	var ns []uint32
	err := e.change(ctx, "split "+name, func(w *store.Writer) error {
		found, err := e.resolveIn(ctx, w, []string{name})
		if err != nil {
			return err
		}
		n, err := w.Begin("split "+name, time.Now())
		if err != nil {
			return err
		}
		out, err := w.Split(n, found[0].N)
		if err != nil {
			return err
		}
		if len(out) == 0 {
			return usagef("akin show tells where it came from", "%s was never merged: it is of one record", found[0].ID)
		}
		ns = append([]uint32{found[0].N}, out...)
		return w.Record(n, "done", store.Tally{})
	})
	if err != nil {
		return nil, err
	}
	return e.showAll(ctx, ns)
}

func (e *Engine) showAll(ctx context.Context, ns []uint32) (_ []*Paper, err error) {
	defer e.begin(&err)()
	lib, err := e.library()
	if err != nil {
		return nil, err
	}
	papers, err := lib.Papers(ctx, ns)
	if err != nil {
		return nil, explain(err)
	}
	list := make([]*Paper, len(papers))
	for i, p := range papers {
		list[i] = shown(p)
	}
	return list, nil
}

// resolveIn is resolve, in a library that is to be changed.
func (e *Engine) resolveIn(ctx context.Context, w *store.Writer, names []string) ([]store.Match, error) {
	if err := e.needPapers(ctx, w.Library); err != nil {
		return nil, err
	}
	found, err := resolve(ctx, w.Library, names)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := refuseGuess(ctx, w.Library, strings.TrimSpace(name)); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// refuseGuess refuses to change a paper that is named by one or two characters, which are
// the beginning of its id by chance: those of a key that was removed a moment ago.
func refuseGuess(ctx context.Context, lib *store.Library, name string) error {
	const sure = 3
	if len(name) >= sure {
		return nil
	}
	found, err := lib.Find(ctx, name)
	if err != nil || len(found) != 1 {
		return err
	}
	papers, err := lib.Papers(ctx, []uint32{found[0].N})
	for _, p := range papers {
		if p.ID != name && !slices.Contains(p.Keys(), name) {
			return usagef("write more of its id: "+p.ID, "%q is the beginning of an id, too short to change a paper by", name)
		}
	}
	return err
}

// change runs do under the lock and commits what it did, or nothing. Papers that it
// leaves without a vector, whose text is known, get theirs back.
func (e *Engine) change(ctx context.Context, command string, do func(w *store.Writer) error) (err error) {
	defer e.begin(&err)()
	if _, err := e.library(); err != nil {
		return err
	}
	w, err := e.writer(ctx, command)
	if err != nil {
		return explain(err)
	}
	defer func() { err = explain(missed(w, errors.Join(err, w.Close(), e.written(ctx)))) }()
	seq, err := w.Seq(ctx)
	if err != nil {
		return err
	}
	if err := do(w); err != nil {
		return err
	}
	if err := w.Commit(); err != nil {
		return err
	}
	if err := e.reuse(ctx, w, seq); err != nil {
		return err
	}
	_, err = e.join(ctx, w)
	return err
}

// missed says of whatever went wrong that the library was taken away meanwhile, where it
// was: the rest follows from that. There may be no writer.
func missed(w *store.Writer, err error) error {
	if err == nil || w == nil || !errors.Is(err, store.ErrMoved) && !errors.Is(w.InPlace(), store.ErrMoved) {
		return err
	}
	return fmt.Errorf("writing to the library %s: %w", w.Dir(), store.ErrMoved)
}
