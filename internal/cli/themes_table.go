package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/seed-9f29d379/akin/internal/engine"
	"github.com/seed-9f29d379/akin/internal/number"
)

// The widest bar and the widest name in a table of themes.
const (
	barWidth   = 20
	labelWidth = 52
)

// changesShown is how many themes are named that are new, or gone.
const changesShown = 5

// betweenShown is how many papers between a theme and others are named.
const betweenShown = 5

// themesView is what a table of themes shows.
type themesView struct {
	*engine.Themes
	verbose bool
	kept    string // what was asked for before, and counts still; "" for nothing
}

// renderThemes sets each theme's id and name beside its size and a bar, below it the
// paper that represents it best, and its own themes where there are two levels.
func renderThemes(w io.Writer, l layout, t themesView) {
	c := themeColumns{layout: l}
	papers := len(t.FitNone)
	below := map[string][]engine.Theme{}
	for _, theme := range t.Themes.Themes {
		below[theme.Parent] = append(below[theme.Parent], theme)
		if theme.Parent == "" {
			papers += theme.Size
		}
		c.largest = max(c.largest, theme.Size)
		c.ids = max(c.ids, len(theme.ID))
		c.names = max(c.names, width(oneLine(theme.Label)))
	}
	if len(below) > 1 {
		c.ids += subThemeIndent
	}
	c.digits = len(count(c.largest))
	c.names = min(c.names, labelWidth, max(10, l.text()-c.ids-c.digits-10))
	c.bars = max(0, min(barWidth, l.text()-c.ids-c.names-c.digits-8))

	head := append([]string{themesHead(len(below[""]), papers, t.Reason)}, foundLines(t.ThemesFound, t.kept)...)
	if t.Levels > 1 && len(below) == 1 {
		head = append(head, "no theme is large enough to be grouped again")
	}
	renderHead(w, l, head)
	for _, theme := range below[""] {
		fmt.Fprintln(w)
		c.head(w, theme, 2)
		c.inside(w, theme, t.verbose, "    ")
		for _, sub := range below[theme.ID] {
			c.head(w, sub, 2+subThemeIndent)
			if t.verbose {
				c.inside(w, sub, true, "      ")
			}
		}
	}
	if len(t.FitNone) > 0 {
		fmt.Fprintln(w)
		for _, line := range wrap(fmt.Sprintf("%s that came since %s none of them", plural(len(t.FitNone), "paper"), map[bool]string{true: "fits", false: "fit"}[len(t.FitNone) == 1]), l.text(), 0) {
			fmt.Fprintln(w, l.faint(line))
		}
		if t.verbose {
			c.papers(w, t.FitNone, "  ", betweenShown)
		}
	}
}

// subThemeIndent is how much further right the themes of a theme stand.
const subThemeIndent = 2

// themeColumns are the columns of a table of themes.
type themeColumns struct {
	layout
	ids, names, digits, bars int // widths
	largest                  int // the size that fills a bar
}

// head sets a theme's id, its name, its size and its bar.
func (c themeColumns) head(w io.Writer, theme engine.Theme, indent int) {
	ids := c.ids + 2 - indent
	margin := strings.Repeat(" ", indent)
	for i, line := range wrap(oneLine(theme.Label), c.names, 2) {
		if i == 0 {
			fmt.Fprintf(w, "%s%s  %s  %*s  %s\n", margin, c.faint(pad(theme.ID, ids)), c.strong(pad(line, c.names)), c.digits, count(theme.Size),
				c.accent(bar(theme.Size, c.largest, c.bars)))
		} else {
			fmt.Fprintf(w, "%s%s  %s\n", margin, strings.Repeat(" ", ids), c.strong(line))
		}
	}
}

// inside sets the paper that represents a theme, or its terms, all papers that represent
// it, and papers between it and another.
func (c themeColumns) inside(w io.Writer, theme engine.Theme, verbose bool, indent string) {
	room := c.text() - len(indent)
	title := make(map[string]string)
	var between []engine.ThemePaper
	for _, p := range theme.Papers {
		title[p.ID] = p.Title
		if p.Between != "" {
			between = append(between, p)
		}
	}
	if !verbose {
		if len(theme.Representatives) > 0 {
			fmt.Fprintf(w, "%s%s\n", indent, fit(oneLine(title[theme.Representatives[0]]), room))
		}
		return
	}
	for _, line := range wrap(oneLine(strings.Join(theme.Terms, ", ")), room, 0) {
		fmt.Fprintf(w, "%s%s\n", indent, c.faint(line))
	}
	for _, id := range theme.Representatives {
		fmt.Fprintf(w, "%s%s\n", indent, fit(oneLine(title[id]), room))
	}
	if len(between) > 0 {
		fmt.Fprintf(w, "%s%s\n", indent, c.faint(fit(plural(len(between), "paper")+" between it and another:", room)))
		c.papers(w, between, indent+"  ", betweenShown)
	}
}

