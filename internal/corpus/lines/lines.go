package lines

import (
	"bufio"
	"context"
	"io"
	"iter"
)

const (
	// MaxBytes of a line are kept; what is longer is cut, and Line.Cut is set.
	MaxBytes = 16 << 20
	// checkEvery is after how many lines the context is asked.
	checkEvery = 1024
)

// A Line is one line without its end.
type Line struct {
	Text   string
	Number int  // from 1; a CR within a line of LF ends counts as a line end too
	Cut    bool // the line is longer than MaxBytes
	Last   bool // the text ends before the line does
}

// A Reader reads the lines of a text.
type Reader struct {
	body   *bufio.Reader
	number int
	held   []byte // the start of a line that is longer than the buffer
	skipLF bool   // the last line ended with CR
	peeked *Line
}

// NewReader reads the lines of body.
func NewReader(body io.Reader) *Reader {
	return &Reader{body: bufio.NewReaderSize(body, 64<<10)}
}

// Unread makes Next give the line again.
func (r *Reader) Unread(line Line) { r.peeked = &line }

// Next gives the next line, io.EOF after the last. A text before an error that is not
// io.EOF (a file cut short) is no line and is not given.
func (r *Reader) Next() (Line, error) {
	if r.peeked != nil {
		line := *r.peeked
		r.peeked = nil
		return line, nil
	}
	r.held = r.held[:0]
	cut := false
	for {
		if r.body.Buffered() == 0 {
			if _, err := r.body.Peek(1); err != nil {
				if err == io.EOF && len(r.held) > 0 {
					r.number++
					return Line{Text: string(r.held), Number: r.number, Cut: cut, Last: true}, nil
				}
				return Line{}, err
			}
		}
		buffered, err := r.body.Peek(r.body.Buffered())
		if err != nil {
			return Line{}, err
		}
		if r.skipLF {
			r.skipLF = false
			if buffered[0] == '\n' {
				r.discard(1)
				continue
			}
		}
		end := 0
		for end < len(buffered) && buffered[end] != '\n' && buffered[end] != '\r' {
			end++
		}
		if room := MaxBytes - len(r.held); end > room {
			r.held = append(r.held, buffered[:room]...)
			cut = true
		} else {
			r.held = append(r.held, buffered[:end]...)
		}
		if end == len(buffered) {
			r.discard(end)
			continue
		}
		r.skipLF = buffered[end] == '\r'
		r.discard(end + 1)
		r.number++
		return Line{Text: string(r.held), Number: r.number, Cut: cut}, nil
	}
}

// All yields the lines that are left, and at last the error that ended them, if it is
// not io.EOF. ctx is asked now and then.
func (r *Reader) All(ctx context.Context) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for n := 0; ; n++ {
			line, err := r.Next()
			if err == nil && n%checkEvery == 0 {
				err = ctx.Err()
			}
			if err == io.EOF || !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// discard drops n bytes that are buffered, which cannot go wrong.
func (r *Reader) discard(n int) { _, _ = r.body.Discard(n) }
