package keyword

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"github.com/seed-9f29d379/akin/internal/mapped"
)

const (
	// maxTerms is how many different words of a query are ranked by, the most telling
	// ones: a page of pasted text costs no more than a long abstract.
	maxTerms = 256
	// workerPostings is how many postings are worth another worker: a fifth of a millisecond.
	workerPostings = 50_000
	// workerLookups is how many look-ups of a document in a list are.
	workerLookups = 2_000
	// unit is the fixed-point one of scores: 2^-32 of BM25 is far below what ranks.
	unit = 1 << 32
)

// Hit is a document and its BM25 score.
type Hit struct {
	ID    uint32
	Score float64
}

// Contribution is one term's part of a document's score. Weight is the term's inverse
// document frequency, times how often the query holds it.
type Contribution struct {
	Term   string
	Weight float64
	Score  float64
}

// Ranker searches segments as one collection. It is safe for concurrent use.
type Ranker struct {
	segments []*Segment
	docs     int     // documents with words or without
	average  float32 // words a document
	impacts  impacts
	workers  int
}

// NewRanker joins segments, whose documents must differ in their numbers. A search for
// many words may use so many workers; the answers do not depend on their number.
func NewRanker(workers int, segments ...*Segment) *Ranker {
	segments = slices.Clone(segments)
	slices.SortFunc(segments, func(x, y *Segment) int { return cmp.Compare(x.base, y.base) })
	r := &Ranker{segments: segments, average: 1, workers: max(workers, 1)}
	var words uint64
	for _, s := range segments {
		r.docs += s.docs
		words += s.words
	}
	if words > 0 {
		r.average = float32(float64(words) / float64(r.docs))
	}
	r.impacts = newImpacts(r.average)
	return r
}

// weighted is a term of a query: its lists, one a segment, and its weight.
type weighted struct {
	term   string
	lists  []list
	weight float64
}

// weigh finds the terms of a query that some document holds, the heaviest first. The
// weight is Lucene's form of the inverse document frequency, which is never negative:
// ln(1 + (N − df + ½) / (df + ½)).
func (r *Ranker) weigh(query []string) []weighted {
	count := map[string]int{}
	var ws []weighted
	for _, term := range query {
		if count[term]++; count[term] > 1 {
			continue
		}
		w := weighted{term: term, lists: make([]list, len(r.segments))}
		df := 0
		for i, s := range r.segments {
			w.lists[i] = s.find(term)
			df += w.lists[i].df
		}
		if df > 0 {
			w.weight = math.Log1p((float64(r.docs-df) + .5) / (float64(df) + .5))
			ws = append(ws, w)
		}
	}
	for i := range ws {
		ws[i].weight *= float64(count[ws[i].term])
	}
	slices.SortFunc(ws, func(x, y weighted) int {
		return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.term, y.term))
	})
	return ws[:min(len(ws), maxTerms)]
}

// Search returns the k documents of the highest score for the terms of a query (see
// Terms), best first, ties in ascending order of number; documents that hold none are
// not returned. allow, if not nil, is a bitmap: document id may be returned if bit id
// is set in it.
//
// It goes through the documents in windows. In each, the terms whose bounds together
// cannot reach the k-th best score so far are looked up only for documents that
// others have raised near it (MaxScore: Turtle and Flood, 1995; with the bounds of the
// window's own blocks: Ding and Suel, 2011; in windows: Lucene's bulk scorer).
func (r *Ranker) Search(query []string, k int, allow []uint64) []Hit {
	if k <= 0 || r.docs == 0 {
		return nil
	}
	ws := r.weigh(query)
	floor := new(atomic.Int64)
	var found []*top
	var group mapped.Group
	for i, s := range r.segments {
		// A list's bounds were made with its own segment's average length. With a
		// longer average an impact grows by at most the quotient of the two.
		own := float32(1)
		if s.words > 0 {
			own = float32(float64(s.words) / float64(s.docs))
		}
		slack := float64(max(1, r.average/own)) * (1 + 1e-6)
		postings := 0
		for _, term := range ws {
			postings += term.lists[i].df
		}
		parts := min(r.workers, postings/workerPostings+1)
		all := (s.docs + window - 1) / window
		for part := range parts {
			top := &top{k: min(k, r.docs), others: floor}
			found = append(found, top)
			w := &windows{
				scorer: r.scorer(s), sums: make([]int64, window), allow: allow, top: top,
				first: uint32(part * all / parts * window), end: uint32(min((part+1)*all/parts*window, s.docs)),
			}
			for _, term := range ws {
				if l := term.lists[i]; l.df > 0 {
					w.cursors = append(w.cursors, &cursor{
						list: l, scale: term.weight * unit, slack: slack * term.weight * unit,
						sparse: l.df/sparseShare < s.docs/window,
					})
				}
			}
			group.Go(w.scan)
		}
	}
	group.Wait()
	return merge(found, k)
}

