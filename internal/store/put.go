package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
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
	if err == nil {
		err = w.seal("sources", "id = ?", s)
	}
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
	out := make([]Outcome, len(batch))
	todo := make([]Prepared, 0, len(batch))
	place := make([]int, 0, len(batch)) // of todo in batch
	for i, r := range batch {
		if r.known && !w.replaced[r.hash] {
			out[i] = Unchanged
			continue
		}
		if r.known {
			r.derive()
		}
		todo, place = append(todo, r), append(place, i)
	}
	if len(todo) == 0 {
		return out, nil
	}
	b, err := w.lookUp(src, imported, todo)
	if err != nil {
		return nil, fmt.Errorf("looking up records: %w", err)
	}
	for i := range todo {
		if out[place[i]], err = b.put(&todo[i]); err != nil {
			return nil, fmt.Errorf("writing the record %q (line %d): %w", todo[i].Key, todo[i].Line, err)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(b.changed)) {
		if err := w.refresh(n); err != nil {
			return nil, fmt.Errorf("bringing a paper up to date: %w", err)
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
	groups   map[int64]*group     // of papers that were looked at
	changed  map[int64]bool       // papers that have other records now
}

// earlier is a record that the library has.
type earlier struct {
	id   int64
	hash [hashBytes]byte
}

func newBatch(w *Writer, imported int64) *batch {
	return &batch{w: w, imported: imported, byKey: make(map[string][]earlier), byName: make(map[string]int64), byMark: make(map[int64][]int64),
		groups: make(map[int64]*group), changed: make(map[int64]bool)}
}

// group returns the records of a paper; nil if it has none.
func (b *batch) group(n int64) (*group, error) {
	if g, ok := b.groups[n]; ok {
		return g, nil
	}
	rows, err := b.w.rows(n)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	g := newGroup(rows)
	b.groups[n] = g
	return g, nil
}

// lookUp asks the database once for all keys of a batch, and once each for the names and
// marks of the records that are not there unchanged.
func (w *Writer) lookUp(src Source, imported int64, recs []Prepared) (*batch, error) {
	b := newBatch(w, imported)
	b.src = src
	if err := b.lookUpKeys(recs); err != nil {
		return nil, err
	}
	var marks []int64
	var names []string
	for i := range recs {
		if !b.unchanged(&recs[i]) {
			marks = append(marks, recs[i].mark)
			names = append(append(names, recs[i].names...), recs[i].id, recs[i].ID)
		}
	}
	if len(marks) == 0 {
		return b, nil
	}
	err := w.query(func(r *sql.Rows) error {
		var name string
		var n int64
		err := r.Scan(&name, &n)
		b.byName[name] = n
		return err
	}, "SELECT a.name, a.paper FROM json_each(?) j JOIN names a ON a.name = j.value", jsonSet(names))
	if err != nil {
		return nil, err
	}
	err = w.query(func(r *sql.Rows) error {
		var mark, n int64
		err := r.Scan(&mark, &n)
		b.byMark[mark] = append(b.byMark[mark], n)
		return err
	}, "SELECT p.mark, p.n FROM json_each(?) j JOIN papers p ON p.mark = j.value ORDER BY p.n", jsonSet(marks))
	return b, err
}

func (b *batch) lookUpKeys(recs []Prepared) error {
	keys := make([]string, len(recs))
	for i := range recs {
		keys[i] = recs[i].key
	}
	return b.w.query(func(r *sql.Rows) error {
		var key string
		var e earlier
		var hash []byte
		if err := r.Scan(&key, &e.id, &hash); err != nil {
			return err
		}
		copy(e.hash[:], hash)
		b.byKey[key] = append(b.byKey[key], e)
		return nil
	}, "SELECT r.key, r.id, r.hash FROM json_each(?) j JOIN records r ON r.key = j.value AND r.source = ?", jsonSet(keys), b.src)
}

// jsonSet is a JSON list of the values in order, each once: so that each page of an
// index is visited once.
func jsonSet[T cmp.Ordered](values []T) string {
	slices.Sort(values)
	return jsonList(slices.Compact(values))
}

// unchanged reports whether the library has the very same record.
func (b *batch) unchanged(r *Prepared) bool {
	return slices.ContainsFunc(b.byKey[r.key], func(e earlier) bool { return e.hash == r.hash })
}

// put writes one record.
func (b *batch) put(r *Prepared) (Outcome, error) {
	if b.unchanged(r) {
		return Unchanged, nil
	}
	own, nothingNew, err := b.findOwn(r)
	if err != nil || nothingNew {
		return Unchanged, err
	}
	if old := b.byKey[r.key]; len(old) == 1 {
		switch ok, err := b.update(r, old[0].id); {
		case err != nil:
			return 0, err
		case ok:
			return Updated, nil
		}
	}
	into, err := b.findPapers(r, own)
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
	b.changed[into[0]] = true
	_, err = b.insertRecord(r, into[0])
	return Merged, err
}

// add makes a new paper of r.
func (b *batch) add(r *Prepared) error {
	n, err := b.newPaper(r)
	if err != nil {
		return err
	}
	_, err = b.insertRecord(r, n)
	return err
}

// newPaper makes a paper for r, without its record. Its id is the one that r has in the
// library it was written from, or r's own, where no other work has that.
func (b *batch) newPaper(r *Prepared) (int64, error) {
	id := r.id
	if _, taken := b.byName[r.ID]; !taken && r.keepsID() {
		id = r.ID
	}
	for try := 0; ; try++ {
		if _, taken := b.byName[id]; !taken {
			break
		}
		id = otherID(r, try)
		if err := b.learn(id); err != nil {
			return 0, err
		}
	}
	n := b.w.next
	b.w.next++
	args := []any{n, id, r.mark, nullInt(r.Paper.Year), r.Usable, b.imported, r.title, nil}
	sum, err := sumOf(args)
	if err != nil {
		return 0, err
	}
	_, err = b.w.exec("INSERT INTO papers ("+paperSummed+", sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", append(args, sum)...)
	if err != nil {
		return 0, err
	}
	b.byMark[r.mark] = append(b.byMark[r.mark], n)
	return n, b.name(id, n)
}

// learn looks up who has a name that the batch does not know of.
func (b *batch) learn(name string) error {
	return b.w.query(func(rows *sql.Rows) error {
		var n int64
		err := rows.Scan(&n)
		b.byName[name] = n
		return err
	}, "SELECT paper FROM names WHERE name = ?", name)
}

// otherID is the id of a paper whose own is taken by another work.
func otherID(r *Prepared, try int) string {
	h := r.hash
	h[hashBytes-1] += byte(try)
	return "p:" + string(hexOf(h[:10])) + string(hexOf(h[hashBytes-1:]))
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
	sum, err := sumOf(args)
	if err != nil {
		return 0, err
	}
	res, err := b.w.exec("INSERT INTO records ("+recordSummed+", sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", append(args, sum)...)
	if err != nil {
		return 0, err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return 0, err
	}
	b.byKey[r.key] = append(b.byKey[r.key], earlier{id: id, hash: r.hash})
	if g := b.groups[n]; g != nil {
		g.add(r.hash[:], stored(&r.Paper))
	}
	for _, name := range r.names {
		if err := b.name(name, n); err != nil {
			return 0, err
		}
		if b.byName[name] != n {
			b.w.apart[n] = true
		}
	}
	return id, nil
}

// maxTwins is how many papers of one mark are compared with a record: more have a
// title that proves nothing ("Editorial").
const maxTwins = 64

// findOwn returns the paper that r was written from, when akin wrote its file; 0 if there
// is none, or if r is another work by now. nothingNew: r says what the paper says.
func (b *batch) findOwn(r *Prepared) (n int64, nothingNew bool, err error) {
	n, ok := b.byName[r.ID]
	if r.ID == "" || !ok {
		return 0, false, nil
	}
	g, err := b.group(n)
	if err != nil || g == nil {
		return 0, false, err
	}
	p := g.fold()
	switch {
	case says(&p, &r.Paper):
		return n, true, nil
	case rewritten(&r.Paper, &p):
		return 0, false, nil
	}
	return n, false, nil
}

// findPapers returns the papers that r is surely a form of, the one to keep first; own
// is one that it was written from.
func (b *batch) findPapers(r *Prepared, own int64) ([]int64, error) {
	var candidates []int64
	if own != 0 {
		candidates = append(candidates, own)
	}
	for _, name := range r.names {
		if n, ok := b.byName[name]; ok && !slices.Contains(candidates, n) {
			candidates = append(candidates, n)
		}
	}
	named := slices.Clone(candidates)
	if twins := b.byMark[r.mark]; len(twins) <= maxTwins {
		for _, n := range twins {
			if !slices.Contains(candidates, n) {
				candidates = append(candidates, n)
			}
		}
	}
	var found []int64
	var kept paper.Paper
	keptNamed := false
	for _, n := range candidates {
		g, err := b.group(n)
		if err != nil {
			return nil, err
		}
		if g == nil {
			continue
		}
		p := g.fold()
		// Of the ids that a paper's records have of one scheme p shows one: what is named by any is it.
		isNamed := slices.Contains(named, n)
		same := n == own || isNamed && !contradicts(r, g)
		if !same && compare(&r.Paper, &p) != sameWork && !moved(r, g) {
			continue
		}
		// Papers that r joins by identifiers are one work by what it says, in whatever order
		// the three came. By its title alone it joins none that contradict each other.
		if len(found) > 0 && !(isNamed && keptNamed) {
			if shared, conflict := sharedID(&kept.IDs, &p.IDs); conflict && !shared {
				continue
			}
		} else if len(found) == 0 {
			kept, keptNamed = p, isNamed
		}
		found = append(found, n)
	}
	slices.Sort(found) // the oldest paper keeps its id
	return found, nil
}

// contradicts reports whether r contradicts all records of a paper that one of its ids
// names.
func contradicts(r *Prepared, g *group) bool {
	if p := g.fold(); !contradict(&r.Paper, &p) {
		return false
	}
	for _, c := range g.contents {
		if !contradict(&r.Paper, &c.fields) {
			return false
		}
	}
	return true
}

// rename writes the names of paper n anew.
func (b *batch) rename(n int64) error {
	maps.DeleteFunc(b.byName, func(_ string, of int64) bool { return of == n })
	if err := b.w.rename(n); err != nil {
		return err
	}
	return b.w.query(func(r *sql.Rows) error {
		var name string
		err := r.Scan(&name)
		b.byName[name] = n
		return err
	}, "SELECT name FROM names WHERE paper = ?", n)
}

// moved reports whether a paper has the very same record from another source: the file
// was copied or renamed.
func moved(r *Prepared, g *group) bool {
	return g.hashes[r.hash] && (r.Key != "" || !generic(r.title))
}

// update replaces an earlier version of r, unless it is another work under the same
// key, or a record that this very import read. What the new version lacks stays.
func (b *batch) update(r *Prepared, id int64) (bool, error) {
	old, err := b.w.row(id)
	if err != nil || old.imported == b.imported || unlike(&r.Paper, &old.fields) {
		return false, err
	}
	now := content{fields: r.Paper, usable: r.Usable}
	fill(&now, &content{fields: old.fields, usable: usable(&old.fields)})
	fields := now.fields
	if err := b.w.remember(b.imported, &old); err != nil {
		return false, err
	}
	b.w.replaced[[hashBytes]byte(old.hash)] = true
	if err := b.w.replaceRecord(old.id, r.hash[:], r.Line, b.imported, &fields); err != nil {
		return false, err
	}
	b.byKey[r.key][0].hash = r.hash
	if fields.IDs != old.fields.IDs {
		if err := b.rename(old.paper); err != nil {
			return false, err
		}
	}
	delete(b.groups, old.paper)
	b.changed[old.paper] = true
	return true, nil
}
