package cluster

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A title with a capital in each word: of the words of so many letters, so many and such a
// share.
const (
	titleWords   = 3
	titleLetters = 4
	titleShare   = 0.6
)

// word is one word of a text.
type word struct {
	key     string // what it is counted by: lower case, plural folded
	surface string // as written; lower case where only its place gave it a capital
}

// run is a stretch of words without punctuation or stop word between them; terms lie
// within runs.
type run struct {
	words    []word
	sentence int    // from 0
	before   string // the word of grammar right before it, if there is one
	open     bool   // ended by an "and", or one word ended by a comma: its last word may be an attribute
}

// lexicon knows the words that are not terms.
type lexicon struct {
	heads
	tongues
	stop  map[string]bool
	paper map[string]bool // by key
	wide  map[string]bool // by keys
	kinds map[string]bool // by keys
	// species are model organisms, by keys.
	species map[string]bool
}

func newLexicon() lexicon {
	l := lexicon{heads: newHeads(), tongues: newTongues(), stop: make(map[string]bool), paper: make(map[string]bool), wide: make(map[string]bool), kinds: make(map[string]bool), species: make(map[string]bool)}
	for _, w := range strings.Fields(stopWords) {
		l.stop[w] = true
	}
	for _, w := range strings.Fields(paperWords) {
		l.paper[folded(w)] = true
	}
	for _, w := range strings.Fields(wideWords) {
		l.wide[strings.ReplaceAll(folded(w), "_", " ")] = true
	}
	for _, w := range strings.Fields(modelOrganisms) {
		l.species[strings.ReplaceAll(w, "_", " ")] = true
	}
	for _, w := range strings.Fields(paperKinds) {
		l.kinds[strings.ReplaceAll(w, "_", " ")] = true
	}
	return l
}

// runs splits a text. A hyphen joins ("text-to-image" is one word); any other
// punctuation ends a run.
func (l lexicon) runs(text string) []run {
	var all []run
	var current run
	end := func(open bool, before string) {
		if len(current.words) > 0 {
			current.open = open
			all = append(all, current)
			current.words = nil
		}
		current.before = before
	}
	language := l.language(text)
	text = parted(text, language)
	first := true // word of a sentence
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !partOfWord(r) {
			if !unicode.IsSpace(r) {
				end(r == ',' && len(current.words) < 2 || r == '/', "")
			}
			i += size
			if r == ':' {
				first = true
			}
			if next, _ := utf8.DecodeRuneInString(text[i:]); (r == '.' || r == '!' || r == '?') && unicode.IsSpace(next) {
				first = true
				current.sentence++
			}
			continue
		}
		raw, next := scanWord(text, i)
		surface := text[i:next] // with the 's of "Alzheimer's"
		if strings.ContainsRune(surface, '\u2010') || strings.ContainsRune(surface, '\u2011') {
			surface = raw
		}
		i = next
		if first {
			surface = uncapital(surface)
		}
		first = false
		lower := strings.ToLower(raw)
		if l.stop[lower] || l.of[lower]&language != 0 || !hasLetter(lower) {
			end(l.open[lower], lower)
			continue
		}
		current.words = append(current.words, word{key: folded(lower), surface: surface})
	}
	end(false, "")
	return all
}

// titled says whether the first sentence of some runs is a title with a capital in most
// words: those capitals tell nothing.
func titled(runs []run) bool {
	words, capitals := 0, 0
	for _, r := range runs {
		for _, w := range r.words {
			if r.sentence > 0 {
				break
			}
			if len(w.surface) >= titleLetters {
				words++
				if uncapital(w.surface) != w.surface {
					capitals++
				}
			}
		}
	}
	return capitals >= titleWords && float64(capitals) >= titleShare*float64(words)
}

func partOfWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// scanWord returns the word that begins at i, and where it ends. A hyphen between two
// letters or digits belongs to it, an apostrophe with what follows it does not.
func scanWord(text string, i int) (string, int) {
	var b strings.Builder
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if partOfWord(r) {
			b.WriteRune(r)
			i += size
			continue
		}
		after, width := utf8.DecodeRuneInString(text[i+size:])
		if !partOfWord(after) {
			break
		}
		switch r {
		case '-', '\u2010', '\u2011':
			b.WriteByte('-')
			i += size
			continue
		case '\'', '\u2019': // "Alzheimer's"
			i += size
			if after == 's' || after == 't' {
				if next, _ := utf8.DecodeRuneInString(text[i+width:]); !partOfWord(next) {
					i += width
				}
			}
			return b.String(), i
		}
		break
	}
	return b.String(), i
}

func hasLetter(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }

// uncapital lowers the first letter of a word that has no other capital or digit; what
// owns something ("Pearl's") is a name, and so is a letter ("vitamin D").
func uncapital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if !unicode.IsUpper(r) || size == len(s) || strings.HasSuffix(s, "'s") || strings.HasSuffix(s, "’s") || strings.IndexFunc(s[size:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) >= 0 {
		return s
	}
	return string(unicode.ToLower(r)) + s[size:]
}

// folded brings the forms of a word together, the English plural and the British
// spelling with the American singular ("tumours", "normalisation"); it is never shown.
func folded(w string) string {
	w = singular(w)
	switch {
	case len(w) > 5 && strings.HasSuffix(w, "our"):
		return w[:len(w)-2] + "r"
	case len(w) > 8 && strings.HasSuffix(w, "isation"):
		return w[:len(w)-len("isation")] + "ization"
	}
	return w
}

func singular(w string) string {
	switch {
	case len(w) < 4:
		return w
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "yses"), strings.HasSuffix(w, "theses"), strings.HasSuffix(w, "noses"): // "analyses", "syntheses", "diagnoses"
		return w[:len(w)-2] + "is"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}
