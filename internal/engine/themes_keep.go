package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/seed-9f29d379/akin/cluster"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
)

// keep gives newly found themes the ids and names of those that they still are, and
// stores them in one transaction. Where the library cannot be written they are not kept,
// and that is told.
func (e *Engine) keep(ctx context.Context, lib *store.Library, g *grouping) (*ThemeChanges, error) {
	w, err := e.writer(ctx, "themes")
	if unavailable(err) {
		e.warn("the themes are not kept: %v", err)
		old, err := readGrouping(ctx, lib)
		if errors.Is(err, errNoThemes) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return g.inherit(old), nil
	}
	if err != nil {
		return nil, err
	}
	changes, err := g.store(ctx, w)
	return changes, errors.Join(err, w.Close())
}

// store replaces the themes of a library by g.
func (g *grouping) store(ctx context.Context, w *store.Writer) (*ThemeChanges, error) {
	var changes *ThemeChanges
	old, err := readGrouping(ctx, w.Library)
	switch {
	case err == nil:
		changes = g.inherit(old)
	case !errors.Is(err, errNoThemes):
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := w.SetThemes(g.Division, g.themes, g.placements); err != nil {
		return nil, err
	}
	return changes, w.Commit()
}

// inherit gives the themes of g the numbers and the names of those of old that they
// still are, others new numbers. A theme that a person named and that is none of g's
// rests: it comes back when it is found again, as long as it has papers to know it by.
func (g *grouping) inherit(old *grouping) *ThemeChanges {
	before, now := old.members(), g.members()
	number := make(map[int64]int64) // what a theme of g is numbered from now on
	taken := make(map[int64]bool)
	for _, level := range []int{1, 2} {
		var olds, news []store.Theme
		for _, t := range old.themes { // level by level, those that rest last
			if (t.Level == level || t.Level == store.Resting || level == 2) && !taken[t.N] {
				olds = append(olds, t)
			}
		}
		for _, t := range g.themes {
			if t.Level == level {
				news = append(news, t)
			}
		}
		for i, o := range cluster.Match(pick(olds, before), pick(news, now)) {
			if o >= 0 {
				number[news[i].N] = olds[o].N
				taken[olds[o].N] = true
			}
		}
	}
	changes := &ThemeChanges{New: []ThemeRef{}, Gone: []ThemeRef{}, Renamed: []RenamedTheme{}}
	names, labels := make(map[int64]string), make(map[int64]string)
	for _, t := range old.themes {
		names[t.N], labels[t.N] = t.Name, themeLabel(t)
	}
	next := old.Next
	for i := range g.themes {
		t := &g.themes[i]
		n, ok := number[t.N]
		if !ok {
			n, next = next, next+1
			number[t.N] = n
		} else {
			changes.Kept++
		}
		t.N, t.Name = n, names[n]
	}
	g.Next = next
	for i := range g.themes {
		g.themes[i].Parent = number[g.themes[i].Parent]
	}
	for i := range g.placements {
		p := &g.placements[i]
		p.Theme, p.Next = number[p.Theme], number[p.Next]
	}
	g.distinguish()
	for _, t := range g.themes {
		switch {
		case !taken[t.N]:
			changes.New = append(changes.New, themeRef(t))
		case themeLabel(t) != labels[t.N]:
			changes.Renamed = append(changes.Renamed, RenamedTheme{themeRef(t), labels[t.N]})
		}
	}
	changes.Moved = moved(old, g)
	for _, t := range old.themes {
		if taken[t.N] {
			continue
		}
		if t.Level != store.Resting {
			changes.Gone = append(changes.Gone, themeRef(t))
		}
		if t.Name != "" {
			t.Level, t.Parent = store.Resting, 0
			g.themes = append(g.themes, t)
			for _, p := range old.placements {
				if p.Theme == t.N {
					g.placements = append(g.placements, p)
				}
			}
		}
	}
	g.order()
	return changes
}

// members are the papers of each theme, by its number.
func (g *grouping) members() map[int64][]uint32 {
	m := make(map[int64][]uint32)
	for _, p := range g.placements {
		m[p.Theme] = append(m[p.Theme], p.Paper)
	}
	return m
}

func pick(themes []store.Theme, members map[int64][]uint32) [][]uint32 {
	list := make([][]uint32, len(themes))
	for i, t := range themes {
		list[i] = members[t.N]
	}
	return list
}

// order sorts the placements by paper, which is how a library gives them.
func (g *grouping) order() {
	slices.SortStableFunc(g.placements, func(a, b store.Placement) int { return cmp.Compare(a.Paper, b.Paper) })
}

// levels are the levels of the themes, by number.
func (g *grouping) levels() map[int64]int {
	m := make(map[int64]int, len(g.themes))
	for _, t := range g.themes {
		m[t.N] = t.Level
	}
	return m
}

// moved counts the papers that are in another theme of the upper level than before.
func moved(old, now *grouping) int {
	was := make(map[uint32]int64)
	levels := old.levels()
	for _, p := range old.placements {
		if levels[p.Theme] == 1 {
			was[p.Paper] = p.Theme
		}
	}
	n := 0
	levels = now.levels()
	for _, p := range now.placements {
		if before, ok := was[p.Paper]; ok && levels[p.Theme] == 1 && p.Theme != before {
			n++
		}
	}
	return n
}

// distinguish adds a term to found labels that a person gave another theme as its name.
func (g *grouping) distinguish() {
	given := make(map[string]bool)
	for _, t := range g.themes {
		if t.Name != "" {
			given[paper.Fold(t.Name)] = true
		}
	}
	for i := range g.themes {
		t := &g.themes[i]
		if t.Name != "" {
			continue
		}
		for at := 0; given[paper.Fold(t.Label)] && at < len(t.Terms); at++ {
			if t.Terms[at] != t.Label {
				t.Label += ", " + t.Terms[at]
			}
		}
	}
}
