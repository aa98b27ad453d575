package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/seed-9f29d379/akin/internal/store"
)

// ThemeYears is how the themes of the upper level have come and gone over the years.
type ThemeYears struct {
	ThemesFound
	Years       []YearCount  `json:"years"` // ascending; years without a paper are left out
	WithoutYear int          `json:"without_year"`
	Spans       []YearSpan   `json:"spans"` // the earlier and the later half of the papers; one where all are of one year
	Themes      []ThemeTrend `json:"themes"`
}

// YearCount counts the papers of a year.
type YearCount struct {
	Year   int `json:"year"`
	Papers int `json:"papers"`
}

// YearSpan counts the papers of the years From to To.
type YearSpan struct {
	From   int `json:"from"`
	To     int `json:"to"`
	Papers int `json:"papers"`
}

// ThemeTrend is a theme over the years. Years and Spans are those of ThemeYears.
type ThemeTrend struct {
	ThemeRef
	Size  int         `json:"size"`
	Years []YearShare `json:"years"`
	Spans []SpanShare `json:"spans"`
	Trend Trend       `json:"trend"`
	P     float64     `json:"p"` // that chance alone makes such a difference, adjusted for the number of themes; 1 where it is not tested
}

// YearShare is the part of a year's papers that a theme has.
type YearShare struct {
	YearCount
	Share float64 `json:"share"`
}

// SpanShare is the part of a span's papers that a theme has.
type SpanShare struct {
	Papers int     `json:"papers"`
	Share  float64 `json:"share"`
}

// ThemesOverYears tells each theme's share of the papers of each year, and which grow.
// Papers that fit no theme count among those of their year.
func (e *Engine) ThemesOverYears(ctx context.Context, req ThemesRequest) (_ *ThemeYears, err error) {
	defer e.begin(&err)()
	y, err := e.themesOverYears(ctx, req)
	if err != nil {
		return nil, explain(err)
	}
	return y, nil
}

func (e *Engine) themesOverYears(ctx context.Context, req ThemesRequest) (*ThemeYears, error) {
	years, err := e.years(ctx)
	if err != nil {
		return nil, err
	}
	g, err := e.grouping(ctx, req)
	if err != nil {
		return nil, err
	}
	out := &ThemeYears{ThemesFound: g.found(), Years: []YearCount{}, Themes: []ThemeTrend{}}
	levels := g.levels()
	all, sizes := make(map[int]int), make(map[int64]int)
	counts := make(map[int64]map[int]int) // of each theme, by year
	for _, p := range g.placements {
		if p.Theme != 0 && levels[p.Theme] != 1 {
			continue
		}
		sizes[p.Theme]++
		year := years[p.Paper]
		if year == 0 {
			out.WithoutYear++
			continue
		}
		if counts[p.Theme] == nil {
			counts[p.Theme] = make(map[int]int)
		}
		all[year]++
		counts[p.Theme][year]++
	}
	for _, year := range slices.Sorted(maps.Keys(all)) {
		out.Years = append(out.Years, YearCount{year, all[year]})
	}
	out.Spans = halves(out.Years)
	for _, t := range g.themes {
		if t.Level == 1 && sizes[t.N] > 0 {
			out.Themes = append(out.Themes, out.shares(ThemeTrend{ThemeRef: themeRef(t), Size: sizes[t.N]}, counts[t.N]))
		}
	}
	out.judge()
	return out, nil
}

// years are those of the papers that can be in a theme, by number. That there are none
// is known before themes are found and kept in order to show them.
func (e *Engine) years(ctx context.Context) (map[uint32]int, error) {
	sh, err := e.papers(ctx)
	if err != nil {
		return nil, err
	}
	years, papers := make(map[uint32]int), 0
	err = sh.Each(ctx, func(p *store.Paper) error {
		papers++
		if p.Fields.Year != 0 {
			years[p.N] = p.Fields.Year
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if lib, ok := sh.(*store.Library); ok {
		waiting, err := lib.Pending(ctx, 0, papers)
		if err != nil {
			return nil, err
		}
		for _, p := range waiting {
			delete(years, p.N)
		}
		if len(waiting) == papers {
			return nil, errNotEncoded
		}
	}
	if len(years) == 0 {
		return nil, &Error{Kind: NotFound, Err: fmt.Errorf("no paper of a theme has a year"), Hint: "akin add reads years from the sources that have them"}
	}
	return years, nil
}

// halves divides years where about as many papers are before as after.
func halves(years []YearCount) []YearSpan {
	all := 0
	for _, y := range years {
		all += y.Papers
	}
	first, last := years[0].Year, years[len(years)-1].Year
	spans, nearest, seen := []YearSpan{{first, last, all}}, all, 0
	for _, y := range years[:len(years)-1] {
		seen += y.Papers
		if off := max(2*seen-all, all-2*seen); off < nearest {
			nearest, spans = off, []YearSpan{{first, y.Year, seen}, {y.Year + 1, last, all - seen}}
		}
	}
	return spans
}

// shares completes a theme with its part of the papers of each year and span.
func (y *ThemeYears) shares(t ThemeTrend, counts map[int]int) ThemeTrend {
	for _, year := range y.Years {
		n := counts[year.Year]
		t.Years = append(t.Years, YearShare{YearCount{year.Year, n}, float64(n) / float64(year.Papers)})
	}
	for _, s := range y.Spans {
		n := 0
		for year, papers := range counts {
			if year >= s.From && year <= s.To {
				n += papers
			}
		}
		t.Spans = append(t.Spans, SpanShare{n, float64(n) / float64(s.Papers)})
	}
	return t
}
