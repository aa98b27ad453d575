package objects

import (
	"bytes"
	"errors"
	"fmt"
)

// maxDepth bounds the nesting of a record; no paper needs a tenth of it.
const maxDepth = 200

// errShort says that the value goes on behind the end of the bytes at hand.
var errShort = errors.New("cut short")

// A syntaxError says what was found where in the scanned bytes.
type syntaxError struct {
	at   int
	what string
}

func (e *syntaxError) Error() string { return e.what }

func unexpected(b []byte, at int, want string) error {
	return &syntaxError{at, fmt.Sprintf("is no valid JSON: %q where %s is expected", b[at], want)}
}

// What the grammar allows next.
const (
	wantValue = iota
	wantFirstKey
	wantKey
	wantColon
	wantFirstElement
	wantNext // a comma or the end of the array or object
)

// scan checks the value at the start of b and gives where it ends. It takes time in
// the length of the value, and no memory.
func scan(b []byte) (end int, err error) {
	var inObject [maxDepth + 1]bool
	depth, want := 0, wantValue
	for i := 0; i < len(b); {
		c := b[i]
		if c == ' ' || c == '\n' || c == '\r' || c == '\t' {
			i++
			continue
		}
		switch want {
		case wantFirstKey, wantKey:
			if c == '}' { // after a comma too: trailing commas are common in files made by hand
				i++
				depth--
				want = wantNext
				break
			}
			if c != '"' {
				return 0, unexpected(b, i, "a key")
			}
			if i, err = scanString(b, i); err != nil {
				return 0, err
			}
			want = wantColon
		case wantColon:
			if c != ':' {
				return 0, unexpected(b, i, "a colon")
			}
			i++
			want = wantValue
		case wantNext:
			switch {
			case c == ',' && inObject[depth]:
				want = wantKey
			case c == ',':
				want = wantFirstElement
			case c == '}' && inObject[depth], c == ']' && !inObject[depth]:
				depth--
			default:
				return 0, unexpected(b, i, "a comma or the end")
			}
			i++
		default:
			switch {
			case c == '"':
				if i, err = scanString(b, i); err != nil {
					return 0, err
				}
				want = wantNext
			case c == '{' || c == '[':
				if depth == maxDepth {
					return 0, &syntaxError{i, fmt.Sprintf("is nested deeper than %d", maxDepth)}
				}
				depth++
				inObject[depth] = c == '{'
				want = wantFirstElement
				if c == '{' {
					want = wantFirstKey
				}
				i++
			case c == ']' && want == wantFirstElement:
				depth--
				want = wantNext
				i++
			default:
				next := scanLiteral(b, i)
				if next == len(b) && depth > 0 {
					return 0, errShort
				}
				if !isLiteral(b[i:next]) {
					return 0, unexpected(b, i, "a value")
				}
				i = next
				want = wantNext
			}
		}
		if depth == 0 && want == wantNext {
			return i, nil
		}
	}
	return 0, errShort
}

// scanString gives the end of the string at b[i]. A line break inside of it is taken
// for the end of a record that was cut off where a new record begins on the next line.
func scanString(b []byte, i int) (end int, err error) {
	for at := i + 1; ; {
		quote := bytes.IndexByte(b[at:], '"')
		if quote < 0 {
			return 0, cutLine(b, i, len(b))
		}
		at += quote + 1
		backslashes := 0
		for b[at-2-backslashes] == '\\' && at-2-backslashes > i {
			backslashes++
		}
		if backslashes%2 == 0 {
			if err := cutLine(b, i, at); err != errShort {
				return 0, err
			}
			return at, nil
		}
	}
}

// cutLine looks at the string in b[i:end] for the end of a line after which a record
// begins; errShort says that there is none.
func cutLine(b []byte, i, end int) error {
	for at := i; ; {
		newline := bytes.IndexByte(b[at:end], '\n')
		if newline < 0 {
			return errShort
		}
		at += newline + 1
		if rest := bytes.TrimLeft(b[at:min(len(b), at+16)], " \t"); len(rest) > 1 && rest[0] == '{' && (rest[1] == '"' || rest[1] == '}' || rest[1] == ' ') {
			return &syntaxError{at - 1, "ends inside of a string"}
		}
	}
}

// scanLiteral gives the end of the number or word at b[i].
func scanLiteral(b []byte, i int) int {
	for i < len(b) {
		c := b[i]
		if c <= ' ' || c == ',' || c == ']' || c == '}' || c == ':' || c == '"' || c == '{' || c == '[' {
			break
		}
		i++
	}
	return i
}

// isLiteral reports whether b is a number or one of the words that JSON, JavaScript
// and Python write for values.
func isLiteral(b []byte) bool {
	switch string(b) {
	case "null", "true", "false", "NaN", "Infinity", "-Infinity", "+Infinity", "nan", "inf", "-inf", "None", "True", "False", "undefined":
		return true
	case "":
		return false
	}
	digits := 0
	for _, c := range b {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E':
			return false
		}
	}
	return digits > 0
}
