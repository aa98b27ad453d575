package cluster

import "strings"

// label chooses up to three terms: the best one, then those that add most papers, no
// word twice.
func (n *naming) label(theme int, owned []int) []int {
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
	var chosen []int
	anyShare := false
	for len(chosen) < limit {
		best, at := 0.0, -1
		for _, t := range fit {
			if n.repeats(t, words) || !anyShare && !n.heldByEnough(t, theme, len(chosen) == 0) {
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
			if len(chosen) > 0 {
				s *= 1 - labelFresh + labelFresh*float64(fresh)/float64(n.counts[t][theme])
			}
			if s > best {
				best, at = s, t
			}
		}
		if at < 0 && !anyShare && len(chosen) < labelTermsMixed {
			anyShare = true // few terms: those of fewer papers as well
			continue
		}
		if at < 0 || anyShare && len(chosen) == labelTermsMixed {
			break
		}
		chosen = append(chosen, at)
		for i := range n.terms[at].gram.words() {
			words[n.terms[at].gram[i]] = true
		}
		for _, p := range n.terms[at].papers {
			covered[p] = true
		}
	}
	return chosen
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

// sameThing: a term within the other, or another form of it ("neuronal" and "neurons",
// "T-cell" and "T cells").
func (n *naming) sameThing(a, b int) bool {
	if a == b || n.longer(a, b) || n.longer(b, a) {
		return true
	}
	x, y := squeezed(n.terms[a].key), squeezed(n.terms[b].key)
	return x == y || n.terms[a].gram.words() == 1 && n.terms[b].gram.words() == 1 && (alike(x, y) || oneStem(x, y))
}

func squeezed(key string) string {
	return strings.NewReplacer(" ", "", "-", "").Replace(key)
}

// oneStem: two words that begin alike for long enough to be of one stem.
func oneStem(a, b string) bool {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	return same >= 5 && 10*same >= 7*max(len(a), len(b))
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

// heldByEnough: a label speaks for its theme, so a part of it is in a tenth of the papers
// and in three of them. In a small theme its first part is in a quarter of them, and a
// further one may be a phrase of one.
func (n *naming) heldByEnough(t, theme int, first bool) bool {
	papers, held := n.read[theme], float64(n.counts[t][theme])
	if papers > fewPapers {
		return held >= max(labelShare*papers, labelHeld)
	}
	return held >= labelShareFew*papers || !first && n.terms[t].gram.words() > 1
}
