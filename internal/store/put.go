package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/seed-9f29d379/akin/internal/paper"
)

// Outcome is what became of a record.
type Outcome int

const (
	Added     Outcome = iota // a new paper
	Updated                  // the record's own earlier version was replaced
	Merged                   // it joined a paper that was there
	Unchanged                // the library has it already
)

// Source is the number of a file or stream in the library.
type Source int64

// Source returns the number of the source of this name.
func (w *Writer) Source(name string) (Source, error) {
	var s Source
	err := w.query(func(r *sql.Rows) error { return r.Scan(&s) },
		"INSERT INTO sources (name) VALUES (?) ON CONFLICT (name) DO UPDATE SET name = name RETURNING id", name)
	if err != nil {
		return 0, fmt.Errorf("writing the source %s: %w", name, err)
	}
	return s, nil
}

// Put writes the records of one source, in order, as part of import number imported,
// and says what became of each. All of them are written or none; a batch of some
// hundred is quickest.
func (w *Writer) Put(ctx context.Context, imported int64, src Source, batch []Prepared) ([]Outcome, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b, err := w.lookUp(src, imported, batch)
	if err != nil {
		return nil, fmt.Errorf("looking up records: %w", err)
	}
	out := make([]Outcome, len(batch))
	for i := range batch {
		if out[i], err = b.put(&batch[i]); err != nil {
			return nil, fmt.Errorf("writing the record %q (line %d): %w", batch[i].Key, batch[i].Line, err)
		}
	}
	return out, nil
}

// batch is what the library knows about the records that are being put.
type batch struct {
	w        *Writer
	src      Source
	imported int64
	byKey    map[string][]earlier // records of this source under a key
	byName   map[string]int64     // papers
	byMark   map[int64][]int64    // papers
}

// earlier is a record that the library has.
type earlier struct {
	id, paper, imported int64
	hash                [16]byte
}

// lookUp asks the database once for all of a batch.
func (w *Writer) lookUp(src Source, imported int64, recs []Prepared) (*batch, error) {
	b := &batch{w: w, src: src, imported: imported, byKey: make(map[string][]earlier, len(recs)),
		byName: make(map[string]int64), byMark: make(map[int64][]int64)}
	keys := make([]string, len(recs))
	marks := make([]int64, len(recs))
	var names []string
	for i := range recs {
		keys[i], marks[i] = recs[i].key, recs[i].mark
		names = append(append(names, recs[i].names...), recs[i].id)
	}
	slices.Sort(keys) // each page of an index is visited once
	slices.Sort(marks)
	slices.Sort(names)
	err := w.query(func(r *sql.Rows) error {
		var key string
		var e earlier
		var hash []byte
		if err := r.Scan(&key, &e.id, &e.paper, &e.imported, &hash); err != nil {
			return err
		}
		copy(e.hash[:], hash)
		b.byKey[key] = append(b.byKey[key], e)
		return nil
	}, "SELECT r.key, r.id, r.paper, r.import, r.hash FROM json_each(?) j JOIN records r ON r.key = j.value AND r.source = ? ORDER BY r.id", jsonList(slices.Compact(keys)), src)
	if err != nil {
		return nil, err
	}
	err = w.query(func(r *sql.Rows) error {
		var name string
		var n int64
		err := r.Scan(&name, &n)
		b.byName[name] = n
		return err
	}, "SELECT a.name, a.paper FROM json_each(?) j JOIN names a ON a.name = j.value", jsonList(slices.Compact(names)))
	if err != nil {
		return nil, err
	}
	err = w.query(func(r *sql.Rows) error {
		var mark, n int64
		err := r.Scan(&mark, &n)
		b.byMark[mark] = append(b.byMark[mark], n)
		return err
	}, "SELECT p.mark, p.n FROM json_each(?) j JOIN papers p ON p.mark = j.value ORDER BY p.n", jsonList(slices.Compact(marks)))
	return b, err
}

// put writes one record.
func (b *batch) put(r *Prepared) (Outcome, error) {
	for _, e := range b.byKey[r.key] {
		if e.hash == r.hash {
			return Unchanged, nil
		}
	}
	if old := b.byKey[r.key]; len(old) == 1 && old[0].imported != b.imported {
		switch ok, err := b.update(r, old[0]); {
		case err != nil:
			return 0, err
		case ok:
			return Updated, nil
		}
	}
	into, err := b.findPapers(r)
	if err != nil {
		return 0, err
	}
	if len(into) == 0 {
		return Added, b.add(r)
	}
	for _, gone := range into[1:] {
		if err := b.absorb(into[0], gone); err != nil {
			return 0, err
		}
	}
	if _, err := b.insertRecord(r, into[0]); err != nil {
		return 0, err
	}
	return Merged, b.w.refresh(into[0])
}

