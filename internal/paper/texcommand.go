package paper

import (
	"strings"
	"unicode/utf8"
)

// command renders the command at s[i] and gives where the text goes on.
func (w *writer) command(i, end int) int {
	if i+1 >= end {
		w.out = append(w.out, '\\')
		return end
	}
	if isASCIILetter(w.s[i+1]) {
		return w.word(i, end)
	}
	c := w.s[i+1]
	if mark, ok := accentMarks[c]; ok && !w.math && !(c == '"' && w.quotes) {
		return w.accented(i, i+2, end, mark)
	}
	switch c {
	case '\\':
		// A line break; or a command whose backslash was escaped.
		if i+2 < end && isASCIILetter(w.s[i+2]) && isKnown(w.s[i+2:end]) {
			return i + 1
		}
		w.out = append(w.out, ' ')
		return w.skipOption(i+2, end)
	case ' ', '\n', '\t', '\r':
		w.out = append(w.out, ' ')
		return i + 2
	case '(', '[':
		if stop := w.mathEnd(i+2, end, c); stop > 0 {
			w.write(strings.TrimSpace(w.render(i+2, stop, true, w.depth+1)))
			return stop + 2
		}
	case ',', ':', ';':
		if w.math {
			w.out = append(w.out, ' ')
			return i + 2
		}
	case '!', '-':
		return i + 2
	case '$':
		if w.to == fromTeX {
			w.write(escapedDollar)
			return i + 2
		}
	case '/':
		if !w.math {
			w.out = append(w.out, '/')
		}
		return i + 2
	case '|':
		if w.math {
			w.write("‖")
			return i + 2
		}
	}
	if c < '!' || c > '~' || isDigit(c) {
		w.out = append(w.out, '\\')
		return i + 1
	}
	w.out = append(w.out, c)
	return i + 2
}

// mathEnd is where "\)" or "\]" closes what open began, -1 where it does not.
func (w *writer) mathEnd(i, end int, open byte) int {
	closing := `\)`
	if open == '[' {
		closing = `\]`
	}
	length := strings.Index(w.s[i:min(end, i+maxSpan)], closing)
	if length < 0 || open == '[' && !strings.ContainsAny(w.s[i:i+length], `\^_=`) {
		return -1 // "\[1\]" is Markdown's way to write brackets
	}
	return i + length
}

// accented renders an accent whose letter begins at s[at]; the command began at s[i].
func (w *writer) accented(i, at, end int, mark rune) int {
	before := w.last()
	if w.s[at-1] == '\'' && isASCIILetter(before) && at < end && w.s[at] == 's' && (at+1 == end || !isWordByte(w.s[at+1])) {
		w.out = append(w.out, '\'') // "it\'s"
		return at
	}
	text, next := w.argument(at, end)
	if accented, ok := accent(text, mark); ok {
		w.write(accented)
		return next
	}
	if isASCIILetter(w.s[at-1]) {
		w.write(text)
		return next
	}
	if w.s[at-1] != '~' && w.s[at-1] != '=' || !isASCIILetter(before) {
		w.out = append(w.out, w.s[at-1])
	}
	return at
}

