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
	indent     int   // white space at the beginning of that line
	isBlank    bool  // nothing else of that line is consumed
	top        int   // the line on which the value of the text at hand begins
	records    bool  // the list at hand is known to hold records
	count      int   // records yielded
	told       int   // records yielded or rejected
}

var (
	// errStop says that the caller wants no more.
	errStop = errors.New("stop")
	// errLine says that the walk has left the lists of a line that is broken, and is on
	// the next.
	errLine = errors.New("the next line")
)

// texts walks over the values that follow one another in the text.
func (w *walker) texts() {
	for first := true; ; first = false {
		c, ok := w.peek()
		if !ok {
			if w.readErr != io.EOF {
				w.yield(Object{}, w.readErr)
			}
			return
		}
		if err := w.text(c, first); err != nil {
			if err != errStop {
				w.yield(Object{}, err)
			}
			return
		}
	}
}

// text walks over one value of the text, which begins with c, or over a comma between
// two.
func (w *walker) text(c byte, first bool) error {
	w.top = w.line
	switch c {
	case ',':
		w.start++
		return nil
	case '{', '[':
		told, line := w.told, w.line
		err := w.value("", 0, c)
		if err == errLine {
			return nil
		}
		if err != nil || c == '{' || w.told > told {
			return err
		}
		if _, ok := w.peek(); first && !ok {
			return nil // a whole file that is an empty list
		}
		return w.tell(line, "is an empty list")
	}
	return w.reject("is no JSON object", w.skipLineOf)
}

// value walks over the value at hand, which begins with c: a record is yielded, a list
// is walked through.
func (w *walker) value(key string, depth int, c byte) error {
	switch {
	case depth >= maxLists && c == '[':
		return w.reject(fmt.Sprintf("stands in more than %d lists", maxLists), w.skipValue)
	case c == '[':
		return w.array(depth)
	case depth >= maxLists:
		return w.record(key, depth)
	}
	if !w.records {
		switch kind := w.kind(); kind {
		case isRecord:
		case isTable:
			return TableError{}
		default:
			return w.object(depth, kind)
		}
	}
	return w.record(key, depth)
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
			told, line := w.told, w.line
			if err := w.value("", depth+1, c); err != nil {
				return err
			}
			if c == '[' && w.told == told {
				if err := w.tell(line, "is an empty list"); err != nil {
					return err
				}
			}
		case c == '}' || c == ':':
			reason := fmt.Sprintf("is no valid JSON: %q where the next record of the array is expected", c)
			if err := w.reject(reason, func() error { return w.consumeTo(1, ",]\n") }); err != nil {
				return err
			}
		default:
			if err := w.reject("is no JSON object", w.skipScalar); err != nil {
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
			return w.brokenFrame(fmt.Sprintf("%q where a key is expected", c))
		}
		raw, err := w.capture()
		if errors.Is(err, errShort) {
			return w.cut(open, "object")
		}
		if err != nil {
			return w.brokenFrame(err.Error())
		}
		key := unquote(raw)
		w.consume(len(raw))
		if c, ok = w.peek(); ok && c != ':' {
			return w.brokenFrame(fmt.Sprintf("%q where a colon is expected", c))
		}
		if ok {
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
		case kind == isKeyed:
			err = w.reject("is no JSON object", w.skipValue)
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
	return corpus.Cut(what, line)
}

// brokenFrame passes over an object that is broken between its lists. What stands on
// the lines after it is read; where nothing does, or the object goes over several
// lines, the text ends there.
func (w *walker) brokenFrame(what string) error {
	line, alone := w.line, w.line == w.top
	if err := w.consumeTo(0, "\n"); err != nil {
		return err
	}
	if _, ok := w.peek(); !alone || !ok {
		return fmt.Errorf("line %d: is no valid JSON: %s", line, what)
	}
	if err := w.tell(line, "is no valid JSON: "+what); err != nil {
		return err
	}
	return errLine
}

// record yields the object at hand. A broken one is rejected, and the walk goes on
// behind it.
func (w *walker) record(key string, depth int) error {
	raw, err := w.capture()
	if err == nil {
		if w.count++; w.count%1024 == 0 {
			if err := w.ctx.Err(); err != nil {
				return err
			}
		}
		w.told++
		w.records = w.records || depth == 0 || key == ""
		if !w.yield(Object{Value: raw, Key: key, Line: w.line}, nil) {
			return errStop
		}
		w.consume(len(raw))
		return nil
	}
	if errors.Is(err, errShort) && w.readErr != nil && w.readErr != io.EOF {
		return w.readErr
	}
	line, reason := w.line, isCut
	if syntax, ok := errors.AsType[*syntaxError](err); ok {
		reason = syntax.what
	} else if w.readErr == nil {
		reason = fmt.Sprintf("is longer than %d MB", maxBytes>>20)
	}
	isLeft := false
	if err := w.reject(reason, func() error {
		if w.skipInLine(depth) {
			return nil
		}
		multiline, err := w.skipBroken(depth)
		isLeft = depth > 0 && line == w.top && !multiline
		return err
	}); err != nil {
		return err
	}
	if _, ok := w.peek(); !ok && (isLeft || reason == isCut) {
		return w.cut(line, "record")
	}
	if isLeft {
		return errLine
	}
	return nil
}

const isCut = "is cut short"

// reject passes over what is at hand and tells about it.
func (w *walker) reject(reason string, pass func() error) error {
	line := w.line
	if err := pass(); err != nil {
		return err
	}
	return w.tell(line, reason)
}

// tell says what was rejected on a line.
func (w *walker) tell(line int, reason string) error {
	w.told++
	if !w.yield(Object{}, &corpus.Rejected{Line: line, Reason: reason}) {
		return errStop
	}
	return nil
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
				w.indent, w.isBlank = 0, true
			case ' ', '\t', '\r', 0x1e: // RFC 7464 parts texts by 0x1e
				if w.isBlank {
					w.indent++
				}
			default:
				w.isBlank = false
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

// fill reads on; the buffer is doubled where the value at hand fills most of it. It waits
// for as much again as there is, so that a long value is scanned seldom, but never past
// the end of a line that has come: a record is yielded before the next one comes.
func (w *walker) fill() {
	if w.start > 0 {
		w.end = copy(w.buf, w.buf[w.start:w.end])
		w.start = 0
	}
	if w.end > len(w.buf)/2 {
		w.buf = append(w.buf, make([]byte, len(w.buf))...)
	}
	enough := min(max(2*w.end, 1), len(w.buf))
	for tries := 0; w.readErr == nil && w.end < enough; tries++ {
		n, err := w.body.Read(w.buf[w.end:])
		w.end += n
		w.readErr = err
		if n > 0 && w.buf[w.end-1] == '\n' {
			return
		}
		if n == 0 && err == nil && tries > 100 {
			w.readErr = io.ErrNoProgress
		}
	}
}

func (w *walker) consume(n int) {
	b := w.buf[w.start : w.start+n]
	w.start += n
	if lines := bytes.Count(b, []byte{'\n'}); lines > 0 {
		w.line += lines
		last := b[bytes.LastIndexByte(b, '\n')+1:]
		w.indent = len(last) - len(bytes.TrimLeft(last, " \t\r"))
		w.isBlank = w.indent == len(last)
	}
}
