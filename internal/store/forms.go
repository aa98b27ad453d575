package store

import (
	"strconv"
	"strings"

	"github.com/seed-9f29d379/akin/internal/paper"
)

// Forms finds, among papers that were added to it, those that may be forms of the same
// work as another. Up to 64 papers of one mark are compared each with each. Of more, a
// paper is compared with those that surely are forms of its work where they are no other
// (they share the abstract, an identifier or the first author), and with the last 64: a
// title that thousands share costs no square of them. The zero value is empty.
type Forms struct{ byMark map[int64]*formsOfMark }

type formsOfMark struct {
	added  int
	recent []*Paper            // the last maxTwins, in the order of adding
	byKey  map[string][]*Paper // what shares a key, beyond maxTwins; nil before
}

// Add adds a paper.
func (f *Forms) Add(p *Paper) {
	if f.byMark == nil {
		f.byMark = make(map[int64]*formsOfMark)
	}
	m := f.byMark[p.Mark]
	if m == nil {
		m = new(formsOfMark)
		f.byMark[p.Mark] = m
	}
	if m.added++; m.added == maxTwins+1 {
		m.byKey = make(map[string][]*Paper)
		for _, q := range m.recent {
			m.index(q)
		}
	}
	if m.byKey != nil {
		m.index(p)
	}
	if len(m.recent) == maxTwins {
		copy(m.recent, m.recent[1:])
		m.recent = m.recent[:maxTwins-1]
	}
	m.recent = append(m.recent, p)
}

func (m *formsOfMark) index(p *Paper) {
	sure, details := formKeys(&p.Fields)
	for _, key := range sure {
		if len(m.byKey[key]) == 0 { // one stands for all
			m.byKey[key] = []*Paper{p}
		}
	}
	if some := m.byKey[details]; len(some) < maxTwins {
		m.byKey[details] = append(some, p)
	}
}

// Of returns papers that may be forms of the work of p.
func (f *Forms) Of(p *Paper) []*Paper {
	m := f.byMark[p.Mark]
	if m == nil {
		return nil
	}
	candidates := m.recent
	if m.byKey != nil {
		candidates = nil
		sure, details := formKeys(&p.Fields)
		for _, key := range append(sure, details) {
			candidates = append(candidates, m.byKey[key]...)
		}
		if !generic(p.Fields.Name()) {
			candidates = append(candidates, m.recent...)
		}
	}
	var found []*Paper
	seen := make(map[uint32]bool, len(candidates))
	for _, q := range candidates {
		if !seen[q.N] && Twins(p, q) {
			found = append(found, q)
		}
		seen[q.N] = true
	}
	return found
}

// formKeys are what forms of one work share: each of sure proves that two papers of one
// mark may be one work, the details that they are where no identifier tells them apart.
func formKeys(p *paper.Paper) (sure []string, details string) {
	for _, id := range listIDs(&p.IDs) {
		sure = append(sure, "id "+id)
	}
	if p.Usable() {
		sure = append(sure, "abstract "+paper.Fold(p.Abstract))
	}
	if !generic(p.Name()) {
		switch {
		case !p.Usable():
			sure = append(sure, "no abstract")
		case len(p.Authors) > 0 && familyName(p.Authors[0]) != "":
			sure = append(sure, "author "+familyName(p.Authors[0]))
		}
	}
	return sure, "details " + strings.Join([]string{strconv.Itoa(p.Year), paper.Fold(p.Venue), paper.Fold(strings.Join(p.Authors, " "))}, "\n")
}
