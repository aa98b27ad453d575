package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-9f29d379/akin/cluster"
	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/store"
)

// ThemesRequest asks for the themes of the collection. A library keeps its themes: they
// are found again where something else is asked for than they were found with, where
// more than a tenth of the papers came, changed or went since, and with Fresh.
type ThemesRequest struct {
	K      int     // 0: as before; at first, and with Fresh, chosen
	Levels int     // 1 or 2; 0: as before; at first, and with Fresh, 1
	Seed   *uint64 // nil: as before; at first, and with Fresh, 0
	Fresh  bool
}

// Themes groups the collection and names the groups; a library keeps them, and what has
// changed is in the answer. Papers without a vector are left out, and that is told.
func (e *Engine) Themes(ctx context.Context, req ThemesRequest) (_ *Themes, err error) {
	defer e.begin(&err)()
	t, err := e.themes(ctx, req)
	if err != nil {
		return nil, explain(err)
	}
	return t, nil
}

func (e *Engine) themes(ctx context.Context, req ThemesRequest) (*Themes, error) {
	g, err := e.grouping(ctx, req)
	if err != nil {
		return nil, err
	}
	return e.present(ctx, g)
}

// grouping returns the themes: of a library those that it keeps, found again where that
// is due, kept then, and with what has changed. Whoever shows them shows that too, and
// knows before that they can be shown: what fails must leave the themes as they were.
func (e *Engine) grouping(ctx context.Context, req ThemesRequest) (*grouping, error) {
	switch {
	case req.K < 0:
		return nil, usagef("-k is 1 or more", "%d themes are asked for", req.K)
	case req.Levels < 0 || req.Levels > 2:
		return nil, usagef("--levels is 1 or 2", "%d levels are asked for", req.Levels)
	}
	sh, err := e.papers(ctx)
	if err != nil {
		return nil, err
	}
	lib, ok := sh.(*store.Library)
	if !ok {
		asked, err := e.asked(req, store.Division{}, len(sh.(*seedShelf).papers))
		if err != nil {
			return nil, err
		}
		return e.group(ctx, asked)
	}
	same, now, err := lib.Drift(ctx)
	if err != nil {
		return nil, err
	}
	d, kept, err := lib.Division(ctx)
	if err != nil {
		return nil, err
	}
	asked, err := e.asked(req, d, now)
	if err != nil {
		return nil, err
	}
	if kept && !req.Fresh && asked == settingsOf(d) && !drifted(d, same, now) {
		joined, err := e.joinHere(ctx, lib)
		if err != nil {
			return nil, err
		}
		g, err := e.readKept(ctx, lib)
		if err != nil {
			return nil, err
		}
		g.joined = joined
		return g, nil
	}
	g, err := e.group(ctx, asked)
	if err != nil {
		return nil, err
	}
	g.changes, err = e.keep(ctx, lib, g)
	return g, err
}

// readKept reads the themes that a library keeps, and tells of papers that they leave out.
func (e *Engine) readKept(ctx context.Context, lib *store.Library) (*grouping, error) {
	g, err := readGrouping(ctx, lib)
	if err != nil {
		return nil, err
	}
	_, err = e.tellUnencoded(ctx, leftOut)
	return g, err
}

// settings are how themes are found.
type settings struct {
	k, levels int
	seed      uint64
}

func settingsOf(d store.Division) settings { return settings{d.Asked, d.Levels, d.Seed} }

// asked completes a request with how the themes were found last; n is the number of
// vectors.
func (e *Engine) asked(req ThemesRequest, last store.Division, n int) (settings, error) {
	s := settings{levels: 1}
	if !req.Fresh && last.Levels > 0 {
		s = settingsOf(last)
	}
	if req.K > 0 {
		s.k = req.K
	}
	if req.Levels > 0 {
		s.levels = req.Levels
	}
	if req.Seed != nil {
		s.seed = *req.Seed
	}
	if n == 0 {
		return s, errNotEncoded
	}
	if req.K > n {
		e.warn("the collection has %s, so there %s %s at most, not %s", number.Of(n, "paper"), number.Pick(n, "is", "are"), number.Of(n, "theme"), number.Grouped(req.K))
	}
	return s, nil
}

