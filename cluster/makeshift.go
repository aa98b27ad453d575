package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// makeshift is the label of a theme that no term tells from the others: the two words
// that most of its papers hold, or its number; what is not yet a label.
func (n *naming) makeshift(theme int, used map[string]bool) string {
	type tally struct{ papers, times, last int }
	tallies := make(map[string]tally)
	for p := range n.v.papers {
		if n.theme[p] != int32(theme) {
			continue
		}
		for i, key := range n.v.papers[p].keys {
			surface := n.v.papers[p].surfaces[i]
			if key < 0 || surface < 0 || len([]rune(n.v.keys[key])) < 2 || n.v.paper[n.v.keys[key]] || !n.v.noun(n.v.keys[key], n.v.grammar[key]) {
				continue
			}
			word := n.v.cased(surface, key)
			t := tallies[word]
			if t.last != p+1 {
				t.papers, t.last = t.papers+1, p+1
			}
			t.times++
			tallies[word] = t
		}
	}
	words := slices.SortedFunc(maps.Keys(tallies), func(a, b string) int {
		x, y := tallies[a], tallies[b]
		return cmp.Or(cmp.Compare(y.papers, x.papers), cmp.Compare(y.times, x.times), cmp.Compare(a, b))
	})
	for i := 1; i < len(words); i++ {
		if label := words[i-1] + ", " + words[i]; !used[label] {
			return label
		}
	}
	if len(words) == 1 && !used[words[0]] {
		return words[0]
	}
	return fmt.Sprintf("theme %d", theme+1)
}
