package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/seed-9f29d379/akin/internal/number"
)

// Fault is something in a library that is not as it must be.
type Fault struct {
	What, Where, Hint string
}

// toldAtMost rows of a table that are damaged are told one by one, the others counted.
const toldAtMost = 20

// rowKinds say of each table how a damaged row is told: what it is, in a query's terms.
var rowKinds = []struct{ table, what, name, hint string }{
	{"papers", "the entry of a paper", "papers.id || ' (' || papers.title || ')'", hintRepair},
	{"records", "a record", recordName, hintReread},
	{"sources", "the name of a source", "name", hintRepair},
	{"models", "the name of the vectors' model", "fingerprint", hintRepair},
	{"vectors", "the vector of a paper", "coalesce((SELECT p.id FROM papers p WHERE p.vector = vectors.id), 'that is gone')", hintRepair},
	{"sentences", "the sentences of a paper", "coalesce((SELECT p.id FROM papers p WHERE p.vector = sentences.vector), 'that is gone')", hintRepair},
	{"imports", "an import in the ledger", "n || ' (' || what || ')'", hintRepair},
	{"rejections", "a rejection in the ledger", "file || ':' || line", hintRepair},
	{"replaced", "an earlier version of a record", "coalesce((SELECT p.id FROM records r JOIN papers p ON p.n = r.paper WHERE r.id = replaced.record), 'that is gone')", hintRepair},
	{"merges", "an entry in the list of merges", "gone_id", hintRepair},
	{"divisions", "how the themes were found", "k || ' themes'", hintRepair},
	{"themes", "a theme", "'t' || n || ' (' || label || ')'", hintRepair},
	{"theme_papers", "the theme of a paper", "coalesce((SELECT p.id FROM papers p WHERE p.n = theme_papers.paper), 'that is gone')", hintRepair},
}

// recordName tells a record by its paper and its source.
const recordName = `coalesce((SELECT p.id || ' (' || p.title || ')' FROM papers p WHERE p.n = records.paper), 'no paper') ||
	', of ' || coalesce((SELECT s.name FROM sources s WHERE s.id = records.source), 'no source')`

const hintReread = "akin check --repair mends one wrong bit; else akin add, with the file that it came from, reads it again"

// checkRows compares every row with its checksum and decodes every vector.
func (l *Library) checkRows(ctx context.Context, tell func(Fault)) error {
	for _, kind := range rowKinds {
		where := unlikeSum(kind.table)
		if kind.table == "vectors" {
			bad, err := l.badVectors(ctx)
			if err != nil {
				return fmt.Errorf("checking vectors: %w", err)
			}
			where = "id IN (SELECT value FROM json_each('" + jsonList(append([]int64{}, bad...)) + "'))"
		}
		n := 0
		err := l.each(ctx, func(r *sql.Rows) error {
			var name string
			if n++; n > toldAtMost {
				return nil
			}
			if err := r.Scan(&name); err != nil {
				return err
			}
			tell(Fault{What: fmt.Sprintf("%s is not what was stored: %s", kind.what, name), Where: databaseFile, Hint: kind.hint})
			return nil
		}, "SELECT "+kind.name+" FROM "+kind.table+" WHERE "+where)
		if err != nil {
			return fmt.Errorf("comparing %s with their checksums: %w", kind.table, err)
		}
		if n > toldAtMost {
			tell(Fault{What: fmt.Sprintf("%s more like this", number.Grouped(n-toldAtMost)), Where: databaseFile, Hint: kind.hint})
		}
	}
	return nil
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
	{"papers with a vector of another model", "SELECT count(*) FROM papers p JOIN vectors v ON v.id = p.vector WHERE v.model IS NOT (SELECT value FROM meta WHERE name = 'model')", hintRepair},
	{"papers in a theme that is gone", "SELECT count(*) FROM theme_papers t WHERE t.theme != 0 AND NOT EXISTS (SELECT 1 FROM themes h WHERE h.n = t.theme)", hintRepair},
	{"papers in themes that are gone themselves", "SELECT count(*) FROM theme_papers t WHERE NOT EXISTS (SELECT 1 FROM papers p WHERE p.n = t.paper)", hintRepair},
	{"settings missing or unknown", "SELECT count(name NOT IN ('identity', 'model', 'next', 'forgotten') OR NULL) + (sum(name = 'identity') IS NOT 1) FROM meta", hintRepair},
	{"names that are not their paper's", `SELECT count(*) FROM names a JOIN papers p ON p.n = a.paper WHERE a.name != p.id
		AND NOT EXISTS (SELECT 1 FROM records r WHERE r.paper = a.paper AND instr(' ' || r.ids || ' ', ' ' || a.name || ' '))
		AND NOT EXISTS (SELECT 1 FROM merges m WHERE m.kept = a.paper AND m.gone_id = a.name)`, hintRepair},
}

const (
	hintRepair = "akin check --repair mends it"
	hintBackup = "akin restore brings a backup back; the sources can be added again to a new folder"
)

// Check verifies the database and what must hold in it, and tells each fault. It reads
// everything once.
func (l *Library) Check(ctx context.Context, tell func(Fault)) error {
	if err := l.checkPages(ctx, tell); err != nil {
		return fmt.Errorf("checking the database: %w", classify(err))
	}
	if err := l.checkSchema(ctx, tell); err != nil {
		return fmt.Errorf("checking the tables: %w", classify(err))
	}
	for _, i := range invariants {
		var n int
		if err := l.db.QueryRowContext(ctx, i.query).Scan(&n); err != nil {
			return fmt.Errorf("checking for %s: %w", i.what, classify(err))
		}
		if n > 0 {
			tell(Fault{What: number.Grouped(n) + " " + i.what, Where: databaseFile, Hint: i.hint})
		}
	}
	return l.checkRows(ctx, tell)
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
			tell(Fault{What: message, Where: databaseFile, Hint: hintBackup})
		}
	}
	return rows.Err()
}

// badVectors lists the stored vectors that are not what was written, or no vectors.
func (l *Library) badVectors(ctx context.Context) ([]int64, error) {
	rows, err := l.db.QueryContext(ctx, "SELECT v.id, v.vec, coalesce(m.dim, 0), v.sum IS rowsum(v.model, v.tokens, v.key, v.vec) FROM vectors v LEFT JOIN models m ON m.id = v.model")
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	var bad []int64
	for rows.Next() {
		var id, dim int64
		var data sql.RawBytes
		var intact bool
		if err := rows.Scan(&id, &data, &dim, &intact); err != nil {
			return nil, classify(err)
		}
		if !intact || dim <= 0 || dim > int64(len(data)) || ParseVector(make([]float32, dim), data) != nil {
			bad = append(bad, id)
		}
	}
	return bad, classify(rows.Err())
}
