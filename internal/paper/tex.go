package paper

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// untex makes the TeX of s plain characters: accents and symbols become letters,
// commands are replaced by what they wrap, mathematics is written on one line. What
// only looks like TeX ("\$3", "$3 to $5", "~10", a set {a, b}) keeps its meaning.
func untex(s string, to purpose) string {
	if !strings.ContainsAny(s, "\\$~{`") && !strings.Contains(s, "--") {
		return s
	}
	t := tex{s: s, to: to, closing: matchBraces(s)}
	t.isTeX = strings.ContainsAny(s, "\\$")
	t.quotes = hasEscapedQuotes(s)
	return t.render(0, len(s), false, 0)
}

// FromTeX decodes a value of a TeX or BibTeX source: accents, symbols and commands
// become characters, braces are dropped, escaped signs are themselves. Mathematics
// stays between its dollars, and an escaped dollar keeps its backslash where without
// it mathematics would begin.
func FromTeX(s string) string {
	if !strings.ContainsAny(s, "\\$~{}`'-") {
		return s
	}
	t := tex{s: s, to: fromTeX, closing: matchBraces(s), isTeX: true}
	marked := t.render(0, len(s), false, 0)
	plain := strings.ReplaceAll(marked, escapedDollar, "$")
	if plain == marked || sameMath(plain, marked) {
		return plain
	}
	return strings.ReplaceAll(marked, escapedDollar, `\$`)
}

// escapedDollar stands for a dollar that is none of mathematics while a value is
// decoded. It is no UTF-8, so that no text has it.
const escapedDollar = "\xff"

// sameMath reports whether plain, which has dollars where marked has the signs for
// escaped ones, has the same mathematics.
func sameMath(plain, marked string) bool {
	var spans []string
	for start, end := range Math(plain) {
		spans = append(spans, plain[start:end])
	}
	n := 0
	for start, end := range Math(marked) {
		if n == len(spans) || spans[n] != marked[start:end] {
			return false
		}
		n++
	}
	return n == len(spans)
}

// Math yields where the mathematics of s stands, with its dollars.
func Math(s string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for i := 0; i < len(s); {
			switch s[i] {
			case '\\':
				i += 2
				continue
			case '$':
				if _, _, next := mathSpan(s, i, len(s)); next != 0 {
					if !yield(i, next) {
						return
					}
					i = next
					continue
				}
			}
			i++
		}
	}
}

// A tex renders one text.
type tex struct {
	s       string
	to      purpose
	closing []int32 // for each '{' the place of its '}', else 0
	isTeX   bool    // s has TeX beyond any doubt, so that a tie (~) is one
	quotes  bool    // \" is a quotation mark that was escaped, no accent
}

// maxDepth bounds the nesting of groups that are rendered; deeper ones are written as
// they are.
const maxDepth = 24

// matchBraces gives for each opening brace the place of its closing one, 0 where it
// has none. Escaped braces count for nothing.
func matchBraces(s string) []int32 {
	if strings.IndexByte(s, '{') < 0 {
		return nil
	}
	closing := make([]int32, len(s))
	var open []int32
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			open = append(open, int32(i))
		case '}':
			if len(open) > 0 {
				closing[open[len(open)-1]] = int32(i)
				open = open[:len(open)-1]
			}
		}
	}
	return closing
}

// hasEscapedQuotes reports whether some \" in s stands before no letter, as it would
// as an accent.
func hasEscapedQuotes(s string) bool {
	for i := strings.Index(s, `\"`); i >= 0; {
		rest := s[i+2:]
		if rest == "" || !isAlnum(rest[0]) && rest[0] != '{' && rest[0] != '\\' {
			return true
		}
		next := strings.Index(rest, `\"`)
		if next < 0 {
			return false
		}
		i += 2 + next
	}
	return false
}

// group is the end of the group that opens at s[i] inside of s[:end], -1 if none does.
func (t *tex) group(i, end int) int {
	if i >= end || t.s[i] != '{' || t.closing[i] == 0 || int(t.closing[i]) >= end {
		return -1
	}
	return int(t.closing[i])
}

