package store

import (
	"bytes"
	"cmp"
	"maps"
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
	return newGroup(rows).fold()
}

// content is what a record of a paper says, or several.
type content struct {
	fields paper.Paper
	usable bool // there is an abstract
	worth  int
	hash   []byte // the least of the records'
}

// group is the records of a paper, ready to be folded again when one more has come: a
// thousand copies with keys of their own are folded once.
type group struct {
	hashes   map[[hashBytes]byte]bool     // of the records
	contents map[[hashBytes]byte]*content // by the hash of the fields
	folded   *paper.Paper                 // nil if something came since
}

func newGroup(rows []row) *group {
	g := &group{hashes: make(map[[hashBytes]byte]bool, len(rows)), contents: make(map[[hashBytes]byte]*content)}
	for i := range rows {
		g.add(rows[i].hash, &rows[i].fields)
	}
	return g
}

func (g *group) add(hash []byte, p *paper.Paper) {
	g.hashes[[hashBytes]byte(hash)] = true
	key := recordHash("", p)
	c, known := g.contents[key]
	switch {
	case !known:
		c = &content{fields: *p, usable: usable(p), hash: hash}
		c.worth = c.value()
		g.contents[key] = c
		g.folded = nil
	case bytes.Compare(hash, c.hash) < 0:
		c.hash = hash
		if len(g.contents) > 1 {
			g.folded = nil
		}
	}
}

// absorb takes what another group has.
func (g *group) absorb(other *group) {
	for _, c := range other.contents {
		g.add(c.hash, &c.fields)
	}
	maps.Copy(g.hashes, other.hashes)
}

func (g *group) fold() paper.Paper {
	if g.folded != nil {
		return *g.folded
	}
	list := slices.SortedFunc(maps.Values(g.contents), func(a, b *content) int {
		return cmp.Or(b.worth-a.worth, bytes.Compare(a.hash, b.hash))
	})
	p := *list[0]
	p.fields.Keywords = slices.Clone(p.fields.Keywords)
	for _, c := range list[1:] {
		fill(&p, c)
		for _, k := range c.fields.Keywords {
			if !slices.ContainsFunc(p.fields.Keywords, func(have string) bool { return strings.EqualFold(have, k) }) {
				p.fields.Keywords = append(p.fields.Keywords, k)
			}
		}
	}
	g.folded = &p.fields
	return p.fields
}

// value orders the records of a paper, the best the highest. A later arXiv version beats an earlier; else
// what is published beats a preprint, and more fields beat fewer.
func (c *content) value() int {
	p := &c.fields
	w := 100 * min(p.IDs.Version, 99)
	if p.IDs.DOI != "" && p.IDs.ArXiv == "" {
		w += 10_000
	}
	if c.usable {
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
func fill(p, q *content) {
	mine, theirs := &p.fields, &q.fields
	text := func(mine *string, theirs string) {
		if *mine == "" {
			*mine = theirs
		}
	}
	text(&mine.Title, theirs.Title)
	switch cut := strings.TrimRight(mine.Abstract, ".… "); {
	case !p.usable && q.usable, len(theirs.Abstract) > len(mine.Abstract) && strings.HasPrefix(theirs.Abstract, cut):
		mine.Abstract, p.usable = theirs.Abstract, q.usable
	}
	if len(mine.Authors) == 0 {
		mine.Authors = theirs.Authors
	}
	if mine.Year == 0 {
		mine.Year = theirs.Year
	}
	text(&mine.Date, theirs.Date)
	text(&mine.Venue, theirs.Venue)
	text(&mine.URL, theirs.URL)
	if len(mine.Keywords) == 0 {
		mine.Keywords = theirs.Keywords
	}
	mine.IDs.Learn(theirs.IDs)
}
