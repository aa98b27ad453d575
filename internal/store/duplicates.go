package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Twin is a paper that may be the same work as another, and why.
type Twin struct {
	N      uint32
	ID     string
	Reason string
}

// Duplicate is one of a group of papers of which all may be one work.
type Duplicate struct {
	Twin
	With string // the id of the paper of the group that the reason is about
}

// Duplicates returns the groups of papers that may be one work, and the papers of each, in
// the order of numbers. Its cost is linear in the papers that share a title or an
// identifier.
func (l *Library) Duplicates(ctx context.Context) ([][]Duplicate, error) {
	of := make(map[uint32]Duplicate)
	joined := make(joined)
	join := func(p, q Twin, reason string) {
		if !joined.join(p.N, q.N) {
			return
		}
		for _, d := range []Duplicate{{Twin{p.N, p.ID, reason}, q.ID}, {Twin{q.N, q.ID, reason}, p.ID}} {
			if _, known := of[d.N]; !known {
				of[d.N] = d
			}
		}
	}
	err := l.sharingTitles(ctx, join)
	if err == nil {
		err = l.sharingIDs(ctx, join)
	}
	if err != nil {
		return nil, fmt.Errorf("looking for duplicates: %w", classify(err))
	}
	var groups [][]Duplicate
	place := make(map[uint32]int) // of a group, by its first paper
	for _, n := range slices.Sorted(maps.Keys(of)) {
		first := joined.first(n)
		if n == first {
			place[n] = len(groups)
			groups = append(groups, nil)
		}
		groups[place[first]] = append(groups[place[first]], of[n])
	}
	return groups, nil
}

// sharingTitles calls yield with twins, and why they are.
func (l *Library) sharingTitles(ctx context.Context, yield func(p, q Twin, reason string)) error {
	ns, err := l.numbers(ctx, "SELECT n FROM papers WHERE mark IN (SELECT mark FROM papers GROUP BY mark HAVING count(*) > 1) ORDER BY mark, n")
	if err != nil {
		return err
	}
	var forms Forms
	var mark int64
	const page = 1024
	for from := 0; from < len(ns); from += page {
		papers, err := l.Papers(ctx, ns[from:min(from+page, len(ns))])
		if err != nil {
			return err
		}
		for _, p := range papers {
			if p.Mark != mark { // what came before is not needed any more
				forms, mark = Forms{}, p.Mark
			}
			for _, q := range forms.Of(p) {
				yield(Twin{N: q.N, ID: q.ID}, Twin{N: p.N, ID: p.ID}, Doubt(q, p))
			}
			forms.Add(p)
		}
	}
	return nil
}

// sharingIDs calls yield with papers that were kept apart although one identifier names
// them: their titles are unlike.
func (l *Library) sharingIDs(ctx context.Context, yield func(p, q Twin, reason string)) error {
	rows, err := l.db.QueryContext(ctx, `SELECT DISTINCT p.n, p.id, q.n, q.id, a.name
		FROM records r, json_each('[' || replace(json_quote(r.ids), ' ', '","') || ']') j
		JOIN names a ON a.name = j.value JOIN papers p ON p.n = a.paper JOIN papers q ON q.n = r.paper
		WHERE r.ids IS NOT NULL AND a.paper <> r.paper ORDER BY q.n, p.n, a.name`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var p, q Twin
		var name string
		if err := rows.Scan(&p.N, &p.ID, &q.N, &q.ID, &name); err != nil {
			return err
		}
		yield(p, q, "same identifier ("+name+"), other titles")
	}
	return rows.Err()
}

// Twins returns for each of some papers, by its number, the papers that may be the same
// work, in the order of numbers. Of a title that more than 64 papers have it returns those
// with the same text, where that proves something.
func (l *Library) Twins(ctx context.Context, papers []*Paper) (map[uint32][]Twin, error) {
	marks := make([]int64, len(papers))
	for i, p := range papers {
		marks[i] = p.Mark
	}
	sharing, err := l.sharing(ctx, marks)
	if err != nil {
		return nil, fmt.Errorf("looking for duplicates: %w", classify(err))
	}
	var ns []uint32
	for _, all := range sharing {
		if len(all) > 1 && len(all) <= maxTwins {
			for _, s := range all {
				ns = append(ns, s.N)
			}
		}
	}
	read, err := l.Papers(ctx, ns)
	if err != nil {
		return nil, err
	}
	byNumber := make(map[uint32]*Paper, len(read))
	for _, q := range read {
		byNumber[q.N] = q
	}
	twins := make(map[uint32][]Twin)
	for _, p := range papers {
		all := sharing[p.Mark]
		own := vectorIn(all, p.N)
		for _, s := range all {
			switch q := byNumber[s.N]; {
			case s.N == p.N:
			case q != nil:
				if reason := Doubt(p, q); reason != "" {
					twins[p.N] = append(twins[p.N], Twin{s.N, s.ID, reason})
				}
			case len(all) > maxTwins && own.Valid && s.vector == own && (!generic(p.Fields.Name()) || p.Fields.Usable()):
				twins[p.N] = append(twins[p.N], Twin{s.N, s.ID, sameText(p, s.ID)})
			}
		}
	}
	return twins, nil
}

// sharer is one of the papers of a mark. Papers of one text have one vector.
type sharer struct {
	Twin
	vector sql.NullInt64
}

// sameText says why p and a paper of the same text, of which no more than its id is known,
// may be one work.
func sameText(p *Paper, id string) string {
	own, _, registered := strings.Cut(p.ID, ":")
	other, _, _ := strings.Cut(id, ":")
	reason := sameTitle(&p.Fields, p.Fields.Usable())
	if registered && own == other && own != "p" {
		reason += otherIdentifiers
	}
	return reason
}

func vectorIn(list []sharer, n uint32) sql.NullInt64 {
	for _, s := range list {
		if s.N == n {
			return s.vector
		}
	}
	return sql.NullInt64{}
}

// sharing returns the papers of each mark, in the order of numbers.
func (l *Library) sharing(ctx context.Context, marks []int64) (map[int64][]sharer, error) {
	rows, err := l.often.QueryContext(ctx, `SELECT mark, n, id, vector FROM papers WHERE mark IN (SELECT value FROM json_each(?)) ORDER BY n`, jsonList(marks))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	byMark := make(map[int64][]sharer)
	for rows.Next() {
		var mark int64
		var s sharer
		if err := rows.Scan(&mark, &s.N, &s.ID, &s.vector); err != nil {
			return nil, err
		}
		byMark[mark] = append(byMark[mark], s)
	}
	return byMark, rows.Err()
}

// joined is a partition of papers: a paper leads to another of its set, and so on to the
// set's first (Galler and Fischer, 1964).
type joined map[uint32]uint32

// first is the least number of a paper's set.
func (j joined) first(n uint32) uint32 {
	for {
		up, ok := j[n]
		if !ok {
			return n
		}
		if further, ok := j[up]; ok {
			j[n] = further // half the way for whoever comes after
		}
		n = up
	}
}

// join makes the sets of two papers one; false: they are of one already.
func (j joined) join(a, b uint32) bool {
	a, b = j.first(a), j.first(b)
	if a == b {
		return false
	}
	j[max(a, b)] = min(a, b)
	return true
}
