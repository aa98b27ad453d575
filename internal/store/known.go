package store

import (
	"bytes"
	"context"
	"fmt"
	"slices"
)

// Known is the hashes of a source's records, in memory: when a large file is read again,
// a record that has not changed is recognised without asking the database. It takes 16
// bytes a record. A nil Known knows none. It is safe for concurrent use.
type Known struct {
	hashes [][hashBytes]byte // ascending
}

// Known returns the hashes of a source's records, as committed.
func (l *Library) Known(ctx context.Context, s Source) (*Known, error) {
	rows, err := l.db.QueryContext(ctx, "SELECT hash FROM records INDEXED BY records_key WHERE source = ?", s)
	if err != nil {
		return nil, fmt.Errorf("reading a source's records: %w", classify(err))
	}
	defer rows.Close()
	k := &Known{}
	for rows.Next() {
		var h []byte
		if err := rows.Scan(&h); err != nil {
			return nil, fmt.Errorf("reading a source's records: %w", classify(err))
		}
		if len(h) == hashBytes {
			k.hashes = append(k.hashes, [hashBytes]byte(h))
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading a source's records: %w", classify(err))
	}
	slices.SortFunc(k.hashes, compareHashes)
	return k, nil
}

func compareHashes(a, b [hashBytes]byte) int { return bytes.Compare(a[:], b[:]) }

func (k *Known) has(h [hashBytes]byte) bool {
	if k == nil {
		return false
	}
	_, ok := slices.BinarySearchFunc(k.hashes, h, compareHashes)
	return ok
}