// add makes a new paper of r.
func (b *batch) add(r *Prepared) error {
	id := r.id
	for try := 0; ; try++ {
		if _, taken := b.byName[id]; !taken {
			break
		}
		id = otherID(r, try)
		err := b.w.query(func(rows *sql.Rows) error {
			var n int64
			err := rows.Scan(&n)
			b.byName[id] = n
			return err
		}, "SELECT paper FROM names WHERE name = ?", id)
		if err != nil {
			return err
		}
	}
	n := b.w.next
	b.w.next++
	_, err := b.w.exec("INSERT INTO papers (n, id, mark, year, abstract, added, title) VALUES (?, ?, ?, ?, ?, ?, ?)",
		n, id, r.mark, nullInt(r.Paper.Year), r.Usable, b.imported, r.title)
	if err != nil {
		return err
	}
	b.byMark[r.mark] = append(b.byMark[r.mark], n)
	if err := b.name(id, n); err != nil {
		return err
	}
	_, err = b.insertRecord(r, n)
	return err
}

// otherID is the id of a paper whose own is taken by another work.
func otherID(r *Prepared, try int) string {
	h := r.hash
	h[15] += byte(try)
	return "p:" + string(hexOf(h[:10])) + string(hexOf(h[15:]))
}

// name gives a name to a paper where nobody has it.
func (b *batch) name(name string, n int64) error {
	if _, taken := b.byName[name]; taken {
		return nil
	}
	b.byName[name] = n
	_, err := b.w.exec("INSERT INTO names (name, paper) VALUES (?, ?) ON CONFLICT DO NOTHING", name, n)
	return err
}

// insertRecord writes r as a record of paper n.
func (b *batch) insertRecord(r *Prepared, n int64) (int64, error) {
	args := append([]any{n, b.src, b.imported, r.hash[:], r.key, r.Line}, fieldArgs(&r.Paper)...)
	res, err := b.w.exec("INSERT INTO records (paper, source, import, hash, key, line, "+fieldColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", args...)
	if err != nil {
		return 0, err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return 0, err
	}
	b.byKey[r.key] = append(b.byKey[r.key], earlier{id: id, paper: n, imported: b.imported, hash: r.hash})
	for _, name := range r.names {
		if err := b.name(name, n); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// maxTwins is how many papers of one mark are compared with a record: more have a
// title that proves nothing ("Editorial").
const maxTwins = 64

// findPapers returns the papers that r is surely a form of, the one to keep first.
func (b *batch) findPapers(r *Prepared) ([]int64, error) {
	var candidates []int64
	for _, name := range r.names {
		if n, ok := b.byName[name]; ok && !slices.Contains(candidates, n) {
			candidates = append(candidates, n)
		}
	}
	if twins := b.byMark[r.mark]; len(twins) <= maxTwins {
		for _, n := range twins {
			if !slices.Contains(candidates, n) {
				candidates = append(candidates, n)
			}
		}
	}
	var same []int64
	var kept paper.Paper
	for _, n := range candidates {
		rows, err := b.w.rows(n)
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			continue
		}
		p := fold(rows)
		if compare(&r.Paper, &p) != sameWork && !moved(r, rows) {
			continue
		}
		if len(same) > 0 { // r would join two papers: they must not contradict each other
			if shared, conflict := sharedID(&kept.IDs, &p.IDs); conflict && !shared {
				continue
			}
		} else {
			kept = p
		}
		same = append(same, n)
	}
	slices.Sort(same) // the oldest paper keeps its id
	return same, nil
}

// moved reports whether a paper has the very same record from another source: the file
// was copied or renamed.
func moved(r *Prepared, rows []row) bool {
	if r.Key == "" && generic(r.title) {
		return false
	}
	return slices.ContainsFunc(rows, func(o row) bool { return [16]byte(o.hash) == r.hash })
}

// update replaces an earlier version of r, unless it is another work under the same
// key. What the new version lacks stays.
func (b *batch) update(r *Prepared, old earlier) (bool, error) {
	rows, err := b.w.rows(old.paper)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(rows, func(o row) bool { return o.id == old.id })
	if i < 0 || unlike(&r.Paper, &rows[i].fields) {
		return false, nil
	}
	fields := r.Paper
	fill(&fields, &rows[i].fields)
	if err := b.w.remember(b.imported, &rows[i]); err != nil {
		return false, err
	}
	if err := b.w.replaceRecord(old.id, r.hash[:], r.Line, b.imported, &fields); err != nil {
		return false, err
	}
	b.byKey[r.key][0].hash = r.hash
	b.byKey[r.key][0].imported = b.imported
	for _, name := range fields.IDs.List() {
		if err := b.name(name, old.paper); err != nil {
			return false, err
		}
	}
	return true, b.w.refresh(old.paper)
}
