package store

import (
	"strings"
	"unicode"

	"github.com/seed-9f29d379/akin/internal/paper"
)

// verdict is how sure it is that two descriptions are of one work.
type verdict int

const (
	otherWork verdict = iota
	perhaps           // told by list --duplicates, never merged unasked
	sameWork
)

// genericTitles are shared by thousands of works; fewer than minTitleWords words are
// treated the same.
var genericTitles = map[string]bool{
	"tableofcontents": true, "guesteditorial": true, "editorsintroduction": true, "lettertotheeditor": true,
	"bookreview": true, "bookreviews": true, "listofreviewers": true, "messagefromthechairs": true,
	"conclusionsandfuturework": true, "introductiontothespecialissue": true, "guesteditorsintroduction": true,
}

const minTitleWords = 4

func generic(title string) bool {
	return len(strings.Fields(title)) < minTitleWords || genericTitles[paper.Fold(title)]
}

// Overlaps (shared words over the fewer) below low tell two texts apart, from high on
// they are forms of one. Between unrelated abstracts it is about .2, between forms of
// one (structured or not, cut or not) above .8.
const (
	low  = 0.35
	high = 0.8
)

// compare judges two descriptions that have the same mark, or the same registered id.
func compare(p, q *paper.Paper) verdict {
	shared, conflict := sharedID(&p.IDs, &q.IDs)
	if shared {
		if contradict(p, q) {
			return perhaps
		}
		return sameWork
	}
	pt, qt := p.Name(), q.Name()
	if paper.Fold(pt) != paper.Fold(qt) {
		return otherWork
	}
	equalTexts := sameAbstract(p, q)
	if !equalTexts && p.Usable() && q.Usable() && (generic(pt) || !sameFirstAuthor(p, q)) && overlap(p.Abstract, q.Abstract) < low {
		return otherWork
	}
	switch {
	case conflict:
		if equalTexts || !generic(pt) {
			return perhaps
		}
		return otherWork
	case equalTexts:
		return sameWork
	case generic(pt) && !sameDetails(p, q):
		return otherWork
	case generic(pt):
		return perhaps
	case preprint(p) != preprint(q) && len(p.IDs.List()) > 0 && len(q.IDs.List()) > 0:
		return perhaps
	case sameFirstAuthor(p, q) && p.Year != 0 && p.Year == q.Year:
		return sameWork
	}
	return perhaps
}

// sameAbstract reports whether two descriptions have one abstract, but for its case,
// spacing and punctuation.
func sameAbstract(p, q *paper.Paper) bool {
	return p.Usable() && q.Usable() && paper.Fold(p.Abstract) == paper.Fold(q.Abstract)
}

// sameDetails reports whether two descriptions are the same in everything that could
// tell works of one title apart.
func sameDetails(p, q *paper.Paper) bool {
	return p.Year == q.Year && paper.Fold(p.Venue) == paper.Fold(q.Venue) && paper.Fold(strings.Join(p.Authors, " ")) == paper.Fold(strings.Join(q.Authors, " "))
}

// preprint reports whether p is known only as a preprint.
func preprint(p *paper.Paper) bool { return p.IDs.ArXiv != "" && p.IDs.DOI == "" }

// sharedID reports whether a registered id is shared, and whether two of one scheme
// differ. An arXiv paper has a DOI of its own besides the publisher's, so of ids that
// both hold one that is shared outweighs another that differs.
func sharedID(a, b *paper.Identifiers) (shared, conflict bool) {
	al, bl := a.List(), b.List()
	for _, x := range al {
		xs, _, _ := strings.Cut(x, ":")
		for _, y := range bl {
			ys, _, _ := strings.Cut(y, ":")
			if x == y {
				shared = true
			} else if xs == ys {
				conflict = true
			}
		}
	}
	return shared, conflict
}

