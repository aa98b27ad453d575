package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/facet"
)

// whyNone says why nothing answers a query whose filters are met. An error names phrases
// that no paper holds; else the hint is what would answer: leaving out one filter, or what
// the query leaves out itself.
func (e *Engine) whyNone(ctx context.Context, sh shelf, w *wanted, o operated) (string, error) {
	x, err := e.words(ctx)
	if err != nil {
		return "", err
	}
	if err := x.noPhrase(o, e.workers()); err != nil {
		return "", err
	}
	f, err := e.within(ctx, sh, o.filters)
	if err != nil {
		return "", err
	}
	n := nobody{x: x, w: w, workers: e.workers(), named: facet.NewRows(x.base.len() + len(x.fresh))}
	for _, m := range append(slices.Clone(w.like), w.unlike...) {
		if doc, ok := x.document(m.N); ok {
			n.named.Add(doc)
		}
	}
	var without []string
	try := func(what string, f Filters, o operated) {
		if n.answers(f, o) {
			without = append(without, what)
		}
	}
	if rest := f; f.YearFrom != 0 || f.YearTo != 0 {
		rest.YearFrom, rest.YearTo = 0, 0
		try("--year", rest, o)
	}
	for column, flag := range fieldFlags {
		if rest := f; len(*f.wantedIn(column)) > 0 {
			*rest.wantedIn(column) = nil
			try(flag, rest, o)
		}
	}
	if rest := f; f.inThemes != nil {
		rest.Theme, rest.inThemes = nil, nil
		try("--theme", rest, o)
	}
	if rest := o; len(o.without)+len(o.withoutAuthors) > 0 {
		rest.without, rest.withoutAuthors = nil, nil
		try("what the query leaves out", f, rest)
	}
	switch {
	case len(without) > 0:
		return "there are answers without " + strings.Join(without, ", or without "), nil
	case w.Mode == modeKeyword && len(w.terms) == 0:
		return "words like these are in every text and are not looked for; --mode hybrid looks for their meaning", nil
	case w.Mode == modeKeyword && !n.answers(Filters{}, operated{}):
		return "no paper holds a word of the query; --mode hybrid looks for its meaning too", nil
	case !f.none():
		return "leave some of the filters out", nil
	case len(w.like)+len(w.unlike) > 0:
		return "there is no other paper to answer with", nil
	}
	return "", nil
}

// nobody is what a query that nothing answers is tried with.
type nobody struct {
	x       *wordIndex
	w       *wanted
	workers int
	named   facet.Rows // documents of the papers that were named
}

// answers reports whether anything would answer with these filters and operators.
func (n *nobody) answers(f Filters, o operated) bool {
	docs := n.x.meeting(f)
	n.x.narrow(docs, o, n.workers)
	docs.Drop(n.named)
	if n.w.Mode == modeKeyword {
		return len(n.x.search(n.w.terms, 1, docs)) > 0
	}
	return docs.Len() > 0
}

// noPhrase is the error of phrases of a query that no paper holds, or none together.
func (x *wordIndex) noPhrase(o operated, workers int) error {
	phrases := o.phrases
	holding := func(phrases ...string) int {
		docs := slices.Clone(x.present)
		x.narrow(docs, operated{phrases: phrases, looked: o.looked}, workers)
		return docs.Len()
	}
	quoted := func(phrases []string) string {
		list := make([]string, len(phrases))
		for i, p := range phrases {
			list[i] = fmt.Sprintf("%q", p)
		}
		return strings.Join(list, ", ")
	}
	nowhere := slices.DeleteFunc(slices.Clone(phrases), func(p string) bool { return holding(p) > 0 })
	switch {
	case len(nowhere) == 1:
		return &Error{Kind: NotFound, Err: fmt.Errorf("no paper holds the phrase %s", quoted(nowhere)), Hint: "without the quotes its words are looked for one by one"}
	case len(nowhere) > 1:
		return &Error{Kind: NotFound, Err: fmt.Errorf("no paper holds any of the phrases %s", quoted(nowhere)), Hint: "without the quotes their words are looked for one by one"}
	case len(phrases) > 1 && holding(phrases...) == 0:
		return &Error{Kind: NotFound, Err: fmt.Errorf("no paper holds all of the phrases %s", quoted(phrases)), Hint: "each is in some paper: leave one out"}
	}
	return nil
}