// word renders a command with a name.
func (w *writer) word(i, end int) int {
	at := i + 1
	for at < end && isASCIILetter(w.s[at]) {
		at++
	}
	name := w.s[i+1 : at]
	if symbol, ok := symbols[name]; ok {
		return w.symbol(name, symbol, at, end)
	}
	if mark, ok := letterAccents[name]; ok && at < end && (w.s[at] == '{' || isASCIISpace(w.s[at]) || w.s[at] == '\\') && !w.math {
		return w.accented(i, at, end, mark)
	}
	if mark, ok := mathAccents[name]; ok {
		text, next := w.argument(at, end)
		if accented, ok := accent(text, mark); ok && utf8.RuneCountInString(text) == 1 {
			text = accented
		}
		w.write(text)
		return next
	}
	if at < end && w.s[at] == '*' && (at+1 < end && w.s[at+1] == '{') {
		at++
	}
	if name == "newline" && w.to == fromTeX {
		w.write("\u2028")
		return at
	}
	switch behaviours[name] {
	case drops:
		if w.s[at-1] != '*' && at < end && w.s[at] == ' ' && !w.math {
			at++
		}
		return at
	case spaces:
		w.out = append(w.out, ' ')
		return w.skipOption(at, end)
	case dropsArgument:
		return w.dropArguments(at, end)
	case dropsFirst:
		if closing := w.group(w.skipOption(at, end), end); closing > 0 {
			text, next := w.argument(closing+1, end)
			w.write(text)
			return next
		}
		return at
	case isAddress:
		if closing := w.group(at, end); closing > 0 {
			w.write(strings.ReplaceAll(w.s[at+1:closing], `\`, ""))
			return closing + 1
		}
		return at
	case isFraction:
		above, next := w.argument(at, end)
		below, next := w.argument(next, end)
		w.write(term(above) + "/" + term(below))
		return next
	case isRoot:
		under, next := w.argument(w.skipOption(at, end), end)
		if under = strings.TrimSpace(under); utf8.RuneCountInString(under) > 1 {
			under = "(" + under + ")"
		}
		w.write("√" + under)
		return next
	case isPreamble:
		const body = `\begin{document}`
		if length := strings.Index(w.s[at:min(end, at+maxSpan)], body); length >= 0 {
			return at + length + len(body)
		}
		return at
	}
	return w.unknown(i, at, end)
}

// term puts brackets around what would not hold together beside a fraction's bar.
func term(s string) string {
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, " +-/") && !strings.HasPrefix(s, "(") {
		return "(" + s + ")"
	}
	return s
}

// symbol writes a symbol, parted from the letters before it where it is a word.
func (w *writer) symbol(name, symbol string, at, end int) int {
	if isWordOperator := symbol == name; isWordOperator && isWordByte(w.last()) {
		w.out = append(w.out, ' ')
	}
	w.write(symbol)
	if closing := w.group(at, end); closing == at+1 {
		return at + 2
	}
	if !w.math && at+1 < end && w.s[at] == ' ' && isLetterCommand(name) && isASCIILetter(w.s[at+1]) {
		return at + 1 // TeX eats the space: "\O rsted"
	}
	if symbol == name && at < end && isAlnum(w.s[at]) {
		w.out = append(w.out, ' ')
	}
	return at
}

// unknown renders a command that means nothing to us: what it wraps, else its name.
// After a letter it is no command but a path or a set difference.
func (w *writer) unknown(i, at, end int) int {
	name := w.s[i+1 : at]
	if !w.math && (isAlnum(w.last()) || w.last() == ':') && (at >= end || w.s[at] != '{') {
		w.write(w.s[i:at])
		return at
	}
	if first := name[0]; !w.math && (first == 'n' || first == 't' || first == 'r') && (len(name) == 1 || 'A' <= name[1] && name[1] <= 'Z') {
		w.out = append(w.out, ' ') // an escaped line end: "\nNext line"
		return i + 2
	}
	if closing := w.group(at, end); closing > 0 {
		w.write(w.render(at+1, closing, w.math, w.depth+1))
		return closing + 1
	}
	if isWordByte(w.last()) {
		w.out = append(w.out, ' ')
	}
	w.write(name)
	return at
}

// dropArguments skips all arguments of a command, and the space that parts it from the
// word before.
func (w *writer) dropArguments(at, end int) int {
	for {
		next := w.skipOption(at, end)
		closing := w.group(next, end)
		if closing < 0 {
			break
		}
		at = closing + 1
	}
	if w.last() == ' ' && at < end && strings.IndexByte(".,;:)", w.s[at]) >= 0 {
		w.out = w.out[:len(w.out)-1]
	}
	return at
}

// isKnown reports whether s begins with the name of a command of the tables.
func isKnown(s string) bool {
	n := 0
	for n < len(s) && isASCIILetter(s[n]) {
		n++
	}
	name := s[:n]
	return symbols[name] != "" || behaviours[name] != 0 || mathAccents[name] != 0 || strings.HasPrefix(name, "text") || strings.HasPrefix(name, "math") || name == "emph"
}

func isASCIILetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