// contradict reports whether two descriptions under one id cannot be of one work: a
// volume's DOI on each of its chapters. An arXiv id is a work's own, whose versions may be
// rewritten, unless two DOIs say that it stands on one of them by mistake.
func contradict(p, q *paper.Paper) bool {
	differ := p.IDs.DOI != "" && q.IDs.DOI != "" && p.IDs.DOI != q.IDs.DOI
	if p.IDs.ArXiv != "" && p.IDs.ArXiv == q.IDs.ArXiv && !differ {
		return false
	}
	if p.Title == "" || q.Title == "" || overlap(p.Title, q.Title) >= low {
		return false
	}
	if p.Usable() && q.Usable() {
		return overlap(p.Abstract, q.Abstract) < low
	}
	return len(p.Authors) > 0 && len(q.Authors) > 0 && !sameFirstAuthor(p, q)
}

// unlike reports whether p cannot be a new version of q under the same key of the same
// source: another id of the same scheme, or nothing in common at all.
func unlike(p, q *paper.Paper) bool {
	shared, conflict := sharedID(&p.IDs, &q.IDs)
	if shared {
		return contradict(p, q)
	}
	if conflict {
		return true
	}
	return p.Title != "" && q.Title != "" && p.Usable() && q.Usable() &&
		overlap(p.Title, q.Title) < low && overlap(p.Abstract, q.Abstract) < low
}

// rewritten reports whether p, which was written from q, is another work by now: someone
// took an entry as a pattern for the next.
func rewritten(p, q *paper.Paper) bool {
	if unlike(p, q) {
		return true
	}
	sameText := p.Usable() && q.Usable() && overlap(p.Abstract, q.Abstract) >= low
	return p.Title != "" && q.Title != "" && overlap(p.Title, q.Title) < low && !sameText
}

// sameFirstAuthor compares the family names of the first authors.
func sameFirstAuthor(p, q *paper.Paper) bool {
	if len(p.Authors) == 0 || len(q.Authors) == 0 {
		return false
	}
	a, b := familyName(p.Authors[0]), familyName(q.Authors[0])
	return a != "" && a == b
}

// familyName is what stands before a comma, else the longest word of the name: "Smith
// JA" and "John A. Smith" are both "smith".
func familyName(author string) string {
	if family, _, ok := strings.Cut(author, ","); ok {
		author = family
	}
	best := ""
	for _, w := range strings.Fields(author) {
		if w = paper.Fold(w); len(w) >= len(best) {
			best = w
		}
	}
	return best
}

// overlap is the share of the shorter text's different words that the other has.
func overlap(a, b string) float64 {
	x, y := words(a), words(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) == 0 {
		return 0
	}
	n := 0
	for w := range x {
		if y[w] {
			n++
		}
	}
	return float64(n) / float64(len(x))
}

func words(s string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		m[strings.ToLower(w)] = true
	}
	return m
}

// Twins reports whether two papers are, or may be, forms of one work: an answer shows
// one of them.
func Twins(p, q *Paper) bool {
	return p.Mark == q.Mark && compare(&p.Fields, &q.Fields) != otherWork
}

// Doubt says in words why two papers may be one work; "" if they are surely two.
func Doubt(p, q *Paper) string {
	if !Twins(p, q) {
		return ""
	}
	title := sameTitle(&p.Fields, sameAbstract(&p.Fields, &q.Fields))
	_, conflict := sharedID(&p.Fields.IDs, &q.Fields.IDs)
	switch {
	case conflict:
		return title + otherIdentifiers
	case preprint(&p.Fields) != preprint(&q.Fields):
		return title + ": a preprint and a published form"
	}
	return title
}

const otherIdentifiers = ", other identifiers"

// sameTitle says what papers of one mark have in common.
func sameTitle(p *paper.Paper, text bool) string {
	switch {
	case !text:
		return "same title"
	case strings.TrimSpace(p.Title) == "":
		return "same text"
	}
	return "same title and abstract"
}
