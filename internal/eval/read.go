package eval

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/seed-9f29d379/akin/internal/stream"
)

// maxLine bounds a line of judged queries; a query is a sentence or a pasted abstract.
const maxLine = 16 << 20

// Query is one judged or to be judged question.
type Query struct {
	ID   string
	Text string
}

// ReadQueries reads queries as JSON lines, plain or packed by gzip: {"id" or "_id",
// "text"}, an id being a string or a number; a line without one is named by its number.
// The same line twice counts once. Errors name the line.
func ReadQueries(r io.Reader) ([]Query, error) {
	var queries []Query
	seen := map[string]place{}
	err := eachLine(r, func(n int, line []byte) error {
		var q struct {
			ID    any `json:"id"`
			BEIR  any `json:"_id"`
			Text  any `json:"text"`
			Query any `json:"query"`
		}
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&q); err != nil {
			if of, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
				return fmt.Errorf("not a JSON object: found %s", of.Value)
			}
			return fmt.Errorf("not a JSON object: %w", err)
		}
		if q.Text == nil {
			q.Text = q.Query
		}
		text, ok := q.Text.(string)
		switch {
		case q.Text == nil:
			return errors.New(`has no "text"`)
		case !ok:
			return errors.New(`its "text" is no string`)
		}
		id, err := name(q.ID, q.BEIR, n)
		if err != nil {
			return err
		}
		if first, twice := seen[id]; twice {
			if first.text == text {
				return nil
			}
			return fmt.Errorf("id %q was on line %d already, with another text", id, first.line)
		}
		seen[id] = place{n, text}
		queries = append(queries, Query{ID: id, Text: text})
		return nil
	})
	return queries, err
}

// place is where a query was read.
type place struct {
	line int
	text string
}

func name(id, beir any, line int) (string, error) {
	if id == nil {
		id = beir
	}
	switch id := id.(type) {
	case nil:
		return strconv.Itoa(line), nil
	case string:
		return id, nil
	case json.Number:
		return id.String(), nil
	}
	return "", errors.New("its id is neither a string nor a number")
}

// ReadQrels reads judgements, plain or packed by gzip: BEIR's three columns (query,
// document, grade, parted by tabs, with a heading or without) or TREC's four (query, 0,
// document, grade, parted by white space). A grade may be written as 1.0; where a pair
// is judged more than once the highest one counts, and contradicted is how many pairs have
// more than one grade. Errors name the line.
func ReadQrels(r io.Reader) (judged Judgements, contradicted int, err error) {
	judged = Judgements{}
	disputed := map[[2]string]bool{}
	err = eachLine(r, func(n int, line []byte) error {
		fields := strings.Split(string(line), "\t")
		if len(fields) < 3 {
			fields = strings.Fields(string(line))
		}
		switch len(fields) {
		case 3:
		case 4:
			fields = []string{fields[0], fields[2], fields[3]}
		default:
			return fmt.Errorf("expected 3 columns (query, document, grade) or TREC's 4, found %d", len(fields))
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		value, err := strconv.ParseFloat(fields[2], 64)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange) && n == 1:
			return nil // the heading
		case math.Abs(value) > maxGrade:
			return fmt.Errorf("grade %s is beyond %d, the highest there can be", fields[2], maxGrade)
		case err != nil || value != math.Trunc(value):
			return fmt.Errorf("grade %q is no whole number", fields[2])
		}
		grades := judged[fields[0]]
		if grades == nil {
			grades = map[string]int{}
			judged[fields[0]] = grades
		}
		grade := int(value)
		if before, twice := grades[fields[1]]; twice {
			if before != grade {
				disputed[[2]string{fields[0], fields[1]}] = true
			}
			grade = max(grade, before)
		}
		grades[fields[1]] = grade
		return nil
	})
	return judged, len(disputed), err
}

// maxGrade is beyond any scale of grades.
const maxGrade = 1000

// eachLine calls yield with each line that is not blank, and its number from 1.
func eachLine(r io.Reader, yield func(n int, line []byte) error) error {
	body := stream.Unpacked(r)
	s := bufio.NewScanner(body)
	s.Buffer(nil, maxLine)
	n := 0
	for s.Scan() {
		n++
		line := bytes.TrimSpace(bytes.TrimPrefix(s.Bytes(), []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		if err := yield(n, line); err != nil {
			return fmt.Errorf("line %d: %w", n, cmp.Or(body.Damage(), err)) // of a file cut short, the last line is
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}
