package paper

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const softHyphen = '\u00ad'

// plainCharacters undoes what type-setting did to the letters of s (ligatures, soft
// hyphens, words hyphenated at the end of a line) and drops the characters that say
// nothing and can do harm: controls, zero-width and direction marks.
func plainCharacters(s string, to purpose) string {
	if isPlainASCII(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		run := i
		for run < len(s) && ' ' <= s[run] && s[run] <= '~' && s[run] != '-' {
			run++
		}
		b.WriteString(s[i:run])
		if i = run; i == len(s) {
			break
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == softHyphen:
			// The rest of the word may stand on the next line.
			next := i + size
			for next < len(s) && isASCIISpace(s[next]) {
				next++
			}
			if next > i+size && strings.ContainsAny(s[i+size:next], "\n\r") {
				size = next - i
			}
		case r == '-' || r == '\u2010':
			if skip, keep := joinLine(s, i, size); skip > 0 {
				if keep {
					b.WriteByte('-')
				}
				size = skip
				break
			}
			if to == forEncoder {
				r = '-'
			}
			b.WriteRune(r)
		case 0xfb00 <= r && r <= 0xfb06:
			b.WriteString(ligatures[r-0xfb00])
		case r >= 0xa1 && r < 0x300 && r != 0xad:
			b.WriteRune(r) // Latin letters and signs
		case r == '\t', r == '\n', r == '\r':
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case isJoiner(r) && to != forEncoder && isJoined(s[:i]): // as Persian and emoji are spelt
			b.WriteRune(r)
		case isSilent(r):
		default:
			b.WriteRune(r)
		}
		i += size
	}
	if text := b.String(); !norm.NFC.IsNormalString(text) {
		return norm.NFC.String(text)
	}
	return b.String()
}

// ligatures are the letters that U+FB00 to U+FB06 stand for.
var ligatures = [...]string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}

// isPlainASCII reports whether there is nothing in s for plainCharacters to do.
func isPlainASCII(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || c == '-' && i+1 < len(s) && isASCIISpace(s[i+1]) {
			return false
		}
	}
	return true
}

// isJoiner reports whether r says how the letters beside it are joined.
func isJoiner(r rune) bool { return r == 0x200c || r == 0x200d || r == 0xfe0f }

// isJoined reports whether s ends in a character of a script that is written with joiners,
// or in an emoji. Latin, Greek and Cyrillic are not.
func isJoined(s string) bool {
	before, _ := utf8.DecodeLastRuneInString(s)
	return before > 0x52f && before != utf8.RuneError && (!isSilent(before) || isJoiner(before))
}

// isSilent reports whether r shows nothing of its own: a control, a zero-width or
// direction mark, a tag or a noncharacter.
func isSilent(r rune) bool {
	switch {
	case r < ' ', 0x7f <= r && r < 0xa0:
		return true
	case 0x200b <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x2060 <= r && r <= 0x206f:
		return true
	case r == 0xfeff, r == 0x061c, r == 0x180e, 0xfe00 <= r && r <= 0xfe0f, 0xe0000 <= r && r <= 0xe0fff:
		return true
	case r >= 0xfff0 && r <= 0xfffb, r&0xfffe == 0xfffe:
		return true
	}
	return unicode.Is(unicode.Co, r)
}

// joinLine looks at the hyphen of the given size at s[at]: where a word was broken at
// the end of a line it gives the length of the break, and whether the hyphen belongs
// to the word.
func joinLine(s string, at, size int) (length int, keep bool) {
	next := at + size
	for next < len(s) && (s[next] == ' ' || s[next] == '\t' || s[next] == '\r') {
		next++
	}
	if next >= len(s) || s[next] != '\n' && !(next > at+size && s[next-1] == '\r') {
		return 0, false
	}
	for next < len(s) && isASCIISpace(s[next]) {
		if s[next] == '\n' && next > at+size && strings.Contains(s[at+size:next], "\n") {
			return 0, false // a blank line ends the paragraph
		}
		next++
	}
	start := at
	for start > 0 && (isLetterByte(s[start-1]) || s[start-1] == '-') {
		start--
	}
	first, second := s[start:at], s[next:]
	if first == "" || second == "" {
		return 0, false
	}
	if c := second[0]; c < 'a' || c > 'z' && c < 0x80 {
		// "CA-\nAMA", "COVID-\n19": a compound.
		return next - at, isAlnum(c)
	}
	compound := strings.Contains(first, "-") || strings.Contains(compoundFirsts, " "+strings.ToLower(first)+" ") || len(first) == 1
	return next - at, compound
}

// compoundFirsts are first parts that keep their hyphen where a line ends after it.
const compoundFirsts = " all anti back best cost cross data end few first fine finite free full graph half hard hand head high" +
	" human ill in infinite just large late left light long low large model more most multi near new next non off on one" +
	" open out over part point post pre quasi quark real right second self semi set short single small so soft space" +
	" spin state step super task text third three time top two ultra un under user view well wide word work world zero "

func isLetterByte(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80 }

func isASCIISpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// collapseSpace makes every run of white space one space and drops it at both ends.
func collapseSpace(s string) string {
	clean := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == ' ' && (i == 0 || i+1 == len(s) || s[i+1] == ' ') || c == 0x85 || c == 0xa0 || c == 0xe2 || c == 0xe3 || c == 0xe1 {
			clean = false // perhaps: the bytes also begin or end what is no space
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for word := range strings.FieldsSeq(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}
