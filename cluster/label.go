package cluster

import (
	"slices"
	"strings"
)

// label chooses up to three terms: of a small theme those that its papers are nearest
// to, else the best one, then those that add most papers, no word twice.
func (n *naming) label(theme int, list []candidate) []int {
	limit := labelTerms
	if n.opts.Fits != nil && n.opts.Fits[theme] < mixedFit {
		limit = labelTermsMixed
	}
	if n.subjects != nil {
		if chosen := n.cover(theme, limit, n.subjects[theme]); len(chosen) > 0 {
			return chosen
		}
	}
	if len(list) == 0 {
		return nil
	}
	fit := n.labelCandidates(theme, list)
	covered := make(map[int32]bool)
	words := make(map[int32]bool)
	var chosen []int
	need := heldByEnough
	for len(chosen) < limit {
		best, at := 0.0, -1
		for _, c := range fit {
			if len(chosen) > 0 && c.near > 0 && c.near < labelFar || n.saidAbove(c.term, theme) || n.repeats(c.term, words) || n.held(c.term, theme) < need {
				continue
			}
			s := c.score
			if n.terms[c.term].gram.words() > 1 {
				s *= labelPhrase
			}
			if len(chosen) > 0 {
				s *= (1 - labelFresh + float64(labelFresh*n.fresh(c.term, theme, covered))) * n.unsaid(c.term, theme, chosen)
			}
			if s > best {
				best, at = s, c.term
			}
		}
		if at < 0 {
			// Few terms: those of fewer papers as well.
			if need--; len(chosen) > 0 && (need < heldByTwo || !n.small(theme)) || need < heldByOne || len(chosen) >= labelTermsMixed {
				break
			}
			continue
		}
		chosen = append(chosen, at)
		for i := range n.terms[at].gram.words() {
			words[n.terms[at].gram[i]] = true
		}
		for _, p := range n.terms[at].papers {
			covered[p] = true
		}
		if need < heldByEnough && len(chosen) >= labelTermsMixed {
			break
		}
	}
	return chosen
}

// small: a theme of so few papers that a term two of them share may be chance.
func (n *naming) small(theme int) bool { return n.read[theme] <= smallTheme }

// fresh is the share of a term's papers in the theme that are not yet covered.
func (n *naming) fresh(t, theme int, covered map[int32]bool) float64 {
	fresh := 0
	for _, p := range n.terms[t].papers {
		if n.theme[p] == int32(theme) && !covered[p] {
			fresh++
		}
	}
	return float64(fresh) / float64(n.counts[t][theme])
}

// repeats says whether a term says again what one of the words says.
func (n *naming) repeats(t int, words map[int32]bool) bool {
	g := n.terms[t].gram
	for i := range g.words() {
		if words[g[i]] {
			return true
		}
		for w := range words {
			if x, y := n.v.keys[w-1], n.v.keys[g[i]-1]; alike(x, y) || latin(x, y) || hyphened(x, y) || hyphened(y, x) || oneStem(x, y) || n.v.alias[w-1][g[i]-1] || n.v.alias[g[i]-1][w-1] {
				return true
			}
		}
	}
	return false
}

// latinEndings are those of nouns and of the attributes made of them.
var latinEndings = [...]string{"ial", "al", "ar", "ic", "ous", "us", "um", "is", "on", "a"}

// latin: a noun and its attribute ("virus" and "viral", "neuron" and "neural").
func latin(a, b string) bool {
	stem := func(s string) string {
		for _, ending := range latinEndings {
			if len(s) >= len(ending)+3 && strings.HasSuffix(s, ending) {
				return s[:len(s)-len(ending)]
			}
		}
		return ""
	}
	return stem(a) != "" && stem(a) == stem(b)
}

// hyphened says whether word b is a part of a ("3-kinase").
func hyphened(a, b string) bool {
	return len(b) >= 4 && slices.Contains(strings.Split(a, "-"), b)
}

