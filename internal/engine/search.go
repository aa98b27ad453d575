package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
)

// defaultN is how many results a query gives that does not say.
const defaultN = 10

// Search answers a text with the papers nearest to it.
func (e *Engine) Search(ctx context.Context, q Query) (*Answer, error) {
	if len(q.Like) > 0 {
		return nil, usagef("akin similar takes papers", "a search is by text")
	}
	if strings.TrimSpace(q.Text) == "" {
		return nil, usagef("say what the papers should be about", "the query is blank")
	}
	return e.answer(ctx, q)
}

// Similar answers the papers nearest to the mean of some papers and a text, away from
// the mean of others.
func (e *Engine) Similar(ctx context.Context, q Query) (*Answer, error) {
	if len(q.Like) == 0 && strings.TrimSpace(q.Text) == "" {
		return nil, usagef("name a paper, or give a --text", "nothing is said that papers should be similar to")
	}
	return e.answer(ctx, q)
}

// answer resolves a query, searches, and makes the results.
func (e *Engine) answer(ctx context.Context, q Query) (*Answer, error) {
	defer e.begin()()
	if q.N == 0 {
		q.N = defaultN
	}
	switch {
	case q.N < 0:
		return nil, usagef("-n is 1 or more", "%d results are asked for", q.N)
	case q.Mode != "" && q.Mode != "dense":
		return nil, usagef("--mode is dense", "there is no mode %q", q.Mode)
	case !(q.Diversity >= 0 && q.Diversity <= 1):
		return nil, usagef("--diversity is from 0 to 1", "a diversity of %g is asked for", q.Diversity)
	}
	a, err := e.dense(ctx, q)
	if err != nil {
		return nil, explain(err)
	}
	return a, nil
}

// dense answers a query by the vectors.
func (e *Engine) dense(ctx context.Context, q Query) (*Answer, error) {
	sh, err := e.papers(ctx)
	if err != nil {
		return nil, err
	}
	like, err := resolve(ctx, sh, q.Like)
	if err != nil {
		return nil, err
	}
	unlike, err := resolve(ctx, sh, q.Unlike)
	if err != nil {
		return nil, err
	}
	for _, u := range unlike {
		if slices.ContainsFunc(like, func(l store.Match) bool { return l.N == u.N }) {
			return nil, usagef("leave it out of one of them", "%s is both like and unlike", u.ID)
		}
	}
	a := &Answer{Mode: "dense", Results: []Result{}, Query: QueryEcho{Text: q.Text, Like: ids(like), Unlike: ids(unlike)}}
	v, err := e.queryVector(ctx, q, like, unlike, &a.Query)
	if err != nil {
		return nil, err
	}
	ix, err := e.vectors(ctx)
	if err != nil {
		return nil, err
	}
	a.Neighbours = ix.method(e.cfg.Exact)
	asked := append(slices.Clone(like), unlike...)
	if most := max(ix.Len()-len(asked), 0); q.N > most && q.N > defaultN {
		e.warn("the collection has %d papers to answer with, not %d", most, q.N)
	}
	a.Results, err = e.results(ctx, sh, ix, v, q, asked)
	return a, err
}

// queryVector is the direction to search in: the mean of the vectors of the text and of
// the papers to be like, less the part of it that points to the papers to be unlike.
func (e *Engine) queryVector(ctx context.Context, q Query, like, unlike []store.Match, echo *QueryEcho) ([]float32, error) {
	var towards [][]float32
	if strings.TrimSpace(q.Text) != "" {
		enc, err := e.queryModel(ctx)
		if err != nil {
			return nil, err
		}
		text := paper.Clean(q.Text)
		if text == "" { // all of it was mark-up
			text = q.Text
		}
		out, err := enc.Encode(ctx, []string{text})
		if err != nil {
			return nil, fmt.Errorf("encoding the query: %w", err)
		}
		echo.Tokens, echo.Truncated = out[0].Tokens, out[0].Truncated
		if out[0].Truncated {
			e.warn("the text has %d tokens: the model reads only its beginning", out[0].Tokens)
		}
		towards = append(towards, out[0].Vector)
	}
	near, err := e.vectorsOf(ctx, like)
	if err != nil {
		return nil, err
	}
	v := mean(append(towards, near...))
	if len(unlike) > 0 {
		far, err := e.vectorsOf(ctx, unlike)
		if err != nil {
			return nil, err
		}
		away := mean(far)
		for i := range v {
			v[i] -= unlikeWeight * away[i]
		}
	}
	if !normalise(v) {
		return nil, usagef("leave some of them out", "what is asked for and what is to be avoided cancel out")
	}
	return v, nil
}

