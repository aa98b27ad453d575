package cluster

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// Options are the choices of [Themes]; the zero value works.
type Options struct {
	K       int    // themes of the top level; 0: chosen from the collection
	Levels  int    // 2: each theme is divided again where it can be; 0 and 1: one level
	Seed    uint64 // another seed, other draws
	Workers int    // goroutines; 0: as many as processors
	// Neighbours returns up to m items near the given one, nearest first; items are
	// numbered as in vectors, and the item itself may be among them. It is called from
	// several goroutines. An index answers it at once; nil: exact neighbours are
	// computed, O(n² dim).
	Neighbours func(item, m int) []uint32
	// Progress, if not nil, is told how much of the work is done. Calls do not overlap.
	Progress func(done, total int)
}

// Who chose the number of themes.
const (
	ByCaller    = "caller"    // it was asked for
	ByStructure = "structure" // of the collection
	BySize      = "size"      // the collection is too small to be divided
)

// Result is a collection in themes.
type Result struct {
	K              int     // themes of the top level
	ChosenBy       string  // [ByCaller], [ByStructure] or [BySize]
	Reason         string  // why K, in words for a person
	Stability      float64 // mean adjusted Rand index of single runs with the themes, at most 1
	ClearStructure bool    // false: the groups are hardly clearer than in noise of the same shape
	Levels         []Level // one, or two
}

// Level is one division of all items.
type Level struct {
	Themes []Theme
	Items  []Membership // of each item of the input
}

// Theme is a group of items. Themes are in the order of their parents, then by size.
type Theme struct {
	Size            int
	Parent          int      // its theme in the level above; -1 at the top
	Representatives []uint32 // up to 3 items: the most central one, and two that differ from it
	Fit             float32  // mean fit of its items
	// Reach is the least mean cosine with its five nearest items of an item that fits: of
	// the theme's own, two in a hundred are farther off. [Vote] needs it.
	Reach float32
}

// Membership is where an item belongs.
type Membership struct {
	Theme int32
	// Fit, 0 to 1, is how much more often the item is together with its own theme than
	// with the next best one; below [Between] it lies between the two.
	Fit  float32
	Next int32 // the next best theme; -1 where there is one theme only
}

// Between is the fit below which an item lies between two themes: of such items one
// in eight keeps its theme when a tenth of the collection changes, of others most.
const Between = 0.2

// When a collection, or a theme of two levels, is divided unasked.
const (
	fewestToDivide    = 8  // distinct items
	fewestToDivideSub = 30 // of a theme
	mostSubThemes     = 8
	rowsPerSubTheme   = 10
)