// A library has drifted from its themes when more than one in driftShare of its papers
// came, changed or went since they were found.
const driftShare = 10

func drifted(d store.Division, same, now int) bool {
	return (d.Papers-same)+(now-same) > max(d.Papers, now)/driftShare
}

// themed is the papers that are grouped; item i is papers[i] and row i of vectors. Their
// texts stay where they are until it is known which are read.
type themed struct {
	shelf   shelf
	papers  []uint32
	ids     []string
	rows    []int64  // of their vectors in the library
	keys    []uint64 // of their texts
	vectors []float32
	dim     int
	seq     int64 // the last change that they know

	fingerprint string // of the vectors
}

// themed reads what is grouped.
func (e *Engine) themed(ctx context.Context) (*themed, error) {
	sh, err := e.papers(ctx)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	m, err := e.vectorModel(ctx)
	e.mu.Unlock()
	if err != nil {
		return nil, err
	}
	c := &themed{shelf: sh, dim: m.Dim, fingerprint: m.Fingerprint}
	if err := c.readVectors(ctx); err != nil {
		return nil, err
	}
	at := 0
	err = sh.Each(ctx, func(p *store.Paper) error {
		for at < len(c.papers) && c.papers[at] < p.N {
			at++
		}
		if at == len(c.papers) || c.papers[at] != p.N {
			return nil
		}
		c.ids = append(c.ids, p.ID)
		c.keys = append(c.keys, cluster.TextKey(p.Fields.Text()))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(c.papers) != len(c.ids) {
		return nil, fmt.Errorf("grouping: the library changed meanwhile: %s, %s", number.Of(len(c.ids), "paper"), number.Of(len(c.papers), "vector"))
	}
	if len(c.papers) == 0 {
		return nil, errNotEncoded
	}
	_, err = e.tellUnencoded(ctx, leftOut)
	return c, err
}

// readVectors reads the vectors and whose they are.
func (c *themed) readVectors(ctx context.Context) error {
	take := func(n uint32, row int64, v []float32) error {
		c.papers, c.rows = append(c.papers, n), append(c.rows, row)
		c.vectors = append(c.vectors, v...)
		return nil
	}
	lib, ok := c.shelf.(*store.Library)
	if !ok {
		return c.shelf.Vectors(ctx, func(n uint32, v []float32) error { return take(n, 0, v) })
	}
	counts, err := lib.Counts(ctx)
	if err != nil {
		return err
	}
	c.vectors = make([]float32, 0, counts.Vectors*c.dim)
	if c.seq, err = lib.Seq(ctx); err != nil {
		return err
	}
	return lib.VectorRows(ctx, take)
}

// texts are the texts of the given items, each in the place of its item; the others are empty.
func (c *themed) texts(ctx context.Context, items []int32) ([]string, error) {
	texts := make([]string, len(c.papers))
	for part := range slices.Chunk(items, textsAtOnce) {
		ns, item := make([]uint32, len(part)), make(map[uint32]int32, len(part))
		for at, i := range part {
			ns[at], item[c.papers[i]] = c.papers[i], i
		}
		papers, err := c.shelf.Papers(ctx, ns)
		if err != nil {
			return nil, err
		}
		for _, p := range papers {
			texts[item[p.N]] = p.Fields.Text()
		}
	}
	return texts, nil
}

// textsAtOnce bounds what is read besides the texts.
const textsAtOnce = 1000

// group groups the collection and names the groups. Themes are numbered from 1.
func (e *Engine) group(ctx context.Context, s settings) (*grouping, error) {
	if err := e.indexFirst(ctx); err != nil {
		return nil, err
	}
	c, err := e.themed(ctx)
	if err != nil {
		return nil, err
	}
	near, err := e.neighbours(ctx, c)
	if err != nil {
		return nil, err
	}
	if lib, ok := c.shelf.(*store.Library); ok {
		lib.Rest()
	}
	r, err := cluster.Themes(ctx, c.vectors, c.dim, cluster.Options{
		K: s.k, Levels: s.levels, Seed: s.seed, Workers: e.workers(), Neighbours: near,
		Progress: func(done, total int) {
			e.progress(Progress{Stage: "grouping", Done: done, Total: total, Unit: "steps"})
		},
	})
	if err != nil {
		return nil, err
	}
	g := &grouping{Division: store.Division{
		Asked: s.k, Levels: s.levels, Seed: s.seed, K: r.K, ChosenBy: chosenBy(r), Reason: r.Reason, Stability: r.Stability,
		Clear: r.ClearStructure, Papers: len(c.papers), Joined: c.seq, Next: 1,
	}}
	for level := range r.Levels {
		words, err := e.wording(ctx, c, r.Levels[level])
		if err != nil {
			return nil, err
		}
		if err := g.addLevel(c, r, level, words); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// chosenBy says who chose the number of themes, in the words of the command line.
func chosenBy(r *cluster.Result) string {
	if r.ChosenBy == cluster.ByCaller {
		return "user"
	}
	return r.ChosenBy
}

// wording is what the themes of a level are named from.
type wording struct {
	labels []int32  // of each item
	texts  []string // of those that are read
	near   meaning
}

func (e *Engine) wording(ctx context.Context, c *themed, l cluster.Level) (wording, error) {
	w := wording{labels: make([]int32, len(l.Items))}
	for i, m := range l.Items {
		w.labels[i] = m.Theme
	}
	var err error
	if w.near, err = e.termNearness(ctx, c, l); err != nil {
		return wording{}, err
	}
	w.texts, err = c.texts(ctx, cluster.ToRead(c.keys, w.labels, len(l.Themes)))
	return w, err
}

// addLevel names the themes of one level and places the papers.
func (g *grouping) addLevel(c *themed, r *cluster.Result, level int, words wording) error {
	l := r.Levels[level]
	opts := cluster.NameOptions{Fits: make([]float32, len(l.Themes)), Nearness: words.near.toGroups,
		PaperNearness: words.near.toPapers, TermNearness: words.near.toTerms, Above: g.broadLabels(level)}
	for i, th := range l.Themes {
		opts.Fits[i] = th.Fit
		if level > 0 {
			opts.Parents = append(opts.Parents, int32(th.Parent))
		}
	}
	names, err := cluster.Names(words.texts, words.labels, len(l.Themes), opts)
	if err != nil {
		return err
	}
	numbered := g.numbers(l)
	rank := make(map[uint32]int)
	for i, th := range l.Themes {
		if numbered[i] == 0 {
			continue
		}
		kept := store.Theme{N: numbered[i], Level: level + 1, Label: names[i].Label, Terms: names[i].Terms, Reach: float64(th.Reach)}
		if th.Parent >= 0 {
			kept.Parent = int64(th.Parent) + 1
		}
		g.themes = append(g.themes, kept)
		for at, item := range th.Representatives {
			rank[item] = at + 1
		}
	}
	for item, m := range l.Items {
		if numbered[m.Theme] == 0 {
			continue
		}
		p := store.Placement{Paper: c.papers[item], Theme: numbered[m.Theme], Vector: c.rows[item], Fit: float64(m.Fit), Rank: rank[uint32(item)]}
		if m.Next >= 0 {
			p.Next = numbered[m.Next]
		}
		g.placements = append(g.placements, p)
	}
	g.order()
	return nil
}

// numbers gives the themes of a level their numbers; 0 where a theme of the level above
// was not divided, and would be said twice.
func (g *grouping) numbers(l cluster.Level) []int64 {
	parts := make(map[int]int)
	for _, th := range l.Themes {
		parts[th.Parent]++
	}
	numbers := make([]int64, len(l.Themes))
	for i, th := range l.Themes {
		if th.Parent >= 0 && parts[th.Parent] == 1 {
			continue
		}
		numbers[i] = g.Next
		g.Next++
	}
	return numbers
}

// broadLabels are the labels of the themes above a level, by their number; nil of the first.
func (g *grouping) broadLabels(level int) []string {
	if level == 0 {
		return nil
	}
	labels := make([]string, g.Next-1)
	for _, th := range g.themes {
		labels[th.N-1] = th.Label
	}
	return labels
}

// unavailable reports whether a library cannot be written at the moment, or at all.
func unavailable(err error) bool {
	_, locked := errors.AsType[*store.LockedError](err)
	return locked || errors.Is(err, store.ErrReadOnly)
}
