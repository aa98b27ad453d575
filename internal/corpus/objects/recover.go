package objects

import (
	"bytes"
	"io"
	"strings"
)

// skipInLine passes over a broken object whose braces are balanced on its line, if what
// follows there is what follows a value.
func (w *walker) skipInLine(depth int) bool {
	braces, inString := 0, false
	for i := 0; w.has(i) && w.buf[w.start+i] != '\n'; i++ {
		switch c := w.buf[w.start+i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			braces++
		case c == '}':
			if braces--; braces > 0 {
				continue
			}
			after := byte('\n')
			for i++; w.has(i); i++ {
				if after = w.buf[w.start+i]; after != ' ' && after != '\t' && after != '\r' {
					break
				}
			}
			ends := strings.IndexByte("\n ,{[", after) >= 0 || depth > 0 && (after == ']' || after == '}')
			if ends {
				w.consume(i)
			}
			return ends
		}
	}
	return false
}

// has reports whether there is a byte i places on, in what a record may take.
func (w *walker) has(i int) bool {
	for w.end-w.start <= i && w.readErr == nil && i < lookBytes {
		w.fill()
	}
	return i < w.end-w.start && i < lookBytes
}

// skipBroken passes over a broken object: over its line, and where that says that the
// object goes on, over what is indented deeper or is written as a member.
func (w *walker) skipBroken(depth int) (multiline bool, err error) {
	indent := w.indent
	last, err := w.skipLine()
	if err != nil || strings.IndexByte("{[,:", last) < 0 {
		return false, err
	}
	for {
		c, ok := w.peek()
		line := w.line
		for ok && w.line == line && w.indent <= indent && (c == '}' || c == ',') {
			w.start++
			c, ok = w.peek()
		}
		switch {
		case !ok:
			return true, nil
		case w.line != line:
			continue
		case w.indent > indent:
		case c == '{', c == '[', c == ']' && depth > 0, !w.isMember(c):
			return true, nil
		}
		if _, err := w.skipLine(); err != nil {
			return true, err
		}
	}
}

// memberBytes of a line are looked at to tell a member of an object from a value.
const memberBytes = 64 << 10

// isMember reports whether the rest of the line, which begins with c, is written as
// part of an object or array that goes over several lines.
func (w *walker) isMember(c byte) bool {
	for w.readErr == nil && w.end-w.start < memberBytes && bytes.IndexByte(w.buf[w.start:w.end], '\n') < 0 {
		w.fill()
	}
	line, _, _ := bytes.Cut(w.buf[w.start:w.end], []byte{'\n'})
	line = bytes.TrimRight(line, " \t\r")
	if c == ':' || c == ']' || bytes.HasSuffix(line, []byte{','}) {
		return true
	}
	if c != '"' {
		return false
	}
	end, err := scanString(line, 0)
	return err == nil && bytes.HasPrefix(bytes.TrimLeft(line[end:], " \t"), []byte{':'})
}

// skipScalar passes over what is no object or array: one value, or what stands in its
// place.
func (w *walker) skipScalar() error {
	if raw, err := w.capture(); err == nil && bytes.IndexByte(raw, '\n') < 0 {
		w.consume(len(raw))
		return nil
	}
	return w.consumeTo(1, ",]\n")
}

// skipLineOf passes over what is no object or array between the texts, and over what
// is no text behind it on its line.
func (w *walker) skipLineOf() error {
	if raw, err := w.capture(); err == nil && bytes.IndexByte(raw, '\n') < 0 {
		line := w.line
		w.consume(len(raw))
		if c, ok := w.peek(); !ok || w.line != line || strings.IndexByte(",{[", c) >= 0 {
			return nil
		}
	}
	return w.consumeTo(0, "\n")
}

// skipLine passes over the rest of the line with its end, and gives its last byte that
// is no white space.
func (w *walker) skipLine() (last byte, err error) {
	for {
		rest, _, isWhole := bytes.Cut(w.buf[w.start:w.end], []byte{'\n'})
		if text := bytes.TrimRight(rest, " \t\r"); len(text) > 0 {
			last = text[len(text)-1]
		}
		if isWhole {
			w.consume(len(rest) + 1)
			return last, nil
		}
		if done, err := w.next(); done {
			return last, err
		}
	}
}

// consumeTo passes over n bytes and on to the first byte of ends, which it leaves.
func (w *walker) consumeTo(n int, ends string) error {
	w.consume(n)
	for {
		if at := bytes.IndexAny(w.buf[w.start:w.end], ends); at >= 0 {
			w.consume(at)
			return nil
		}
		if done, err := w.next(); done {
			return err
		}
	}
}

// next passes over all that is read, and reads on; done says that there is no more.
func (w *walker) next() (done bool, err error) {
	w.consume(w.end - w.start)
	switch {
	case w.readErr == io.EOF:
		return true, nil
	case w.readErr != nil:
		return true, w.readErr
	case w.ctx.Err() != nil:
		return true, w.ctx.Err()
	}
	w.fill()
	return false, nil
}

// skipValue passes over the value at hand, whatever its size.
func (w *walker) skipValue() error {
	depth, inString, escaped := 0, false, false
	for {
		for i, c := range w.buf[w.start:w.end] {
			switch {
			case escaped:
				escaped = false
				continue
			case inString && c == '\\':
				escaped = true
				continue
			case c == '"':
				inString = !inString
			case inString:
				continue
			case c == '{' || c == '[':
				depth++
				continue
			case (c == '}' || c == ']') && depth > 0:
				depth--
			case depth == 0 && (c == ',' || c == '}' || c == ']'), depth == 0 && c == '\n' && i > 0:
				w.consume(i)
				return nil
			default:
				continue
			}
			if depth == 0 && !inString {
				w.consume(i + 1)
				return nil
			}
		}
		if done, err := w.next(); done {
			return err
		}
	}
}
