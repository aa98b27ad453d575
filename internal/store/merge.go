package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-9f29d379/akin/internal/corpus"
)

// absorb makes paper gone a part of paper kept, reversibly: its records move, and its
// names name the other from now on.
func (b *batch) absorb(kept, gone int64) error {
	for name, n := range b.byName {
		if n == gone {
			b.byName[name] = kept
		}
	}
	for mark, list := range b.byMark {
		b.byMark[mark] = slices.DeleteFunc(list, func(n int64) bool { return n == gone })
	}
	if err := b.w.absorb(b.imported, kept, gone); err != nil {
		return err
	}
	if g, other := b.groups[kept], b.groups[gone]; g != nil && other != nil {
		g.absorb(other)
	} else {
		delete(b.groups, kept)
	}
	delete(b.groups, gone)
	return nil
}

func (w *Writer) absorb(imported, kept, gone int64) error {
	rows, err := w.rows(gone)
	if err != nil {
		return err
	}
	moved := make([]int64, len(rows))
	for i, r := range rows {
		moved[i] = r.id
	}
	_, err = w.exec(`INSERT INTO merges (import, kept, gone, gone_id, added, records, sum)
		SELECT ?1, ?2, n, id, added, ?3, rowsum(?1, ?2, n, id, added, ?3) FROM papers WHERE n = ?4`, imported, kept, jsonList(moved), gone)
	if err != nil {
		return err
	}
	if _, err := w.rewrite("merges", "kept", "kept = ?2", kept, gone); err != nil {
		return err
	}
	if _, err := w.rewrite("records", "paper", "paper = ?2", kept, gone); err != nil {
		return err
	}
	delete(w.apart, gone)
	if _, err := w.exec("UPDATE names SET paper = ? WHERE paper = ?", kept, gone); err != nil {
		return err
	}
	return w.drop(gone)
}

// Merge makes one paper of several: the first keeps its id. It is an entry of the
// ledger, number imported.
func (w *Writer) Merge(imported int64, ns []uint32) error {
	for _, n := range ns[1:] {
		if err := w.absorb(imported, int64(ns[0]), int64(n)); err != nil {
			return fmt.Errorf("merging papers: %w", err)
		}
	}
	return w.refresh(int64(ns[0]))
}

// Split takes apart what became paper n, and returns the numbers of the papers that came
// out of it; none if it is of one record. The last paper that it absorbed comes out;
// where it absorbed none, every record but its oldest becomes a paper of its own.
func (w *Writer) Split(imported int64, n uint32) ([]uint32, error) {
	out, err := w.split(imported, int64(n))
	if err != nil {
		return nil, fmt.Errorf("splitting a paper: %w", err)
	}
	return out, nil
}

func (w *Writer) split(imported, n int64) ([]uint32, error) {
	last, err := w.merges("WHERE kept = ? ORDER BY seq DESC LIMIT 1", n)
	if err != nil {
		return nil, err
	}
	rows, err := w.rows(n)
	if err != nil {
		return nil, err
	}
	var out []uint32
	if len(last) > 0 {
		ok, err := w.unmerge(last[0])
		if err != nil || ok {
			return []uint32{uint32(last[0].gone)}, err
		}
	}
	if len(rows) < 2 {
		return nil, nil
	}
	for _, r := range rows[1:] {
		made, err := w.ownPaper(imported, r)
		if err != nil {
			return nil, err
		}
		if err := w.appeared(made); err != nil {
			return nil, err
		}
		out = append(out, uint32(made))
	}
	if err := w.rename(n); err != nil {
		return nil, err
	}
	for _, made := range out {
		if err := w.rename(int64(made)); err != nil {
			return nil, err
		}
	}
	return out, w.refresh(n)
}

// ownPaper makes a new paper of a record that is there already.
func (w *Writer) ownPaper(imported int64, r row) (int64, error) {
	p := Prepare(corpus.Record{Paper: r.fields, Key: ownKey(r.key)}, nil)
	b := newBatch(w, imported)
	if err := b.learn(p.id); err != nil {
		return 0, err
	}
	n, err := b.newPaper(&p)
	if err != nil {
		return 0, err
	}
	_, err = w.rewrite("records", "paper", "id = ?2", n, r.id)
	return n, err
}

// appeared tells that a paper has come whose vector may be stored already.
func (w *Writer) appeared(n int64) error {
	_, err := w.exec("INSERT INTO changes (paper) VALUES (?)", n)
	return err
}

// merge is one paper that became part of another.
type merge struct {
	seq, kept, gone, added int64
	goneID, records        string
}

func (w *Writer) merges(where string, args ...any) ([]merge, error) {
	var list []merge
	err := w.query(func(r *sql.Rows) error {
		var m merge
		err := r.Scan(&m.seq, &m.kept, &m.gone, &m.added, &m.goneID, &m.records)
		list = append(list, m)
		return err
	}, "SELECT seq, kept, gone, added, gone_id, records FROM merges "+where, args...)
	return list, err
}

// unmerge gives the records that came from the absorbed paper their paper back. It
// reports false where none of them is left.
func (w *Writer) unmerge(m merge) (bool, error) {
	var ids []int64
	if err := json.Unmarshal([]byte(m.records), &ids); err != nil {
		return false, fmt.Errorf("%w: merge %d: %w", ErrDamaged, m.seq, err)
	}
	if _, err := w.exec("DELETE FROM merges WHERE seq = ?", m.seq); err != nil {
		return false, err
	}
	res, err := w.rewrite("records", "paper", "paper = ?2 AND id IN (SELECT value FROM json_each(?3))", m.gone, m.kept, m.records)
	if err != nil {
		return false, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return false, errors.Join(err, w.rename(m.kept)) // the absorbed paper's id names nothing any more
	}
	// What the absorbed paper had itself absorbed is its again.
	_, err = w.rewrite("merges", "kept", `kept = ?2 AND seq < ?3 AND EXISTS (SELECT 1 FROM json_each(merges.records) a
		JOIN json_each(?4) b ON a.value = b.value)`, m.gone, m.kept, m.seq, m.records)
	if err != nil {
		return false, err
	}
	_, err = w.exec("INSERT INTO papers (n, id, mark, abstract, added, title) VALUES (?, ?, 0, 0, ?, '')", m.gone, m.goneID, m.added)
	if err != nil {
		return false, err
	}
	if err := w.appeared(m.gone); err != nil {
		return false, err
	}
	if _, err := w.exec("DELETE FROM names WHERE name = ? AND paper = ?", m.goneID, m.kept); err != nil {
		return false, err
	}
	for _, n := range []int64{m.kept, m.gone} { // the kept one lets go of the other's names first
		if err := w.rename(n); err != nil {
			return false, err
		}
		if err := w.refresh(n); err != nil {
			return false, err
		}
	}
	return true, nil
}

// rename writes the names of paper n anew. A name that another paper has stays its.
func (w *Writer) rename(n int64) error {
	rows, err := w.rows(n)
	if err != nil {
		return err
	}
	names, err := w.namesOf(n, rows)
	if err != nil {
		return err
	}
	if _, err := w.exec("DELETE FROM names WHERE paper = ?", n); err != nil {
		return err
	}
	for _, name := range names {
		if _, err := w.exec("INSERT INTO names (name, paper) VALUES (?, ?) ON CONFLICT DO NOTHING", name, n); err != nil {
			return err
		}
	}
	return nil
}
