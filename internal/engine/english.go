package engine

import (
	"strings"
	"unicode"
)

// functionWords are frequent in English and are no words of the other languages that
// papers are written in.
var functionWords = map[string]bool{
	"the": true, "of": true, "and": true, "to": true, "is": true, "that": true, "with": true, "for": true, "are": true,
	"by": true, "this": true, "which": true, "from": true, "was": true, "were": true, "we": true, "be": true, "has": true,
	"have": true, "these": true, "can": true, "our": true, "not": true, "or": true, "between": true, "their": true,
}

const (
	// judgedWords are the fewest that tell a language: a title alone may have no function
	// word in any.
	judgedWords = 20
	// englishShare of function words is a third of what English abstracts have at least;
	// German, French, Spanish or Portuguese ones have less than a tenth of it.
	englishShare = 0.06
)

// english guesses whether a text is in English, the language of the model. A short text
// in Latin letters is taken for it.
func english(text string) bool {
	if !inLatin(text) {
		return false
	}
	words := strings.Fields(strings.ToLower(text))
	if len(words) < judgedWords {
		return true
	}
	found := 0
	for _, w := range words {
		if functionWords[strings.TrimFunc(w, unicode.IsPunct)] {
			found++
		}
	}
	return float64(found) >= englishShare*float64(len(words))
}

// inLatin reports whether half of a text's letters are Latin ones, or more.
func inLatin(text string) bool {
	letters, latin := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if r < 0x80 || unicode.Is(unicode.Latin, r) {
				latin++
			}
		}
	}
	return 2*latin >= letters
}
