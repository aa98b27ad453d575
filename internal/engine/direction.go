package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
)

// unlikeWeight is how strongly an answer turns away from what is to be avoided: half
// keeps it about what was asked for.
const unlikeWeight = 0.5

// direction is where to search: the mean of the vectors of the text and of the papers
// to be like, less the part of it that points to the papers to be unlike.
func (e *Engine) direction(ctx context.Context, w *wanted, echo *QueryEcho) ([]float32, error) {
	var towards [][]float32
	if strings.TrimSpace(w.Text) != "" {
		v, err := e.encodeQuery(ctx, w, echo)
		if err != nil {
			return nil, err
		}
		towards = append(towards, v)
	}
	near, err := e.vectorsOf(ctx, w.like)
	if err != nil {
		return nil, err
	}
	v := mean(append(towards, near...))
	if len(w.unlike) > 0 {
		far, err := e.vectorsOf(ctx, w.unlike)
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

// encodeQuery is the vector of a text that was typed, cleaned like a paper's.
func (e *Engine) encodeQuery(ctx context.Context, w *wanted, echo *QueryEcho) ([]float32, error) {
	text := w.Text
	enc, err := e.queryModel(ctx)
	if err != nil {
		return nil, err
	}
	if cleaned := paper.Clean(text); cleaned != "" { // not all of it was mark-up
		text = cleaned
	}
	out, err := enc.Encode(ctx, []string{text})
	if err != nil {
		return nil, fmt.Errorf("encoding the query: %w", err)
	}
	echo.Tokens, echo.Truncated = out[0].Tokens, out[0].Truncated
	if out[0].Truncated && !w.Plain { // of many queries each says so in its answer
		e.warn("the text has %s: the model reads only its beginning", number.Of(out[0].Tokens, "token"))
	}
	return out[0].Vector, nil
}

// vectorsOf returns the stored vectors of papers.
func (e *Engine) vectorsOf(ctx context.Context, papers []store.Match) ([][]float32, error) {
	if len(papers) == 0 {
		return nil, nil
	}
	ns := make([]uint32, len(papers))
	for i, p := range papers {
		ns[i] = p.N
	}
	list, err := e.vectorsAt(ctx, ns)
	for i, v := range list {
		if v == nil {
			return nil, &Error{Kind: NotFound, Err: fmt.Errorf("%s is not encoded yet", papers[i].ID), Hint: errNotEncoded.Hint}
		}
	}
	return list, err
}

// vectorsAt returns the stored vectors of papers by number, nil for one that has none.
func (e *Engine) vectorsAt(ctx context.Context, ns []uint32) ([][]float32, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := make([][]float32, len(ns))
	for i, n := range ns {
		v, ok, err := e.vectorOf(ctx, n)
		if err != nil {
			return nil, err
		}
		if ok {
			list[i] = v
		}
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
