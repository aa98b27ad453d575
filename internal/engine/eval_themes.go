package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-9f29d379/akin/cluster"
	"github.com/seed-9f29d379/akin/internal/keyword"
	"github.com/seed-9f29d379/akin/internal/number"
)

// ThemesEvalRequest asks how good the themes of the collection are.
type ThemesEvalRequest struct {
	K    []int  // numbers of themes; none: the one that is chosen
	Seed uint64 // of the themes and of the random subsets
}

// ThemesEvalReport is the figures of each number of themes.
type ThemesEvalReport struct {
	Papers  int            `json:"papers"`
	Subsets int            `json:"subsets"` // random nine tenths of the papers that were grouped, too
	Themes  []ThemesFigure `json:"themes"`
}

// ThemesFigure is how good some number of themes is. An adjusted Rand index is taken on
// the papers that two subsets have in common, and is the mean over all pairs of subsets.
type ThemesFigure struct {
	K               int     `json:"k"`
	ChosenBy        string  `json:"chosen_by"`
	Stability       float64 `json:"stability"`         // adjusted Rand index
	StabilityKMeans float64 `json:"stability_k_means"` // the same of plain k-means, the best of ten starts
	// The share of the themes of a subset that keep their id when the other tenth is added
	// and themes are found again: the mean over the subsets.
	IDsKept       float64 `json:"ids_kept"`
	NPMI          float64 `json:"npmi"`           // of the ten terms of each theme, over the papers
	Diversity     float64 `json:"diversity"`      // distinct words of all terms, over all
	StopWords     int     `json:"stop_words"`     // in labels and terms
	RepeatedNames int     `json:"repeated_names"` // labels that another theme has too
}

// evalSubsets random nine tenths are compared.
const evalSubsets = 5

// EvalThemes measures how stable the themes are, how many keep their id when the
// collection grows by a tenth, and how good their names are. No theme is stored.
func (e *Engine) EvalThemes(ctx context.Context, req ThemesEvalRequest) (_ *ThemesEvalReport, err error) {
	defer e.begin(&err)()
	r, err := e.evalThemes(ctx, req)
	if err != nil {
		return nil, explain(err)
	}
	return r, nil
}

func (e *Engine) evalThemes(ctx context.Context, req ThemesEvalRequest) (*ThemesEvalReport, error) {
	if err := e.indexFirst(ctx); err != nil {
		return nil, err
	}
	c, err := e.themed(ctx)
	if err != nil {
		return nil, err
	}
	if len(req.K) == 0 {
		req.K = []int{0}
	}
	near, err := e.neighbours(ctx, c)
	if err != nil {
		return nil, err
	}
	r := &ThemesEvalReport{Papers: len(c.papers), Subsets: evalSubsets}
	for at, k := range req.K {
		switch {
		case k < 0:
			return nil, usagef("-k is 1 or more", "%d themes are asked for", k)
		case k > len(c.papers):
			return nil, usagef("ask for fewer", "%s are asked for, of %s", number.Of(k, "theme"), number.Of(len(c.papers), "paper"))
		}
		ev := &themesEval{e: e, c: c, near: near, seed: req.Seed, tell: func(done int) {
			e.progress(Progress{Stage: "grouping", Done: at*(2*evalSubsets+1) + done, Total: len(req.K) * (2*evalSubsets + 1), Unit: "times"})
		}}
		f, err := ev.figure(ctx, k)
		if err != nil {
			return nil, err
		}
		r.Themes = append(r.Themes, *f)
	}
	return r, nil
}

// themesEval measures one number of themes.
type themesEval struct {
	e    *Engine
	c    *themed
	near func(item, m int) []uint32 // the graph's neighbours, as akin themes takes them; nil: exact ones
	seed uint64
	tell func(done int)
}

// among is near for a part of the items, in its own numbers.
func (ev *themesEval) among(kept []int) func(item, m int) []uint32 {
	if ev.near == nil {
		return nil
	}
	place := slices.Repeat([]int{-1}, len(ev.c.papers))
	for at, i := range kept {
		place[i] = at
	}
	return func(item, m int) []uint32 {
		// A tenth of the neighbours is not among them.
		list := make([]uint32, 0, m)
		for _, i := range ev.near(kept[item], m+m/5+4) {
			if at := place[i]; at >= 0 && len(list) < m {
				list = append(list, uint32(at))
			}
		}
		return list
	}
}