// Themes groups items by their vectors ([n, dim], one after the other): vectors blurred
// over their nearest neighbours, 60 or 240 runs of k-means on parts of the collection, and
// the groups on which the runs agree. The steps and their sources are in the package's
// documentation.
//
// The same vectors give the same themes whatever their order and the number of workers;
// equal vectors are always in one theme. Small collections are not divided unless asked,
// K beyond the number of distinct vectors is cut down and Reason says so, no vectors
// give no themes. An error means numbers that are not finite or lengths that do not fit
// together, nonsensical options, or that ctx has ended.
//
// Cost: O(n² dim) for exact neighbours, unless Neighbours answers; O(runs rounds s k dim)
// for the runs (60; 240 for 150 to 6,000 items) on a sample of s ≤ 8,000, O(runs n k dim)
// to let all vote; to choose k the same on 3,000 for up to 26 numbers. Memory: the vectors a
// second time, about 1 KB an item besides, and 64 MB. vectors must not change meanwhile.
func Themes(ctx context.Context, vectors []float32, dim int, opts Options) (*Result, error) {
	if opts.K < 0 {
		return nil, fmt.Errorf("finding themes: k is %d: want 0 (choose) or more", opts.K)
	}
	if opts.Levels < 0 || opts.Levels > 2 {
		return nil, fmt.Errorf("finding themes: %d levels: want 1 or 2", opts.Levels)
	}
	c, err := collect(vectors, dim)
	if err != nil {
		return nil, err
	}
	r := &Result{ClearStructure: true, Stability: 1, Levels: make([]Level, 1, 2)}
	if c.n == 0 {
		r.ChosenBy, r.Reason = BySize, "there is nothing to group"
		return r, nil
	}
	c.draw()
	c.centre()
	f := &finder{c: c, opts: opts, meter: newMeter(opts)}
	lo, hi := span(c.n)
	if opts.Levels == 2 {
		lo, hi = min(lo, fewestBroad), min(hi, mostBroad)
	}
	f.meter.start(stepsNeighbours, (c.n+tileColumns-1)/tileColumns)
	near, err := f.nearest(ctx)
	if err != nil {
		return nil, err
	}
	f.closeness(near)
	top, err := f.divide(ctx, group{rows: everyRow(c.n), near: near, k: opts.K, lo: lo, hi: hi, fewest: fewestToDivide, top: true, meter: f.meter})
	if err != nil {
		return nil, err
	}
	r.K, r.ChosenBy, r.Stability = top.k, top.chosenBy, top.stability
	switch like := c.likeness(top.rows) >= nearCopies; {
	case like && (top.k > 1 || top.chosenBy == ByStructure):
		r.ClearStructure = false
	case c.n >= fewestToTest && top.k > 1:
		f.meter.start(stepsStructure, 1+structureNoise)
		ratio, err := structure(ctx, c, plan{workers: opts.Workers, seed: opts.Seed, meter: f.meter})
		if err != nil {
			return nil, err
		}
		r.ClearStructure = ratio >= clearRatio || ratio >= clearRatioSmall && c.n < chooseSmall
	}
	r.Reason = top.why(r.ClearStructure)
	f.number([]*division{top})
	r.Levels[0] = f.level([]*division{top})
	if opts.Levels == 2 {
		f.meter.start(stepsLower, top.k)
		lower, err := f.lower(ctx, top, near)
		if err != nil {
			return nil, err
		}
		r.Levels = append(r.Levels, f.level(lower))
	}
	f.meter.finish()
	return r, nil
}

// finder is the state of one call of Themes.
type finder struct {
	c     *collection
	opts  Options
	meter *meter
	close []float32 // each row's mean cosine with its five nearest, as the vectors came
}

// closeness fills f.close. A row without neighbours is close to anything.
func (f *finder) closeness(near nearest) {
	c := f.c
	f.close = make([]float32, c.n)
	for i := range f.close {
		list := near.of(i)
		list = list[:min(closest, len(list))]
		for _, j := range list {
			a, b := c.vector(i), c.vector(int(j))
			if length := math.Sqrt(float64(vec.Dot(a, a)) * float64(vec.Dot(b, b))); length > 0 {
				f.close[i] += vec.Dot(a, b) / float32(length) / float32(len(list))
			}
		}
	}
}

// group is a part of the collection that is to be divided.
type group struct {
	rows   []int32 // of the collection, ascending
	near   nearest // their neighbours among themselves, numbered within rows
	k      int     // wanted; 0: choose
	lo, hi int     // what to choose from
	fewest int     // distinct rows that are divided unasked
	top    bool    // there is no level above
	meter  *meter  // or nil
}

// division is a group in themes.
type division struct {
	rows      []int32
	top       bool // there is no level above
	k         int
	chosenBy  string
	reason    string // where the collection's structure has no say
	choice    choice // where it has
	stability float64
	labels    []int32   // of each row of rows
	shares    []float32 // mean co-association with its own theme
	fits      []float32
	next      []int32
}

