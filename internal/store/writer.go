package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Writer writes to a library and holds its lock. What it writes is seen by others (and by
// the reading methods of its Library), and survives a crash, from [Writer.Commit] on. It
// is not safe for concurrent use.
type Writer struct {
	*Library
	lock  *flock.Flock
	tx    *sql.Tx
	stmts map[string]*sql.Stmt // of tx
	next  int64                // number of the next new paper
	file  os.FileInfo          // the database, as it was opened
	// Hashes of records that this writer replaced: a Known set may still have them.
	replaced map[[hashBytes]byte]bool
	// Papers with a record, put by this writer, of which an identifier names another paper.
	apart map[int64]bool
}

// OpenWriter opens the library in dir for writing and makes it where it is missing. The
// error wraps what [Open] says, [ErrReadOnly], or is a [LockedError] that names the
// holder; command is what other processes are told in their turn.
func OpenWriter(ctx context.Context, dir, command string) (*Writer, error) {
	w, err := openWriter(ctx, dir, command)
	if err != nil {
		return nil, fmt.Errorf("opening the library %s for writing: %w", dir, err)
	}
	return w, nil
}

func openWriter(ctx context.Context, dir, command string) (*Writer, error) {
	if err := makeFolder(dir); err != nil {
		return nil, err
	}
	host, _ := os.Hostname() // only told; "" will do
	lock, err := takeLock(dir, Holder{PID: os.Getpid(), Host: host, Since: time.Now(), Command: command})
	if err != nil {
		return nil, readOnly(err)
	}
	err = makeDatabase(ctx, dir)
	if err == nil {
		err = markMade(dir)
	}
	if err != nil {
		return nil, errors.Join(readOnly(classify(err)), releaseLock(dir, lock))
	}
	w := &Writer{lock: lock, replaced: make(map[[hashBytes]byte]bool), apart: make(map[int64]bool)}
	if w.file, err = identify(dir); err != nil {
		return nil, errors.Join(err, releaseLock(dir, lock))
	}
	db, v, err := connect(ctx, filepath.Join(dir, databaseFile), "mode=rw"+toWrite)
	if err != nil {
		return nil, errors.Join(err, releaseLock(dir, lock))
	}
	w.Library = newLibrary(dir, db)
	if v < len(migrations) {
		err = migrate(ctx, db, v)
	}
	if err == nil {
		err = db.QueryRowContext(ctx, `SELECT max(coalesce((SELECT value FROM meta WHERE name = 'next'), 1),
			coalesce((SELECT max(n) + 1 FROM papers), 1))`).Scan(&w.next)
	}
	if err != nil {
		return nil, errors.Join(classify(err), w.Close())
	}
	return w, nil
}

// makeFolder makes the library's folder where it is missing.
func makeFolder(dir string) error {
	if err := checkFolder(dir); err != nil && !errors.Is(err, ErrNoLibrary) {
		return err
	}
	err := os.MkdirAll(dir, 0o755)
	switch {
	case errors.Is(err, syscall.ENOTDIR): // Windows says it of a path below a file here alone
		return fmt.Errorf("%s: %w", fileIn(dir), ErrNoFolder)
	case err != nil:
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return nil
}

// makeDatabase makes the database where it is missing, aside and under the lock: others see
// none or a whole one.
func makeDatabase(ctx context.Context, dir string) error {
	path := filepath.Join(dir, databaseFile)
	if _, err := os.Lstat(path); err == nil {
		return checkEmptied(dir)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	part := path + "-part"
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := ignoreMissing(os.Remove(part + suffix)); err != nil {
			return err
		}
	}
	db, v, err := connect(ctx, part, "mode=rwc"+toWrite)
	if err != nil {
		return err
	}
	if err := errors.Join(migrate(ctx, db, v), db.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	return syncFile(dir)
}

// readOnly says of an error of the file system whether it is that nothing can be
// written.
func readOnly(err error) error {
	if errors.Is(err, fs.ErrPermission) || isReadOnlyFS(err) {
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return err
}

// identify says which file the database in dir is. It is not opened for that: to close it
// again would end the locks that SQLite has on it.
func identify(dir string) (os.FileInfo, error) {
	info, err := os.Stat(filepath.Join(dir, databaseFile))
	if err == nil && !os.SameFile(info, info) { // Windows reads which file it is at the first comparison
		err = fmt.Errorf("%w: %s", ErrMoved, databaseFile)
	}
	return info, err
}

// InPlace says that the library's folder has no longer the database that is written to: a
// file that was deleted, moved or replaced meanwhile takes every write without an error.
// The error wraps [ErrMoved].
func (w *Writer) InPlace() error {
	now, err := os.Stat(filepath.Join(w.dir, databaseFile))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), err == nil && !os.SameFile(now, w.file):
		return fmt.Errorf("writing to the library %s: %w", w.dir, ErrMoved)
	case err != nil:
		return fmt.Errorf("writing to the library %s: %w: %w", w.dir, ErrNoAccess, cause(err))
	}
	return nil
}

// Close drops what was not committed and releases the lock.
func (w *Writer) Close() error {
	release := func() error { return releaseLock(w.dir, w.lock) }
	if errors.Is(w.InPlace(), ErrMoved) {
		release = w.lock.Unlock // what tells of a holder at the path is another's
	}
	return errors.Join(w.Rollback(), w.Library.Close(), release())
}

// KeptApart is how many papers have records, put by this writer, under an identifier that
// names another paper.
func (w *Writer) KeptApart() int { return len(w.apart) }

// begin starts a transaction where none is open. It does not end with a context: half
// of a batch is never left by one.
func (w *Writer) begin() error {
	if w.tx != nil {
		return nil
	}
	tx, err := w.db.Begin()
	if err != nil {
		return classify(err)
	}
	w.tx, w.stmts = tx, make(map[string]*sql.Stmt)
	return nil
}

// Commit makes durable what was written since the last one. The error wraps [ErrMoved]
// where the library is not in its place any more, also if nothing was written.
func (w *Writer) Commit() error {
	if err := w.InPlace(); err != nil || w.tx == nil {
		return errors.Join(err, w.Rollback())
	}
	_, err := w.exec("INSERT INTO meta (name, value) VALUES ('next', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", w.next)
	if err == nil {
		err = w.tx.Commit()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("writing to the library: %w", classify(err)), w.Rollback())
	}
	w.tx = nil
	return w.InPlace() // what a file was given that is gone is not durable
}

// Rollback drops what was not committed.
func (w *Writer) Rollback() error {
	if w.tx == nil {
		return nil
	}
	err := w.tx.Rollback()
	w.tx = nil
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// stmt prepares query once a transaction.
func (w *Writer) stmt(query string) (*sql.Stmt, error) {
	if err := w.begin(); err != nil {
		return nil, err
	}
	s := w.stmts[query]
	if s == nil {
		var err error
		if s, err = w.tx.Prepare(query); err != nil {
			return nil, classify(err)
		}
		w.stmts[query] = s
	}
	return s, nil
}

func (w *Writer) exec(query string, args ...any) (sql.Result, error) {
	s, err := w.stmt(query)
	if err != nil {
		return nil, err
	}
	res, err := s.Exec(args...)
	return res, classify(err)
}

// query calls scan for each row of a query within the transaction.
func (w *Writer) query(scan func(*sql.Rows) error, query string, args ...any) error {
	s, err := w.stmt(query)
	if err != nil {
		return err
	}
	rows, err := s.Query(args...)
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return classify(err)
		}
	}
	return classify(rows.Err())
}
