package engine

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/internal/eval"
	"github.com/seed-9f29d379/akin/internal/keyword"
	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/sentence"
	"github.com/seed-9f29d379/akin/internal/store"
	"github.com/seed-9f29d379/akin/internal/vec"
)

const (
	ownSamples   = 200 // papers that are asked for: the interval is then about ±.06
	ownSentences = 4   // a paper with fewer has no text to spare
	ownWords     = 6   // a shorter sentence asks for nothing in particular
)

// held is a paper that is asked for by a part of its text, which is held out of it.
type held struct {
	n     uint32
	query string
	rest  string       // its text without the query
	same  []store.Twin // what may be the same work, and still has the query
}

// evalOwn asks the library for its own papers (known-item search): by a sentence that is
// held out of the paper, and by its title with the abstract alone.
func (e *Engine) evalOwn(ctx context.Context, seed uint64) (_ *EvalReport, err error) {
	defer e.begin(&err)()
	sh, err := e.papers(ctx)
	if err != nil {
		return nil, err
	}
	in, err := e.vectors(ctx)
	if err != nil {
		return nil, err
	}
	words, err := e.words(ctx)
	if err != nil {
		return nil, err
	}
	notEncoded, err := e.tellUnencoded(ctx, leftOut)
	if err != nil {
		return nil, err
	}
	papers, err := ownSample(ctx, sh, seed)
	if err != nil {
		return nil, err
	}
	same, err := duplicatesOf(ctx, sh, papers, nil)
	if err != nil {
		return nil, err
	}
	var bySentence, byTitle []held
	for _, p := range papers {
		if h, ok := holdSentence(p, seed); ok {
			h.same = same[p.N]
			bySentence = append(bySentence, h)
		}
		if h, ok := holdTitle(p); ok {
			h.same = same[p.N]
			byTitle = append(byTitle, h)
		}
	}
	if len(bySentence) == 0 {
		return nil, &Error{Kind: NotFound, Err: fmt.Errorf("no paper has an abstract of %s or more", number.Of(ownSentences, "sentence")), Hint: "judge by --queries and --qrels instead"}
	}
	r := &EvalReport{Kind: "known-item", Queries: len(bySentence), NotEncoded: notEncoded}
	if r.Modes, err = e.knownItems(ctx, in, words, bySentence); err != nil {
		return nil, err
	}
	if len(byTitle) > 0 {
		if r.TitleModes, err = e.knownItems(ctx, in, words, byTitle); err != nil {
			return nil, err
		}
	}
	r.Agreement, err = e.agreement(ctx, in, papers)
	return r, err
}

// ownSample chooses papers by a hash of their ids, so that it is the same sample
// whatever the order in which they were added.
func ownSample(ctx context.Context, sh shelf, seed uint64) ([]*store.Paper, error) {
	type choice struct {
		*store.Paper
		hash uint64
	}
	var chosen []choice
	order := func(a, b choice) int { return cmp.Or(cmp.Compare(a.hash, b.hash), strings.Compare(a.ID, b.ID)) }
	err := sh.Each(ctx, func(p *store.Paper) error {
		if p.Embedded && len(p.Fields.Abstract) > 0 {
			chosen = append(chosen, choice{p, idHash(p.ID, seed)})
			if len(chosen) == 2*ownSamples { // keep memory small: the worse half goes
				slices.SortFunc(chosen, order)
				chosen = chosen[:ownSamples]
			}
		}
		return ctx.Err()
	})
	slices.SortFunc(chosen, order)
	chosen = chosen[:min(ownSamples, len(chosen))]
	papers := make([]*store.Paper, len(chosen))
	for i, c := range chosen {
		papers[i] = c.Paper
	}
	return papers, err
}

func idHash(id string, seed uint64) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", seed, id)
	return h.Sum64()
}

