package engine

import (
	"context"
	"sync"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/internal/facet"
	"github.com/seed-9f29d379/akin/internal/keyword"
)

// allowed is the papers that may answer a query. The zero value is all.
type allowed struct {
	papers func() *index.Set // nil is all; found where they are first asked for
	docs   facet.Rows        // the same as documents of the word index; nil is all
}

// among is the papers as an index takes them; nil is all.
func (a *allowed) among() *index.Set {
	if a.papers == nil {
		return nil
	}
	return a.papers()
}

// allow finds the papers that meet the filters, hold the phrases and hold nothing that
// they must not.
func (e *Engine) allow(ctx context.Context, sh shelf, o operated) (allowed, error) {
	f := o.filters
	if f.none() && len(o.phrases)+len(o.without)+len(o.withoutAuthors) == 0 {
		return allowed{}, nil
	}
	if err := f.check(); err != nil {
		return allowed{}, err
	}
	f, err := e.within(ctx, sh, f)
	if err != nil {
		return allowed{}, err
	}
	x, err := e.words(ctx)
	if err != nil {
		return allowed{}, err
	}
	a := allowed{docs: x.meeting(f)}
	if a.docs.Len() == 0 {
		return a, x.nothingMeets(ctx, sh, f)
	}
	x.narrow(a.docs, o, e.workers())
	a.papers = sync.OnceValue(func() *index.Set { return x.papers(a.docs) })
	return a, nil
}

// narrow leaves of documents those that hold the phrases, and nothing that they must not.
func (x *wordIndex) narrow(docs facet.Rows, o operated, workers int) {
	for _, phrase := range o.phrases {
		if len(keyword.Words(phrase)) > 0 { // not of symbols alone
			docs.Keep(o.looked.phrased(x, phrase, workers))
		}
	}
	for _, without := range o.without {
		if len(keyword.Words(without)) == 1 {
			docs.Drop(x.holding(keyword.Terms(without))) // in whatever form
		} else {
			docs.Drop(o.looked.phrased(x, without, workers))
		}
	}
	if len(o.withoutAuthors) > 0 {
		docs.Drop(x.having(authorField, o.withoutAuthors))
	}
}

// lookedUp keeps which documents hold the phrases of one query: where nothing answers it,
// it is tried again without its filters, one after another.
type lookedUp struct {
	in    *wordIndex
	found map[string]facet.Rows
}

// phrased is that of x, which is asked once for each phrase.
func (l *lookedUp) phrased(x *wordIndex, phrase string, workers int) facet.Rows {
	if l == nil {
		return x.phrased(phrase, workers)
	}
	if l.in != x { // the library was written to in between
		*l = lookedUp{in: x, found: map[string]facet.Rows{}}
	}
	docs, ok := l.found[phrase]
	if !ok {
		docs = x.phrased(phrase, workers)
		l.found[phrase] = docs
	}
	return docs
}
