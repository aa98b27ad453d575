package paper

import (
	"crypto/sha256"
	"strings"
	"unicode/utf8"
)

// Paper is one work as a source describes it. Text fields hold what was read; they
// are cleaned for reading and for the encoder when they are used ([Paper.Text],
// [Clean]), never in place.
type Paper struct {
	Title    string
	Abstract string
	Authors  []string // "Family, Given" or as the source has it
	Year     int      // 0 when not known
	Date     string   // the source's own text for the date, where Year could not hold it
	Venue    string
	URL      string
	Keywords []string
	IDs      Identifiers
}

// Text is the text of p that is embedded: the title, ". " (only " " after a title that
// ends in . ? or !) and the abstract, both cleaned; one of them alone where the other
// is missing, "" where both are.
func (p *Paper) Text() string {
	title, abstract := titleText(p.Title), abstractText(p.Abstract)
	switch {
	case title == "":
		return abstract
	case abstract == "":
		return title
	case strings.ContainsRune(".?!", rune(title[len(title)-1])):
		return title + " " + abstract
	}
	return title + ". " + abstract
}

// Usable reports whether p has an abstract that says something: a placeholder
// ("Abstract not available", "N/A") or a bare copyright notice is none.
func (p *Paper) Usable() bool { return abstractText(p.Abstract) != "" }

// Empty reports whether p has neither a title nor a usable abstract, so that there is
// nothing to find it by.
func (p *Paper) Empty() bool {
	return !hasWords(p.Title) && titleText(p.Title) == "" && !p.Usable()
}

// hasWords reports, without cleaning s, that it surely says something: it is longer
// than a placeholder and has words that stand by themselves.
func hasWords(s string) bool {
	const words, shortest, longestPlaceholder = 3, 3, 30
	if len(s) <= longestPlaceholder || strings.IndexByte(s, '<') >= 0 {
		return false
	}
	found, length := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case isASCIILetter(c) && length >= 0:
			length++
		case c == ' ':
			if length >= shortest {
				found++
			}
			length = 0
		default:
			length = -1
		}
		if found == words {
			return true
		}
	}
	return false
}

// nameLength is about two lines of a terminal.
const nameLength = 160

// Name is how p is called in a list: its title, else the first sentence of its
// abstract, made ready for a terminal. At most nameLength runes of a sentence are
// given, ended by "…" where it was cut.
func (p *Paper) Name() string {
	if titleText(p.Title) != "" {
		return Display(p.Title)
	}
	for _, sentence := range Sentences(Display(p.Abstract)) {
		return shorten(sentence, nameLength)
	}
	return ""
}

// Key is the hash of the exact text that is given to the encoder: the key of its
// vector.
func Key(text string) [sha256.Size]byte { return sha256.Sum256([]byte(text)) }

// shorten cuts s before the word that does not fit into limit runes any more.
func shorten(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	end, runes := 0, 0
	for i := range s {
		if runes == limit-1 {
			end = i
			break
		}
		runes++
	}
	if space := strings.LastIndexByte(s[:end], ' '); space > end/2 {
		end = space
	}
	return s[:end] + "…"
}
