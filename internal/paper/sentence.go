package paper

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences parts a text into its sentences, in order, each without white space at
// its ends; joined by single spaces they give the text again. A full stop ends no
// sentence after an abbreviation ("e.g.", "et al.", "Fig. 3"), in a number or after an
// initial.
func Sentences(text string) []string {
	var sentences []string
	start := 0
	add := func(end int) {
		if sentence := strings.TrimSpace(text[start:end]); sentence != "" {
			sentences = append(sentences, sentence)
		}
		start = end
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch r {
		case '。', '！', '？':
			add(i)
		case '.', '!', '?', '…':
			for i < len(text) && strings.IndexByte(".!?", text[i]) >= 0 {
				i++
			}
			end := i
			for end < len(text) {
				c, n := utf8.DecodeRuneInString(text[end:])
				if !strings.ContainsRune("\"')]”’»", c) {
					break
				}
				end += n
			}
			if endsSentence(text, start, i, end, r) {
				add(end)
				i = end
			}
		}
	}
	add(len(text))
	return sentences
}

// endsSentence decides about the mark r that ends at text[mark-1]; closing quotes and
// brackets after it end at text[end-1]; the sentence began at text[start].
func endsSentence(text string, start, mark, end int, r rune) bool {
	if end == len(text) {
		return true
	}
	if !isASCIISpace(text[end]) && text[end] < 0x80 {
		return false
	}
	rest := strings.TrimLeft(text[end:], " \t\r\n")
	if rest == "" || len(rest) == len(text[end:]) {
		return rest == ""
	}
	next, _ := utf8.DecodeRuneInString(rest)
	if !unicode.IsUpper(next) && !unicode.IsDigit(next) && !strings.ContainsRune("\"'“‘([«$\\©*-–—•", next) && !unicode.Is(unicode.Lo, next) {
		return false
	}
	if r != '.' {
		return true
	}
	word := text[start : mark-1]
	if space := strings.LastIndexAny(word, " \t\n(["); space >= 0 {
		word = word[space+1:]
	}
	opener := strings.Contains(sentenceOpeners, " "+cutAny(rest, " ,:;")+" ")
	switch lower := strings.ToLower(word); {
	case word == "":
		return true
	case strings.Contains(" e.g i.e cf vs fig figs eq eqs ref refs sec dr prof mr mrs ms st nos vol pp viz ca approx resp w.r.t al.e.g ", " "+lower+" "):
		return false
	case lower == "no" && unicode.IsDigit(next):
		return false
	case strings.Contains(" al etc inc ltd co corp jr sr spp sp subsp var tab thm prop lem def alg app ed eds jan feb mar apr jun jul aug sep sept oct nov dec"+
		" a.k.a i.i.d ph.d u.s u.k a.m p.m ", " "+lower+" "):
		return opener
	case len(word) == 1 && unicode.IsUpper(rune(word[0])):
		return opener
	}
	return true
}
