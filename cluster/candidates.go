package cluster

import (
	"cmp"
	"slices"
	"strings"
)

// candidate is a term that may speak for a theme.
type candidate struct {
	term     int
	score    float64
	near     float64 // how much nearer in meaning it is to the theme than to the others, of the nearest one's; 0: not known
	borrowed bool    // another theme's term, which half of this one's papers hold too
}

// candidates returns a theme's own terms and those that it borrows, best first; a term
// that a longer one with half of its papers contains gives way to it.
func (n *naming) candidates(theme int) []candidate {
	var list []candidate
	for t := range n.terms {
		if n.display[t] == "" || n.terms[t].known || n.fragment(t) {
			continue
		}
		switch {
		case n.best[t] == theme:
			list = append(list, candidate{term: t, score: n.score[t]})
		case n.best[t] >= 0 && float64(n.counts[t][theme]) >= borrowShare*n.read[theme]:
			if s := n.value(t, theme); s > 0 {
				list = append(list, candidate{term: t, score: s, borrowed: true})
			}
		}
	}
	n.sort(list)
	out := make([]candidate, 0, len(list))
	for _, c := range list {
		if !n.replaced(c.term, theme, list, replaceShare) {
			out = append(out, c)
		}
	}
	return out
}

// fragment: a phrase that mostly goes on ("induced pluripotent stem" cells), or mostly
// goes on from a word before it ("cubically" shaped particles), or a part of one at large.
func (n *naming) fragment(t int) bool {
	term := n.terms[t]
	if term.part {
		return true
	}
	if term.gram.words() == 1 {
		return false
	}
	uses := float64(term.atEnd + term.inRun)
	return float64(term.atEnd) < leastHead*uses ||
		strings.HasSuffix(n.v.keys[term.gram[0]-1], "ed") && float64(term.led) >= labelTail*uses
}

// sort orders candidates by score.
func (n *naming) sort(list []candidate) {
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(n.terms[a.term].key, n.terms[b.term].key))
	})
}

// replaced: a longer term of the list contains t and has enough of its papers, two at
// least where t has.
func (n *naming) replaced(t, theme int, list []candidate, share float64) bool {
	held := n.counts[t][theme]
	for _, c := range list {
		longer := n.counts[c.term][theme]
		if longer >= min(held, 2) && float64(longer) >= share*float64(held) && n.longer(c.term, t) {
			return true
		}
	}
	return false
}

// longer says whether term a contains term b and more.
func (n *naming) longer(a, b int) bool {
	x, y := n.terms[a].gram, n.terms[b].gram
	return x.words() > y.words() && strings.Contains(" "+n.terms[a].key+" ", " "+n.terms[b].key+" ")
}

// coherent chooses the ten terms that are shown: those of the label, and greedily by
// score, more where a term stands in the same papers as those chosen, and none that says
// again what a chosen one says.
func (n *naming) coherent(label []int, list []candidate) []int {
	list = list[:min(len(list), consideredTerms)]
	total := float64(len(n.theme))
	chosen := slices.Clone(label)
	for len(chosen) < shownTerms {
		best, at := -1.0, -1
		for _, c := range list {
			t := c.term
			if c.borrowed || n.terms[t].joined || slices.ContainsFunc(chosen, func(c int) bool { return n.sameThing(t, c) }) {
				continue
			}
			sum := 0.0
			for _, c := range chosen {
				sum += npmi(float64(len(shared(n.terms[t].papers, n.terms[c].papers)))/total,
					float64(len(n.terms[t].papers))/total, float64(len(n.terms[c].papers))/total)
			}
			s := c.score
			if len(chosen) > 0 {
				s *= max(0, 1+coherence*sum/float64(len(chosen)))
			}
			if s > best {
				best, at = s, t
			}
		}
		if at < 0 {
			break
		}
		chosen = append(chosen, at)
	}
	return chosen
}
