package cluster

import (
	"regexp"
	"strings"
	"unicode"
)

// inParentheses finds a short form after its long form: "reinforcement learning (RL)".
var inParentheses = regexp.MustCompile(`\(\s*([\p{L}][\p{L}\p{N}-]{1,9})\s*[),;]`)

// acronyms finds the short forms that a text defines and hands each over with the
// words before it whose initials spell it, or nil, and with those whose letters do
// ("glioblastoma (GBM)"), or nil (after Schwartz and Hearst, "A Simple Algorithm for
// Identifying Abbreviation Definitions in Biomedical Text", PSB 2003; a long form is
// written in the place of a short one only where initials spell it).
func (l lexicon) acronyms(text string, found func(short string, long, lettered []word)) {
	for _, at := range inParentheses.FindAllStringSubmatchIndex(text, -1) {
		short := shortKey(text[at[2]:at[3]])
		if strings.IndexFunc(short, unicode.IsUpper) < 0 {
			continue
		}
		before := text[max(0, at[0]-120):at[0]]
		runs := l.runs(strings.ToValidUTF8(before, "") + " " + short)
		if len(runs) == 0 {
			continue
		}
		last := runs[len(runs)-1].words
		last = last[:len(last)-1] // without the short form itself
		var long, lettered []word
		for n := 1; n <= min(longestTerm, len(last)) && long == nil; n++ {
			words := last[len(last)-n:]
			if spells(words, short) {
				long = words
			}
			if lettered == nil && hasLetters(words, short) {
				lettered = words
			}
		}
		found(short, long, lettered)
	}
}

// hasLetters says whether the letters of short are in the words in their order, its first
// at the start.
func hasLetters(words []word, short string) bool {
	var letters strings.Builder
	for _, w := range words {
		letters.WriteString(strings.ToLower(w.surface))
	}
	s := strings.ToLower(short)
	return s[0] == letters.String()[0] && isSubsequence(s, letters.String())
}

// shortKey is a short form without the s of a plural: "LLMs" is "LLM".
func shortKey(short string) string {
	if len(short) > 2 && strings.HasSuffix(short, "s") && strings.ToUpper(short[:len(short)-1]) == short[:len(short)-1] {
		return short[:len(short)-1]
	}
	return short
}

// spells says whether the initials of words, or of their hyphenated parts, are short.
func spells(words []word, short string) bool {
	want := []rune(strings.ToLower(strings.ReplaceAll(short, "-", "")))
	var whole, parts []rune
	for _, w := range words {
		for i, part := range strings.Split(strings.ToLower(w.surface), "-") {
			for j, r := range part {
				if j > 0 {
					break
				}
				if i == 0 {
					whole = append(whole, r)
				}
				parts = append(parts, r)
			}
		}
	}
	return string(whole) == string(want) || string(parts) == string(want)
}
