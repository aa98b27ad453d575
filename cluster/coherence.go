package cluster

import "strings"

// Coherence is how well the terms of themes go together: the mean over themes of the
// mean normalised pointwise mutual information of two of a theme's terms over the
// papers (Lau, Newman and Baldwin, "Machine Reading Tea Leaves", EACL 2014; the window
// is the paper), -1 to 1. Two terms that no paper has together count -1. Themes of
// fewer than two terms are left out. Cost: O(words) + O(themes terms² papers).
func Coherence(texts []string, themes [][]string) float64 {
	v := readVocabulary(texts)
	holders := make(map[gram][]int32)
	grams := make([][]gram, len(themes))
	for t, terms := range themes {
		for _, term := range terms {
			g := v.gramOfText(term)
			grams[t] = append(grams[t], g)
			holders[g] = nil
		}
	}
	for p := range v.papers {
		for n := 1; n <= longestTerm; n++ {
			v.grams(p, n, func(words []int32, _ int, _ ending) {
				g := gramOf(words)
				list, wanted := holders[g]
				if wanted && (len(list) == 0 || list[len(list)-1] != int32(p)) {
					holders[g] = append(list, int32(p))
				}
			})
		}
	}
	sum, counted := 0.0, 0.0
	total := float64(len(texts))
	for _, list := range grams {
		pairs, together := 0.0, 0.0
		for i, a := range list {
			for _, b := range list[:i] {
				both := float64(len(shared(holders[a], holders[b])))
				together += npmi(both/total, float64(len(holders[a]))/total, float64(len(holders[b]))/total)
				pairs++
			}
		}
		if pairs > 0 {
			sum += together / pairs
			counted++
		}
	}
	if counted == 0 {
		return 0
	}
	return sum / counted
}

// Diversity is how little the themes' terms repeat each other: the distinct words of
// all terms over the sum of each theme's distinct words, at most 1 (after Dieng, Ruiz
// and Blei, "Topic Modeling in Embedding Spaces", TACL 2020).
func Diversity(themes [][]string) float64 {
	all := make(map[string]bool)
	words := 0
	for _, terms := range themes {
		own := make(map[string]bool)
		for _, term := range terms {
			for _, w := range strings.Fields(term) {
				own[folded(strings.ToLower(w))] = true
			}
		}
		for w := range own {
			all[w] = true
		}
		words += len(own)
	}
	if words == 0 {
		return 1
	}
	return float64(len(all)) / float64(words)
}

// gramOfText is a term as the texts of v hold it.
func (v *vocabulary) gramOfText(term string) gram {
	var words []int32
	for _, r := range v.runs(term) {
		for _, w := range r.words {
			key := v.keyNumber(w.key)
			if long := v.common[key]; long != nil && isShortForm(w.surface) {
				words = append(words, long...)
				continue
			}
			words = append(words, key)
		}
	}
	return gramOf(words[:min(len(words), longestTerm)])
}
