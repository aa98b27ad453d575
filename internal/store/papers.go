package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-9f29d379/akin/internal/paper"
)

// Paper is one work as the library holds it: the fold of its records.
type Paper struct {
	N        uint32 // its number, the item of an index
	ID       string
	Fields   paper.Paper
	Records  []RecordRef
	Merged   []string // ids of papers that became part of it
	Heading  string   // its title, or its whole first sentence
	Mark     int64    // equal for the forms of one work, and for some that are not
	Embedded bool
}

// RecordRef says where a record of a paper came from.
type RecordRef struct {
	Source  string // the name of the file or stream
	Key     string // its key there; "" if it has none
	Import  int64
	Version int // of an arXiv paper; 0 when not known
}

// Keys are the keys of p's records, each once.
func (p *Paper) Keys() []string {
	keys := []string{}
	seen := map[string]bool{"": true}
	for _, r := range p.Records {
		if !seen[r.Key] {
			seen[r.Key] = true
			keys = append(keys, r.Key)
		}
	}
	return keys
}

// Aliases are the names of p other than its id.
func (p *Paper) Aliases() []string {
	var names []string
	seen := map[string]bool{p.ID: true}
	for _, name := range append(p.Fields.IDs.List(), p.Merged...) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// querier is what reads share: the library's connections, or a writer's transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

const selectPapers = `SELECT p.n, p.id, p.mark, p.title, p.vector IS NOT NULL, s.name, r.id, r.source, r.import, r.hash, r.key, r.` +
	`year, r.ids, r.title, r.authors, r.venue, r.url, r.date, r.keywords, r.abstract
	FROM papers p JOIN records r ON r.paper = p.n JOIN sources s ON s.id = r.source `

// Papers returns the papers of these numbers, in that order; those that are not there
// are left out.
func (l *Library) Papers(ctx context.Context, ns []uint32) ([]*Paper, error) {
	return readPapers(ctx, l.often, ns)
}

func readPapers(ctx context.Context, q querier, ns []uint32) ([]*Paper, error) {
	if len(ns) == 0 {
		return nil, nil
	}
	found := make(map[uint32]*Paper, len(ns))
	err := eachPaper(ctx, q, jsonList(ns), func(p *Paper) error { found[p.N] = p; return nil })
	if err != nil {
		return nil, err
	}
	list := make([]*Paper, 0, len(ns))
	for _, n := range ns {
		if p := found[n]; p != nil {
			list = append(list, p)
		}
	}
	return list, nil
}

// Each calls yield with every paper, in the order of numbers, until it returns an error.
func (l *Library) Each(ctx context.Context, yield func(*Paper) error) error {
	return eachPaper(ctx, l.db, allPapers, yield)
}

// allPapers is no list of numbers.
const allPapers = ""

// eachPaper folds the records of papers, whose numbers are a list in JSON, or of all.
func eachPaper(ctx context.Context, q querier, numbers string, yield func(*Paper) error) error {
	only := func(column string) (where string, args []any) {
		if numbers == allPapers {
			return "", nil
		}
		return "WHERE " + column + " IN (SELECT value FROM json_each(?)) ", []any{numbers}
	}
	where, args := only("kept")
	merged, err := mergedIDs(ctx, q, where, args)
	if err != nil {
		return fmt.Errorf("reading papers: %w", classify(err))
	}
	where, args = only("p.n")
	rows, err := q.QueryContext(ctx, selectPapers+where+"ORDER BY p.n, r.id", args...)
	if err != nil {
		return fmt.Errorf("reading papers: %w", classify(err))
	}
	defer rows.Close()
	var p *Paper
	var group []row
	flush := func() error {
		if p == nil {
			return nil
		}
		p.Fields = fold(group)
		p.Merged = merged[p.N]
		return yield(p)
	}
	for rows.Next() {
		var (
			next   Paper
			r      row
			f      fieldScan
			source string
		)
		dest := append([]any{&next.N, &next.ID, &next.Mark, &next.Heading, &next.Embedded, &source, &r.id, &r.source, &r.imported, &r.hash, &r.key}, f.into()...)
		if err := rows.Scan(dest...); err != nil {
			return fmt.Errorf("reading papers: %w", classify(err))
		}
		if p == nil || p.N != next.N {
			if err := flush(); err != nil {
				return err
			}
			p, group = &next, group[:0]
		}
		r.fields = f.paper()
		group = append(group, r)
		p.Records = append(p.Records, RecordRef{Source: source, Key: ownKey(r.key), Import: r.imported, Version: r.fields.IDs.Version})
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading papers: %w", classify(err))
	}
	return flush()
}

// mergedIDs are the ids of papers that became part of others.
func mergedIDs(ctx context.Context, q querier, where string, args []any) (map[uint32][]string, error) {
	rows, err := q.QueryContext(ctx, "SELECT kept, gone_id FROM merges "+where+"ORDER BY seq", args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	m := make(map[uint32][]string)
	for rows.Next() {
		var n uint32
		var id string
		if err := rows.Scan(&n, &id); err != nil {
			return nil, err
		}
		m[n] = append(m[n], id)
	}
	return m, rows.Err()
}

// ownKey is a record's key as its source has it.
func ownKey(stored string) string {
	if strings.HasPrefix(stored, contentKey) {
		return ""
	}
	return stored
}

func jsonList[T any](list []T) string {
	data, err := json.Marshal(list)
	if err != nil { // numbers and texts always can be written
		panic("store: " + err.Error())
	}
	return string(data)
}

// Counts is how much a library holds.
type Counts struct {
	Papers       int
	WithAbstract int
	Vectors      int // papers that have theirs
	Records      int
}

// CountPapers counts the papers alone, which takes a fraction of Counts.
func (l *Library) CountPapers(ctx context.Context) (int, error) {
	ns, err := l.numbers(ctx, "SELECT count(*) FROM papers")
	if err != nil {
		return 0, err
	}
	return int(ns[0]), nil
}

// Counts counts.
func (l *Library) Counts(ctx context.Context) (Counts, error) {
	var c Counts
	err := l.db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(abstract), 0), count(vector), (SELECT count(*) FROM records) FROM papers`).
		Scan(&c.Papers, &c.WithAbstract, &c.Vectors, &c.Records)
	if err != nil {
		return c, fmt.Errorf("counting papers: %w", classify(err))
	}
	return c, nil
}
