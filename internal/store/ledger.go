package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Import is one entry of the ledger: what one command did to the library.
type Import struct {
	N       int64
	What    string // the command and what it read
	Started time.Time
	State   string // "running", also after a crash; "done", "partial", "interrupted", "failed", "undone"
	Tally
}

// Tally counts the records of an import. Read = Added + Updated + Merged + Unchanged +
// Rejected.
type Tally struct {
	Read, Added, Updated, Merged, Unchanged, Rejected, WithoutAbstract int
}

// Count counts one record that was put.
func (t *Tally) Count(o Outcome) {
	t.Read++
	switch o {
	case Added:
		t.Added++
	case Updated:
		t.Updated++
	case Merged:
		t.Merged++
	case Unchanged:
		t.Unchanged++
	}
}

// Rejection is one record that was set aside.
type Rejection struct {
	File   string
	Line   int
	Key    string
	Reason string
}

// Begin opens an entry of the ledger and returns its number.
func (w *Writer) Begin(what string, started time.Time) (int64, error) {
	var n int64
	err := w.query(func(r *sql.Rows) error { return r.Scan(&n) },
		"INSERT INTO imports (what, started, state) VALUES (?, ?, 'running') RETURNING n", what, started.UTC().Format(time.RFC3339))
	if err == nil {
		err = w.seal("imports", "n = ?", n)
	}
	if err != nil {
		return 0, fmt.Errorf("writing the ledger: %w", err)
	}
	return n, nil
}

// Record brings the entry up to date; it becomes durable with the next commit.
func (w *Writer) Record(n int64, state string, t Tally) error {
	_, err := w.rewrite("imports", "state, read, added, updated, merged, unchanged, rejected, without_abstract", "n = ?9",
		state, t.Read, t.Added, t.Updated, t.Merged, t.Unchanged, t.Rejected, t.WithoutAbstract, n)
	if err != nil {
		return fmt.Errorf("writing the ledger: %w", err)
	}
	return nil
}

// Reject writes down a record that was set aside.
func (w *Writer) Reject(n int64, r Rejection) error {
	_, err := w.exec("INSERT INTO rejections (import, file, line, key, reason, sum) VALUES (?1, ?2, ?3, ?4, ?5, rowsum(?1, ?2, ?3, ?4, ?5))", n, r.File, r.Line, r.Key, r.Reason)
	if err != nil {
		return fmt.Errorf("writing the ledger: %w", err)
	}
	return nil
}

// Imports returns the ledger, oldest first.
func (l *Library) Imports(ctx context.Context) ([]Import, error) {
	rows, err := l.db.QueryContext(ctx, "SELECT n, what, started, state, read, added, updated, merged, unchanged, rejected, without_abstract FROM imports ORDER BY n")
	if err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", classify(err))
	}
	defer rows.Close()
	var list []Import
	for rows.Next() {
		var i Import
		var started string
		err := rows.Scan(&i.N, &i.What, &started, &i.State, &i.Read, &i.Added, &i.Updated, &i.Merged, &i.Unchanged, &i.Rejected, &i.WithoutAbstract)
		if err != nil {
			return nil, fmt.Errorf("reading the ledger: %w", classify(err))
		}
		i.Started, _ = time.Parse(time.RFC3339, started) // only told; the zero time if damaged
		list = append(list, i)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", classify(err))
	}
	return list, nil
}

// Rejections returns what import n set aside.
func (l *Library) Rejections(ctx context.Context, n int64) ([]Rejection, error) {
	rows, err := l.db.QueryContext(ctx, "SELECT file, line, key, reason FROM rejections WHERE import = ? ORDER BY rowid", n)
	if err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", classify(err))
	}
	defer rows.Close()
	var list []Rejection
	for rows.Next() {
		var r Rejection
		if err := rows.Scan(&r.File, &r.Line, &r.Key, &r.Reason); err != nil {
			return nil, fmt.Errorf("reading the ledger: %w", classify(err))
		}
		list = append(list, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", classify(err))
	}
	return list, nil
}

// Touched is how many records of a source an import left in the library.
type Touched struct {
	Source  string
	Records int
}

// Sources returns the sources that records of import n came from.
func (l *Library) Sources(ctx context.Context, n int64) ([]Touched, error) {
	rows, err := l.db.QueryContext(ctx, `SELECT s.name, count(*) FROM records r JOIN sources s ON s.id = r.source
		WHERE r.import = ? GROUP BY s.id ORDER BY s.id`, n)
	if err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", classify(err))
	}
	defer rows.Close()
	var list []Touched
	for rows.Next() {
		var t Touched
		if err := rows.Scan(&t.Source, &t.Records); err != nil {
			return nil, fmt.Errorf("reading the ledger: %w", classify(err))
		}
		list = append(list, t)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", classify(err))
	}
	return list, nil
}