// render gives s[i:end] without its TeX.
func (t *tex) render(i, end int, math bool, depth int) string {
	to := t.to
	if depth > maxDepth {
		return t.s[i:end]
	}
	w := writer{tex: t, math: math, depth: depth, start: i}
	for i < end {
		c := t.s[i]
		switch {
		case c == '\\':
			i = w.command(i, end)
		case c == '{':
			i = w.braces(i, end)
		case c == '$':
			i = w.dollar(i, end)
		case math && (c == '^' || c == '_'):
			i = w.script(i, end)
		case (c == '^' || c == '_') && t.group(i+1, end) > 0 && t.group(i+1, end)-i < 40:
			i = w.script(i, end)
		case c == '}' && to == fromTeX, math && (c == '}' || c == '&'):
			i++
		case c == '~':
			i = w.tie(i, end)
		case c == '-' && !math:
			i = w.dashes(i, end)
		case c == '`' && strings.HasPrefix(t.s[i:end], "``") && strings.Contains(t.s[i:min(end, i+maxSpan)], "''"):
			w.out = append(w.out, "“"...)
			w.quoted = true
			i += 2
		case c == '\'' && w.quoted && strings.HasPrefix(t.s[i:end], "''"):
			w.out = append(w.out, "”"...)
			w.quoted = false
			i += 2
		default:
			w.out = append(w.out, c)
			i++
		}
	}
	return string(w.out)
}

// A writer holds what was rendered of one group.
type writer struct {
	*tex
	out    []byte
	math   bool
	depth  int
	start  int
	quoted bool // a quotation that `` opened is not closed yet
}

func (w *writer) write(s string) { w.out = append(w.out, s...) }

// last is the character that was written last, 0 if none was.
func (w *writer) last() byte {
	if len(w.out) == 0 {
		return 0
	}
	return w.out[len(w.out)-1]
}

// braces renders a group. In mathematics and around TeX or a word whose capitals are
// protected ("{BERT}", "{B}ayes") the braces themselves are mark-up; a set keeps them.
func (w *writer) braces(i, end int) int {
	closing := w.group(i, end)
	if closing < 0 {
		if !w.math && w.to != fromTeX {
			w.out = append(w.out, '{')
		}
		return i + 1
	}
	content := w.s[i+1 : closing]
	text := w.render(i+1, closing, w.math, w.depth+1)
	switch {
	case w.math, w.to == fromTeX, strings.ContainsAny(content, `\$`) && !strings.HasPrefix(content, `\{`), isProtected(text):
		w.write(text)
	case strings.TrimSpace(content) == "" && (w.isTeX || content == ""):
	default:
		w.out = append(w.out, '{')
		w.write(text)
		w.out = append(w.out, '}')
	}
	return closing + 1
}

// isProtected reports whether s is a word with a capital letter, as BibTeX protects
// them with braces.
func isProtected(s string) bool {
	capital := false
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			capital = true
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '\'':
			return false
		}
	}
	return capital
}

// dollar renders the mathematics that begins at s[i], or writes a dollar.
func (w *writer) dollar(i, end int) int {
	if w.math {
		return i + 1
	}
	start, stop, next := mathSpan(w.s, i, end)
	if next == 0 {
		w.out = append(w.out, '$')
		return i + 1
	}
	if w.to == fromTeX {
		w.write(w.s[i:next])
		return next
	}
	text := w.render(start, stop, true, w.depth+1)
	if strings.HasPrefix(w.s[i:], "$$") {
		text = " " + text + " "
	}
	base, _ := utf8.DecodeLastRune(w.out)
	if first := w.s[start]; (first == '^' || first == '_') && base != utf8.RuneError && base != ' ' {
		// "H$_2$O": the script hangs on the text before.
		inner := writer{tex: w.tex, math: true, depth: w.depth + 1, start: start, out: w.out}
		if after := inner.script(start, stop); after == stop {
			w.out = inner.out
			return next
		}
		w.out = w.out[:len(w.out):len(w.out)]
	}
	w.write(strings.TrimSpace(text))
	return next
}

// mathSpan finds the mathematics that a dollar at s[i] opens: s[start:stop], and where
// the text goes on; next is 0 where the dollar is a dollar. As in Pandoc, no space may
// follow the first or precede the second, and no digit may follow the second, unless
// what stands between is TeX beyond doubt.
func mathSpan(s string, i, end int) (start, stop, next int) {
	width := 1
	if i+1 < end && s[i+1] == '$' {
		width = 2
	}
	start = i + width
	for stop = start; stop < end && stop-start < maxSpan; stop++ {
		if s[stop] == '\\' {
			stop++
			continue
		}
		if s[stop] == '$' {
			break
		}
	}
	if stop >= end || s[stop] != '$' || stop == start {
		return 0, 0, 0
	}
	next = stop + width
	if width == 2 {
		if !strings.HasPrefix(s[stop:end], "$$") {
			return 0, 0, 0
		}
		return start, stop, next
	}
	content := s[start:stop]
	if strings.Contains(content, "\n\n") {
		return 0, 0, 0
	}
	if strings.IndexByte(content, '\\') >= 0 || strings.ContainsAny(content, "^_{") && !isProse(content) {
		return start, stop, next
	}
	switch {
	case isASCIISpace(content[0]), isASCIISpace(content[len(content)-1]),
		next < end && isDigit(s[next]),
		i > 0 && isLetterByte(s[i-1]),
		isDigit(content[0]) && strings.Contains(content, " "):
		return 0, 0, 0
	}
	return start, stop, next
}

