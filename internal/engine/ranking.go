package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/internal/keyword"
	"github.com/seed-9f29d379/akin/internal/mapped"
	"github.com/seed-9f29d379/akin/internal/store"
	"github.com/seed-9f29d379/akin/internal/vec"
)

const (
	// slack is how many more candidates are looked at than are shown, for twins and for
	// papers that were removed a moment ago.
	slack = 8
	// fusedDepth is how many candidates a hybrid search takes of each half at least:
	// more change no figure on judged queries (docs/benchmarks/search.md).
	fusedDepth = 200
	// mostWanted results are more than there are papers; what is reckoned from it is a
	// number of 32 bits.
	mostWanted = 1 << 28
	// diverseDepth candidates a result are compared when results are to differ.
	diverseDepth = 5
	// denseBreadth is the breadth of a walk whose answer nothing else completes: of a million
	// generated papers it finds .999 of the ten nearest, 256 finds .990, 64 finds .90; it
	// takes 5 ms (docs/benchmarks/search.md).
	denseBreadth = 512
)

// scored is a paper of an answer.
type scored struct {
	*store.Paper
	candidate
}

// results finds w.N papers, best first. The papers that were named are left out, and of
// several forms of one work the best is shown. The forms of what is to be avoided are left
// out as well.
func (e *Engine) results(ctx context.Context, sh shelf, w *wanted) ([]Result, error) {
	named := append(slices.Clone(w.like), w.unlike...)
	avoided, err := sh.Papers(ctx, numbersIn(w.unlike))
	if err != nil {
		return nil, err
	}
	if err := e.tellAvoided(ctx, sh, avoided); err != nil {
		return nil, err
	}
	want := min(w.N, mostWanted)
	switch {
	case w.Diversity > 0:
		want *= diverseDepth
	case w.Rerank:
		want = max(want, rerankDepth)
	}
	depth := want + len(named) + slack
	if w.Mode == modeHybrid {
		depth = max(depth, fusedDepth)
	}
	pick := picker{sh: sh, named: numbersIn(named), avoided: avoided, enough: want, everyForm: w.everyForm}
	for ; ; depth *= 2 {
		list, more, err := e.candidates(ctx, w, depth)
		if err != nil {
			return nil, err
		}
		order(list, w.Mode)
		ranked, passed, err := pick.distinct(ctx, list)
		if err != nil {
			return nil, err
		}
		if len(ranked) < want && more {
			continue
		}
		switch {
		case w.Diversity > 0:
			ranked, err = e.diverse(ctx, ranked, w.Diversity)
		case w.Rerank:
			err = e.rerank(ctx, w, ranked)
		}
		if err != nil {
			return nil, err
		}
		ranked = ranked[:min(w.N, len(ranked))]
		results := make([]Result, len(ranked))
		papers := make([]*store.Paper, len(ranked))
		for i, r := range ranked {
			results[i] = result(i+1, r, w)
			papers[i] = r.Paper
		}
		if w.everyForm {
			papers = nil
		}
		same, err := duplicatesOf(ctx, sh, papers, passed)
		if err != nil {
			return nil, err
		}
		same.first(w.like)
		for i, p := range papers {
			results[i].Duplicates, results[i].DuplicateCount = same.of(p.N)
		}
		if w.Explain {
			if err := e.explain(ctx, sh, w, ranked, results); err != nil {
				return nil, err
			}
		}
		return results, nil
	}
}