// unlikeWeight is how strongly an answer turns away from what is to be avoided: half
// keeps it about what was asked for.
const unlikeWeight = 0.5

// vectorsOf returns the stored vectors of papers.
func (e *Engine) vectorsOf(ctx context.Context, papers []store.Match) ([][]float32, error) {
	if len(papers) == 0 {
		return nil, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	list := make([][]float32, len(papers))
	for i, p := range papers {
		v, ok, err := e.vectorOf(ctx, p.N)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, &Error{Kind: NotFound, Err: fmt.Errorf("%s is not encoded yet", p.ID), Hint: errNotEncoded.Hint}
		}
		list[i] = v
	}
	return list, nil
}

func (e *Engine) vectorOf(ctx context.Context, n uint32) ([]float32, bool, error) {
	if s, ok := e.shelf.(*seedShelf); ok {
		return slices.Clone(s.vectors[n-1]), true, nil
	}
	if e.lib == nil {
		return nil, false, nil
	}
	return e.lib.Vector(ctx, n)
}

func mean(list [][]float32) []float32 {
	v := make([]float32, len(list[0]))
	for _, x := range list {
		for i := range min(len(v), len(x)) {
			v[i] += x[i] / float32(len(list))
		}
	}
	return v
}

// normalise gives v unit length; it reports false for a vector of no length.
func normalise(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 1e-12) {
		return false
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
	return true
}

// results turns the nearest vectors into q.N papers, best first. The papers that were
// named are left out, and of several forms of one work the nearest is shown.
func (e *Engine) results(ctx context.Context, sh shelf, ix *searched, v []float32, q Query, asked []store.Match) ([]Result, error) {
	var skip []*store.Paper
	if len(asked) > 0 {
		ns := make([]uint32, len(asked))
		for i, m := range asked {
			ns[i] = m.N
		}
		var err error
		if skip, err = sh.Papers(ctx, ns); err != nil {
			return nil, err
		}
	}
	for k := q.N + len(asked) + slack; ; k *= 2 {
		hits, err := ix.nearest(v, index.SearchOptions{K: k, Exact: e.cfg.Exact})
		if err != nil {
			return nil, err
		}
		ranked, err := rank(ctx, sh, hits, skip)
		if err != nil {
			return nil, err
		}
		if len(ranked) < q.N && len(hits) == k {
			continue
		}
		ranked = ranked[:min(q.N, len(ranked))]
		results := make([]Result, len(ranked))
		for i, r := range ranked {
			results[i] = result(i+1, r, q)
		}
		return results, nil
	}
}

// slack is how many more neighbours are looked at than are shown, for twins and for
// papers that were removed a moment ago.
const slack = 8

// scored is a paper of an answer.
type scored struct {
	*store.Paper
	score float32
}

// rank reads the papers of hits, without those in skip and their twins and without the
// lesser of twins. Equal scores are ordered by id, so that the order in which papers
// were added does not show.
func rank(ctx context.Context, sh shelf, hits []index.Hit, skip []*store.Paper) ([]scored, error) {
	ns := make([]uint32, len(hits))
	score := make(map[uint32]float32, len(hits))
	for i, h := range hits {
		ns[i], score[h.ID] = h.ID, h.Score
	}
	papers, err := sh.Papers(ctx, ns)
	if err != nil {
		return nil, err
	}
	list := make([]scored, len(papers))
	for i, p := range papers {
		list[i] = scored{p, score[p.N]}
	}
	slices.SortStableFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.ID, b.ID))
	})
	byMark := make(map[int64][]*store.Paper)
	for _, p := range skip {
		byMark[p.Mark] = append(byMark[p.Mark], p)
	}
	kept := list[:0]
	for _, p := range list {
		if slices.ContainsFunc(byMark[p.Mark], func(other *store.Paper) bool { return other.N == p.N || store.Twins(p.Paper, other) }) {
			continue
		}
		byMark[p.Mark] = append(byMark[p.Mark], p.Paper)
		kept = append(kept, p)
	}
	return kept, nil
}

// resolve finds the papers that a person names. Each must mean exactly one.
func resolve(ctx context.Context, sh shelf, names []string) ([]store.Match, error) {
	var list []store.Match
	var errs []error
	for _, name := range names {
		found, err := sh.Find(ctx, name)
		if err != nil {
			return nil, err
		}
		if len(found) != 1 {
			errs = append(errs, named(name, found))
			continue
		}
		if !slices.ContainsFunc(list, func(m store.Match) bool { return m.N == found[0].N }) {
			list = append(list, found[0])
		}
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
