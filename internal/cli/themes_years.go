package cli

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// yearBars is the most bars that a theme has: of more years, several are one bar.
const yearBars = 24

// The widths of a column of shares ("2013–2023") and of the last one.
const (
	shareWidth = 9
	trendWidth = 7
)

// yearsView is what a table of themes over the years shows.
type yearsView struct {
	*engine.ThemeYears
	kept string // what was asked for before, and counts still; "" for nothing
}

// renderThemeYears sets each theme beside a line of bars, one for its share of the papers
// of each year or span of years, its share in the earlier and the later half of the
// papers, and whether it grows or shrinks.
func renderThemeYears(w io.Writer, l layout, y yearsView) {
	papers, first, last := 0, y.Years[0].Year, y.Years[len(y.Years)-1].Year
	for _, s := range y.Spans {
		papers += s.Papers
	}
	head := fmt.Sprintf("%s in %s of %s", plural(len(y.Themes), "theme"), plural(papers, "paper"), span(first, last))
	if y.WithoutYear > 0 {
		head += fmt.Sprintf(" (%s more have no year)", count(y.WithoutYear))
	}
	years := (last-first)/yearBars + 1 // a bar
	bars := (last-first)/years + 1
	if years > 1 {
		head += "; a bar is " + plural(years, "year")
	}
	renderHead(w, l, append([]string{head, y.Reason}, foundLines(y.ThemesFound, y.kept)...))
	c := yearColumns{years: y.Years, perBar: years, spans: y.Spans}
	ids, names, trends := 0, 0, trendWidth
	for _, t := range y.Themes {
		ids, names, trends = max(ids, len(t.ID)), max(names, width(oneLine(t.Label))), max(trends, len(t.Trend))
	}
	names = min(names, labelWidth, max(10, l.text()-ids-bars-len(c.spans)*(shareWidth+2)-trends-6))
	fmt.Fprintf(w, "\n%s\n", l.faint(strings.Repeat(" ", 2+ids+2+names)+c.head(bars)))
	for _, t := range y.Themes {
		for i, line := range wrap(oneLine(t.Label), names, 2) {
			if i > 0 {
				fmt.Fprintf(w, "%s%s\n", strings.Repeat(" ", 2+ids+2), l.strong(line))
				continue
			}
			fmt.Fprintf(w, "  %s  %s%s\n", l.faint(pad(t.ID, ids)), l.strong(pad(line, names)), c.theme(l, t))
		}
	}
}

// yearColumns are the columns right of the names: bars where there are several years,
// and a theme's share of the papers of each span.
type yearColumns struct {
	years  []engine.YearCount
	perBar int
	spans  []engine.YearSpan
}

func (c yearColumns) head(bars int) string {
	var b strings.Builder
	if len(c.spans) > 1 {
		b.WriteString("  " + strings.Repeat(" ", bars))
	}
	for _, s := range c.spans {
		fmt.Fprintf(&b, "  %*s", shareWidth, span(s.From, s.To))
	}
	return b.String()
}

func (c yearColumns) theme(l layout, t engine.ThemeTrend) string {
	var b strings.Builder
	if len(c.spans) > 1 {
		b.WriteString("  " + l.accent(yearLine(c.years, t.Years, c.perBar)))
	}
	for _, s := range t.Spans {
		fmt.Fprintf(&b, "  %*s", shareWidth, fmt.Sprintf("%.1f %%", 100*s.Share))
	}
	if t.Trend != "" {
		b.WriteString("  " + string(t.Trend))
	}
	return b.String()
}

func span(from, to int) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d–%d", from, to)
}

// yearLine is one bar for each so many years, as high as the theme's share is of its
// largest; a blank where there are no papers at all.
func yearLine(all []engine.YearCount, own []engine.YearShare, years int) string {
	first := all[0].Year
	bars := (all[len(all)-1].Year-first)/years + 1
	papers, parts := make([]int, bars), make([]int, bars)
	for i, y := range all {
		papers[(y.Year-first)/years] += y.Papers
		parts[(y.Year-first)/years] += own[i].Papers
	}
	largest := 0.0
	for i, n := range papers {
		if n > 0 {
			largest = max(largest, float64(parts[i])/float64(n))
		}
	}
	heights := []rune("▁▂▃▄▅▆▇█")
	var line strings.Builder
	for i, n := range papers {
		if n == 0 {
			line.WriteByte(' ')
			continue
		}
		height := 0.0
		if largest > 0 {
			height = float64(parts[i]) / float64(n) / largest
		}
		line.WriteRune(heights[int(math.Round(height*float64(len(heights)-1)))])
	}
	return line.String()
}
