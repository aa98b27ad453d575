package store

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Seq is the number of the last change to the vectors and texts of papers.
func (l *Library) Seq(ctx context.Context) (int64, error) {
	var seq int64
	if err := l.often.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM changes").Scan(&seq); err != nil {
		return 0, fmt.Errorf("reading the library's changes: %w", classify(err))
	}
	return seq, nil
}

// Mark is the random mark of change number seq; 0 where it is not kept, or came by an akin
// that gave none.
func (l *Library) Mark(ctx context.Context, seq int64) (int64, error) {
	var mark int64
	if err := l.often.QueryRowContext(ctx, "SELECT coalesce((SELECT mark FROM changes WHERE seq = ?), 0)", seq).Scan(&mark); err != nil {
		return 0, fmt.Errorf("reading the library's changes: %w", classify(err))
	}
	return mark, nil
}

// ErrForgotten: changes that old are not kept any more.
var ErrForgotten = errors.New("the library does not remember its changes since then")

// remembers returns ErrForgotten where changes after seq are not kept any more. It is
// asked after the changes were read: they may be forgotten meanwhile.
func (l *Library) remembers(ctx context.Context, seq int64) error {
	var forgotten int64
	err := l.often.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM meta WHERE name = 'forgotten'), 0)").Scan(&forgotten)
	if err != nil {
		return fmt.Errorf("reading the library's changes: %w", classify(err))
	}
	if seq < forgotten {
		return fmt.Errorf("reading the library's changes: %w", ErrForgotten)
	}
	return nil
}

// Forget drops the changes before seq, which nobody needs once a snapshot of seq is
// written; that one stays for its mark, as does the last, and what papers without a theme came by.
func (w *Writer) Forget(seq int64) error {
	upTo, err := w.numbers(`SELECT min(?1 - 1, coalesce((SELECT joined FROM divisions), ?1), (SELECT max(seq) - 1 FROM changes))
		FROM changes WHERE seq <= ?1 LIMIT 1`, seq)
	if err == nil && len(upTo) > 0 && upTo[0] > 0 {
		_, err = w.exec("DELETE FROM changes WHERE seq <= ?", upTo[0])
		if err == nil {
			_, err = w.exec("INSERT INTO meta (name, value) VALUES ('forgotten', ?) ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)", upTo[0])
		}
	}
	if err != nil {
		return fmt.Errorf("forgetting the library's changes: %w", err)
	}
	return nil
}

// Identity is a random name that a library gets when it is made or restored. Files that
// are derived from a library carry it.
func (l *Library) Identity(ctx context.Context) (string, error) {
	var id string
	if err := l.db.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'identity'").Scan(&id); err != nil {
		return "", fmt.Errorf("reading the library's identity: %w", classify(err))
	}
	return id, nil
}

// CountChanges counts the papers whose vector or text changed after seq. The error wraps
// ErrForgotten where that is not known any more, as for all that asks for changes.
func (l *Library) CountChanges(ctx context.Context, seq int64) (int, error) {
	var n int
	if err := l.db.QueryRowContext(ctx, "SELECT count(DISTINCT paper) FROM changes WHERE seq > ?", seq).Scan(&n); err != nil {
		return 0, fmt.Errorf("reading the library's changes: %w", classify(err))
	}
	return n, l.remembers(ctx, seq)
}

// Changes calls yield for every paper whose vector or text changed after seq: with its vector
// as it is now, or with nil if it has none any more. v is valid until yield returns. It
// returns the number of the last change it told.
func (l *Library) Changes(ctx context.Context, seq int64, yield func(n uint32, v []float32) error) (int64, error) {
	m, ok, err := l.Model(ctx)
	if err != nil {
		return 0, err
	}
	if !ok {
		m.Dim = 0
	}
	last := seq
	rows, err := l.db.QueryContext(ctx, `SELECT c.paper, max(c.seq), v.vec FROM changes c LEFT JOIN papers p ON p.n = c.paper
		LEFT JOIN vectors v ON v.id = p.vector WHERE c.seq > ? GROUP BY c.paper ORDER BY c.paper`, seq)
	if err != nil {
		return 0, fmt.Errorf("reading the library's changes: %w", classify(err))
	}
	defer rows.Close()
	v := make([]float32, m.Dim)
	for rows.Next() {
		var n uint32
		var at int64
		var data []byte
		if err := rows.Scan(&n, &at, &data); err != nil {
			return 0, fmt.Errorf("reading the library's changes: %w", classify(err))
		}
		last = max(last, at)
		now := v
		if data == nil {
			now = nil
		} else if err := ParseVector(v, data); err != nil {
			return 0, fmt.Errorf("reading the vector of paper %d: %w", n, err)
		}
		if err := yield(n, now); err != nil {
			return 0, err
		}
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("reading the library's changes: %w", classify(err))
	}
	return last, l.remembers(ctx, seq)
}

// ChangedSince returns the papers whose vector or text came, changed or went after seq,
// ascending; some of them may not be there any more.
func (l *Library) ChangedSince(ctx context.Context, seq int64) ([]uint32, error) {
	ns, err := l.numbers(ctx, "SELECT DISTINCT paper FROM changes WHERE seq > ? ORDER BY paper", seq)
	if err != nil {
		return nil, err
	}
	return ns, l.remembers(ctx, seq)
}

// NumbersAfter returns the numbers of the papers after number n, ascending.
func (l *Library) NumbersAfter(ctx context.Context, n uint32) ([]uint32, error) {
	return l.numbers(ctx, "SELECT n FROM papers WHERE n > ? ORDER BY n", n)
}

// NumbersByID returns the numbers of all papers in the order of their ids: an order that
// does not depend on when they came.
func (l *Library) NumbersByID(ctx context.Context) ([]uint32, error) {
	return l.numbers(ctx, "SELECT n FROM papers ORDER BY id, n")
}

// NumbersOfYears returns the papers of the years from one to another, ascending; 0 leaves
// that end open. A paper without a year is of none.
func (l *Library) NumbersOfYears(ctx context.Context, from, to int) ([]uint32, error) {
	if to == 0 {
		to = math.MaxInt32
	}
	return l.numbers(ctx, "SELECT n FROM papers WHERE year BETWEEN max(?, 1) AND ? ORDER BY n", from, to)
}

// Newest is the number of the paper that was added last; 0 if there is none.
func (l *Library) Newest(ctx context.Context) (uint32, error) {
	list, err := l.numbers(ctx, "SELECT coalesce(max(n), 0) FROM papers")
	if err != nil {
		return 0, err
	}
	return list[0], nil
}

// numbers reads a query's one column.
func (l *Library) numbers(ctx context.Context, query string, args ...any) ([]uint32, error) {
	rows, err := l.often.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("reading papers' numbers: %w", classify(err))
	}
	defer rows.Close()
	var list []uint32
	for rows.Next() {
		var n uint32
		if err := rows.Scan(&n); err != nil {
			return nil, fmt.Errorf("reading papers' numbers: %w", classify(err))
		}
		list = append(list, n)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading papers' numbers: %w", classify(err))
	}
	return list, nil
}
