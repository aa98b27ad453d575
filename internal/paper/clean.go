package paper

import "strings"

// purpose is what a cleaned text is for.
type purpose int

const (
	forEncoder purpose = iota // the model and the word index: links dropped, one plain spelling
	forReader                 // a person at a terminal: links kept, powers raised
	fromTeX                   // a field of a record that a source wrote in TeX
)

// Clean gives the text of s without its mark-up, for the encoder and the word index:
// TeX commands and mathematics become plain characters, Markdown and tags are
// unwrapped, entities decoded, ligatures and hyphenation undone, links dropped with
// the sentence that does nothing but announce them, white space collapsed. Cleaning a
// cleaned text changes nothing. The cost is linear in the length of s.
func Clean(s string) string { return unwrap(s, forEncoder) }

// Display gives s for reading in a terminal: mark-up is unwrapped as by [Clean], links
// stay, and no control, escape or direction character is left, whatever s holds.
func Display(s string) string { return unwrap(s, forReader) }

// maxPasses bounds the unwrapping of mark-up inside mark-up (escaped twice, quoted in
// another language). Real texts are done after two or three.
const maxPasses = 8

func unwrap(s string, to purpose) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	for range maxPasses {
		next := unwrapOnce(s, to)
		if next == s {
			return s
		}
		s = next
	}
	return unwrapOnce(withoutMarks(s), to)
}

// unwrapOnce takes one layer of every kind of mark-up away. The order matters: what
// entities hide are tags, and what tags wrap is TeX or Markdown.
func unwrapOnce(s string, to purpose) string {
	s = unmark(s, to)
	s = untex(s, to)
	s = unmarkdown(s, to)
	s = plainCharacters(s, to)
	if to == forEncoder {
		s = withoutLinks(s)
	}
	return collapseSpace(s)
}

// withoutMarks leaves no character in s that opens mark-up of any kind: the last
// resort for a text that is nothing but nested mark-up.
func withoutMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("\\${}&<>*_[]()`'~^#-:./;", r) {
			return ' '
		}
		return r
	}, s)
}
