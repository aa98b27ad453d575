package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxLine bounds a line of judged queries; a query is a sentence or a pasted abstract.
const maxLine = 16 << 20

// Query is one judged or to be judged question.
type Query struct {
	ID   string
	Text string
}

// ReadQueries reads queries as JSON lines: {"id" or "_id", "text"}, an id being a string
// or a number; a line without one is named by its number. Errors name the line.
func ReadQueries(r io.Reader) ([]Query, error) {
	var queries []Query
	seen := map[string]int{}
	err := eachLine(r, func(n int, line []byte) error {
		var q struct {
			ID    any     `json:"id"`
			BEIR  any     `json:"_id"`
			Text  *string `json:"text"`
			Query *string `json:"query"`
		}
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&q); err != nil {
			return fmt.Errorf("not a JSON object: %w", err)
		}
		if q.Text == nil {
			q.Text = q.Query
		}
		if q.Text == nil {
			return errors.New(`has no "text"`)
		}
		id, err := name(q.ID, q.BEIR, n)
		if err != nil {
			return err
		}
		if first, twice := seen[id]; twice {
			return fmt.Errorf("id %q was on line %d already", id, first)
		}
		seen[id] = n
		queries = append(queries, Query{ID: id, Text: *q.Text})
		return nil
	})
	return queries, err
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
	return "", fmt.Errorf("the id is neither a string nor a number: %v", id)
}

// ReadQrels reads judgements: BEIR's three columns (query, document, grade, parted by
// tabs, with a heading line) or TREC's four (query, 0, document, grade, parted by
// white space). Errors name the line.
func ReadQrels(r io.Reader) (Judgements, error) {
	judged := Judgements{}
	err := eachLine(r, func(n int, line []byte) error {
		fields := strings.Split(string(line), "\t")
		if len(fields) < 3 {
			fields = strings.Fields(string(line))
		}
		switch len(fields) {
		case 3:
		case 4:
			fields = []string{fields[0], fields[2], fields[3]}
		default:
			return fmt.Errorf("has %d columns, want 3 (query, document, grade) or TREC's 4", len(fields))
		}
		grade, err := strconv.Atoi(strings.TrimSpace(fields[2]))
		if err != nil {
			if n == 1 {
				return nil // the heading
			}
			return fmt.Errorf("grade %q is no whole number", fields[2])
		}
		if judged[fields[0]] == nil {
			judged[fields[0]] = map[string]int{}
		}
		judged[fields[0]][fields[1]] = grade
		return nil
	})
	return judged, err
}

// eachLine calls yield with each line that is not blank, and its number from 1.
func eachLine(r io.Reader, yield func(n int, line []byte) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	n := 0
	for s.Scan() {
		n++
		line := bytes.TrimSpace(bytes.TrimPrefix(s.Bytes(), []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		if err := yield(n, line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}
