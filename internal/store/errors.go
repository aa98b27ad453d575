package store

import (
	"errors"
	"fmt"
	"time"

	sqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

var (
	// ErrNoLibrary: the folder is missing or holds no library.
	ErrNoLibrary = errors.New("there is no library here")
	// ErrBeingMade: a writer has begun to make the library and committed nothing. It wraps
	// ErrNoLibrary.
	ErrBeingMade = fmt.Errorf("%w: it is being made", ErrNoLibrary)
	// ErrDamaged: the database cannot be what was written.
	ErrDamaged = errors.New("the library is damaged")
	// ErrNoBackup: the file is no backup of a library.
	ErrNoBackup = errors.New("the file is no backup of akin")
	// ErrBadBackup: the file was a backup once, and cannot be read as one any more.
	ErrBadBackup = errors.New("the backup is damaged")
	// ErrNoFolder: where the library's folder should be, or a folder above it, is a file.
	ErrNoFolder = errors.New("it is a file, not a folder")
	// ErrNoAccess: the library's folder cannot be reached.
	ErrNoAccess = errors.New("the folder cannot be reached")
	// ErrBackupPlace: a backup cannot be written where it should be.
	ErrBackupPlace = errors.New("no file can be written there")
	// ErrNewer: the library was written by a newer akin.
	ErrNewer = errors.New("the library was made by a newer akin")
	// ErrReadOnly: the library lies where nothing can be written.
	ErrReadOnly = errors.New("the library cannot be written")
	// ErrUnfinished: a read-only library whose last writes lie in a log that reading
	// would have to replay.
	ErrUnfinished = errors.New("the library was not closed and lies where nothing can be written")
	// ErrMoved: the library was taken away under a writer.
	ErrMoved = errors.New("the library was deleted, moved or replaced meanwhile")
	// ErrOtherModel: the library's vectors are of another model.
	ErrOtherModel = errors.New("the library's vectors are of another model")
)

// Holder says who writes to a library.
type Holder struct {
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	Since   time.Time `json:"since"`
	Command string    `json:"command"`
}

func (h Holder) String() string {
	if h.PID == 0 {
		return "another process"
	}
	return fmt.Sprintf("akin %s (process %d on %s, since %s)", h.Command, h.PID, h.Host, h.Since.Local().Format("15:04:05"))
}

// LockedError says that another process writes to the library.
type LockedError struct{ Holder Holder }

func (e *LockedError) Error() string { return "the library is being written by " + e.Holder.String() }

// classify joins the sentinel that a caller decides by to an error of the database.
func classify(err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if _, locked := errors.AsType[*LockedError](err); !ok || locked || errors.Is(err, ErrDamaged) || errors.Is(err, ErrReadOnly) {
		return err // or classified already
	}
	switch e.Code() & 0xff { // the primary code
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case sqlite3.SQLITE_READONLY:
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("%w: %w", &LockedError{}, err)
	}
	return err
}
