package store

import (
	"bytes"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/paper"
)

// fold makes one paper of its records: each field from the best record that has it,
// keywords from all, so that no source takes away what another gave. The order of rows
// does not matter.
func fold(rows []row) paper.Paper {
	if len(rows) == 1 {
		return rows[0].fields
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b row) int {
		if d := worth(&b.fields) - worth(&a.fields); d != 0 {
			return d
		}
		return bytes.Compare(a.hash, b.hash)
	})
	p := rows[0].fields
	p.Keywords = slices.Clone(p.Keywords)
	for _, r := range rows[1:] {
		fill(&p, &r.fields)
		for _, k := range r.fields.Keywords {
			if !slices.ContainsFunc(p.Keywords, func(have string) bool { return strings.EqualFold(have, k) }) {
				p.Keywords = append(p.Keywords, k)
			}
		}
	}
	return p
}

// worth orders the records of a paper. A later arXiv version beats an earlier; else
// what is published beats a preprint, and more fields beat fewer.
func worth(p *paper.Paper) int {
	w := 100 * min(p.IDs.Version, 99)
	if p.IDs.DOI != "" && p.IDs.ArXiv == "" {
		w += 10_000
	}
	if p.Usable() {
		w += 50
	}
	for _, has := range []bool{p.Title != "", len(p.Authors) > 0, p.Year != 0, p.Venue != "", p.URL != "", len(p.Keywords) > 0} {
		if has {
			w++
		}
	}
	return w
}

// says reports whether p has everything that q says, in the same words.
func says(p, q *paper.Paper) bool {
	same := func(mine, theirs string) bool {
		return theirs == "" || mine == theirs || strings.Join(strings.Fields(mine), " ") == strings.Join(strings.Fields(theirs), " ")
	}
	list := func(mine, theirs []string) bool {
		return len(theirs) == 0 || joinLines(mine) == joinLines(theirs)
	}
	mine := p.IDs.List()
	return same(p.Title, q.Title) && same(p.Abstract, q.Abstract) && same(p.Date, q.Date) && same(p.Venue, q.Venue) && same(p.URL, q.URL) &&
		(q.Year == 0 || p.Year == q.Year) && list(p.Authors, q.Authors) && list(p.Keywords, q.Keywords) && q.IDs.Version <= p.IDs.Version &&
		!slices.ContainsFunc(q.IDs.List(), func(id string) bool { return !slices.Contains(mine, id) })
}

// fill takes from q what p lacks. An abstract that q has longer, and that begins with
// p's, is the whole of one that was cut.
func fill(p *paper.Paper, q *paper.Paper) {
	text := func(mine *string, theirs string) {
		if *mine == "" {
			*mine = theirs
		}
	}
	text(&p.Title, q.Title)
	switch cut := strings.TrimRight(p.Abstract, ".… "); {
	case !p.Usable() && q.Usable():
		p.Abstract = q.Abstract
	case len(q.Abstract) > len(p.Abstract) && strings.HasPrefix(q.Abstract, cut):
		p.Abstract = q.Abstract
	}
	if len(p.Authors) == 0 {
		p.Authors = q.Authors
	}
	if p.Year == 0 {
		p.Year = q.Year
	}
	text(&p.Date, q.Date)
	text(&p.Venue, q.Venue)
	text(&p.URL, q.URL)
	if len(p.Keywords) == 0 {
		p.Keywords = q.Keywords
	}
	p.IDs.Learn(q.IDs)
}