// candidates returns the papers that the query's lists find down to some depth, with
// their scores in each; more says that a list goes on below it.
func (e *Engine) candidates(ctx context.Context, w *wanted, depth int) (list []candidate, more bool, err error) {
	var near []index.Hit
	var hits []keyword.Hit
	var beside mapped.Group
	defer beside.Wait()
	if w.words != nil {
		beside.Go(func() { hits = w.words.search(w.terms, depth, w.docs) })
	}
	if w.in != nil {
		opts := index.SearchOptions{K: depth, Allow: w.among(), Exact: e.cfg.Exact}
		if w.words == nil {
			opts.Ef = denseBreadth
		}
		near, err = w.in.nearest(w.direction, opts)
	}
	beside.Wait()
	if err != nil {
		return nil, false, err
	}
	at := make(map[uint32]int) // a paper's place in list
	more = len(near) == depth
	for _, h := range near {
		at[h.ID] = len(list)
		list = append(list, candidate{n: h.ID, dense: float64(h.Score)})
	}
	if w.words == nil {
		return list, more, nil
	}
	dense := len(list)
	more = more || len(hits) == depth
	onlyWords := new(index.Set)
	for _, h := range hits {
		if i, ok := at[h.ID]; ok {
			list[i].keyword = h.Score
			continue
		}
		at[h.ID] = len(list)
		list = append(list, candidate{n: h.ID, keyword: h.Score})
		onlyWords.Add(h.ID)
	}
	if w.in == nil {
		return list, more, nil
	}
	// What only one list has found gets its score in the other.
	var ns []uint32
	for _, c := range list[:dense] {
		if c.keyword == 0 {
			ns = append(ns, c.n)
		}
	}
	var scores []float64
	beside.Go(func() { scores = w.words.scores(w.terms, ns) })
	if onlyWords.Len() > 0 {
		near, err = w.in.nearest(w.direction, index.SearchOptions{K: onlyWords.Len(), Allow: onlyWords, Exact: e.cfg.Exact})
		for _, h := range near {
			list[at[h.ID]].dense = float64(h.Score)
		}
	}
	beside.Wait()
	if err != nil {
		return nil, false, err
	}
	for i, score := range scores {
		list[at[ns[i]]].keyword = score
	}
	return list, more, e.addSentences(ctx, w, list)
}

// picker reads the papers of candidates.
type picker struct {
	sh      shelf
	named   []uint32       // these are left out
	avoided []*store.Paper // these, and what may be the same work, are left out
	enough  int

	everyForm bool // of what may be one work each is kept
}

// distinct reads papers, best first, until there are enough: of those that may be one work
// the best, and with its number what was passed over for it. Equal scores are ordered by
// id, so that the order in which papers were added does not show.
func (k *picker) distinct(ctx context.Context, list []candidate) ([]scored, duplicates, error) {
	var forms store.Forms
	for _, p := range k.avoided {
		forms.Add(p)
	}
	named := make(map[uint32]bool, len(k.named))
	for _, n := range k.named {
		named[n] = true
	}
	var kept []scored
	passed := make(duplicates)
	for some := range slices.Chunk(list, k.enough+len(k.named)+slack) {
		ns := make([]uint32, 0, len(some))
		of := make(map[uint32]candidate, len(some))
		for _, c := range some {
			if !named[c.n] {
				ns, of[c.n] = append(ns, c.n), c
			}
		}
		papers, err := k.sh.Papers(ctx, ns)
		if err != nil {
			return nil, nil, err
		}
		slices.SortStableFunc(papers, func(a, b *store.Paper) int {
			return cmp.Or(cmp.Compare(of[b.N].score, of[a.N].score), strings.Compare(a.ID, b.ID))
		})
		for _, p := range papers {
			if better := forms.Of(p); len(better) > 0 && !k.everyForm {
				n := better[0].N
				passed[n] = append(passed[n], store.Twin{N: p.N, ID: p.ID, Reason: store.Doubt(p, better[0])})
				continue
			}
			forms.Add(p)
			kept = append(kept, scored{p, of[p.N]})
		}
		if len(kept) >= k.enough {
			break
		}
	}
	return kept, passed, nil
}

func numbersIn(list []store.Match) []uint32 {
	ns := make([]uint32, len(list))
	for i, m := range list {
		ns[i] = m.N
	}
	return ns
}

// diverse reorders results so that the first ones differ.
func (e *Engine) diverse(ctx context.Context, list []scored, diversity float64) ([]scored, error) {
	scores := make([]float64, len(list))
	ns := make([]uint32, len(list))
	for i, s := range list {
		ns[i] = s.N
		if top := list[0].score; top > 0 {
			scores[i] = s.score / top
		}
	}
	vectors, err := e.vectorsAt(ctx, ns)
	if err != nil {
		return nil, err
	}
	out := make([]scored, len(list))
	for to, from := range diversify(scores, vectors, diversity, vec.Dot) {
		out[to] = list[from]
	}
	return out, nil
}
