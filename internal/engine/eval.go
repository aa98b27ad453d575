package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/eval"
	"github.com/seed-9f29d379/akin/internal/store"
	"github.com/seed-9f29d379/akin/internal/stream"
)

// EvalRequest asks how good searches are. With Queries and Qrels (BEIR's or TREC's
// forms) they are judged by those, a document being named by its key in its source or
// by its id; without, the library is asked for its own papers.
type EvalRequest struct {
	Queries, Qrels         io.Reader
	QueriesFile, QrelsFile string // their names, for messages
	Seed                   uint64 // of the sample of the library's own papers
}

// EvalReport is the figures of each mode, side by side.
type EvalReport struct {
	Kind    string                  `json:"kind"`    // "judged", "known-item"
	Queries int                     `json:"queries"` // that count
	Modes   map[string]eval.Figures `json:"modes"`
	// Of judged queries: relevant documents that the library does not have, and queries
	// without a text or without a relevant document.
	MissingDocuments int `json:"missing_documents"`
	UnusedQueries    int `json:"unused_queries"`
	UnknownQueries   int `json:"unknown_queries"` // that are judged and not among the queries
	Contradicted     int `json:"contradicted"`    // pairs of a query and a document with several grades, of which the highest counts
	NotEncoded       int `json:"not_encoded"`     // papers that wait for a vector, and lack in the figures
	// Of a library's own papers.
	TitleModes map[string]eval.Figures `json:"title_modes,omitempty"` // a title asks for its abstract
	Agreement  *Agreement              `json:"agreement,omitempty"`
}

// Agreement is how much of the exact ten nearest the answers give.
type Agreement struct {
	Method     string  `json:"method"` // "exact" or "hnsw"
	RecallAt10 float64 `json:"recall_at_10"`
	Samples    int     `json:"samples"`
}

// searchModes are compared by Eval.
var searchModes = [...]string{modeHybrid, modeDense, modeKeyword}

// evalDepth is how far down a ranking is judged.
const evalDepth = 100

// Eval measures the quality of searches.
func (e *Engine) Eval(ctx context.Context, req EvalRequest) (*EvalReport, error) {
	var r *EvalReport
	var err error
	switch {
	case (req.Queries == nil) != (req.Qrels == nil):
		return nil, usagef("give both, or neither for the library's own papers", "judged queries need --queries and --qrels")
	case req.Queries == nil:
		r, err = e.evalOwn(ctx, req.Seed)
	default:
		r, err = e.evalJudged(ctx, req)
	}
	if err != nil {
		return nil, explain(err)
	}
	return r, nil
}

func (e *Engine) evalJudged(ctx context.Context, req EvalRequest) (*EvalReport, error) {
	r := &EvalReport{Kind: "judged", Modes: make(map[string]eval.Figures)}
	queries, judged, err := r.readJudged(ctx, req)
	if err != nil {
		return nil, err
	}
	asked, unknown := make(eval.Judgements), maps.Clone(judged)
	queries = slices.DeleteFunc(queries, func(q eval.Query) bool {
		grades, known := judged[q.ID]
		delete(unknown, q.ID)
		if known && strings.TrimSpace(q.Text) != "" && eval.Relevant(grades) > 0 {
			asked[q.ID] = grades
			return false
		}
		r.UnusedQueries++
		return true
	})
	r.UnknownQueries = len(unknown)
	if len(queries) == 0 {
		hint := "the ids of the queries must be those of the judgements"
		if r.UnknownQueries < len(judged) {
			hint = "a document is relevant whose grade is 1 or more, and a query needs a text"
		}
		return nil, &Error{Kind: NotFound, Err: errors.New("no query has a relevant document"), Hint: hint}
	}
	var documents int
	if r.MissingDocuments, documents, err = e.missing(ctx, asked); err != nil {
		return nil, err
	}
	if r.MissingDocuments == documents {
		return nil, &Error{Kind: NotFound, Err: errors.New("the library has none of the relevant documents"), Hint: "akin add CORPUS.jsonl reads them; they are named by their keys in it"}
	}
	if _, err := e.vectors(ctx); err != nil {
		return nil, err
	}
	if r.NotEncoded, err = e.tellUnencoded(ctx, byWordsAlone); err != nil {
		return nil, err
	}
	for at, mode := range searchModes {
		rankings := make(map[string][]string, len(queries))
		for i, q := range queries {
			e.progress(Progress{Stage: "searching", Done: at*len(queries) + i, Total: len(searchModes) * len(queries), Unit: "queries"})
			a, err := e.Search(ctx, Query{Text: q.Text, Plain: true, N: evalDepth, Mode: mode, everyForm: true})
			if err != nil {
				return nil, fmt.Errorf("query %s: %w", q.ID, err)
			}
			for _, result := range a.Results {
				rankings[q.ID] = append(rankings[q.ID], judgedKeys(append(result.Keys, result.ID), q.ID, asked[q.ID])...)
			}
		}
		r.Modes[mode], r.Queries = eval.Measure(rankings, asked)
	}
	return r, nil
}

// readJudged reads queries and judgements, and neither may be nothing.
func (r *EvalReport) readJudged(ctx context.Context, req EvalRequest) (queries []eval.Query, judged eval.Judgements, err error) {
	unread := func(what, file, form string, err error, n int) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, stream.ErrDamaged):
			return &Error{Kind: Failed, Err: fmt.Errorf("reading the %s: %s: %w", what, file, err), Hint: "download or export the file again"}
		case err != nil:
			return &Error{Kind: Failed, Err: fmt.Errorf("reading the %s: %s: %w", what, file, err), Hint: form}
		case n == 0:
			return &Error{Kind: NotFound, Err: fmt.Errorf("there are no %s in %s", what, file), Hint: form}
		}
		return nil
	}
	queries, err = eval.ReadQueries(req.Queries)
	if err := unread("queries", req.QueriesFile, `a line for each: {"_id": "q1", "text": "what it asks"}`, err, len(queries)); err != nil {
		return nil, nil, err
	}
	judged, r.Contradicted, err = eval.ReadQrels(req.Qrels)
	return queries, judged, unread("judgements", req.QrelsFile, "a line for each: query, document and grade with tabs between them, as in: q1\td1\t1", err, len(judged))
}

// judgedKeys are the keys by which a paper counts: those that are relevant, each a
// document of its own, since two documents that are one work are one paper here; else
// its first one. As in BEIR a document of the query's own id does not count: it is what
// is asked with.
func judgedKeys(keys []string, query string, grades map[string]int) []string {
	var relevant []string
	for _, key := range keys {
		if grades[key] > 0 {
			relevant = append(relevant, key)
		}
	}
	switch {
	case len(relevant) > 0:
		return relevant
	case slices.Contains(keys, query):
		return nil
	}
	return keys[:1]
}

// missing counts the relevant documents that the library does not have, and all.
func (e *Engine) missing(ctx context.Context, judged eval.Judgements) (missing, all int, err error) {
	sh, err := e.papers(ctx)
	if err != nil {
		return 0, 0, err
	}
	gone := make(map[string]bool)
	for _, grades := range judged {
		for id, grade := range grades {
			if grade > 0 {
				gone[id] = true
			}
		}
	}
	all = len(gone)
	err = sh.Each(ctx, func(p *store.Paper) error {
		delete(gone, p.ID)
		for _, key := range p.Keys() {
			delete(gone, key)
		}
		return nil
	})
	return len(gone), all, err
}
