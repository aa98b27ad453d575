package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-9f29d379/akin/internal/number"
)

// Backup writes the whole library into one new file, which is complete or not there.
// Others may write meanwhile: the file holds one state.
func (l *Library) Backup(ctx context.Context, path string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("backing up to %s: %w", path, classify(err))
		}
	}()
	if _, err := os.Lstat(path); err == nil {
		return fs.ErrExist
	}
	folder, err := os.MkdirTemp(filepath.Dir(path), ".akin-backup-*")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBackupPlace, cause(err))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	part := filepath.Join(folder, databaseFile)
	if _, err := l.db.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return err
	}
	if err := syncFile(part); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return fmt.Errorf("%w: %w", ErrBackupPlace, cause(err))
	}
	return syncFile(filepath.Dir(path))
}

// cause drops the paths of an error, where they are of no file that a person named.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

// syncFile makes a file, or the names in a folder, durable.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = f.Sync()
	if info, statErr := f.Stat(); statErr == nil && info.IsDir() {
		err = nil // not every system can sync a folder
	}
	return errors.Join(err, f.Close())
}

// ErrNotEmpty: there are papers where a backup should come.
var ErrNotEmpty = errors.New("the library has papers already")

// Restore fills the empty or missing library in dir from a backup, in one transaction.
// A damaged library is set aside under another name first, and that name returned.
func Restore(ctx context.Context, dir, path string) (aside string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("restoring %s: %w", path, readOnly(classify(err)))
		}
	}()
	scratch, err := os.MkdirTemp("", "akin-restore-*")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	from, err := prepareBackup(ctx, scratch, path)
	if err != nil {
		return "", ofBackup(err)
	}
	_, err = database(dir)
	var w *Writer
	if !errors.Is(err, ErrDamaged) {
		w, err = OpenWriter(ctx, dir, "restore")
	}
	if errors.Is(err, ErrDamaged) {
		if aside, err = setAside(dir); err != nil {
			return "", err
		}
		w, err = OpenWriter(ctx, dir, "restore")
	}
	if err != nil {
		return aside, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	c, err := w.Counts(ctx)
	if err != nil {
		return aside, err
	}
	if c.Papers > 0 {
		return aside, ErrNotEmpty
	}
	return aside, w.copyFrom(ctx, from)
}

// ofBackup says of damage that it is the backup's, and not that of a library.
func ofBackup(err error) error {
	if err = classify(err); !errors.Is(err, ErrDamaged) {
		return err
	}
	return fmt.Errorf("%w: %s", ErrBadBackup, strings.ReplaceAll(err.Error(), ErrDamaged.Error()+": ", ""))
}

// prepareBackup copies a backup, brings the copy to the present schema and verifies it:
// its pages, and every row by its checksum, since a wrong bit may lie in what it says.
func prepareBackup(ctx context.Context, scratch, path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	switch {
	case info.IsDir():
		return "", fmt.Errorf("%w: it is a folder", ErrNoBackup)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%w: it is no regular file", ErrNoBackup)
	}
	if err := isDatabase(path); err != nil {
		return "", err
	}
	db, v, err := connect(ctx, path, "mode=ro&immutable=1")
	if err != nil {
		return "", err
	}
	defer db.Close()
	if v == 0 {
		return "", fmt.Errorf("%w: the backup holds nothing", ErrDamaged)
	}
	copied := filepath.Join(scratch, databaseFile)
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", copied); err != nil {
		return "", err
	}
	w, err := OpenWriter(ctx, scratch, "restore")
	if err != nil {
		return "", err
	}
	var faults []string
	tell := func(f Fault) { faults = append(faults, f.What) }
	err = w.checkPages(ctx, tell)
	if err == nil && len(faults) == 0 { // rows of pages that are damaged may not be readable
		err = w.checkRows(ctx, tell)
	}
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("%w: %s", ErrDamaged, faults[0])
		if more := len(faults) - 1; more > 0 {
			err = fmt.Errorf("%w, and %s more", err, number.Of(more, "fault"))
		}
	}
	return copied, errors.Join(err, w.Close())
}

// isDatabase looks at the beginning of a file for the marks of a library: SQLite's, and
// ours 68 bytes on.
func isDatabase(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 72)
	if _, err := io.ReadFull(f, head); err != nil || !bytes.HasPrefix(head, []byte("SQLite format 3\x00")) || binary.BigEndian.Uint32(head[68:]) != applicationID {
		return ErrNoBackup
	}
	return nil
}

// copyFrom takes over every row of another database of the same schema.
func (w *Writer) copyFrom(ctx context.Context, path string) error {
	conn, err := w.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "ATTACH ? AS backup", path); err != nil {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	rows, err := tx.QueryContext(ctx, "SELECT name FROM backup.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
	if err != nil {
		return err
	}
	defer rows.Close()
	var tables []string
	for rows.Next() {
		var t string
		if err := rows.Scan(&t); err != nil {
			return err
		}
		tables = append(tables, t)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, t := range tables { // names of our own schema
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(`DELETE FROM main.%q`, t)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(`INSERT INTO main.%q SELECT * FROM backup.%q`, t, t)); err != nil {
			return err
		}
	}
	// Another identity: what was derived from another history is not taken for this one's.
	if _, err := tx.ExecContext(ctx, "UPDATE main.meta SET value = lower(hex(randomblob(8))) WHERE name = 'identity'"); err != nil {
		return err
	}
	if err := w.InPlace(); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "DETACH backup")
	return errors.Join(err, w.InPlace())
}

// setAside gives a database that cannot be read, and its log, another name.
func setAside(dir string) (string, error) {
	aside := filepath.Join(dir, databaseFile+".damaged-"+time.Now().UTC().Format("20060102-150405"))
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := ignoreMissing(os.Rename(filepath.Join(dir, databaseFile)+suffix, aside+suffix)); err != nil {
			return "", err
		}
	}
	return aside, nil
}
