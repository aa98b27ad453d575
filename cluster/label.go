package cluster

import "strings"

// label chooses up to three terms: the best one, then those that add most papers, no
// word twice.
func (n *naming) label(theme int, owned []int) []string {
	if len(owned) == 0 {
		return nil
	}
	limit := labelTerms
	if n.opts.Fits != nil && n.opts.Fits[theme] < mixedFit {
		limit = labelTermsMixed
	}
	fit := n.labelCandidates(theme, owned)
	covered := make(map[int32]bool)
	words := make(map[int32]bool)
	var names []string
	for len(names) < limit {
		best, at := 0.0, -1
		for _, t := range fit {
			if n.repeats(t, words) {
				continue
			}
			fresh := 0
			for _, p := range n.terms[t].papers {
				if n.theme[p] == int32(theme) && !covered[p] {
					fresh++
				}
			}
			s := n.score[t]
			if n.terms[t].gram.words() > 1 {
				s *= labelPhrase
			}
			if len(names) > 0 {
				s *= 1 - labelFresh + labelFresh*float64(fresh)/float64(n.counts[t][theme])
			}
			if s > best {
				best, at = s, t
			}
		}
		if at < 0 {
			break
		}
		names = append(names, n.display[at])
		for i := range n.terms[at].gram.words() {
			words[n.terms[at].gram[i]] = true
		}
		for _, p := range n.terms[at].papers {
			covered[p] = true
		}
	}
	return names
}

// repeats says whether a term says again what one of the words says.
func (n *naming) repeats(t int, words map[int32]bool) bool {
	g := n.terms[t].gram
	for i := range g.words() {
		if words[g[i]] {
			return true
		}
		for w := range words {
			if alike(n.v.keys[w-1], n.v.keys[g[i]-1]) {
				return true
			}
		}
	}
	return false
}

// alike: two words of which one goes on for a letter or two ("virus", "viruses"), or is
// the other cut short ("miRNA", "microRNA").
func alike(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 {
		return false
	}
	if strings.HasPrefix(b, a) {
		return len(b)-len(a) <= 2
	}
	return a[0] == b[0] && strings.HasSuffix(b, a[len(a)-3:]) && isSubsequence(a, b)
}

// isSubsequence says whether the letters of a occur in b in their order.
func isSubsequence(a, b string) bool {
	for i := range len(b) {
		if a != "" && a[0] == b[i] {
			a = a[1:]
		}
	}
	return a == ""
}

// labelCandidates are the terms good enough for a label: near the best, heads rather
// than attributes, phrases before their words.
func (n *naming) labelCandidates(theme int, owned []int) []int {
	var fit []int
	for _, t := range owned {
		term := n.terms[t]
		if n.score[t] < labelScore*n.score[owned[0]] {
			break
		}
		head := labelHead
		if term.gram.words() > 1 || attributive(term.key) {
			head = labelHeadPhrase
		}
		if float64(term.atEnd) < head*float64(term.atEnd+term.inRun) {
			continue
		}
		if n.v.wide[term.key] {
			continue
		}
		if term.weak && n.inside(t, theme) < labelLift*n.outside(t, theme, false) {
			continue
		}
		fit = append(fit, t)
	}
	var out []int
	for _, t := range fit {
		if n.terms[t].gram.words() == 1 && n.replaced(t, theme, fit, labelReplace) {
			continue
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		return owned[:1]
	}
	return out
}