// holdSentence takes a sentence out of a paper's abstract.
func holdSentence(p *store.Paper, seed uint64) (held, bool) {
	all := paper.Sentences((&paper.Paper{Abstract: p.Fields.Abstract}).Text())
	if len(all) < ownSentences {
		return held{}, false
	}
	first := int(idHash(p.ID, seed+1) % uint64(len(all)))
	for i := range all {
		at := (first + i) % len(all)
		if len(strings.Fields(all[at])) < ownWords {
			continue
		}
		left := slices.Delete(slices.Clone(all), at, at+1)
		rest := paper.Paper{Title: p.Fields.Title, Abstract: strings.Join(left, " ")}
		return held{n: p.N, query: all[at], rest: rest.Text()}, true
	}
	return held{}, false
}

// holdTitle takes the title from a paper that has one.
func holdTitle(p *store.Paper) (held, bool) {
	title := (&paper.Paper{Title: p.Fields.Title}).Text()
	rest := (&paper.Paper{Abstract: p.Fields.Abstract}).Text()
	return held{n: p.N, query: title, rest: rest}, title != "" && rest != ""
}

// knownItems ranks each held paper, as if only the rest of its text were in the library,
// among all others.
func (e *Engine) knownItems(ctx context.Context, in *searched, words *wordIndex, items []held) (map[string]eval.Figures, error) {
	enc, err := e.queryModel(ctx)
	if err != nil {
		return nil, err
	}
	rankings := make(map[string]map[string][]string)
	judged := make(eval.Judgements)
	const it = "it"
	for i, h := range items {
		e.progress(Progress{Stage: "searching", Done: i, Total: len(items), Unit: "queries"})
		out, err := enc.Encode(ctx, []string{h.query, h.rest})
		if err != nil {
			return nil, fmt.Errorf("encoding a paper without a part: %w", err)
		}
		w := &wanted{direction: out[0].Vector, terms: keyword.Terms(h.query), in: in, words: words}
		others, _, err := e.candidates(ctx, w, fusedDepth)
		if err != nil {
			return nil, err
		}
		others = slices.DeleteFunc(others, func(c candidate) bool {
			return c.n == h.n || slices.ContainsFunc(h.same, func(t store.Twin) bool { return t.N == c.n })
		})
		own := candidate{n: h.n, dense: float64(vec.Dot(out[0].Vector, out[1].Vector)), keyword: words.ranker.ScoreText(w.terms, h.rest)}
		if slices.ContainsFunc(others, func(c candidate) bool { return c.hasSentence }) {
			if err := own.ownSentences(ctx, enc, w.direction, h.rest); err != nil {
				return nil, err
			}
		}
		list := append(others, own)
		id := fmt.Sprint(i)
		judged[id] = map[string]int{it: 1}
		for _, mode := range searchModes {
			order(list, mode)
			if rankings[mode] == nil {
				rankings[mode] = make(map[string][]string)
			}
			at := slices.IndexFunc(list, func(c candidate) bool { return c.n == h.n })
			ranked := make([]string, at+1)
			ranked[at] = it
			rankings[mode][id] = ranked
		}
	}
	figures := make(map[string]eval.Figures)
	for _, mode := range searchModes {
		figures[mode], _ = eval.Measure(rankings[mode], judged)
	}
	return figures, nil
}

// ownSentences gives a held paper the best sentence of what is left of it.
func (c *candidate) ownSentences(ctx context.Context, enc embed.Encoder, direction []float32, text string) error {
	all := sentencesIn(text)
	if len(all) < 2 {
		return nil
	}
	out, err := enc.Encode(ctx, all)
	if err != nil {
		return fmt.Errorf("encoding sentences: %w", err)
	}
	c.sentenceAt, c.sentence, c.hasSentence = sentence.NewQuery(direction).Best(sentenceCodes(out))
	return nil
}

// agreement measures what searches find of the true ten nearest of papers; nil where none
// has a vector.
func (e *Engine) agreement(ctx context.Context, in *searched, papers []*store.Paper) (*Agreement, error) {
	var a agreement
	for _, p := range papers {
		v, ok, err := e.vectorOf(ctx, p.N)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue // it was removed meanwhile
		}
		if _, err := a.measure(in, v); err != nil {
			return nil, err
		}
	}
	recall := a.recall()
	if recall == nil {
		return nil, nil
	}
	return &Agreement{Method: in.method(e.cfg.Exact), RecallAt10: *recall, Samples: a.samples}, nil
}
