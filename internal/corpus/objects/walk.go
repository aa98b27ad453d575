package objects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
)

// An Object is one object of the text that may be a record.
type Object struct {
	Value
	Key  string // the key under which it stands in an object keyed by id
	Line int    // the line on which it begins, from 1
}

const (
	// firstBytes is the size of the buffer at first; it grows to hold a record.
	firstBytes = 256 << 10
	// maxBytes of one record; a whole book fits.
	maxBytes = 64 << 20
	// lookBytes of an object are looked at to tell a record from a list of records.
	lookBytes = 4 << 20
	// maxLists is how deep a list of records may stand in objects and arrays.
	maxLists = 8
)

// Walk yields the objects of the JSON text in body that may be records, as package
// objects describes. With a *corpus.Rejected error a record could not be read and the
// walk goes on; any other error is the end of what can be read.
func Walk(ctx context.Context, body io.Reader) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		w := walker{ctx: ctx, body: body, line: 1, yield: yield, buf: make([]byte, firstBytes)}
		w.texts()
	}
}

// A walker goes over one text. The bytes buf[start:end] are read and not consumed.
type walker struct {
	ctx        context.Context
	body       io.Reader
	yield      func(Object, error) bool
	buf        []byte
	start, end int
	readErr    error // the end of body, io.EOF or worse
	line       int   // on which buf[start] stands
	records    bool  // the list at hand is known to hold records
	count      int
}

// errStop says that the caller wants no more.
var errStop = errors.New("stop")

// texts walks over the values that follow one another in the text.
func (w *walker) texts() {
	for {
		c, ok := w.peek()
		if !ok {
			if w.readErr != io.EOF {
				w.yield(Object{}, w.readErr)
			}
			return
		}
		var err error
		switch c {
		case '{', '[':
			err = w.value("", 0, c)
		default:
			err = w.reject("is no JSON object", w.skipLine)
		}
		if err != nil {
			if err != errStop {
				w.yield(Object{}, err)
			}
			return
		}
	}
}

// value walks over the value at hand, which begins with c: a record is yielded, a list
// is walked through, anything else is skipped.
func (w *walker) value(key string, depth int, c byte) error {
	switch {
	case c == '[' && depth < maxLists:
		return w.array(depth)
	case c == '{':
		if !w.records && depth < maxLists {
			switch kind := w.kind(); kind {
			case isRecord:
			case isTable:
				return TableError{}
			default:
				return w.object(depth, kind)
			}
			w.records = depth == 0 || key == ""
		}
		return w.record(key)
	}
	return w.skipValue()
}

// array walks over the elements of an array.
func (w *walker) array(depth int) error {
	open := w.line
	w.start++
	defer func(before bool) { w.records = before }(w.records)
	w.records = false
	for {
		c, ok := w.peek()
		switch {
		case !ok:
			return w.cut(open, "array")
		case c == ']':
			w.start++
			return nil
		case c == ',':
			w.start++
			continue
		case c == '{' || c == '[':
			if err := w.value("", depth+1, c); err != nil {
				return err
			}
		case c == '}' || c == ':':
			return fmt.Errorf("line %d: %q where the next record of the array is expected", w.line, c)
		default:
			if err := w.reject("is no JSON object", w.skipValue); err != nil {
				return err
			}
		}
	}
}

// object walks over an object that holds lists of records or is keyed by their ids.
func (w *walker) object(depth, kind int) error {
	open := w.line
	w.start++
	defer func(before bool) { w.records = before }(w.records)
	w.records = false
	for {
		c, ok := w.peek()
		switch {
		case !ok:
			return w.cut(open, "object")
		case c == '}':
			w.start++
			return nil
		case c == ',':
			w.start++
			continue
		case c != '"':
			return fmt.Errorf("line %d: %q where a key is expected", w.line, c)
		}
		raw, err := w.capture()
		if err != nil {
			return w.cutBy(err, open, "object")
		}
		key := unquote(raw)
		w.consume(len(raw))
		if c, ok = w.peek(); ok && c == ':' {
			w.start++
			c, ok = w.peek()
		}
		if !ok {
			return w.cut(open, "object")
		}
		w.records = false
		switch {
		case (c == '{' || c == '[') && isListKey(key, c):
			err = w.value("", depth+1, c)
		case c == '{' && kind == isKeyed:
			if strings.Contains(wrappers, " "+strings.ToLower(key)+" ") {
				key = "" // the name of what it is
			}
			err = w.value(key, depth+1, c)
		default:
			err = w.skipValue()
		}
		if err != nil {
			return err
		}
	}
}

// wrappers are keys that say what stands under them, and are no ids.
const wrappers = " paper article record work page item entry document publication submission info metadata "

// cut is the error for a list that does not end.
func (w *walker) cut(line int, what string) error {
	if w.readErr != io.EOF {
		return w.readErr
	}
	return fmt.Errorf("the %s that begins on line %d: unexpected end: %w", what, line, io.ErrUnexpectedEOF)
}

