package paper

import "strings"

// A script is a superscript or a subscript and what it hangs on.
type script struct {
	content string
	raised  bool
	base    rune // the character before it, utf8.RuneError if there is none
	math    bool // from TeX, where "x^2" is how people write it
}

const (
	plainScripts = "0123456789+-=()in"
	raisedRunes  = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿ"
)

// text writes the script on one line: chemistry and units read on ("H2O", "CD4+",
// "kg/m2"), powers keep their sign ("10^3", "10^-5", "n^(1/2)") or are raised for a
// reader where Unicode can ("10³"). Subscripts are not lowered for anyone: what is read
// is what can be typed and found.
func (s script) text(to purpose) string {
	if s.content == "" {
		return ""
	}
	if to == forReader && s.raised {
		if raised, ok := s.unicode(); ok {
			return raised
		}
	}
	switch {
	case s.raised && s.base > 0 && s.isPower():
		return "^" + s.grouped()
	case !s.raised && s.math && !isDigits(s.content):
		return "_" + s.grouped()
	}
	return s.content
}

// isPower reports whether the sign ^ is needed to read the script right.
func (s script) isPower() bool {
	first := s.content[0]
	if s.math {
		return isAlnum(first) || first == '-' && len(s.content) > 1 || first == '(' || first >= 0xc0 && len(s.content) > 3
	}
	sign := first == '-' || strings.HasPrefix(s.content, "−") || strings.HasPrefix(s.content, "–")
	return '0' <= s.base && s.base <= '9' && (isDigit(first) || sign && len(s.content) > 1)
}

// grouped is the content, in brackets where it has more than one part.
func (s script) grouped() string {
	inside := strings.TrimSuffix(s.content[1:], "+")
	if strings.ContainsAny(inside, " /+*,=") && !strings.HasPrefix(s.content, "(") {
		return "(" + s.content + ")"
	}
	return s.content
}

func (s script) unicode() (string, bool) {
	table := []rune(raisedRunes)
	var b strings.Builder
	for _, r := range s.content {
		if r == '−' || r == '–' {
			r = '-'
		}
		at := strings.IndexRune(plainScripts, r)
		if at < 0 {
			return "", false
		}
		b.WriteRune(table[at])
	}
	return b.String(), true
}
