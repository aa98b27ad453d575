package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// databaseFile is the library's one file that is not derived.
const databaseFile = "library.db"

// Library reads a library. It is safe for concurrent use.
type Library struct {
	dir   string
	db    *sql.DB
	often *prepared // db, for what is asked often
}

func newLibrary(dir string, db *sql.DB) *Library {
	return &Library{dir: dir, db: db, often: prepare(db)}
}

// Open opens the library in dir for reading. The error wraps [ErrNoLibrary] where there
// is none or nothing was committed to it yet, [ErrDamaged], [ErrNewer] or [ErrUnfinished].
func Open(ctx context.Context, dir string) (*Library, error) {
	l, err := open(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("opening the library %s: %w", dir, err)
	}
	return l, nil
}

func open(ctx context.Context, dir string) (*Library, error) {
	path, err := database(dir)
	if err != nil {
		return nil, err
	}
	db, v, err := connect(ctx, path, "mode=rw")
	if err != nil && errors.Is(err, errCannotOpen) || errors.Is(err, ErrReadOnly) {
		db, v, err = connectReadOnly(ctx, path)
	}
	if err != nil {
		return nil, err
	}
	if v < len(migrations) {
		db.Close()
		if err := upgrade(ctx, dir); err != nil {
			return nil, err
		}
		if db, _, err = connect(ctx, path, "mode=rw"); err != nil {
			return nil, err
		}
	}
	if !isMade(ctx, db) {
		db.Close()
		return nil, ErrBeingMade
	}
	return newLibrary(dir, db), nil
}

// isMade reports whether a writer has committed to the database. Where that cannot be
// read, whoever reads on will say why.
func isMade(ctx context.Context, db *sql.DB) bool {
	made := true
	err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM meta WHERE name = 'next') OR EXISTS (SELECT 1 FROM papers)").Scan(&made)
	return made || err != nil
}

// database returns the path of the database in dir, which must be there.
func database(dir string) (string, error) {
	if err := checkFolder(dir); err != nil {
		return "", err
	}
	path := filepath.Join(dir, databaseFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if !wasLibrary(dir) {
			if _, err := os.Stat(filepath.Join(dir, lockFile)); err == nil {
				return "", ErrBeingMade
			}
			return "", ErrNoLibrary
		}
		if _, err := os.Stat(path); err != nil { // and was not made between the two looks
			return "", fmt.Errorf("%w: its %s is gone", ErrDamaged, databaseFile)
		}
	} else if err != nil {
		return "", err
	}
	return path, checkEmptied(dir)
}

// checkEmptied says that a database was made and has no bytes now: SQLite takes such a
// file for a new one.
func checkEmptied(dir string) error {
	info, err := os.Stat(filepath.Join(dir, databaseFile))
	if err == nil && info.Size() == 0 && wasLibrary(dir) {
		return fmt.Errorf("%w: its %s is empty", ErrDamaged, databaseFile)
	}
	return nil
}

// checkFolder says why dir is no folder that a library can be read from.
func checkFolder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ErrNoLibrary
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s: %w", fileIn(dir), ErrNoFolder)
	case err != nil:
		return fmt.Errorf("%w: %w", ErrNoAccess, err)
	case !info.IsDir():
		return ErrNoFolder
	}
	return nil
}

// fileIn is the file among the folders of a path.
func fileIn(path string) string {
	for {
		above := filepath.Dir(path)
		if info, err := os.Stat(above); err == nil && !info.IsDir() || above == path {
			return above
		}
		path = above
	}
}

// wasLibrary reports whether a folder without a database held one: there is its log, or
// the mark of its lock. The lock alone is there before the first database is made.
func wasLibrary(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, databaseFile+"-wal")); err == nil {
		return true
	}
	info, err := os.Stat(filepath.Join(dir, lockFile))
	return err == nil && info.Size() > 0
}

// connectReadOnly opens a database that lies where nothing can be written. SQLite can
// read it there only as an unchanging file, which leaves out what its log still holds.
func connectReadOnly(ctx context.Context, path string) (*sql.DB, int, error) {
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		return nil, 0, ErrUnfinished
	}
	db, v, err := connect(ctx, path, "mode=ro&immutable=1")
	if err == nil && v < len(migrations) {
		db.Close()
		return nil, 0, fmt.Errorf("%w, and its schema has to be brought up to date", ErrReadOnly)
	}
	return db, v, err
}

var errCannotOpen = errors.New("the database cannot be opened")

// connect opens the database and reads its schema's number.
func connect(ctx context.Context, path, mode string) (*sql.DB, int, error) {
	db := sql.OpenDB(connector{dsn(path, mode)})
	v, err := version(ctx, db)
	if err != nil {
		db.Close()
		err = classify(err)
		if strings.Contains(err.Error(), "unable to open database file") {
			err = fmt.Errorf("%w: %w", errCannotOpen, err)
		}
		return nil, 0, err
	}
	return db, v, nil
}

// cacheKB is SQLite's page cache a connection: enough for the inner pages and the
// random index pages of a library of a million papers.
const cacheKB = 64 << 10

// toWrite ends the mode of a writer's connections. They make no database: one that is gone
// from its place is missed, not made anew.
const toWrite = "&_txlock=immediate"

func dsn(path, mode string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	if !strings.HasPrefix(u.Path, "/") { // C:/…, or a relative path
		u.Opaque = (&url.URL{Path: u.Path}).EscapedPath()
		u.Path = ""
	}
	q := []string{mode, "_pragma=busy_timeout(10000)", fmt.Sprintf("_pragma=cache_size(-%d)", cacheKB), "_pragma=foreign_keys(0)"}
	if strings.HasSuffix(mode, toWrite) {
		q = append(q,
			fmt.Sprintf("_pragma=page_size(%d)", pageSize),
			"_pragma=journal_mode(WAL)", "_pragma=synchronous(FULL)",
			fmt.Sprintf("_pragma=wal_autocheckpoint(%d)", checkpointPages))
	}
	return u.String() + "?" + strings.Join(q, "&")
}

// checkpointPages is the size of the log, in pages, at which it is written back: large
// enough that a bulk import writes an index page a few times only.
const checkpointPages = 16 << 10

// upgrade brings a library of an older schema up to date, under the lock.
func upgrade(ctx context.Context, dir string) error {
	w, err := OpenWriter(ctx, dir, "upgrade")
	if err != nil {
		return err
	}
	return w.Close()
}

// Dir is the library's folder.
func (l *Library) Dir() string { return l.dir }

// Rest closes the connections that nothing uses, and with each the pages that it keeps, up
// to 64 MB: before long work that does not read.
func (l *Library) Rest() {
	l.db.SetMaxIdleConns(-1)
	l.db.SetMaxIdleConns(idleConnections)
}

// idleConnections is how many connections wait for their next use.
const idleConnections = 2

// Close releases the library.
func (l *Library) Close() error { return errors.Join(l.often.close(), l.db.Close()) }

// Bytes is the size of the library's files.
func (l *Library) Bytes() (int64, error) {
	var n int64
	err := filepath.WalkDir(l.dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return ignoreMissing(err)
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return ignoreMissing(err)
	})
	return n, err
}
