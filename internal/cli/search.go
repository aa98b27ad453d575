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
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/stream"
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
'-' reads the text from the standard input.

A query of 32 words at most may have operators beside its words:
  "a phrase"       must be in the paper, exactly so: no other forms of its words
  -word            must not be in it, in any form; -"a phrase" must not, exactly so
  author:name      only papers by that author, or by any of several; -author:name none by them
  year:2018..2022  only papers of these years, as with --year
A query that begins with a '-' comes after '--'.

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
	addOnceFlag(cmd, &o.queries, "queries", "search one file after the other, or put their lines into one", "answer queries of `FILE`, JSON lines (or .gz); '-' is the standard input")
	return cmd
}

func runSearch(ctx context.Context, s *session, o searchOptions) error {
	if err := s.checkAnswer(o.answerOptions); err != nil {
		return err
	}
	if o.text == "-" {
		text, err := io.ReadAll(stream.Reader(ctx, s.proc.Stdin))
		if err != nil {
			return fmt.Errorf("reading the query from the standard input: %w", err)
		}
		o.text = string(text)
	}
	if o.queries == "" && strings.TrimSpace(o.text) == "" {
		return usagef("write what the papers should be about", "the query is blank")
	}
	if o.mode == "keyword" {
		s.noteWithoutVectors(o.engineOptions)
	}
	e, err := s.openToRead(ctx, o.engineOptions)
	if err != nil {
		return err
	}
	defer e.Close()
	if o.queries != "" {
		return s.answerQueries(ctx, e, o)
	}
	a, err := e.Search(ctx, o.query(o.text))
	if err != nil {
		return s.withoutAnswer(a, err)
	}
	s.noteFewer(a, o.n)
	if !hasWord(o.text) && o.mode != "keyword" && len(a.Results) > 0 {
		s.notef("no word can be read in the query: the papers below are those nearest to what the model makes of its signs")
	}
	return s.writeAnswer(ctx, e, a, o.answerOptions)
}

// noteWithoutVectors says which flags change nothing where no vector is compared.
func (s *session) noteWithoutVectors(o engineOptions) {
	var flags []string
	for _, f := range []struct {
		name  string
		given bool
	}{{"--engine", o.engine != ""}, {"--precision", o.precision != ""}, {"--exact", o.exact}} {
		if f.given {
			flags = append(flags, f.name)
		}
	}
	if len(flags) > 0 {
		s.notef("a search by words alone compares no vectors: %s %s nothing in it", strings.Join(flags, " and "), number.Pick(len(flags), "changes", "change"))
	}
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
	Error string `json:"error,omitempty"` // why it has no results
}

// answerQueries writes a line of JSON for each query of a file, in its order. A query that
// asks for nothing has the reason there, and the next is answered; a line that is no query
// ends it.
func (s *session) answerQueries(ctx context.Context, e *engine.Engine, o searchOptions) error {
	in, name := stream.Reader(ctx, s.proc.Stdin), "the standard input"
	if o.queries != "-" {
		f, err := stream.Open(ctx, o.queries)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return &engine.Error{Kind: engine.Failed, Err: fmt.Errorf("reading the queries: %w", err), Hint: "check the path"}
		}
		defer f.Close()
		in, name = f, o.queries
	}
	unpacked := stream.Unpacked(in)
	lines := bufio.NewReader(unpacked)
	var asked queriesAsked
	for number := 1; ; number++ {
		line, err := readLine(lines)
		if err == io.EOF {
			if asked.all == 0 {
				s.notef("there are no queries in %s", name)
			}
			s.noteFewerOf(asked, o.n)
			return asked.outcome(name)
		}
		if line = bytes.TrimSpace(bytes.TrimPrefix(line, byteOrderMark)); len(line) == 0 && err == nil {
			continue
		}
		var q textLine
		if err == nil {
			q, err = parseTextLine(line, number)
		}
		if err != nil && unpacked.Damage() != nil {
			return &engine.Error{Kind: engine.Failed, Err: fmt.Errorf("reading the queries: %s:%d: %w", name, number, unpacked.Damage()),
				Hint: "download or export the file again; the lines before this one are answered"}
		}
		if err != nil {
			return &engine.Error{Kind: engine.Failed, Err: fmt.Errorf("reading the queries: %s:%d: %w", name, number, err),
				Hint: `write each query on a line of its own, as {"id": "q1", "text": "what it asks"}; the lines before this one are answered`}
		}
		a, err := e.Search(ctx, o.query(q.text))
		switch {
		case errors.Is(err, engine.ErrNoPapers): // nor for any other query
			return err
		case err != nil && a == nil:
			return fmt.Errorf("answering %s:%d: %w", name, number, err)
		}
		out := queryAnswer{ID: q.id, Answer: a}
		if err != nil {
			s.notef("%s:%d: %v", name, number, err)
			out.Error = err.Error()
		}
		asked.count(a, err)
		if err := s.writeJSON(out); err != nil {
			return err
		}
	}
}

// queriesAsked counts the queries of a file.
type queriesAsked struct {
	all, answered, refused int
	hint                   string // of the last one that found nothing
	fewer                  int    // had fewer papers to answer with than were asked for
	fewest, most           int    // papers that one of those has
}

func (q *queriesAsked) count(a *engine.Answer, err error) {
	q.all++
	if a.Fewer {
		n := len(a.Results)
		if q.fewer++; q.fewer == 1 {
			q.fewest = n
		}
		q.fewest, q.most = min(q.fewest, n), max(q.most, n)
	}
	none, _ := errors.AsType[*engine.Error](err)
	switch {
	case len(a.Results) > 0:
		q.answered++
	case none == nil:
		q.hint = cmp.Or(a.Hint, q.hint)
	case none.Kind == engine.Usage:
		q.refused++
	default:
		q.hint = none.Hint
	}
}

// noteFewerOf is noteFewer of all queries of a file.
func (s *session) noteFewerOf(q queriesAsked, wanted int) {
	switch {
	case q.fewer == 0:
	case q.fewest == q.most:
		s.notef("%s", fewer(q.most, wanted))
	default:
		s.notef("for %s of %s there are fewer papers to answer with than %s", count(q.fewer), plural(q.all, "query"), count(wanted))
	}
}

// outcome is what a file of queries ends with: that a query asks for nothing, or that none
// of them finds a paper, is an error as it is of one query.
func (q *queriesAsked) outcome(name string) error {
	switch {
	case q.refused > 0:
		return usagef(`their lines of the answer say why, as "error"`, "of the %s of %s, %s for nothing", plural(q.all, "query"), name, asks(q.refused))
	case q.all > 0 && q.answered == 0:
		return &engine.Error{Kind: engine.NotFound, Err: fmt.Errorf("none of the queries of %s (%s) finds a paper", name, count(q.all)), Hint: q.hint}
	}
	return nil
}

func asks(n int) string {
	if n == 1 {
		return "1 asks"
	}
	return count(n) + " ask"
}
