package objects

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Value is the JSON text of one value, checked by the walk that found it. It is
// valid until the walk goes on.
type Value []byte

// IsObject reports whether v is an object.
func (v Value) IsObject() bool { return len(v) > 0 && v[0] == '{' }

// IsArray reports whether v is an array.
func (v Value) IsArray() bool { return len(v) > 0 && v[0] == '[' }

// IsString reports whether v is a string.
func (v Value) IsString() bool { return len(v) > 0 && v[0] == '"' }

// Text is a string decoded, a number as it is written; "" for everything else.
func (v Value) Text() string {
	switch {
	case len(v) == 0:
		return ""
	case v[0] == '"':
		return unquote(v)
	case v[0] == '-' || '0' <= v[0] && v[0] <= '9':
		if len(v) > 1 && v[1] > '9' {
			return "" // -Infinity
		}
		return string(v)
	}
	return ""
}

// Int is a number, also one in a string or with a fraction of zero; 0 for everything
// else.
func (v Value) Int() int {
	text := v.Text()
	if whole, fraction, ok := strings.Cut(text, "."); ok && strings.Trim(fraction, "0") == "" {
		text = whole
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return 0
	}
	return n
}

// Texts is the texts of an array, or the one text that v is; blank ones are left out.
func (v Value) Texts() []string {
	if !v.IsArray() {
		if text := v.Text(); strings.TrimSpace(text) != "" {
			return []string{text}
		}
		return nil
	}
	var texts []string
	for element := range v.Elements() {
		if text := element.Text(); strings.TrimSpace(text) != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// Elements yields the elements of an array, nothing for another value.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if !v.IsArray() {
			return
		}
		for i := 1; i < len(v); {
			i = skipSpace(v, i)
			if i >= len(v) || v[i] == ']' {
				return
			}
			end := skip(v, i)
			if end <= i || !yield(v[i:end:end]) {
				return
			}
			i = skipSpace(v, end)
			if i < len(v) && v[i] == ',' {
				i++
			}
		}
	}
}

// Fields yields the keys of an object and their values in order, nothing for another
// value. A key is valid until the walk goes on.
func (v Value) Fields() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) { v.fields(len(v), yield) }
}

// fields yields the fields that end before limit; where limit is 0, also the start of
// the last one that goes on behind the end of v.
func (v Value) fields(limit int, yield func([]byte, Value) bool) {
	if !v.IsObject() {
		return
	}
	for i := 1; i < len(v); {
		i = skipSpace(v, i)
		if i >= len(v) || v[i] != '"' {
			return
		}
		end := skip(v, i)
		if end <= i+1 {
			return
		}
		key := []byte(v[i+1 : end-1])
		if bytes.IndexByte(key, '\\') >= 0 {
			key = []byte(unquote(v[i:end]))
		}
		i = skipSpace(v, end)
		if i < len(v) && v[i] == ':' {
			i++
		}
		i = skipSpace(v, i)
		end = skip(v, i)
		if end <= i {
			if limit == 0 && i < len(v) {
				yield(key, v[i:])
			}
			return
		}
		if !yield(key, v[i:end:end]) {
			return
		}
		i = skipSpace(v, end)
		if i < len(v) && v[i] == ',' {
			i++
		}
	}
}

// Get is the value that the keys lead to from v, nil where there is none.
func (v Value) Get(path ...string) Value {
	for _, name := range path {
		var next Value
		for key, value := range v.Fields() {
			if string(key) == name {
				next = value
				break
			}
		}
		if next == nil {
			return nil
		}
		v = next
	}
	return v
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// skip gives the end of the value at b[i] of a checked text; i where it goes on behind
// the end.
func skip(b []byte, i int) int {
	if i >= len(b) {
		return i
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
	default:
		return scanLiteral(b, i)
	}
	depth := 0
	for at := i; at < len(b); {
		switch b[at] {
		case '"':
			next := skipString(b, at)
			if next == at {
				return i
			}
			at = next
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return at + 1
			}
		}
		at++
	}
	return i
}

func skipString(b []byte, i int) int {
	for at := i + 1; ; {
		quote := bytes.IndexByte(b[at:], '"')
		if quote < 0 {
			return i
		}
		at += quote + 1
		backslashes := 0
		for at-2-backslashes > i && b[at-2-backslashes] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return at
		}
	}
}

// unquote decodes a JSON string with its quotes. What no decoder could read becomes
// U+FFFD.
func unquote(quoted []byte) string {
	s := quoted[1 : len(quoted)-1]
	next := bytes.IndexByte(s, '\\')
	if next < 0 {
		return string(s)
	}
	out := make([]byte, 0, len(s))
	for next >= 0 {
		out = append(out, s[:next]...)
		s = s[next:]
		if len(s) < 2 {
			break
		}
		size := 2
		switch s[1] {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b', 'f':
			out = append(out, ' ')
		case 'u':
			var r rune
			r, size = unicodeEscape(s)
			out = utf8.AppendRune(out, r)
		case '"', '\\', '/':
			out = append(out, s[1])
		default: // no escape of JSON: a backslash that was not doubled, as in "\alpha"
			out = append(out, s[:2]...)
		}
		s = s[size:]
		next = bytes.IndexByte(s, '\\')
	}
	return string(append(out, s...))
}

// unicodeEscape decodes the \uXXXX at the start of s, with its second half where it is
// the first of a surrogate pair.
func unicodeEscape(s []byte) (r rune, size int) {
	first, ok := hex4(s)
	if !ok {
		return utf8.RuneError, 2
	}
	if !utf16.IsSurrogate(first) {
		return first, 6
	}
	if second, ok := hex4(s[6:]); ok {
		if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
			return r, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range s[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
