package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// The lock is the operating system's lock on one file, so it ends with the process
// that holds it; who that is stands in another, since a locked file cannot be read on
// every system.
const (
	lockFile   = "lock"
	holderFile = "lock.json"
)

// maxHolder is far more than a holder's description needs.
const maxHolder = 1 << 16

func takeLock(dir string, h Holder) (*flock.Flock, error) {
	l := flock.New(filepath.Join(dir, lockFile), flock.SetPermissions(0o644))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("locking the library: %w", err)
	}
	if !ok {
		return nil, &LockedError{Holder: readHolder(dir)}
	}
	data, err := json.Marshal(h)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, holderFile), data, 0o644)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("locking the library: %w", err), l.Unlock())
	}
	return l, nil
}

// lockMark is what stands in the lock file once the database was made: a folder with it
// and without a database has lost one, and one without it has none yet. It stands behind
// the first byte, which is the one that is locked on Windows.
const lockMark = "akin\n"

func markMade(dir string) (err error) {
	f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err == nil && info.Size() == 0 {
		_, err = f.WriteAt([]byte(lockMark), 1)
	}
	return err
}

// readHolder returns what is known of the holder; the zero Holder if nothing is.
func readHolder(dir string) Holder {
	var h Holder
	data, err := os.ReadFile(filepath.Join(dir, holderFile))
	if err != nil || len(data) > maxHolder || json.Unmarshal(data, &h) != nil {
		return Holder{}
	}
	return h
}

func releaseLock(dir string, l *flock.Flock) error {
	return errors.Join(ignoreMissing(os.Remove(filepath.Join(dir, holderFile))), l.Unlock())
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
