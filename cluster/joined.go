package cluster

import (
	"cmp"
	"maps"
	"slices"
)

// In a small theme few phrases are in two papers. An attribute and a noun that are in
// the same papers make one, where a paper writes them so, with a word between them or
// none: "3D scenes" of papers on "3D indoor scenes" and on scenes in 3D.

// joinShare is the share of the papers of each of the two words that hold both.
const joinShare = 0.75

// join adds such phrases to the terms, of themes that are small. share is that of papers
// at large.
func (n *naming) join(share func(string) float64) {
	known := make(map[gram]int, len(n.terms))
	for t, term := range n.terms {
		known[term.gram] = t
	}
	held := make(map[gram][]int32, len(n.terms)) // papers of each phrase to join
	for p := range n.v.papers {
		if theme := int(n.theme[p]); n.small(theme) {
			for g := range n.v.pairs(p) {
				if _, ok := known[g]; !ok && held[g] == nil && n.joins(known, g, theme) {
					held[g] = shared(n.terms[known[gram{g[0]}]].papers, n.terms[known[gram{g[1]}]].papers)
				}
			}
		}
	}
	for _, g := range slices.SortedFunc(maps.Keys(held), func(a, b gram) int { return slices.Compare(a[:], b[:]) }) {
		a, b := n.terms[known[gram{g[0]}]], n.terms[known[gram{g[1]}]]
		t := &term{gram: g, key: a.key + " " + b.key, papers: held[g], atEnd: len(held[g]), joined: true}
		t.share = share(t.key)
		for _, p := range t.papers {
			t.weight = append(t.weight, min(a.weightIn(p), b.weightIn(p)))
		}
		n.terms = append(n.terms, t)
	}
	slices.SortFunc(n.terms, func(a, b *term) int { return cmp.Compare(a.key, b.key) })
}

// pairs are the words of paper p that stand in one run, in order, next to each other or
// with a word between them.
func (v *vocabulary) pairs(p int) map[gram]bool {
	all := make(map[gram]bool)
	keys := v.papers[p].keys
	for i, a := range keys {
		for j := i + 1; j <= i+2 && j < len(keys) && a >= 0 && keys[j] >= 0; j++ {
			all[gramOf([]int32{a, keys[j]})] = true
		}
	}
	return all
}

// joins says whether the words of a pair are an attribute and a noun of the same papers
// of a theme.
func (n *naming) joins(known map[gram]int, pair gram, theme int) bool {
	a, attribute := known[gram{pair[0]}]
	b, noun := known[gram{pair[1]}]
	if !attribute || !noun || pair[0] == pair[1] || n.head(a) || !n.head(b) || attributive(n.terms[b].key) || n.vague(a) || n.vague(b) {
		return false
	}
	in := func(papers []int32) (count float64) {
		for _, p := range papers {
			if int(n.theme[p]) == theme {
				count++
			}
		}
		return count
	}
	x, y := n.terms[a].papers, n.terms[b].papers
	both, ofA, ofB := in(shared(x, y)), in(x), in(y)
	return both >= labelHeldFew && both >= joinShare*ofA && both >= joinShare*ofB
}

// weightIn is how much paper p is about the term; 0 where it does not hold it.
func (t *term) weightIn(p int32) float32 {
	if at, ok := slices.BinarySearch(t.papers, p); ok {
		return t.weight[at]
	}
	return 0
}
