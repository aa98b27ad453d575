package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A small theme shares few words, and those say little ("constraint"). Who names a
// session of a handful of papers names subjects that together stand for all of them:
// terms of the field, near the papers in meaning. The label is a facility location over
// the papers: each part is chosen for the nearness that it adds, a paper counting with
// its nearest part (greedy: Nemhauser, Wolsey and Fisher, "An Analysis of Approximations
// for Maximizing Submodular Set Functions", Mathematical Programming 14, 1978).

// How subjects are chosen.
const (
	subjectSaid   = 2    // a paper that is all about a subject counts so much more than one that only means it
	subjectPhrase = 1.3  // of a phrase's nearness
	subjectShare  = 0.03 // of papers at large: a word of more is a subject only where half of the papers hold it
	subjectNear   = 0.65 // of the nearest subject's nearness to a paper: a word is as near to one, at least
	subjectAdds   = 0.15 // of what the first part gives: a further one adds so much, at least
)

// subject is a term that may stand in the label of a small theme.
type subject struct {
	term     int
	near     []float64 // to each paper of the theme, more than to others
	borrowed bool
}

// knownPhrases adds to the terms the phrases that papers at large hold, of small themes,
// however few papers of the collection hold them.
func (n *naming) knownPhrases(share func(string) float64) {
	have := make(map[gram]bool, len(n.terms))
	for _, t := range n.terms {
		have[t.gram] = true
	}
	found := make(map[gram]*term)
	for p := range n.v.papers {
		if !n.small(int(n.theme[p])) {
			continue
		}
		for words := 2; words <= longestTerm; words++ {
			n.v.grams(p, words, func(keys []int32, _ int, end ending) {
				g := gramOf(keys)
				if _, seen := found[g]; !seen && !have[g] && end == between {
					found[g] = n.v.known(keys, share)
				}
			})
		}
	}
	maps.DeleteFunc(found, func(_ gram, t *term) bool { return t == nil })
	if len(found) == 0 {
		return
	}
	n.v.tally(found)
	n.terms = append(n.terms, slices.Collect(maps.Values(found))...)
	slices.SortFunc(n.terms, func(a, b *term) int { return cmp.Compare(a.key, b.key) })
}

// known makes a term of a phrase that papers at large hold; nil of any other.
func (v *vocabulary) known(keys []int32, share func(string) float64) *term {
	words := make([]string, len(keys))
	for i, key := range keys {
		words[i] = v.keys[key]
	}
	last := len(words) - 1
	if v.paper[words[0]] || v.paper[words[last]] || !v.noun(words[last], v.grammar[keys[last]]) {
		return nil
	}
	t := &term{gram: gramOf(keys), key: strings.Join(words, " "), known: true}
	if t.share = share(t.key); t.share <= rarePhrase {
		return nil
	}
	return t
}

// findSubjects finds what may stand in the labels of small themes, and how near it is to
// their papers.
func (n *naming) findSubjects() error {
	n.subjects = make([][]subject, n.k)
	for theme := range n.k {
		if !n.small(theme) || n.read[theme] == 0 {
			continue
		}
		var list []subject
		var names []string
		for t := range n.terms {
			if n.display[t] != "" && n.mayBeSubject(t, theme) {
				list = append(list, subject{term: t, borrowed: n.best[t] != theme})
				names = append(names, n.display[t])
			}
		}
		var papers []int32
		for p, other := range n.theme {
			if int(other) == theme {
				papers = append(papers, n.paper[p])
			}
		}
		near, err := n.opts.PaperNearness(names, papers)
		if err != nil {
			return err
		}
		if len(near) != len(names) {
			return fmt.Errorf("nearness of %d terms for %d", len(near), len(names))
		}
		for i := range list {
			if len(near[i]) != len(papers) {
				return fmt.Errorf("nearness of %q to %d papers of %d", names[i], len(near[i]), len(papers))
			}
			list[i].near = near[i]
		}
		n.subjects[theme] = list
	}
	return nil
}

// mayBeSubject says whether a term names a subject of a theme: a phrase or a word of a
// field, of papers enough.
func (n *naming) mayBeSubject(t, theme int) bool {
	term, held := n.terms[t], float64(n.counts[t][theme])
	if held == 0 || n.read[theme] > fewPapers && held < labelHeldFew || n.best[t] != theme && held < borrowShare*n.read[theme] {
		return false
	}
	if term.ownName() || n.vague(t) || n.fragment(t) || !n.head(t) {
		return false
	}
	if term.gram.words() > 1 {
		return held >= labelHeldFew || term.share > rarePhrase
	}
	return (held >= labelHeldFew || term.share > rareShare) && (term.share <= subjectShare || 2*held >= n.read[theme])
}

// nearEnough leaves out the words that are near to no paper: some papers share them by
// chance ("alignment").
func (n *naming) nearEnough(list []subject) []subject {
	nearest := 0.0
	for _, s := range list {
		nearest = max(nearest, slices.Max(s.near))
	}
	var near []subject
	for _, s := range list {
		if n.terms[s.term].gram.words() > 1 || slices.Max(s.near) >= subjectNear*nearest {
			near = append(near, s)
		}
	}
	return near
}

// oneOfMany says whether one paper alone holds a term, of a theme that three such terms
// cannot speak for.
func (n *naming) oneOfMany(t, theme int) bool {
	return n.read[theme] >= 2*labelTerms && n.counts[t][theme] < labelHeldFew
}

// cover chooses the label of a small theme among its subjects: those that together are
// nearest to all of its papers.
func (n *naming) cover(theme, limit int, list []subject) []int {
	var papers []int32
	for p, other := range n.theme {
		if int(other) == theme {
			papers = append(papers, int32(p))
		}
	}
	nearness := func(s subject, i int) float64 {
		t := n.terms[s.term]
		near := (1 + subjectSaid*float64(t.weightIn(papers[i]))) * s.near[i]
		if t.gram.words() > 1 {
			near *= subjectPhrase
		}
		return near
	}
	list = n.nearEnough(list)
	covered := make([]float64, len(papers))
	words := make(map[int32]bool)
	var chosen []int
	first := 0.0
	for len(chosen) < limit {
		most, at := float64(subjectAdds*first), -1
		for i, s := range list {
			if n.saidAbove(s.term, theme) || n.repeats(s.term, words) || len(chosen) == labelTermsMixed && n.oneOfMany(s.term, theme) {
				continue
			}
			adds := 0.0
			for p := range papers {
				adds += max(0, nearness(s, p)-covered[p])
			}
			if adds *= n.unsaid(s.term, theme, chosen); adds > most {
				most, at = adds, i
			}
		}
		if at < 0 {
			break
		}
		if len(chosen) == 0 {
			first = most
		}
		s := list[at]
		chosen = append(chosen, s.term)
		for p := range papers {
			covered[p] = max(covered[p], nearness(s, p))
		}
		for i := range n.terms[s.term].gram.words() {
			words[n.terms[s.term].gram[i]] = true
		}
	}
	return chosen
}