// isProse reports whether s has words as a sentence has them, and mathematics has not.
func isProse(s string) bool {
	words := 0
	for word := range strings.FieldsSeq(s) {
		if len(word) >= 3 && isLetters(word) {
			words++
		}
	}
	return words >= 3
}

func isLetters(s string) bool {
	for i := range len(s) {
		if !isASCIILetter(s[i]) {
			return false
		}
	}
	return true
}

// script renders the super- or subscript at s[i].
func (w *writer) script(i, end int) int {
	raised := w.s[i] == '^'
	text, next := w.argumentAs(i+1, end, true)
	base, _ := utf8.DecodeLastRune(w.out)
	w.write(script{content: strings.TrimSpace(text), raised: raised, base: base, math: true}.text(w.to))
	return next
}

// tie renders "~": a space between words in TeX, itself elsewhere ("~10 samples").
func (w *writer) tie(i, end int) int {
	before := w.last()
	isTie := w.math || w.to == fromTeX
	if i+1 < end && !isTie {
		next := w.s[i+1]
		joins := isWordByte(next) || next == '\\' || next == '$' || next == '(' || next == '{'
		isTie = joins && (before == '.' || w.isTeX && (isWordByte(before) || before == ')' || before == ']'))
	}
	if isTie {
		w.out = append(w.out, ' ')
	} else {
		w.out = append(w.out, '~')
	}
	return i + 1
}

// dashes renders "--" and "---" between words.
func (w *writer) dashes(i, end int) int {
	n := 1
	for i+n < end && w.s[i+n] == '-' {
		n++
	}
	after := byte(0)
	if i+n < end {
		after = w.s[i+n]
	}
	before := w.last()
	tight := before != 0 && after != 0 && before != ' ' && after != ' '
	spaced := before == ' ' && (after == ' ' || after == '\n')
	switch {
	case n == 2 && (tight || spaced):
		w.write("–")
	case n == 3 && (tight || spaced || before != 0 && after == ' '):
		w.write("—")
	default:
		w.write(w.s[i : i+n])
	}
	return i + n
}

// argumentAs renders the argument of a command at s[i]: a group, a command or one
// character.
func (w *writer) argumentAs(i, end int, math bool) (text string, next int) {
	for i < end && isASCIISpace(w.s[i]) {
		i++
	}
	if i >= end {
		return "", end
	}
	if closing := w.group(i, end); closing > 0 {
		return w.render(i+1, closing, math, w.depth+1), closing + 1
	}
	if w.s[i] == '\\' && w.depth+maxDepth/4 <= maxDepth {
		// An argument is seldom a command whose argument is a command: \~\^\i.
		inner := writer{tex: w.tex, math: math, depth: w.depth + maxDepth/4, start: i}
		next = inner.command(i, end)
		return string(inner.out), next
	}
	if strings.IndexByte("{}$", w.s[i]) >= 0 {
		return "", i
	}
	_, size := utf8.DecodeRuneInString(w.s[i:end])
	return w.s[i : i+size], i + size
}

func (w *writer) argument(i, end int) (text string, next int) { return w.argumentAs(i, end, w.math) }

// skipOption skips an argument in square brackets.
func (w *writer) skipOption(i, end int) int {
	if i < end && w.s[i] == '[' {
		if length := strings.IndexByte(w.s[i:min(end, i+200)], ']'); length > 0 {
			return i + length + 1
		}
	}
	return i
}

// accent writes the text with a combining mark on its first letter; ok is false where
// Unicode has no such letter.
func accent(text string, mark rune) (accented string, ok bool) {
	r, size := utf8.DecodeRuneInString(text)
	switch r {
	case 'ı':
		r = 'i'
	case 'ȷ':
		r = 'j'
	}
	if size == 0 || !unicode.IsLetter(r) {
		return text, false
	}
	composed := norm.NFC.String(string(r) + string(mark))
	if utf8.RuneCountInString(composed) != 1 {
		return text, false
	}
	return composed + text[size:], true
}
