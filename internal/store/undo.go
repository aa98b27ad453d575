package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
)

// Undone says what undoing an import changed.
type Undone struct {
	Removed   int // papers that are gone
	Withdrawn int // records that are gone from papers that stay
	Restored  int // records that have their earlier content again
	Parted    int // papers that had been merged
}

// Undo takes back what import n did: its new records go, what it replaced comes back,
// and what it merged is taken apart, each unless a later import changed it again.
func (w *Writer) Undo(n int64) (Undone, error) {
	u, err := w.undo(n)
	if err != nil {
		return u, fmt.Errorf("undoing import %d: %w", n, err)
	}
	return u, nil
}

func (w *Writer) undo(n int64) (Undone, error) {
	var u Undone
	restored, err := w.restoreReplaced(n)
	if err != nil {
		return u, err
	}
	u.Restored = restored
	var touched []int64
	records := map[int64]int{}
	err = w.query(func(r *sql.Rows) error {
		var paper int64
		var count int
		err := r.Scan(&paper, &count)
		touched = append(touched, paper)
		records[paper] = count
		return err
	}, "SELECT paper, count(*) FROM records WHERE import = ? GROUP BY paper ORDER BY paper", n)
	if err != nil {
		return u, err
	}
	if _, err := w.exec("DELETE FROM records WHERE import = ?", n); err != nil {
		return u, err
	}
	merged, err := w.merges("WHERE import = ? ORDER BY seq DESC", n)
	if err != nil {
		return u, err
	}
	for _, m := range merged {
		ok, err := w.unmerge(m)
		if err != nil {
			return u, err
		}
		if ok {
			u.Parted++
		}
	}
	if u.Removed, err = w.dropEmpty(); err != nil {
		return u, err
	}
	for _, p := range touched {
		stays, err := w.numbers("SELECT n FROM papers WHERE n = ?", p)
		if err != nil {
			return u, err
		}
		u.Withdrawn += len(stays) * records[p]
		if err := w.rename(p); err != nil {
			return u, err
		}
		if err := w.refresh(p); err != nil {
			return u, err
		}
	}
	_, err = w.rewrite("imports", "state", "n = ?2", "undone", n)
	return u, err
}

// restoreReplaced gives the records that import n replaced their earlier content. Where
// a later import replaced one again, that import's undo restores it from now on.
func (w *Writer) restoreReplaced(n int64) (int, error) {
	type kept struct {
		record int64
		before string
	}
	var list []kept
	err := w.query(func(r *sql.Rows) error {
		var k kept
		err := r.Scan(&k.record, &k.before)
		list = append(list, k)
		return err
	}, "SELECT record, before FROM replaced WHERE import = ?", n)
	if err != nil {
		return 0, err
	}
	restored := 0
	for _, k := range list {
		res, err := w.rewrite("replaced", "before", `record = ?2 AND import =
			(SELECT min(import) FROM replaced WHERE record = ?2 AND import > ?3)`, k.before, k.record, n)
		if err != nil {
			return 0, err
		}
		if later, err := res.RowsAffected(); err != nil || later > 0 {
			if err != nil {
				return 0, err
			}
			continue
		}
		var b before
		if err := json.Unmarshal([]byte(k.before), &b); err != nil {
			return 0, fmt.Errorf("%w: what record %d was: %w", ErrDamaged, k.record, err)
		}
		now, err := w.row(k.record)
		if err != nil {
			return 0, err
		}
		if err := w.replaceRecord(k.record, b.Hash, b.Line, b.Import, &b.Fields); err != nil {
			return 0, err
		}
		if err := w.rename(now.paper); err != nil {
			return 0, err
		}
		if err := w.refresh(now.paper); err != nil {
			return 0, err
		}
		restored++
	}
	_, err = w.exec("DELETE FROM replaced WHERE import = ?", n)
	return restored, err
}

// dropEmpty deletes the papers that have no records any more.
func (w *Writer) dropEmpty() (int, error) {
	const empty = "NOT EXISTS (SELECT 1 FROM records r WHERE r.paper = papers.n)"
	if _, err := w.exec("INSERT INTO changes (paper) SELECT n FROM papers WHERE " + empty); err != nil {
		return 0, err
	}
	res, err := w.exec("DELETE FROM papers WHERE " + empty)
	if err != nil {
		return 0, err
	}
	for _, query := range []string{
		"DELETE FROM names WHERE NOT EXISTS (SELECT 1 FROM papers p WHERE p.n = names.paper)",
		"DELETE FROM merges WHERE NOT EXISTS (SELECT 1 FROM papers p WHERE p.n = merges.kept)",
		"DELETE FROM replaced WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.id = replaced.record)",
	} {
		if _, err := w.exec(query); err != nil {
			return 0, err
		}
	}
	n, err := res.RowsAffected()
	return int(n), err
}

func (w *Writer) numbers(query string, args ...any) ([]int64, error) {
	var list []int64
	err := w.query(func(r *sql.Rows) error {
		var n int64
		err := r.Scan(&n)
		list = append(list, n)
		return err
	}, query, args...)
	return list, err
}
