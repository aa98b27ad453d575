package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/keyword"
	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
)

// defaultN is how many results a query gives that does not say.
const defaultN = 10

// The modes of a search.
const (
	modeHybrid  = "hybrid"  // by meaning and by words: the default of a search
	modeDense   = "dense"   // by meaning: vectors
	modeKeyword = "keyword" // by words
)

// Search answers a text with the papers nearest to it in meaning and in words. Where only
// this text has no answer, since nothing meets it or it asks for nothing, an empty answer
// is beside the error.
func (e *Engine) Search(ctx context.Context, q Query) (*Answer, error) {
	if len(q.Like) > 0 {
		return nil, usagef("akin similar takes papers", "a search is by text")
	}
	if q.Rerank {
		return nil, usagef("akin similar re-ranks", "a search is ordered by its scores")
	}
	if q.Mode == "" {
		q.Mode = modeHybrid
	}
	return e.answer(ctx, q)
}

// Similar answers the papers nearest in meaning to some papers and a text, away from
// others. Words would make it worse: they say what a paper mentions, not what it is. An
// empty answer may be beside an error, as in Search.
func (e *Engine) Similar(ctx context.Context, q Query) (*Answer, error) {
	if len(q.Like) == 0 && strings.TrimSpace(q.Text) == "" {
		return nil, usagef("name a paper, or give a --text", "nothing is said that papers should be similar to")
	}
	if q.Mode == "" {
		q.Mode = modeDense
	}
	if q.Mode != modeDense {
		return nil, usagef("akin search has modes", "papers are similar by meaning, not in mode %q", q.Mode)
	}
	return e.answer(ctx, q)
}

// answer resolves a query, searches, and makes the results.
func (e *Engine) answer(ctx context.Context, q Query) (_ *Answer, err error) {
	defer e.begin(&err)()
	if q.N == 0 {
		q.N = defaultN
	}
	switch {
	case q.N < 0:
		return nil, usagef("-n is 1 or more", "%d results are asked for", q.N)
	case q.Mode != modeHybrid && q.Mode != modeDense && q.Mode != modeKeyword:
		return nil, usagef("--mode is hybrid, dense or keyword", "there is no mode %q", q.Mode)
	case !(q.Diversity >= 0 && q.Diversity <= 1):
		return nil, usagef("--diversity is from 0 to 1", "a diversity of %g is asked for", q.Diversity)
	case q.Rerank && q.Diversity > 0:
		return nil, usagef("take one of them", "--rerank and --diversity each say what the order is")
	}
	a, err := e.find(ctx, q)
	return a, explain(err)
}

// wanted is a query as it was understood.
type wanted struct {
	Query
	like, unlike []store.Match
	direction    []float32  // unit length; nil in keyword mode
	terms        []string   // nil in dense mode
	allowed                 // the papers that may answer
	in           *searched  // nil in keyword mode
	words        *wordIndex // nil in dense mode

	noSentences int // papers whose sentences wait, where the answer weighs sentences and lacks theirs
}

