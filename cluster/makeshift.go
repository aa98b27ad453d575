package cluster

import (
	"cmp"
	"fmt"
	"slices"
)

// spare gives the themes without a label one, and those without terms some, of what no
// other theme shows: the words that most of their papers hold, however many others do.
func (n *naming) spare(names []Name) {
	labels, terms := make(map[string]bool), make(map[string]bool)
	for _, name := range names {
		labels[name.Label] = true
		for _, t := range name.Terms {
			terms[t] = true
		}
	}
	for theme := range names {
		name := &names[theme]
		if name.Label != "" && len(name.Terms) > 0 {
			continue
		}
		words := n.mostly(theme)
		if len(name.Terms) == 0 {
			name.Terms = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return terms[w] })
			name.Terms = name.Terms[:min(len(name.Terms), shownTerms)]
		}
		if name.Label == "" {
			name.Label = makeshift(words, labels)
		}
		if name.Label == "" {
			name.Label = fmt.Sprintf("theme %d", theme+1)
		}
		labels[name.Label] = true
		for _, t := range name.Terms {
			terms[t] = true
		}
	}
}

// makeshift is a label of two words that follow each other, or of the only one; "" where
// all are labels already.
func makeshift(words []string, used map[string]bool) string {
	for i := 1; i < len(words); i++ {
		if label := words[i-1] + ", " + words[i]; !used[label] {
			return label
		}
	}
	if len(words) == 1 && !used[words[0]] {
		return words[0]
	}
	return ""
}

// mostly are the nouns that most papers of a theme hold, one form of each, most first: as
// many as labels and terms of all themes can need.
func (n *naming) mostly(theme int) []string {
	type tally struct {
		papers, times, last int
		forms               map[string]int
	}
	tallies := make(map[int32]*tally)
	for p := range n.v.papers {
		if n.theme[p] != int32(theme) {
			continue
		}
		for i, key := range n.v.papers[p].keys {
			surface := n.v.papers[p].surfaces[i]
			if key < 0 || surface < 0 || len([]rune(n.v.keys[key])) < 2 || n.v.paper[n.v.keys[key]] || !n.v.noun(n.v.keys[key], n.v.grammar[key]) {
				continue
			}
			t := tallies[key]
			if t == nil {
				t = &tally{forms: make(map[string]int)}
				tallies[key] = t
			}
			if t.last != p+1 {
				t.papers, t.last = t.papers+1, p+1
			}
			t.times++
			t.forms[n.v.cased(surface, key)]++
		}
	}
	keys := make([]int32, 0, len(tallies))
	for key := range tallies {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b int32) int {
		x, y := tallies[a], tallies[b]
		return cmp.Or(cmp.Compare(y.papers, x.papers), cmp.Compare(y.times, x.times), cmp.Compare(n.v.keys[a], n.v.keys[b]))
	})
	var kept []int32
	var words []string
	for _, key := range keys {
		if len(kept) == shownTerms+n.k {
			break
		}
		if slices.ContainsFunc(kept, func(k int32) bool { return alike(n.v.keys[k], n.v.keys[key]) || oneStem(n.v.keys[k], n.v.keys[key]) }) {
			continue
		}
		best := ""
		for form, times := range tallies[key].forms {
			if most := tallies[key].forms[best]; times > most || times == most && form < best {
				best = form
			}
		}
		kept, words = append(kept, key), append(words, best)
	}
	return words
}
