package engine

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/seed-9f29d379/akin/internal/store"
)

// ThemeYears is how the themes of the upper level have come and gone over the years.
type ThemeYears struct {
	Years       []YearCount  `json:"years"` // ascending; years without a paper are left out
	WithoutYear int          `json:"without_year"`
	Themes      []ThemeTrend `json:"themes"`
}

// YearCount counts the papers of a year.
type YearCount struct {
	Year   int `json:"year"`
	Papers int `json:"papers"`
}

// ThemeTrend is a theme over the years. Years are those of ThemeYears.
type ThemeTrend struct {
	ThemeRef
	Size  int         `json:"size"`
	Years []YearShare `json:"years"`
	// Trend is "grows" or "shrinks" where the share changes with the years more than
	// chance would have it (|Z| at least 2.58: once in a hundred), or else "steady".
	Trend string `json:"trend"`
	// Z is the statistic of the Cochran-Armitage test for a trend in proportions, years
	// counted by the mean rank of their papers.
	Z float64 `json:"z"`
}

// YearShare is the part of a year's papers that a theme has.
type YearShare struct {
	YearCount
	Share float64 `json:"share"`
}

// sureTrend is the |z| that chance reaches once in a hundred times.
const sureTrend = 2.58

// ThemesOverYears tells each theme's share of the papers of each year, and which grow.
// Papers that fit no theme count among those of their year.
func (e *Engine) ThemesOverYears(ctx context.Context, req ThemesRequest) (*ThemeYears, error) {
	defer e.begin()()
	y, err := e.themesOverYears(ctx, req)
	if err != nil {
		return nil, explain(err)
	}
	return y, nil
}

func (e *Engine) themesOverYears(ctx context.Context, req ThemesRequest) (*ThemeYears, error) {
	g, _, err := e.grouping(ctx, req)
	if err != nil {
		return nil, err
	}
	sh, err := e.papers(ctx)
	if err != nil {
		return nil, err
	}
	levels := g.levels()
	theme := make(map[uint32]int64) // of each paper that was placed; 0: it fits none
	for _, p := range g.placements {
		if p.Theme == 0 || levels[p.Theme] == 1 {
			theme[p.Paper] = p.Theme
		}
	}
	out := &ThemeYears{Years: []YearCount{}, Themes: []ThemeTrend{}}
	all, sizes := make(map[int]int), make(map[int64]int)
	counts := make(map[int64]map[int]int) // of each theme, by year
	err = sh.Each(ctx, func(p *store.Paper) error {
		n, ok := theme[p.N]
		if !ok {
			return nil
		}
		sizes[n]++
		year := p.Fields.Year
		if year == 0 {
			out.WithoutYear++
			return nil
		}
		if counts[n] == nil {
			counts[n] = make(map[int]int)
		}
		all[year]++
		counts[n][year]++
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, &Error{Kind: NotFound, Err: fmt.Errorf("no paper of a theme has a year"), Hint: "akin add reads years from the sources that have them"}
	}
	for _, year := range slices.Sorted(maps.Keys(all)) {
		out.Years = append(out.Years, YearCount{year, all[year]})
	}
	for _, t := range g.themes {
		if t.Level != 1 || sizes[t.N] == 0 {
			continue
		}
		trend := ThemeTrend{ThemeRef: themeRef(t), Size: sizes[t.N]}
		for _, y := range out.Years {
			n := counts[t.N][y.Year]
			trend.Years = append(trend.Years, YearShare{YearCount{y.Year, n}, float64(n) / float64(y.Papers)})
		}
		trend.judge(out.Years)
		out.Themes = append(out.Themes, trend)
	}
	return out, nil
}

// judge tests whether a theme's share of all papers changes with the years (Armitage,
// "Tests for Linear Trends in Proportions and Frequencies", Biometrics 11, 1955). A year
// counts by the mean rank of its papers, so that a few old ones do not outweigh all others.
func (t *ThemeTrend) judge(all []YearCount) {
	var n, own, sum, squares float64
	ranks := make([]float64, len(all))
	for i, y := range all {
		ranks[i] = n + float64(y.Papers)/2
		n += float64(y.Papers)
		own += float64(t.Years[i].Papers)
		sum += float64(y.Papers) * ranks[i]
		squares += float64(y.Papers) * ranks[i] * ranks[i]
	}
	share, slope := own/n, 0.0
	for i, y := range all {
		slope += ranks[i] * (float64(t.Years[i].Papers) - share*float64(y.Papers))
	}
	t.Trend = "steady"
	if variance := share * (1 - share) * (squares - sum*sum/n); variance > 0 {
		t.Z = slope / math.Sqrt(variance)
	}
	switch {
	case t.Z >= sureTrend:
		t.Trend = "grows"
	case t.Z <= -sureTrend:
		t.Trend = "shrinks"
	}
}
