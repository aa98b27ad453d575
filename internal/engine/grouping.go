package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/cluster"
	"github.com/seed-9f29d379/akin/internal/store"
)

// grouping is the themes of a collection with all that a library keeps of them. On the
// seeds it is found each time, and the same each time.
type grouping struct {
	store.Division
	changes    *ThemeChanges     // what finding them again has changed; nil where they were kept
	joined     *JoinReport       // papers that came since and have their theme now; nil for none
	themes     []store.Theme     // in the order in which they are shown; those that rest last
	placements []store.Placement // of each paper at most one a level
}

// readGrouping reads the themes that a library keeps.
func readGrouping(ctx context.Context, lib *store.Library) (*grouping, error) {
	d, ok, err := lib.Division(ctx)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errNoThemes
	}
	g := &grouping{Division: d}
	if g.themes, err = lib.Themes(ctx); err != nil {
		return nil, err
	}
	err = lib.Placements(ctx, func(p store.Placement) error {
		g.placements = append(g.placements, p)
		return nil
	})
	return g, err
}

// found tells how the themes were found.
func (g *grouping) found() ThemesFound {
	return ThemesFound{K: g.K, Asked: g.Asked, Levels: g.Levels, Seed: g.Seed, ChosenBy: g.ChosenBy, Reason: g.Reason,
		Stability: g.Stability, Clear: g.Clear, Changes: g.changes, Join: g.joined}
}

// errNoThemes: a library whose themes were never asked for.
var errNoThemes = &Error{Kind: NotFound, Err: fmt.Errorf("the library has no themes yet"), Hint: "akin themes finds them"}

// themeID is how a person names theme n.
func themeID(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("t%d", n)
}

// themeLabel is what a theme is called.
func themeLabel(t store.Theme) string { return cmp.Or(t.Name, t.Label) }

func themeRef(t store.Theme) ThemeRef { return ThemeRef{themeID(t.N), themeLabel(t)} }

// present writes a grouping down with the names of its papers.
func (e *Engine) present(ctx context.Context, g *grouping) (*Themes, error) {
	sh, err := e.papers(ctx)
	if err != nil {
		return nil, err
	}
	t := &Themes{ThemesFound: g.found(), FitNone: []ThemePaper{}}
	at := make(map[int64]int)
	list := make([]*presented, 0, len(g.themes))
	for _, th := range g.themes {
		if th.Level == store.Resting {
			continue
		}
		at[th.N] = len(list)
		p := &presented{Theme: Theme{ID: themeID(th.N), Label: themeLabel(th), Terms: append([]string{}, th.Terms...), Parent: themeID(th.Parent)}}
		if th.Name != "" && th.Name != th.Label {
			p.FoundLabel = th.Label
		}
		list = append(list, p)
	}
	next := 0
	err = sh.Each(ctx, func(p *store.Paper) error {
		for ; next < len(g.placements) && g.placements[next].Paper < p.N; next++ {
		}
		for ; next < len(g.placements) && g.placements[next].Paper == p.N; next++ {
			pl := g.placements[next]
			paper := ThemePaper{ID: p.ID, Keys: p.Keys(), Title: p.Fields.Name(), Fit: pl.Fit, Joined: pl.Joined}
			if pl.Theme == 0 {
				paper.Between = themeID(pl.Next)
				t.FitNone = append(t.FitNone, paper)
				continue
			}
			if pl.Fit < cluster.Between {
				paper.Between = themeID(pl.Next)
			}
			if i, ok := at[pl.Theme]; ok {
				list[i].add(paper, pl.Rank)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	clearest := func(a, b ThemePaper) int {
		return cmp.Or(cmp.Compare(b.Fit, a.Fit), strings.Compare(a.ID, b.ID))
	}
	slices.SortFunc(t.FitNone, clearest)
	t.Themes = make([]Theme, 0, len(list))
	for _, p := range list {
		if len(p.Papers) == 0 { // all were removed
			continue
		}
		slices.SortFunc(p.Papers, clearest) // whatever the order of the library
		t.Themes = append(t.Themes, p.finish())
	}
	return t, nil
}

// presented is a theme that is being written down.
type presented struct {
	Theme
	ranked [representatives]string
}

// representatives of a theme.
const representatives = 3

func (p *presented) add(paper ThemePaper, rank int) {
	p.Papers = append(p.Papers, paper)
	if rank >= 1 && rank <= representatives {
		p.ranked[rank-1] = paper.ID
	}
}

// finish counts the papers, which are in order, and fills the places of representatives
// that are gone with the clearest papers.
func (p *presented) finish() Theme {
	p.Size = len(p.Papers)
	p.Representatives = make([]string, 0, representatives)
	for _, id := range p.ranked {
		if id != "" {
			p.Representatives = append(p.Representatives, id)
		}
	}
	for _, paper := range p.Papers {
		if len(p.Representatives) == representatives {
			break
		}
		if !slices.Contains(p.Representatives, paper.ID) {
			p.Representatives = append(p.Representatives, paper.ID)
		}
	}
	return p.Theme
}
