package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

type searchOptions struct {
	answerOptions
	mode    string
	text    string // "-" is the standard input
	queries string // a file of queries, "-" for the standard input
}

func newSearch(s *session) *cobra.Command {
	var o searchOptions
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find papers for a question, a sentence or a draft",
		Long: `Find the papers nearest to a free text: a question, a sentence, a draft's abstract.
A search is by meaning and by words; --mode dense or keyword makes it by one of them.
'-' reads the text from the standard input. In a short query "a phrase" must be in the
paper, -word must not, and author:name and year:2018..2022 are filters.

With --queries each line of a file, {"id": …, "text": …}, is answered by one line of
JSON with its "query_id".`,
		Example: `  akin search "policy gradient variance without a critic"
  akin search 'language models -"reward hacking"' --explain
  akin search - < draft.txt
  akin search --queries queries.jsonl -n 100 > answers.jsonl`,
		GroupID: groupFind,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.queries != "" && len(args) > 0:
				return misusef(cmd, "search takes a query or --queries, not both")
			case o.queries != "" && o.to != "":
				return misusef(cmd, "the answers to --queries are JSON; --to is for one query")
			case o.queries == "" && len(args) == 0:
				return misusef(cmd, "search needs a query")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.text = strings.Join(args, " ")
			return during("searching", runSearch(cmd.Context(), s, o))
		},
	}
	cmd.Flags().StringVar(&o.mode, "mode", "", "search by `MODE`: hybrid (by default), dense or keyword")
	addAnswerFlags(cmd, &o.answerOptions)
	cmd.Flags().StringVar(&o.queries, "queries", "", "answer each query of `FILE`, JSON lines; '-' is the standard input")
	return cmd
}

func runSearch(ctx context.Context, s *session, o searchOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.text == "-" {
		text, err := io.ReadAll(s.proc.Stdin)
		if err != nil {
			return fmt.Errorf("reading the query from the standard input: %w", err)
		}
		o.text = string(text)
	}
	if o.queries == "" && strings.TrimSpace(o.text) == "" {
		return usagef("write what the papers should be about", "the query is blank")
	}
	e, err := s.openToRead(ctx, o.engineOptions)
	if err != nil {
		return err
	}
	defer e.Close()
	if o.queries != "" {
		return s.answerQueries(ctx, e, o)
	}
	if !hasWord(o.text) && o.mode != "keyword" {
		s.notef("no word can be read in the query: the papers below are those nearest to what the model makes of its signs")
	}
	a, err := e.Search(ctx, o.query(o.text))
	if err != nil {
		return err
	}
	return s.writeAnswer(ctx, e, a, o.answerOptions)
}

// hasWord reports whether a text has a letter or a digit.
func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// query asks for text.
func (o searchOptions) query(text string) engine.Query {
	q := o.answerOptions.query()
	q.Text, q.Mode = text, o.mode
	return q
}

// queryAnswer is the answer to one query of a file.
type queryAnswer struct {
	ID json.RawMessage `json:"query_id"`
	*engine.Answer
}

// answerQueries writes a line of JSON for each query of a file, in its order, and stops
// at the first that is none.
func (s *session) answerQueries(ctx context.Context, e *engine.Engine, o searchOptions) error {
	in, name := s.proc.Stdin, "the standard input"
	if o.queries != "-" {
		f, err := os.Open(o.queries)
		if err != nil {
			return &engine.Error{Kind: engine.Failed, Err: fmt.Errorf("reading the queries: %w", err), Hint: "check the path"}
		}
		defer f.Close()
		in, name = f, o.queries
	}
	lines := bufio.NewReader(in)
	asked, answered := 0, 0
	hint := "" // of the last one that found nothing
	for number := 1; ; number++ {
		line, err := readLine(lines)
		switch {
		case err == io.EOF && asked > 0 && answered == 0:
			return &engine.Error{Kind: engine.NotFound, Err: fmt.Errorf("none of the queries of %s (%d) finds a paper", name, asked), Hint: hint}
		case err == io.EOF:
			return nil
		}
		if line = bytes.TrimSpace(bytes.TrimPrefix(line, byteOrderMark)); len(line) == 0 && err == nil {
			continue
		}
		var q textLine
		if err == nil {
			q, err = parseTextLine(line, number)
		}
		if err != nil {
			return fmt.Errorf("reading the queries: %s:%d: %w", name, number, err)
		}
		a, err := e.Search(ctx, o.query(q.text))
		var none *engine.Error
		switch {
		case errors.As(err, &none) && none.Kind == engine.NotFound: // the others may still have answers
			s.notef("%s:%d: %v", name, number, err)
			hint = none.Hint
			a = &engine.Answer{Query: engine.QueryEcho{Text: q.text}, Mode: cmp.Or(o.mode, "hybrid"), Neighbours: "none", Results: []engine.Result{}}
		case err != nil:
			return fmt.Errorf("answering %s:%d: %w", name, number, err)
		}
		if asked++; len(a.Results) > 0 {
			answered++
		} else if a.Hint != "" {
			hint = a.Hint
		}
		if err := s.writeJSON(queryAnswer{q.id, a}); err != nil {
			return err
		}
	}
}
