package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// maxLine is the longest line that is read as one text, in bytes: a guard against a
// file without line ends.
const maxLine = 64 << 20

// readLine reads a line of any length up to maxLine, without its end. The error is
// io.EOF when there is no further line.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		line = append(line, piece...)
		switch {
		case len(line) > maxLine:
			return nil, fmt.Errorf("the line is longer than %s", size(maxLine))
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(line) > 0:
			return line, nil
		case err != nil:
			return nil, err
		}
		line = line[:len(line)-1]
		return bytes.TrimSuffix(line, []byte("\r")), nil
	}
}

// textLine is a text and the id that it is answered under.
type textLine struct {
	id   json.RawMessage // as it is written in the input
	text string
}

// parseTextLine reads an object with a string "text" and an "id" of any type ("_id" in
// BEIR's files), by default the line's number.
func parseTextLine(line []byte, number int) (textLine, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		if of, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return textLine{}, fmt.Errorf(`expected an object {"id": …, "text": …}, found %s`, of.Value)
		}
		return textLine{}, fmt.Errorf(`expected an object {"id": …, "text": …}: %w`, err)
	}
	var text *string
	if err := json.Unmarshal(orNull(fields["text"]), &text); err != nil || text == nil {
		return textLine{}, errors.New(`expected an object with "text", a string`)
	}
	t := textLine{id: lineID(number), text: *text}
	for _, name := range []string{"_id", "id"} {
		if id, ok := fields[name]; ok {
			t.id = id
		}
	}
	return t, nil
}

func orNull(v json.RawMessage) json.RawMessage {
	if v == nil {
		return json.RawMessage("null")
	}
	return v
}

// lineID is the id of the line with this number.
func lineID(number int) json.RawMessage { return strconv.AppendInt(nil, int64(number), 10) }

// byteOrderMark may stand at the beginning of a file in UTF-8.
var byteOrderMark = []byte("\ufeff")

// oddLines counts what was read as a text although it hardly is one.
type oddLines struct {
	objects bool // the first line is a JSON object without a string "text"
	blank   int  // empty texts
	binary  int  // lines that are not text in UTF-8
	first   int  // the first of those
}

func (o *oddLines) count(text string, number int) {
	switch {
	case strings.TrimSpace(text) == "":
		o.blank++
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		if o.binary++; o.binary == 1 {
			o.first = number
		}
	}
}

// scanTexts calls yield with each text of r. The first line that is not blank says how
// all are written: as JSON if it is an object with a string "text", else plain, a text a
// line. A blank line is an empty text where lines are plain, and nothing in JSON.
func scanTexts(r io.Reader, odd *oddLines, yield func(textLine) error) error {
	in := bufio.NewReaderSize(r, 64<<10)
	blank := 0 // lines before the first that is not blank
	plain, known := false, false
	for number := 1; ; number++ {
		line, err := readLine(in)
		if err != nil && err != io.EOF {
			return badText(number, err)
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, byteOrderMark)
		}
		empty := len(bytes.TrimSpace(line)) == 0
		if !known && (!empty || err == io.EOF) {
			_, notJSON := parseTextLine(line, number)
			plain, known = notJSON != nil, true
			odd.objects = plain && bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) && json.Valid(line)
			if plain {
				odd.blank += blank
			}
			for i := 1; plain && i <= blank; i++ {
				if err := yield(textLine{id: lineID(i)}); err != nil {
					return err
				}
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case !known:
			blank++
			continue
		case plain:
			odd.count(string(line), number)
			err = yield(textLine{id: lineID(number), text: string(line)})
		case !empty:
			var t textLine
			if t, err = parseTextLine(line, number); err != nil {
				return badText(number, err)
			}
			odd.count(t.text, number)
			err = yield(t)
		}
		if err != nil {
			return err
		}
	}
}

// badText is the error of a line that is no text.
func badText(number int, err error) error {
	return &engine.Error{Kind: engine.Failed, Err: fmt.Errorf("reading the texts: line %d of the standard input: %w", number, err),
		Hint: `the first line decides: all are objects like {"id": "t1", "text": "what to encode"}, or all are plain texts; the lines before this one are encoded`}
}

// textLines are texts as they arrive.
type textLines struct {
	lines chan textLine
	odd   oddLines // of all texts, once lines is closed
	err   error    // why lines was closed; io.EOF after the last text
}

// readTexts reads the texts of r in a goroutine of its own, so that a batch is whatever
// has arrived and waits for nothing else. A blocked read cannot be called off: when ctx
// ends first, the goroutine ends with the process.
func readTexts(ctx context.Context, r io.Reader) *textLines {
	t := &textLines{lines: make(chan textLine, embedBatch)}
	go func() {
		defer close(t.lines)
		t.err = scanTexts(r, &t.odd, func(line textLine) error {
			select {
			case t.lines <- line:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		if t.err == nil {
			t.err = io.EOF
		}
	}()
	return t
}

// next waits for a text and returns it with those that have arrived behind it, at most
// embedBatch. With the last ones comes the error that ended the input.
func (t *textLines) next(ctx context.Context) ([]textLine, error) {
	var batch []textLine
	select {
	case line, ok := <-t.lines:
		if !ok {
			return nil, t.err
		}
		batch = append(batch, line)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	for len(batch) < embedBatch {
		select {
		case line, ok := <-t.lines:
			if !ok {
				return batch, t.err
			}
			batch = append(batch, line)
		default:
			return batch, nil
		}
	}
	return batch, nil
}