func (ev *themesEval) figure(ctx context.Context, k int) (*ThemesFigure, error) {
	ev.tell(0)
	opts := cluster.Options{K: k, Seed: ev.seed, Workers: ev.e.workers(), Neighbours: ev.near}
	whole, err := cluster.Themes(ctx, ev.c.vectors, ev.c.dim, opts)
	if err != nil {
		return nil, err
	}
	f := &ThemesFigure{K: whole.K, ChosenBy: chosenBy(whole)}
	if err := ev.names(ctx, whole, f); err != nil {
		return nil, err
	}
	opts.K = whole.K
	n := len(ev.c.papers)
	all, plain := make([][]int32, evalSubsets), make([][]int32, evalSubsets)
	grown := make([]int32, n)
	for i, m := range whole.Levels[0].Items {
		grown[i] = m.Theme
	}
	for s := range evalSubsets {
		kept := ev.subset(uint64(s))
		part := make([]float32, 0, len(kept)*ev.c.dim)
		for _, i := range kept {
			part = append(part, ev.c.vectors[i*ev.c.dim:(i+1)*ev.c.dim]...)
		}
		ev.tell(1 + 2*s)
		opts.Neighbours = ev.among(kept)
		r, err := cluster.Themes(ctx, part, ev.c.dim, opts)
		if err != nil {
			return nil, err
		}
		ev.tell(2 + 2*s)
		p, err := cluster.KMeans(ctx, part, ev.c.dim, cluster.KMeansOptions{K: whole.K, Seed: ev.seed, Workers: ev.e.workers()})
		if err != nil {
			return nil, err
		}
		all[s], plain[s] = slices.Repeat([]int32{-1}, n), slices.Repeat([]int32{-1}, n)
		for at, i := range kept {
			all[s][i], plain[s][i] = r.Levels[0].Items[at].Theme, p.Labels[at]
		}
		f.IDsKept += keptIDs(itemsOf(all[s], r.K), itemsOf(grown, whole.K)) / evalSubsets
	}
	f.Stability, f.StabilityKMeans = meanAgreement(all), meanAgreement(plain)
	return f, nil
}

// subset is nine tenths of the items, by a hash of their ids: the same whatever the
// order in which papers were added.
func (ev *themesEval) subset(s uint64) []int {
	type draw struct {
		item int
		hash uint64
	}
	draws := make([]draw, len(ev.c.ids))
	for i, id := range ev.c.ids {
		draws[i] = draw{i, idHash(id, ev.seed+1000*(s+1))}
	}
	slices.SortFunc(draws, func(a, b draw) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.item, b.item)) })
	kept := make([]int, len(draws)-len(draws)/10)
	for i := range kept {
		kept[i] = draws[i].item
	}
	slices.Sort(kept)
	return kept
}

// names measures labels and terms.
func (ev *themesEval) names(ctx context.Context, r *cluster.Result, f *ThemesFigure) error {
	words, err := ev.e.wording(ctx, ev.c, r.Levels[0])
	if err != nil {
		return err
	}
	g := &grouping{}
	g.Next = 1
	if err := g.addLevel(ev.c, r, 0, words); err != nil {
		return err
	}
	var terms [][]string
	seen := make(map[string]bool)
	for _, t := range g.themes {
		terms = append(terms, t.Terms)
		for _, text := range append([]string{t.Label}, t.Terms...) {
			for _, word := range keyword.Words(text) {
				if len(keyword.Terms(word)) == 0 {
					f.StopWords++
				}
			}
		}
		if seen[t.Label] {
			f.RepeatedNames++
		}
		seen[t.Label] = true
	}
	every := make([]int32, len(ev.c.papers))
	for i := range every {
		every[i] = int32(i)
	}
	texts, err := ev.c.texts(ctx, every)
	if err != nil {
		return err
	}
	f.NPMI, f.Diversity = cluster.Coherence(texts, terms), cluster.Diversity(terms)
	return nil
}

// itemsOf are the items of each theme.
func itemsOf(labels []int32, k int) [][]uint32 {
	items := make([][]uint32, k)
	for i, label := range labels {
		if label >= 0 {
			items[label] = append(items[label], uint32(i))
		}
	}
	return items
}

// keptIDs is the share of the older themes that are still there.
func keptIDs(old, new [][]uint32) float64 {
	kept := 0
	for _, o := range cluster.Match(old, new) {
		if o >= 0 {
			kept++
		}
	}
	return float64(kept) / float64(max(1, len(old)))
}

// meanAgreement is the mean adjusted Rand index of all pairs of divisions.
func meanAgreement(divisions [][]int32) float64 {
	sum, pairs := 0.0, 0.0
	for a := range divisions {
		for b := range a {
			sum += cluster.AdjustedRand(divisions[a], divisions[b])
			pairs++
		}
	}
	return sum / pairs
}