func everyRow(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// divide finds the themes of a group.
func (f *finder) divide(ctx context.Context, g group) (*division, error) {
	n := len(g.rows)
	d := &division{rows: g.rows, top: g.top, k: g.k, chosenBy: ByCaller, stability: 1}
	switch {
	case g.k > 0 && g.k <= n:
		d.reason = number.Grouped(g.k) + " asked for"
	case g.k > n:
		d.k = n
		d.reason = fmt.Sprintf("%s asked for, but there %s only %s", number.Grouped(g.k), number.Pick(n, "is", "are"), number.Of(n, "distinct paper"))
	case g.k == 0 && n < g.fewest:
		d.k, d.chosenBy = 1, BySize
		d.reason = fmt.Sprintf("%s %s too few to be divided", number.Of(n, "distinct paper"), number.Pick(n, "is", "are"))
	case g.k == 0 && f.c.likeness(g.rows) >= nearCopies:
		d.k, d.chosenBy = 1, ByStructure
		d.reason = fmt.Sprintf("the papers have no clear structure: they are nearly copies of each other (mean cosine %.2f)", f.c.likeness(g.rows))
	}
	keys := pickKeys(f.c.keys, g.rows)
	p := plan{k: d.k, runs: runsFor(n), workers: f.opts.Workers, seed: f.opts.Seed}
	if d.k == 1 {
		d.alone()
		return d, nil
	}
	x, err := f.blurred(ctx, g, keys, p)
	if err != nil {
		return nil, err
	}
	if d.k == 0 {
		g.meter.start(stepsChoose, g.hi-g.lo+1)
		ch, err := f.choose(ctx, g, x, keys)
		if err != nil {
			return nil, err
		}
		d.k, d.chosenBy, d.choice = ch.k, ByStructure, ch
		p.k = d.k
	}
	g.meter.start(stepsRuns, p.runs)
	p.meter = g.meter
	base := sample(keys, max(runSample, rowsPerTheme*p.k), stream(p.seed, drawSample, 2, 0))
	v, err := castVotes(ctx, x, keys, base, p)
	if err != nil {
		return nil, err
	}
	labels := consensus(v, keys, base, p)
	d.stability = v.agreement(base, labels)
	return d, d.poll(ctx, v, base, labels, p)
}

// blurred are the rows of a group, blurred and along their principal directions.
func (f *finder) blurred(ctx context.Context, g group, keys []uint64, p plan) (matrix, error) {
	n := len(g.rows)
	links := union(g.near, n, neighbourCount(n))
	x, err := f.c.rows(ctx, g.rows, p.workers)
	if err != nil {
		return matrix{}, err
	}
	if err := blur(ctx, x, links, roundsOfBlur(n), p.workers); err != nil {
		return matrix{}, err
	}
	return project(ctx, x, keys, p)
}

// choose chooses k, of a large group on a sample with its own graph; x is the group
// blurred.
func (f *finder) choose(ctx context.Context, g group, x matrix, keys []uint64) (choice, error) {
	p := plan{runs: chooseRuns, workers: f.opts.Workers, seed: f.opts.Seed}
	near := g.near
	if list := sample(keys, chooseSample, stream(p.seed, drawSample, 3, 0)); len(list) < x.n {
		rows := make([]int32, len(list))
		for i, at := range list {
			rows[i] = g.rows[at]
		}
		sharp, err := f.c.rows(ctx, rows, p.workers)
		if err != nil {
			return choice{}, err
		}
		if near, err = neighbours(ctx, sharp, qualityLinks, p); err != nil {
			return choice{}, err
		}
		x, keys = x.pick(list), pickKeys(keys, list)
	}
	return choose(ctx, x, near, keys, p, g)
}

func pickKeys(keys []uint64, rows []int32) []uint64 {
	if len(rows) == len(keys) {
		return keys
	}
	out := make([]uint64, len(rows))
	for i, row := range rows {
		out[i] = keys[row]
	}
	return out
}

// why says why d has so many themes.
func (d *division) why(clear bool) string {
	switch {
	case d.chosenBy == ByStructure && d.reason == "":
		return d.choice.reason(clear)
	case clear || d.chosenBy == ByStructure:
		return d.reason
	}
	return d.reason + "; the papers have no clear structure: any themes are hardly better than chance would make them"
}

// alone makes d one theme.
func (d *division) alone() {
	n := len(d.rows)
	d.labels, d.next = make([]int32, n), slices.Repeat([]int32{-1}, n)
	d.shares, d.fits = slices.Repeat([]float32{1}, n), slices.Repeat([]float32{1}, n)
}

// poll gives every row its theme, its fit and its next best theme by the votes of base.
func (d *division) poll(ctx context.Context, v votes, base, labels []int32, p plan) error {
	n := len(d.rows)
	d.labels, d.next = slices.Repeat([]int32{-1}, n), make([]int32, n)
	d.shares, d.fits = make([]float32, n), make([]float32, n)
	for i, row := range base {
		d.labels[row] = labels[i]
	}
	t := count(v, base, labels, p.k)
	return each(ctx, p.workers, tiles(n), func(at int) {
		shares := make([]float32, p.k)
		lo, hi := tile(at, n)
		for i := lo; i < hi; i++ {
			t.shares(shares, v.of(i), d.labels[i])
			own := d.labels[i]
			if own < 0 {
				own, _ = largest(shares)
				d.labels[i] = own
			}
			d.shares[i] = shares[own]
			shares[own] = -1
			next, share := largest(shares)
			d.next[i], d.fits[i] = next, max(0, d.shares[i]-share)
		}
	})
}

// lower divides each theme of top again; one that is too small stays whole.
func (f *finder) lower(ctx context.Context, top *division, near nearest) ([]*division, error) {
	var all []*division
	for _, rows := range byTheme(top.labels, top.k) {
		g := group{rows: rows, lo: 2, hi: min(mostSubThemes, max(2, len(rows)/rowsPerSubTheme)), fewest: fewestToDivideSub}
		if len(rows) >= g.fewest {
			var err error
			if g.near, err = f.within(ctx, rows, near); err != nil {
				return nil, err
			}
		}
		d, err := f.divide(ctx, g)
		if err != nil {
			return nil, err
		}
		f.meter.part()
		f.number([]*division{d})
		all = append(all, d)
	}
	return all, nil
}

// nearest finds the neighbours that the graphs need: of the caller's index, or exactly.
func (f *finder) nearest(ctx context.Context) (nearest, error) {
	c, n := f.c, f.c.n
	m := graphLinks(n)
	if f.opts.Neighbours == nil {
		return f.among(ctx, everyRow(n), m, f.meter)
	}
	near := unscored(n, m)
	err := each(ctx, f.opts.Workers, tiles(n), func(t int) {
		lo, hi := tile(t, n)
		for i := lo; i < hi; i++ {
			list := near.ids[i*m : i*m : (i+1)*m]
			for _, item := range f.opts.Neighbours(int(c.itemOf[i]), m+1) {
				if int(item) >= len(c.rowOf) {
					continue
				}
				row := c.rowOf[item]
				if len(list) < m && int(row) != i && !slices.Contains(list, row) {
					list = append(list, row)
				}
			}
		}
	})
	return near, err
}

// among finds the m nearest of the given rows to each of them, exactly.
func (f *finder) among(ctx context.Context, rows []int32, m int, told *meter) (nearest, error) {
	x, err := f.c.rows(ctx, rows, f.opts.Workers)
	if err != nil {
		return nearest{}, err
	}
	near, err := neighbours(ctx, x, m, plan{workers: f.opts.Workers, meter: told})
	near.scores = nil // nobody asks for them
	return near, err
}

// within finds the neighbours of rows among themselves: exactly, or for many rows those
// that are already known.
func (f *finder) within(ctx context.Context, rows []int32, near nearest) (nearest, error) {
	m := graphLinks(len(rows))
	if len(rows) <= exactWithin {
		return f.among(ctx, rows, m, nil)
	}
	place := slices.Repeat([]int32{-1}, f.c.n)
	for i, row := range rows {
		place[row] = int32(i)
	}
	out := unscored(len(rows), m)
	for i, row := range rows {
		list := out.ids[i*m : i*m : (i+1)*m]
		for _, other := range near.of(int(row)) {
			if place[other] >= 0 && len(list) < m {
				list = append(list, place[other])
			}
		}
	}
	return out, nil
}

// exactWithin is the size up to which a theme's own graph is computed exactly.
const exactWithin = 20000

// fewestToTest is how many distinct items it takes to tell structure from noise.
const fewestToTest = 20

// graphLinks is how many neighbours of n rows are looked up: for the blur and for modularity.
func graphLinks(n int) int { return max(neighbourCount(n), min(qualityLinks, n-1)) }
