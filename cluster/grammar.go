package cluster

import (
	"strings"
	"unicode"
)

// A theme is named by nouns. No tagger is needed to tell most other words: their
// endings and the words of grammar beside them do.

// verbShare is how often a word that is a verb stands after one of verbLeads, at least.
const verbShare = 0.25

// verbLeads are words that a verb follows ("to favour", "we capture").
const verbLeads = `to can could may might must shall should will would we they i you not cannot does do did who which`

// coordinators leave open whether the word before them is a noun ("semantic and acoustic features").
const coordinators = `and or nor but versus vs`

// nounsInEd and the like are nouns with the ending of another kind of word.
const (
	nounsInEd = `seed speed feed breed weed reed deed shed creed seaweed flatbed testbed sled`
	nounsInLy = `family assembly anomaly supply reply subfamily superfamily monopoly oligopoly polypoly panoply doily butterfly
	dragonfly firefly jelly belly melancholy`
)

// grammar is what a collection's texts show about a word.
type grammar struct {
	seen    int32 // occurrences
	verb    int32 // of them after one of verbLeads
	cased   int32 // occurrences outside of titles in capitals
	capital int32 // of those with a capital, not at the start of a sentence
}

// proper: a word that mostly has a capital.
func (g grammar) proper() bool {
	return float64(g.capital) >= properShare*float64(g.cased) && g.capital >= properTimes
}

// heads knows which words can end a term.
type heads struct {
	leads, open, ed, ly map[string]bool
}

func newHeads() heads {
	set := func(words string) map[string]bool {
		m := make(map[string]bool)
		for _, w := range strings.Fields(words) {
			m[w] = true
		}
		return m
	}
	return heads{leads: set(verbLeads), open: set(coordinators), ed: set(nounsInEd), ly: set(nounsInLy)}
}

// attributeEndings are those of words that are mostly attributes ("semantic", "renal").
var attributeEndings = [...]string{"ic", "al", "ive", "ary", "ar", "ful", "less", "wide", "based", "like", "free"}

// attributive says whether a word has such an ending.
func attributive(key string) bool {
	for _, ending := range attributeEndings {
		if strings.HasSuffix(key, ending) {
			return true
		}
	}
	return false
}

// nounEndings are those of words that are nouns wherever they stand ("diffusion").
var nounEndings = [...]string{"sion", "tion", "ment", "ness", "ity", "ism", "logy", "graphy"}

// nominal says whether a word has such an ending and no hyphen ("high-fidelity").
func nominal(key string) bool {
	if strings.Contains(key, "-") {
		return false
	}
	for _, ending := range nounEndings {
		if strings.HasSuffix(key, ending) {
			return true
		}
	}
	return false
}

// noun says whether a word with the given key can end a term.
func (h heads) noun(key string, g grammar) bool {
	if strings.IndexFunc(key, unicode.IsDigit) >= 0 {
		return true
	}
	switch {
	case g.proper(): // "Cretaceous"
	case strings.HasSuffix(key, "ed") && len(key) > 3 && !h.ed[key],
		strings.HasSuffix(key, "ly") && len(key) > 4 && !h.ly[key],
		strings.HasSuffix(key, "ous") && len(key) > 5,
		strings.HasSuffix(key, "ible"), strings.HasSuffix(key, "able") && key != "table" && key != "vegetable" && key != "cable":
		return false
	}
	return float64(g.verb) < verbShare*float64(g.seen)
}
