package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-9f29d379/akin/internal/engine"
	"github.com/seed-9f29d379/akin/internal/number"
)

// How much of a paper an answer for people shows.
const (
	titleLines   = 2
	bylineLines  = 2
	snippetLines = 2
	authorsShown = 3
)

// answerOptions are the flags of the commands that answer with papers.
type answerOptions struct {
	n         int
	diversity float64
	to        string
	explain   bool
	filterOptions
	engineOptions
}

// query is the part of a query that these flags say.
func (o answerOptions) query() engine.Query {
	return engine.Query{N: o.n, Filters: o.filters(), Diversity: o.diversity, Explain: o.explain}
}

// writeAnswer writes a as a table, as JSON, or as the papers in a format of other
// programs; that nothing was found is an error.
func (s *session) writeAnswer(ctx context.Context, e *engine.Engine, a *engine.Answer, o answerOptions) error {
	var err error
	switch {
	case s.global.json:
		err = s.writeJSON(a)
	case len(a.Results) == 0:
	case o.to != "":
		ids := make([]string, len(a.Results))
		for i, r := range a.Results {
			ids[i] = r.ID
		}
		s.noteUnwritten(a)
		_, err = e.Export(ctx, s.out, engine.ExportRequest{Names: ids, To: o.to})
	default:
		renderAnswer(s.out, s.layout(), a)
	}
	if err == nil && len(a.Results) == 0 {
		err = &engine.Error{Kind: engine.NotFound, Err: errors.New("no paper found"), Hint: a.Hint}
	}
	return err
}

// noteFewer says that there are fewer papers to answer with than were asked for.
func (s *session) noteFewer(a *engine.Answer, wanted int) {
	if a.Fewer {
		s.notef("%s", fewer(len(a.Results), wanted))
	}
}

func fewer(n, wanted int) string {
	return fmt.Sprintf("there %s %s to answer with, not %s", number.Pick(n, "is", "are"), plural(n, "paper"), count(wanted))
}

// noteUnwritten says that papers that may be the same work as one of a are not written.
func (s *session) noteUnwritten(a *engine.Answer) {
	var all []engine.Duplicate
	n := 0
	for _, r := range a.Results {
		all = append(all, r.Duplicates...)
		n += r.DuplicateCount
	}
	if n > 0 {
		s.notef("one form of each work is written; %s", perhaps(all, n))
	}
}

// withoutAnswer is err, which says that there is no answer: as JSON an empty one is
// written, if the query was understood.
func (s *session) withoutAnswer(a *engine.Answer, err error) error {
	if a == nil || !s.global.json || engine.KindOf(err) != engine.NotFound {
		return err
	}
	return errors.Join(err, s.writeJSON(a))
}

// renderAnswer sets the papers of a below one another: rank and score beside the title,
// then what is known of the paper, then the part of it that answers.
func renderAnswer(w io.Writer, l layout, a *engine.Answer) {
	rank := 1
	for _, r := range a.Results {
		rank = max(rank, len(strconv.Itoa(r.Rank)))
	}
	indent := strings.Repeat(" ", 1+rank+2+5+2)
	room := l.text() - len(indent)
	if a.Order == "neighbourhood" || a.Order == "diversity" {
		for _, line := range wrap("ordered by "+a.Order+"; the scores are the papers' own", l.text(), 0) {
			fmt.Fprintln(w, l.faint(line))
		}
	}
	for i, r := range a.Results {
		if i > 0 {
			fmt.Fprintln(w)
		}
		score := fmt.Sprintf("%5.3f", r.Score)
		for j, line := range wrap(oneLine(r.Title), room, titleLines) {
			if j == 0 {
				fmt.Fprintf(w, " %*d  %s  %s\n", rank, r.Rank, l.accent(score), l.strong(line))
			} else {
				fmt.Fprintf(w, "%s%s\n", indent, l.strong(line))
			}
		}
		for _, line := range wrapWhole(byline(r), room, bylineLines) {
			fmt.Fprintf(w, "%s%s\n", indent, l.faint(strings.TrimPrefix(line, "· ")))
		}
		if oneLine(r.Snippet) != oneLine(r.Title) {
			for _, line := range wrap(oneLine(r.Snippet), room, snippetLines) {
				fmt.Fprintf(w, "%s%s\n", indent, line)
			}
		}
		for _, line := range wrapWhole(oneLine(perhaps(r.Duplicates, r.DuplicateCount)), room, 0) {
			fmt.Fprintf(w, "%s%s\n", indent, l.faint(line))
		}
		if r.Explain != nil {
			for _, part := range explained(r.Explain) {
				for _, line := range wrap(oneLine(part), room-2, 0) {
					fmt.Fprintf(w, "%s  %s\n", indent, l.faint(line))
				}
			}
		}
	}
}