// partsAbove are the parts of the label of each theme's parent.
func (n *naming) partsAbove() []map[string]bool {
	if n.opts.Parents == nil || n.opts.Above == nil {
		return nil
	}
	parts := make([]map[string]bool, n.k)
	for theme, parent := range n.opts.Parents {
		parts[theme] = make(map[string]bool)
		if parent < 0 || int(parent) >= len(n.opts.Above) {
			continue
		}
		for part := range strings.SplitSeq(n.opts.Above[parent], ", ") {
			var keys []string
			for _, r := range n.v.runs(part) {
				for _, w := range r.words {
					keys = append(keys, w.key)
				}
			}
			parts[theme][strings.Join(keys, " ")] = true
		}
	}
	return parts
}

// saidAbove says whether the label of a theme's parent says a term, and other themes
// under that parent hold it too: it does not tell this one.
func (n *naming) saidAbove(t, theme int) bool {
	return n.above != nil && n.above[theme][n.terms[t].key] && n.inside(t, theme) < labelLift*n.outside(t, theme, true)
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

// labelCandidates are the terms good enough for a label, with the phrases before their
// words.
func (n *naming) labelCandidates(theme int, list []candidate) []candidate {
	var fit, out []candidate
	for _, c := range list {
		if c.score < labelScore*list[0].score {
			break
		}
		far := c.borrowed && c.near < borrowNear || n.small(theme) && c.near > 0 && c.near < labelNear
		if !far && n.head(c.term) && !n.wide(c, theme) {
			fit = append(fit, c)
		}
	}
	for _, c := range fit {
		if n.terms[c.term].gram.words() > 1 || !n.replaced(c.term, theme, fit, labelReplace) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return list[:1]
	}
	return out
}

// head says whether a term is a head, not an attribute, nor the tail of longer names
// (the "Basin" of many).
func (n *naming) head(t int) bool {
	term := n.terms[t]
	uses, atEnd := float64(term.atEnd+term.inRun), float64(term.atEnd)
	if term.gram.words() > 1 {
		return atEnd+1 >= labelHeadPhrase*(uses+2)
	}
	name := n.v.name(term.gram[0] - 1)
	if tail := float64(term.led) >= labelTail*uses; tail && (name || term.share <= rareShare && atEnd < labelHeadPhrase*uses) {
		return false // "Basin", "sandstone"
	}
	if attributive(term.key) {
		return atEnd >= labelHeadPhrase*uses
	}
	least := labelHead
	if term.plurals == 0 && !name && !n.short(t) {
		least = labelHeadMass
		if term.atEnd == 1 && uses > labelUses {
			atEnd = 0 // "X is compact"
		}
	}
	return nominal(term.key) || atEnd >= least*uses
}

// short says whether a term is mostly written as a short form.
func (n *naming) short(t int) bool {
	return n.display != nil && isShortForm(n.display[t])
}

// wide says whether a term says too little. In a small theme a word of all fields may
// be in a label that half of the papers hold and that is among the nearest in meaning.
func (n *naming) wide(c candidate, theme int) bool {
	term := n.terms[c.term]
	if n.small(theme) && c.near >= wideNear && 2*float64(n.counts[c.term][theme]) >= n.read[theme] {
		return false
	}
	return n.v.frame(term) || term.weak && n.inside(c.term, theme) < labelLift*n.outside(c.term, theme, false)
}

// How many of a theme's papers hold a term.
type holding int

const (
	heldByOne holding = iota
	heldByTwo
	heldByEnough // a tenth of the papers, and three of them; two in a theme of fewPapers
)

func (n *naming) held(t, theme int) holding {
	papers, held := n.read[theme], float64(n.counts[t][theme])
	switch {
	case papers > fewPapers && held >= max(labelShare*papers, labelHeld), papers <= fewPapers && held >= labelHeldFew:
		return heldByEnough
	case held >= labelHeldFew:
		return heldByTwo
	}
	return heldByOne
}

// vague: a word that says little alone, or a phrase of such words ("inclusion criteria").
func (n *naming) vague(t int) bool { return n.terms[t].weak || n.v.frame(n.terms[t]) }

// frame says whether a term, or each of its words, is about how papers are made, not what
// of.
func (v *vocabulary) frame(t *term) bool {
	if v.wide[t.key] || v.kinds[t.key] {
		return v.wide[t.key]
	}
	for word := range strings.SplitSeq(t.key, " ") {
		if !v.wide[word] && !v.paper[word] {
			return false
		}
	}
	return true
}
