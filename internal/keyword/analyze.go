package keyword

import (
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"golang.org/x/text/unicode/norm"
)

// maxWord is the length in bytes at which a word is cut: longer ones are noise (a
// sequence, an encoded blob), and a term's length must be bounded.
const maxWord = 64

// Terms returns the words of text as they are indexed, in order: lower case, without
// marks and accents, stop words left out, stemmed (Snowball English).
func Terms(text string) []string {
	var terms []string
	eachWord(text, func(word []byte) {
		if !isStopWord(string(word)) {
			terms = append(terms, stem(string(word)))
		}
	})
	return terms
}

// Words returns the words of text, normalised but neither stemmed nor left out: what an
// exact phrase is compared by.
func Words(text string) []string {
	var words []string
	eachWord(text, func(word []byte) { words = append(words, string(word)) })
	return words
}

// stem is the Snowball English (Porter 2) stem of a normalised word.
func stem(word string) string {
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

// eachWord calls yield with each word of text, normalised but not stemmed; yield may
// not keep it. A word is a run of letters and digits. What follows an apostrophe
// ("Alzheimer's", "don't") is dropped, and an ideograph is a word of its own.
func eachWord(text string, yield func(word []byte)) {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			text = norm.NFKD.String(text)
			break
		}
	}
	var buf [maxWord]byte
	word := buf[:0]
	apostrophe := false // the present word follows one
	flush := func() {
		if len(word) > 0 && !(apostrophe && len(word) <= 2) {
			yield(word)
		}
		word, apostrophe = word[:0], false
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			case 'A' <= c && c <= 'Z':
				c += 'a' - 'A'
			default:
				after := len(word) > 0 && c == '\''
				flush()
				apostrophe = after
				continue
			}
			if len(word) < maxWord {
				word = append(word, c)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Cf, r):
			// An accent, or a mark that shows nothing: part of the word, left out.
		case unicode.Is(unicode.Han, r):
			flush()
			word = utf8.AppendRune(word, r)
			flush()
		case unicode.IsLetter(r), unicode.IsNumber(r):
			if r = unicode.ToLower(r); len(word)+utf8.RuneLen(r) <= maxWord {
				word = utf8.AppendRune(word, r)
			}
		default:
			after := len(word) > 0 && r == '’'
			flush()
			apostrophe = after
		}
	}
	flush()
}
