package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/cluster"
	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/internal/store"
)

// Themes groups the collection and names the groups. Papers without a vector are left
// out, and that is told.
func (e *Engine) Themes(ctx context.Context, req ThemesRequest) (*Themes, error) {
	defer e.begin()()
	t, err := e.themes(ctx, req)
	if err != nil {
		return nil, explain(err)
	}
	return t, nil
}

// themed is the papers that are grouped; item i is papers[i] and row i of vectors.
type themed struct {
	papers  []*store.Paper
	texts   []string
	vectors []float32
	dim     int
}

func (e *Engine) themes(ctx context.Context, req ThemesRequest) (*Themes, error) {
	switch {
	case req.K < 0:
		return nil, usagef("-k is 1 or more", "%d themes are asked for", req.K)
	case req.Levels < 0 || req.Levels > 2:
		return nil, usagef("--levels is 1 or 2", "%d levels are asked for", req.Levels)
	}
	c, err := e.themed(ctx)
	if err != nil {
		return nil, err
	}
	if n := len(c.papers); req.K > n {
		e.warn("the collection has %d papers, so there are %d themes at most, not %d", n, n, req.K)
		req.K = n
	}
	near, err := e.neighbours(ctx, c)
	if err != nil {
		return nil, err
	}
	r, err := cluster.Themes(ctx, c.vectors, c.dim, cluster.Options{
		K: req.K, Levels: req.Levels, Seed: req.Seed, Workers: e.workers(), Neighbours: near,
		Progress: func(done, total int) {
			e.progress(Progress{Stage: "grouping", Done: done, Total: total, Unit: "steps"})
		},
	})
	if err != nil {
		return nil, err
	}
	if !r.ClearStructure && req.K == 0 {
		e.warn("the collection has no clear structure: its groups are no clearer than chance would make them")
	}
	t := &Themes{K: r.K, ChosenBy: r.ChosenBy, Reason: r.Reason, Stability: r.Stability, Themes: []Theme{}}
	if t.ChosenBy == "caller" {
		t.ChosenBy = "user"
	}
	for level := range r.Levels {
		if err := t.addLevel(c, r, level); err != nil {
			return nil, err
		}
	}
	return t, nil
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
	c := &themed{dim: m.Dim}
	var ns []uint32
	err = sh.Vectors(ctx, func(n uint32, v []float32) error {
		ns = append(ns, n)
		c.vectors = append(c.vectors, v...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	at, without := 0, 0
	err = sh.Each(ctx, func(p *store.Paper) error {
		for at < len(ns) && ns[at] < p.N {
			at++
		}
		if at == len(ns) || ns[at] != p.N {
			without++
			return nil
		}
		c.papers = append(c.papers, p)
		c.texts = append(c.texts, p.Fields.Text())
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(c.papers) != len(ns) {
		return nil, fmt.Errorf("grouping: the library changed meanwhile: %d papers, %d vectors", len(c.papers), len(ns))
	}
	if len(c.papers) == 0 {
		return nil, errNotEncoded
	}
	if without > 0 {
		e.warn("%d papers are not encoded yet and are left out: akin add, without a path, encodes them", without)
	}
	return c, nil
}

// neighbours asks the graph for the neighbours of items, where there is one: computing
// them all exactly takes the square of their number. nil leaves it to the clustering.
func (e *Engine) neighbours(ctx context.Context, c *themed) (func(item, m int) []uint32, error) {
	ix, err := e.vectors(ctx)
	if err != nil || ix.method(e.cfg.Exact) == "exact" {
		return nil, err
	}
	item := make(map[uint32]uint32, len(c.papers))
	for i, p := range c.papers {
		item[p.N] = uint32(i)
	}
	return func(i, m int) []uint32 {
		hits, err := ix.nearest(c.vectors[i*c.dim:(i+1)*c.dim], index.SearchOptions{K: m + 1})
		if err != nil { // a stored vector can be searched for
			panic("engine: " + err.Error())
		}
		near := make([]uint32, 0, m)
		for _, h := range hits {
			if j, ok := item[h.ID]; ok && j != uint32(i) && len(near) < m {
				near = append(near, j)
			}
		}
		return near
	}, nil
}

// addLevel names the themes of one level. The ids are t1, t2 … and t1.1, t1.2 … below.
func (t *Themes) addLevel(c *themed, r *cluster.Result, level int) error {
	l := r.Levels[level]
	opts := cluster.NameOptions{Fits: make([]float32, len(l.Themes))}
	labels := make([]int32, len(l.Items))
	for i, m := range l.Items {
		labels[i] = m.Theme
	}
	for i, th := range l.Themes {
		opts.Fits[i] = th.Fit
		if level > 0 {
			opts.Parents = append(opts.Parents, int32(th.Parent))
		}
	}
	names, err := cluster.Names(c.texts, labels, len(l.Themes), opts)
	if err != nil {
		return err
	}
	list := make([]Theme, len(l.Themes))
	children := make(map[int]int)
	for i, th := range l.Themes {
		list[i] = Theme{ID: fmt.Sprintf("t%d", i+1), Label: names[i].Label, Terms: names[i].Terms, Size: th.Size, Representatives: []string{}, Papers: []ThemePaper{}}
		if list[i].Terms == nil {
			list[i].Terms = []string{}
		}
		if th.Parent >= 0 {
			children[th.Parent]++
			list[i].Parent = fmt.Sprintf("t%d", th.Parent+1)
			list[i].ID = fmt.Sprintf("%s.%d", list[i].Parent, children[th.Parent])
		}
		for _, item := range th.Representatives {
			list[i].Representatives = append(list[i].Representatives, c.papers[item].ID)
		}
	}
	for item, m := range l.Items {
		p := c.papers[item]
		th := &list[m.Theme]
		th.Papers = append(th.Papers, ThemePaper{ID: p.ID, Keys: p.Keys(), Fit: float64(m.Fit)})
	}
	for i := range list { // the clearest first, whatever the order of the library
		slices.SortFunc(list[i].Papers, func(a, b ThemePaper) int {
			return cmp.Or(cmp.Compare(b.Fit, a.Fit), strings.Compare(a.ID, b.ID))
		})
	}
	t.Themes = append(t.Themes, list...)
	return nil
}