// wrapWhole sets s in lines as wrap does, but a word that is too wide, as an id may be,
// is neither broken nor cut: it has a line of its own.
func wrapWhole(s string, w, limit int) []string {
	var lines, words []string
	flush := func() {
		lines = append(lines, wrap(strings.Join(words, " "), w, 0)...)
		words = nil
	}
	for _, word := range strings.Fields(s) {
		if width(word) <= w {
			words = append(words, word)
			continue
		}
		flush()
		lines = append(lines, word)
	}
	flush()
	if limit > 0 && len(lines) > limit {
		lines = lines[:limit]
		if last := &lines[limit-1]; width(*last) <= w {
			*last = ellipsis(*last, w)
		}
	}
	return lines
}

// duplicatesShown are named on a row.
const duplicatesShown = 3

// perhaps names the first papers that may be the same work as one, counts the others, and
// says why; "" where there is none.
func perhaps(list []engine.Duplicate, n int) string {
	if len(list) == 0 {
		return ""
	}
	var ids, reasons []string
	for _, d := range list {
		ids = append(ids, d.ID)
		if !slices.Contains(reasons, d.Reason) {
			reasons = append(reasons, d.Reason)
		}
	}
	ids = ids[:min(len(ids), duplicatesShown)]
	more := ""
	if n > len(ids) {
		more = " and " + plural(n-len(ids), "other")
	}
	return "perhaps the same work: " + strings.Join(ids, ", ") + more + " (" + strings.Join(reasons, "; ") + ")"
}

// explained says why a paper is where it is: the parts of its score, how near that is
// in this library, the words that it shares, the sentence that matches best.
func explained(x *engine.Explanation) []string {
	var figures []string
	for _, f := range []struct {
		name  string
		value float64
	}{{"meaning", x.Dense}, {"best sentence", x.Sentence}, {"neighbourhood", x.Neighbourhood}} {
		if f.value != 0 {
			figures = append(figures, fmt.Sprintf("%s %.3f", f.name, f.value))
		}
	}
	score := strings.Join(append(figures, fmt.Sprintf("words %.2f", x.Keyword)), ", ")
	if x.Share != nil {
		score += fmt.Sprintf("; of the score %.3f by meaning, %.3f by words", x.Share.Meaning, x.Share.Words)
	}
	parts := []string{score}
	if x.Nearness != nil {
		parts = append(parts, fmt.Sprintf("nearer than %.0f %% of random pairs of papers here, and than %.0f %% of nearest neighbours",
			math.Floor(x.Nearness.RandomPairs), math.Floor(x.Nearness.Neighbours))) // 99.9 is not all
	}
	if len(x.Words) > 0 {
		words := make([]string, len(x.Words))
		for i, word := range x.Words {
			words[i] = word.Word
		}
		parts = append(parts, "shared: "+strings.Join(words, ", "))
	}
	if x.Pair != nil {
		name := "nearest sentence"
		if cosine := fmt.Sprintf("%.3f", x.Pair.Cosine); cosine != fmt.Sprintf("%.3f", x.Sentence) { // of a part of what was asked
			name += " (" + cosine + ")"
		}
		parts = append(parts, name+": "+x.Pair.Paper)
	}
	return parts
}

// byline is a paper's id, year, venue and authors, as far as they are known.
func byline(r engine.Result) string {
	parts := []string{r.ID}
	if r.Year != 0 {
		parts = append(parts, strconv.Itoa(r.Year))
	}
	if r.Venue != "" {
		parts = append(parts, r.Venue)
	}
	if len(r.Authors) > 0 {
		parts = append(parts, shortAuthors(r.Authors))
	}
	return oneLine(strings.Join(parts, " · "))
}

// shortAuthors names the first authors and counts the others.
func shortAuthors(authors []string) string {
	if more := len(authors) - authorsShown; more > 0 {
		return strings.Join(authors[:authorsShown], "; ") + " and " + count(more) + " more"
	}
	return strings.Join(authors, "; ")
}