func (e *Engine) find(ctx context.Context, q Query) (*Answer, error) {
	a := &Answer{Mode: q.Mode, Neighbours: "none", Order: orderScore, Results: []Result{}, Query: QueryEcho{Text: q.Text}}
	switch {
	case q.Rerank:
		a.Order = orderNeighbourhood
	case q.Diversity > 0:
		a.Order = orderDiversity
	}
	w := &wanted{Query: q}
	asked := operators(q)
	asked.looked = new(lookedUp)
	w.Text, w.Filters = asked.text, asked.filters
	if err := asked.check(q); err != nil {
		return a, err
	}
	sh, err := e.papers(ctx)
	if err != nil {
		return a.beside(err)
	}
	if w.like, err = resolve(ctx, sh, q.Like); err != nil {
		return nil, err
	}
	if w.unlike, err = resolve(ctx, sh, q.Unlike); err != nil {
		return nil, err
	}
	for _, u := range w.unlike {
		if slices.ContainsFunc(w.like, func(l store.Match) bool { return l.N == u.N }) {
			return nil, usagef("leave it out of one of them", "%s is both like and unlike", u.ID)
		}
	}
	a.Query.Like, a.Query.Unlike = ids(w.like), ids(w.unlike)
	for _, word := range asked.unmeant {
		e.warn("%s is no filter and is looked for as text: write author:name, -author:name, year:2020, year:2018..2022 or year:2018.., without a space", word)
	}
	if err := e.aim(ctx, w, a); err != nil {
		return a.beside(err)
	}
	a.Mode = w.Mode
	if w.allowed, err = e.allow(ctx, sh, asked); err != nil {
		return a.beside(err)
	}
	if w.in != nil {
		a.Neighbours = w.in.method(e.cfg.Exact)
		fate := leftOut
		if w.Mode == modeHybrid {
			fate = byWordsAlone
		}
		if a.NotEncoded, err = e.tellUnencoded(ctx, fate); err != nil {
			return nil, err
		}
	}
	results, err := e.results(ctx, sh, w)
	if err != nil {
		return a.beside(err)
	}
	a.NoSentences = w.noSentences
	a.Fewer = len(results) < w.N && w.N > defaultN && w.in != nil // words are in few papers, that is no news
	if w.Mode != modeKeyword && !w.Plain && len(results) > 0 && !inLatin(w.Text) {
		e.tellForeign() // a list of terms has no function words in any language
	}
	if a.Results = results; len(results) > 0 {
		return a, nil
	}
	if a.Hint, err = e.whyNone(ctx, sh, w, asked); err != nil {
		return a.beside(err)
	}
	return a, nil
}

// tellForeign says once that a query is in a language that the model hardly reads.
func (e *Engine) tellForeign() {
	e.foreign.Do(func() {
		e.warn("the query is in another script than English, which the model knows best: what shares no word with it is little more than guessed")
	})
}

// beside is a, which is empty, beside an error that says that nothing was found; there is
// no answer beside another one.
func (a *Answer) beside(err error) (*Answer, error) {
	if KindOf(err) != NotFound {
		return nil, err
	}
	return a, err
}

// aim finds the direction and the terms that the query's mode needs. Where no paper has
// a vector yet, a hybrid search goes by words alone.
func (e *Engine) aim(ctx context.Context, w *wanted, a *Answer) error {
	var err error
	if w.Mode != modeKeyword {
		w.direction, err = e.direction(ctx, w, &a.Query)
		if err == nil {
			w.in, err = e.vectors(ctx)
		}
		if w.Mode == modeHybrid && errors.Is(err, errNotEncoded) {
			e.warn("no paper is encoded yet: this is a search by words alone (akin add, without a path, encodes them)")
			w.Mode, w.direction, err = modeKeyword, nil, nil
		}
		if err != nil {
			return err
		}
	}
	if w.Mode != modeDense {
		w.terms = keyword.Terms(paper.Clean(w.Text))
		if w.words, err = e.words(ctx); err != nil {
			return err
		}
	}
	return nil
}

// resolve finds the papers that a person names. Each must mean exactly one.
func resolve(ctx context.Context, sh shelf, names []string) ([]store.Match, error) {
	var list []store.Match
	var errs []error
	const told = 3
	more := 0
	for _, name := range names {
		found, err := sh.Find(ctx, name)
		if err != nil {
			return nil, err
		}
		if len(found) != 1 && len(errs) == told {
			more++
			continue
		}
		if len(found) != 1 {
			errs = append(errs, named(name, found))
			continue
		}
		if !slices.ContainsFunc(list, func(m store.Match) bool { return m.N == found[0].N }) {
			list = append(list, found[0])
		}
	}
	if more > 0 {
		errs = append(errs, fmt.Errorf("and %s more of the %s %s no paper, or several", number.Grouped(more), number.Of(len(names), "name"), number.Pick(more, "means", "mean")))
	}
	return list, errors.Join(errs...)
}

func ids(list []store.Match) []string {
	var s []string
	for _, m := range list {
		s = append(s, m.ID)
	}
	return s
}
