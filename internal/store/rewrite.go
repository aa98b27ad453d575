package store

import (
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/seed-9f29d379/akin/internal/paper"
)

const selectRows = "SELECT id, paper, source, import, hash, key, line, " + fieldColumns + " FROM records "

// rows reads the records of a paper within the transaction.
func (w *Writer) rows(n int64) ([]row, error) {
	var list []row
	err := w.query(func(rows *sql.Rows) error {
		r, err := scanRow(rows)
		list = append(list, r)
		return err
	}, selectRows+"WHERE paper = ? ORDER BY id", n)
	return list, err
}

// row reads one record.
func (w *Writer) row(id int64) (row, error) {
	r := row{id: -1}
	err := w.query(func(rows *sql.Rows) (err error) {
		r, err = scanRow(rows)
		return err
	}, selectRows+"WHERE id = ?", id)
	if err == nil && r.id < 0 {
		err = fmt.Errorf("%w: record %d is gone", ErrDamaged, id)
	}
	return r, err
}

func scanRow(rows *sql.Rows) (row, error) {
	var r row
	var f fieldScan
	if err := rows.Scan(append([]any{&r.id, &r.paper, &r.source, &r.imported, &r.hash, &r.key, &r.line}, f.into()...)...); err != nil {
		return r, err
	}
	if len(r.hash) != hashBytes {
		return r, fmt.Errorf("%w: record %d has a hash of %d bytes", ErrDamaged, r.id, len(r.hash))
	}
	r.fields = f.paper()
	return r, nil
}

// replaceRecord gives a record other content.
func (w *Writer) replaceRecord(id int64, hash []byte, line int, imported int64, p *paper.Paper) error {
	args := append([]any{hash, line, imported}, fieldArgs(p)...)
	_, err := w.exec(`UPDATE records SET hash = ?, line = ?, import = ?, year = ?, ids = ?, title = ?, authors = ?, venue = ?, url = ?,
		date = ?, keywords = ?, abstract = ? WHERE id = ?`, append(args, id)...)
	if err != nil {
		return err
	}
	return w.seal("records", "id = ?", id)
}

// before is a record as it was, in the ledger.
type before struct {
	Hash   []byte
	Import int64
	Line   int
	Fields paper.Paper
}

// remember keeps a record as it is, so that the import that replaces it can be undone.
// The first version that an import replaces is the one that undo restores.
func (w *Writer) remember(imported int64, r *row) error {
	data, err := json.Marshal(before{Hash: r.hash, Import: r.imported, Line: r.line, Fields: r.fields})
	if err != nil {
		return fmt.Errorf("keeping record %d: %w", r.id, err)
	}
	_, err = w.exec("INSERT INTO replaced (record, import, before, sum) VALUES (?1, ?2, ?3, rowsum(?1, ?2, ?3)) ON CONFLICT DO NOTHING", r.id, imported, string(data))
	return err
}

// refresh brings what is derived from a paper's records up to date: mark, year, title,
// whether there is an abstract. Its vector stays where its text is what it was; else it is
// looked for again at the next encoding.
func (w *Writer) refresh(n int64) error {
	rows, err := w.rows(n)
	if err != nil || len(rows) == 0 {
		return err
	}
	p := fold(rows)
	title := heading(&p)
	if err := w.touched(n); err != nil {
		return err
	}
	var key []byte // of its text; left out where there is no vector, since cleaning takes longer than all else here
	encoded, err := w.numbers("SELECT vector FROM papers WHERE n = ? AND vector IS NOT NULL", n)
	if err != nil {
		return err
	}
	if len(encoded) > 0 {
		sum := paper.Key(p.Text())
		key = sum[:]
	}
	_, err = w.exec(`UPDATE papers SET mark = ?, year = ?, abstract = ?, title = ?,
		vector = (SELECT v.id FROM vectors v WHERE v.id = papers.vector AND v.key = ?) WHERE n = ?`,
		mark(title), nullInt(p.Year), usable(&p), title, key, n)
	if err != nil {
		return err
	}
	return w.seal("papers", "n = ?", n)
}

// touched tells snapshots that the vector or the text of a paper changes, or goes.
func (w *Writer) touched(n int64) error {
	_, err := w.exec("INSERT INTO changes (paper) SELECT n FROM papers WHERE n = ?", n)
	return err
}

// drop deletes a paper that has no records any more.
func (w *Writer) drop(n int64) error {
	if err := w.touched(n); err != nil {
		return err
	}
	if _, err := w.exec("DELETE FROM names WHERE paper = ?", n); err != nil {
		return err
	}
	_, err := w.exec("DELETE FROM papers WHERE n = ?", n)
	return err
}

// namesOf lists what names paper n: its id, the ids of its records, and the ids of
// papers that became part of it.
func (w *Writer) namesOf(n int64, rows []row) ([]string, error) {
	var names []string
	err := w.query(func(r *sql.Rows) error {
		var id string
		err := r.Scan(&id)
		names = append(names, id)
		return err
	}, "SELECT id FROM papers WHERE n = ? UNION ALL SELECT gone_id FROM merges WHERE kept = ?", n, n)
	for _, r := range rows {
		names = append(names, r.fields.IDs.List()...)
	}
	return names, err
}

// Remove deletes papers with all their records.
func (w *Writer) Remove(ns []uint32) error {
	for _, n := range ns {
		if err := w.remove(int64(n)); err != nil {
			return fmt.Errorf("removing a paper: %w", err)
		}
	}
	return nil
}

func (w *Writer) remove(n int64) error {
	for _, query := range []string{
		"DELETE FROM replaced WHERE record IN (SELECT id FROM records WHERE paper = ?)",
		"DELETE FROM records WHERE paper = ?",
		"DELETE FROM merges WHERE kept = ?",
	} {
		if _, err := w.exec(query, n); err != nil {
			return err
		}
	}
	return w.drop(n)
}