func (w *walker) cutBy(err error, line int, what string) error {
	if errors.Is(err, errShort) {
		return w.cut(line, what)
	}
	return fmt.Errorf("line %d: %w", w.line, err)
}

// record yields the object at hand. A broken one is rejected, and the walk goes on
// with the next line that begins an object.
func (w *walker) record(key string) error {
	raw, err := w.capture()
	if err == nil {
		if w.count++; w.count%1024 == 0 {
			if err := w.ctx.Err(); err != nil {
				return err
			}
		}
		if !w.yield(Object{Value: raw, Key: key, Line: w.line}, nil) {
			return errStop
		}
		w.consume(len(raw))
		return nil
	}
	if errors.Is(err, errShort) && w.readErr != nil && w.readErr != io.EOF {
		return w.readErr
	}
	var syntax *syntaxError
	switch {
	case errors.As(err, &syntax):
		return w.reject(syntax.what, func() error { return w.resume(syntax.at) })
	case errors.Is(err, errShort) && w.readErr == nil:
		return w.reject(fmt.Sprintf("is longer than %d MB", maxBytes>>20), w.skipLine)
	}
	return w.reject("is cut short", w.skipLine)
}

// reject tells about the record at hand and passes over it.
func (w *walker) reject(reason string, pass func() error) error {
	rejected := &corpus.Rejected{Line: w.line, Reason: reason}
	if err := pass(); err != nil {
		return err
	}
	if !w.yield(Object{}, rejected) {
		return errStop
	}
	return nil
}

// resume passes over a broken record: to the line break before or after buf[start+at]
// behind which an object begins.
func (w *walker) resume(at int) error {
	window := w.buf[w.start:w.end]
	if line := bytes.LastIndexByte(window[:min(at+1, len(window))], '\n'); line >= 0 && beginsObject(window[line+1:]) {
		w.consume(line + 1)
		return nil
	}
	w.consume(min(at, len(window)))
	return w.skipLine()
}

// beginsObject reports whether b may be the start of an object's line.
func beginsObject(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r")
	return len(b) > 0 && b[0] == '{'
}

// skipLine passes over the rest of the line at hand, and over the lines after it that
// begin no object.
func (w *walker) skipLine() error {
	for {
		if line := bytes.IndexByte(w.buf[w.start:w.end], '\n'); line >= 0 {
			w.consume(line + 1)
			if w.end-w.start < 4<<10 && w.readErr == nil {
				w.fill()
			}
			if rest := bytes.TrimLeft(w.buf[w.start:w.end], " \t\r\n"); len(rest) == 0 || rest[0] == '{' || rest[0] == ']' {
				return nil
			}
			continue
		}
		w.consume(w.end - w.start)
		if w.readErr != nil {
			if w.readErr != io.EOF {
				return w.readErr
			}
			return nil
		}
		if err := w.ctx.Err(); err != nil {
			return err
		}
		w.fill()
	}
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
		w.consume(w.end - w.start)
		if w.readErr != nil {
			if w.readErr != io.EOF {
				return w.readErr
			}
			return nil
		}
		if err := w.ctx.Err(); err != nil {
			return err
		}
		w.fill()
	}
}

// capture gives the value at hand without consuming it. errShort with a nil readErr
// says that it is longer than maxBytes.
func (w *walker) capture() (Value, error) {
	for {
		end, err := scan(w.buf[w.start:w.end])
		if err == nil {
			return Value(w.buf[w.start : w.start+end : w.start+end]), nil
		}
		if !errors.Is(err, errShort) || w.readErr != nil || w.end-w.start >= maxBytes {
			return nil, err
		}
		w.fill()
	}
}

// peek gives the next byte that is no white space; ok is false at the end.
func (w *walker) peek() (c byte, ok bool) {
	for {
		for w.start < w.end {
			switch c := w.buf[w.start]; c {
			case '\n':
				w.line++
			case ' ', '\t', '\r', 0x1e: // RFC 7464 parts texts by 0x1e
			default:
				return c, true
			}
			w.start++
		}
		if w.readErr != nil {
			return 0, false
		}
		w.fill()
	}
}

// fill reads on; the buffer is doubled where the value at hand fills most of it.
func (w *walker) fill() {
	if w.start > 0 {
		w.end = copy(w.buf, w.buf[w.start:w.end])
		w.start = 0
	}
	if w.end > len(w.buf)/2 {
		w.buf = append(w.buf, make([]byte, len(w.buf))...)
	}
	for tries := 0; w.readErr == nil && w.end < len(w.buf); tries++ {
		n, err := w.body.Read(w.buf[w.end:])
		w.end += n
		w.readErr = err
		if n == 0 && err == nil && tries > 100 {
			w.readErr = io.ErrNoProgress
		}
	}
}

func (w *walker) consume(n int) {
	w.line += bytes.Count(w.buf[w.start:w.start+n], []byte{'\n'})
	w.start += n
}
