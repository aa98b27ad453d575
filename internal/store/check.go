package store

import (
	"context"
	"database/sql"
	"fmt"
)

// Fault is something in a library that is not as it must be.
type Fault struct {
	What, Where, Hint string
}

// invariants are queries that count what must not be.
var invariants = []struct{ what, query, hint string }{
	{"papers without a record", "SELECT count(*) FROM papers p WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.paper = p.n)", hintRepair},
	{"records without their paper", "SELECT count(*) FROM records r WHERE NOT EXISTS (SELECT 1 FROM papers p WHERE p.n = r.paper)", hintRepair},
	{"records without their source", "SELECT count(*) FROM records r WHERE NOT EXISTS (SELECT 1 FROM sources s WHERE s.id = r.source)", hintRepair},
	{"names of papers that are gone", "SELECT count(*) FROM names a WHERE NOT EXISTS (SELECT 1 FROM papers p WHERE p.n = a.paper)", hintRepair},
	{"papers that their id does not name", "SELECT count(*) FROM papers p WHERE NOT EXISTS (SELECT 1 FROM names a WHERE a.name = p.id AND a.paper = p.n)", hintRepair},
	{"papers whose vector is gone", "SELECT count(*) FROM papers p WHERE p.vector IS NOT NULL AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.id = p.vector)", hintRepair},
	{"sentences of vectors that are gone", "SELECT count(*) FROM sentences s WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.id = s.vector)", hintRepair},
	{"papers with a vector of another model", "SELECT count(*) FROM papers p JOIN vectors v ON v.id = p.vector WHERE v.model != (SELECT value FROM meta WHERE name = 'model')", hintRepair},
}

const hintRepair = "akin check --repair mends it"

// Check verifies the database and what must hold in it, and tells each fault. It reads
// everything once.
func (l *Library) Check(ctx context.Context, tell func(Fault)) error {
	if err := l.checkPages(ctx, tell); err != nil {
		return fmt.Errorf("checking the database: %w", classify(err))
	}
	for _, i := range invariants {
		var n int
		if err := l.db.QueryRowContext(ctx, i.query).Scan(&n); err != nil {
			return fmt.Errorf("checking for %s: %w", i.what, classify(err))
		}
		if n > 0 {
			tell(Fault{What: fmt.Sprintf("%d %s", n, i.what), Where: databaseFile, Hint: i.hint})
		}
	}
	return l.checkVectors(ctx, tell)
}

// checkPages lets SQLite verify its pages and indexes.
func (l *Library) checkPages(ctx context.Context, tell func(Fault)) error {
	rows, err := l.db.QueryContext(ctx, "PRAGMA integrity_check(20)")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var message string
		if err := rows.Scan(&message); err != nil {
			return err
		}
		if message != "ok" {
			tell(Fault{What: message, Where: databaseFile, Hint: "akin restore brings a backup back; the sources can be added again to a new folder"})
		}
	}
	return rows.Err()
}

// checkVectors decodes every stored vector.
func (l *Library) checkVectors(ctx context.Context, tell func(Fault)) error {
	bad, err := l.badVectors(ctx)
	if err != nil {
		return fmt.Errorf("checking vectors: %w", err)
	}
	if len(bad) > 0 {
		tell(Fault{What: fmt.Sprintf("%d vectors cannot be what was stored (the first is number %d)", len(bad), bad[0]), Where: databaseFile, Hint: hintRepair})
	}
	return nil
}

// badVectors lists the stored vectors that cannot be decoded.
func (l *Library) badVectors(ctx context.Context) ([]int64, error) {
	rows, err := l.db.QueryContext(ctx, "SELECT v.id, v.vec, coalesce(m.dim, 0) FROM vectors v LEFT JOIN models m ON m.id = v.model")
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	var bad []int64
	for rows.Next() {
		var id, dim int64
		var data sql.RawBytes
		if err := rows.Scan(&id, &data, &dim); err != nil {
			return nil, classify(err)
		}
		if dim <= 0 || dim > int64(len(data)) || ParseVector(make([]float32, dim), data) != nil {
			bad = append(bad, id)
		}
	}
	return bad, classify(rows.Err())
}
