package engine

import (
	"context"
	"errors"
	"io/fs"

	"github.com/seed-9f29d379/akin/internal/store"
)

// Backup writes everything that the library holds into one new file.
func (e *Engine) Backup(ctx context.Context, path string) (err error) {
	defer e.begin(&err)()
	lib, err := e.library()
	if err != nil {
		return err
	}
	err = lib.Backup(ctx, path)
	if errors.Is(err, fs.ErrExist) {
		return &Error{Kind: Failed, Err: err, Hint: "name a file that is not there yet"}
	}
	return explain(err)
}

// Restore fills the library's folder, which must hold no papers, from a backup. It is no
// method, because a library that is damaged cannot be opened; that one is set aside
// under another name.
func Restore(ctx context.Context, cfg Config, path string) error {
	if cfg.Library == "" {
		return usagef("name one with --library", "no library's folder is known")
	}
	aside, err := store.Restore(ctx, cfg.Library, path)
	if aside != "" && cfg.Warn != nil {
		cfg.Warn("the damaged library was set aside as " + aside)
	}
	switch {
	case errors.Is(err, store.ErrNotEmpty):
		return &Error{Kind: Failed, Err: err, Hint: "name another folder with --library; nothing was changed"}
	}
	err = explain(err)
	if _, known := errors.AsType[*Error](err); known {
		return err
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return &Error{Kind: Failed, Err: err, Hint: "check the path"}
	}
	return err
}

// Repair mends what Check can find, tells what it did through Config.Warn, and checks
// again. Snapshots are written anew from the library.
func (e *Engine) Repair(ctx context.Context) (*CheckReport, error) {
	err := e.change(ctx, "check --repair", func(w *store.Writer) error {
		if err := w.Repair(ctx, func(what string) { e.warn("repaired: %s", what) }); err != nil {
			return err
		}
		if err := e.removeSnapshots(snapshotsOf(w.Library), 0); err != nil {
			return err
		}
		return e.indexing(ctx, w)
	})
	if err != nil {
		return nil, err
	}
	return e.Check(ctx)
}