// papers sets papers with the other theme that each is near, at most limit of them (0:
// all).
func (c themeColumns) papers(w io.Writer, papers []engine.ThemePaper, indent string, limit int) {
	others := 0
	for _, p := range papers {
		others = max(others, len(p.Between))
	}
	for i, p := range papers {
		if limit > 0 && i == limit {
			fmt.Fprintf(w, "%s%s\n", indent, c.faint(fmt.Sprintf("and %s more", count(len(papers)-i))))
			return
		}
		fmt.Fprintf(w, "%s%s  %s\n", indent, c.faint(pad(p.Between, others)), fit(oneLine(p.Title), c.text()-len(indent)-others-2))
	}
}

// renderTheme sets a theme's name and terms, and all its papers with their fit.
func renderTheme(w io.Writer, l layout, t *engine.Theme) {
	head := t.ID
	if t.Parent != "" {
		head += " in " + t.Parent
	}
	fmt.Fprintf(w, "%s  %s\n", l.faint(head), l.strong(oneLine(t.Label)))
	fields := []field{
		{"found name", t.FoundLabel},
		{"terms", strings.Join(t.Terms, ", ")},
		{"papers", count(t.Size)},
	}
	renderFields(w, l, fields)
	fmt.Fprintln(w)
	ids, others := 0, 0
	for _, p := range t.Papers {
		ids, others = max(ids, width(oneLine(p.ID))), max(others, len(p.Between))
	}
	ids = min(ids, listIDWidth)
	for _, p := range t.Papers {
		id := oneLine(p.ID)
		line := fmt.Sprintf("%4.2f  %s  ", p.Fit, l.faint(pad(id, ids)))
		if others > 0 {
			line += l.faint(pad(p.Between, others)) + "  "
		}
		title := oneLine(p.Title)
		if l.cut {
			title = fit(title, l.width-6-max(ids, width(id))-2-others-2)
		}
		fmt.Fprintln(w, line+title)
	}
}

// themesHead says how many themes there are, and why.
func themesHead(themes, papers int, reason string) string {
	head := fmt.Sprintf("%s in %s", plural(themes, "theme"), plural(papers, "paper"))
	if reason != "" {
		head += ": " + reason
	}
	return head
}

// renderHead sets what is said above a table of themes.
func renderHead(w io.Writer, l layout, head []string) {
	for _, line := range head {
		if line == "" {
			continue
		}
		for _, line := range wrap(oneLine(line), l.text(), 0) {
			fmt.Fprintln(w, l.faint(line))
		}
	}
}

// foundLines tell what has changed in the themes, and that they follow flags of before.
func foundLines(f engine.ThemesFound, kept string) []string {
	lines := changesLines(f.Changes)
	if f.Join != nil {
		lines = append(lines, fmt.Sprintf("%s that came since joined them, %s %s none", plural(f.Join.Joined, "paper"), count(f.Join.FitNone), number.Pick(f.Join.FitNone, "fits", "fit")))
	}
	if kept != "" {
		lines = append(lines, "as asked for before with "+kept+"; akin themes --fresh goes back to what the papers suggest")
	}
	return lines
}

// changesLines tell how newly found themes differ from those before.
func changesLines(c *engine.ThemeChanges) []string {
	if c == nil {
		return nil
	}
	if len(c.New)+len(c.Gone)+len(c.Renamed)+c.Moved == 0 {
		return []string{"found again: nothing has changed"}
	}
	lines := []string{fmt.Sprintf("found again: %s the same, %s in another one than before", plural(c.Kept, "theme"), plural(c.Moved, "paper"))}
	var renamed []string
	for _, t := range c.Renamed {
		renamed = append(renamed, fmt.Sprintf("%s (%s; it was %s)", t.ID, t.Label, t.Was))
	}
	for _, part := range []struct {
		what  string
		names []string
	}{{"new", themeNames(c.New)}, {"gone", themeNames(c.Gone)}, {"called otherwise", renamed}} {
		if n := len(part.names); n > changesShown {
			part.names = append(part.names[:changesShown], count(n-changesShown)+" more")
		}
		if len(part.names) > 0 {
			lines = append(lines, part.what+": "+strings.Join(part.names, ", "))
		}
	}
	return lines
}

func themeNames(themes []engine.ThemeRef) []string {
	var names []string
	for _, t := range themes {
		names = append(names, t.ID+" ("+t.Label+")")
	}
	return names
}

// bar is a line of blocks, w columns for the largest value.
func bar(n, largest, w int) string {
	if largest == 0 {
		return ""
	}
	return strings.Repeat("█", max(min(1, n, w), n*w/largest))
}