// Scores returns the scores of the given documents, 0 for one that holds no term.
func (r *Ranker) Scores(query []string, ids []uint32) []float64 {
	scores := make([]float64, len(ids))
	ws := r.weigh(query)
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return cmp.Compare(ids[x], ids[y]) })
	// Neighbours are scored by one worker: they may be in one block.
	parts := min(r.workers, len(ids)*len(ws)/workerLookups+1)
	var group mapped.Group
	for part := range parts {
		some := order[part*len(order)/parts : (part+1)*len(order)/parts]
		group.Go(func() { r.lookUp(ws, ids, some, scores) })
	}
	group.Wait()
	return scores
}

// lookUp scores the documents ids[at] for each at, which are in ascending order.
func (r *Ranker) lookUp(ws []weighted, ids []uint32, places []int, scores []float64) {
	for i, s := range r.segments {
		scorer := r.scorer(s)
		for _, w := range ws {
			c := cursor{list: w.lists[i], scale: w.weight * unit}
			for _, at := range places {
				if id := ids[at]; id >= s.base && int(id-s.base) < s.docs {
					scores[at] += float64(c.score(scorer, id-s.base))
				}
			}
		}
	}
	for _, at := range places {
		scores[at] /= unit
	}
}

// Explain returns what each term of the query adds to a document's score, the most
// first.
func (r *Ranker) Explain(query []string, id uint32) []Contribution {
	var parts []Contribution
	for _, w := range r.weigh(query) {
		for i, s := range r.segments {
			if id < s.base || int(id-s.base) >= s.docs {
				continue
			}
			c := cursor{list: w.lists[i], scale: w.weight * unit}
			if score := c.score(r.scorer(s), id-s.base); score > 0 {
				parts = append(parts, Contribution{w.term, w.weight, float64(score) / unit})
			}
		}
	}
	slices.SortStableFunc(parts, func(x, y Contribution) int { return cmp.Compare(y.Score, x.Score) })
	return parts
}

// ScoreText returns the score that a text outside the collection would have in it.
func (r *Ranker) ScoreText(query []string, text string) float64 {
	words := Terms(text)
	tf := make(map[string]int, len(words))
	for _, w := range words {
		tf[w]++
	}
	var sum int64
	for _, w := range r.weigh(query) {
		if n := tf[w.term]; n > 0 {
			sum += fixed(w.weight*unit, impact(float32(n), float32(len(words)), r.average))
		}
	}
	return float64(sum) / unit
}

// Holding calls yield with each document that holds all of terms, in ascending order
// of numbers; no terms are held by none.
func (r *Ranker) Holding(terms []string, yield func(id uint32)) {
	if len(terms) == 0 {
		return
	}
	for _, s := range r.segments {
		cs := make([]*cursor, len(terms))
		for i, term := range terms {
			cs[i] = &cursor{list: s.find(term)}
		}
		// The rarest leads: the others are asked only for its documents.
		slices.SortStableFunc(cs, func(x, y *cursor) int { return cmp.Compare(x.list.df, y.list.df) })
		lead := cs[0]
		for i := 0; i < lead.list.blocks() && lead.load(i); i++ {
			for _, doc := range lead.blk.docs[:lead.blk.n] {
				if !slices.ContainsFunc(cs[1:], func(c *cursor) bool { return !c.has(doc) }) {
					yield(s.base + doc)
				}
			}
		}
	}
}
