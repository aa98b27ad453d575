package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// The widest bar and the widest name in a table of themes.
const (
	barWidth   = 20
	labelWidth = 52
)

type themesOptions struct {
	engineOptions
	k       int
	levels  int
	kGiven  bool
	seed    uint64
	verbose bool
}

func newThemes(s *session) *cobra.Command {
	var o themesOptions
	cmd := &cobra.Command{
		Use:   "themes",
		Short: "Group the papers into themes and name them",
		Long: `Group the papers of the library into themes. Each has a name, a size and papers that
represent it. Without -k the number of themes is chosen, and the reason is given. The
same papers give the same themes, in whatever order they were added.`,
		Example: "  akin themes\n  akin themes -k 4 -v",
		GroupID: groupFind,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.kGiven = cmd.Flags().Changed("k")
			return during("finding themes", runThemes(cmd.Context(), s, o))
		},
	}
	f := cmd.Flags()
	f.IntVarP(&o.k, "k", "k", 0, "`N` themes instead of as many as the papers suggest")
	f.IntVar(&o.levels, "levels", 1, "`1|2`: with 2, each theme is grouped again")
	f.Uint64Var(&o.seed, "seed", 0, "the `SEED` of what is random")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "each theme's terms and papers, too")
	addEngineFlags(cmd, &o.engineOptions)
	return cmd
}

func runThemes(ctx context.Context, s *session, o themesOptions) error {
	if o.levels < 1 || o.levels > 2 {
		return usagef("--levels takes 1 or 2", "themes have no %d levels", o.levels)
	}
	if o.kGiven && o.k < 1 {
		return usagef("-k is the number of themes wanted, at least 1", "-k %d asks for no theme", o.k)
	}
	e, err := s.openToRead(ctx, o.engineOptions)
	if err != nil {
		return err
	}
	defer e.Close()
	t, err := e.Themes(ctx, engine.ThemesRequest{K: o.k, Levels: o.levels, Seed: o.seed})
	if err != nil {
		return err
	}
	if s.global.json {
		return s.writeJSON(t)
	}
	titles, err := themeTitles(ctx, e, t, o.verbose)
	if err != nil {
		return err
	}
	renderThemes(s.out, s.layout(), themesView{t, titles, o.verbose})
	return nil
}

// themeTitles looks up the titles of the papers that a table of themes shows.
func themeTitles(ctx context.Context, e *engine.Engine, t *engine.Themes, all bool) (map[string]string, error) {
	titles := map[string]string{}
	for _, theme := range t.Themes {
		ids := theme.Representatives[:min(1, len(theme.Representatives))]
		if all {
			for _, p := range theme.Papers {
				ids = append(ids, p.ID)
			}
		}
		for _, id := range ids {
			p, err := e.Show(ctx, id)
			if err != nil {
				return nil, fmt.Errorf("looking up the papers of a theme: %w", err)
			}
			titles[id] = p.Title
		}
	}
	return titles, nil
}

// themesView is what a table of themes shows.
type themesView struct {
	*engine.Themes
	titles  map[string]string // of the papers shown
	verbose bool
}

// renderThemes sets each theme's name beside its size and a bar, below it the paper that
// represents it best, and its own themes where there are two levels.
func renderThemes(w io.Writer, l layout, t themesView) {
	c := themeColumns{layout: l}
	papers := 0
	below := map[string][]engine.Theme{}
	for _, theme := range t.Themes.Themes {
		below[theme.Parent] = append(below[theme.Parent], theme)
		if theme.Parent == "" {
			papers += theme.Size
		}
		c.largest = max(c.largest, theme.Size)
		c.names = max(c.names, width(oneLine(theme.Label))+subThemeIndent)
	}
	c.digits = len(count(c.largest))
	c.names = min(c.names, labelWidth, max(10, l.text()-c.digits-8))
	c.bars = max(0, min(barWidth, l.text()-c.names-c.digits-6))

	for _, line := range wrap(oneLine(themesHead(len(below[""]), papers, t.Reason)), l.text(), 0) {
		fmt.Fprintln(w, l.faint(line))
	}
	for _, theme := range below[""] {
		fmt.Fprintln(w)
		c.head(w, theme, "  ")
		c.inside(w, theme, t, "    ")
		for _, sub := range below[theme.ID] {
			c.head(w, sub, "    ")
			if t.verbose {
				c.inside(w, sub, t, "      ")
			}
		}
	}
}

// subThemeIndent is how much further right the themes of a theme stand.
const subThemeIndent = 2

// themeColumns are the columns of a table of themes.
type themeColumns struct {
	layout
	names, digits, bars int // widths
	largest             int // the size that fills a bar
}

// head sets a theme's name, its size and its bar.
func (c themeColumns) head(w io.Writer, theme engine.Theme, indent string) {
	names := c.names - len(indent) + subThemeIndent
	for i, line := range wrap(oneLine(theme.Label), names, 2) {
		if i == 0 {
			fmt.Fprintf(w, "%s%s  %*s  %s\n", indent, c.strong(pad(line, names)), c.digits, count(theme.Size), c.accent(bar(theme.Size, c.largest, c.bars)))
		} else {
			fmt.Fprintf(w, "%s%s\n", indent, c.strong(line))
		}
	}
}

// inside sets the paper that represents a theme, or its terms and all its papers with
// their fit.
func (c themeColumns) inside(w io.Writer, theme engine.Theme, t themesView, indent string) {
	room := c.text() - len(indent)
	if !t.verbose {
		if len(theme.Representatives) > 0 {
			fmt.Fprintf(w, "%s%s\n", indent, fit(oneLine(t.titles[theme.Representatives[0]]), room))
		}
		return
	}
	for _, line := range wrap(oneLine(strings.Join(theme.Terms, ", ")), room, 0) {
		fmt.Fprintf(w, "%s%s\n", indent, c.faint(line))
	}
	ids := 0
	for _, p := range theme.Papers {
		ids = max(ids, width(oneLine(p.ID)))
	}
	ids = min(ids, listIDWidth)
	for _, p := range theme.Papers {
		id := oneLine(p.ID)
		title := fit(oneLine(t.titles[p.ID]), room-max(ids, width(id))-8)
		fmt.Fprintf(w, "%s%4.2f  %s  %s\n", indent, p.Fit, c.faint(pad(id, ids)), title)
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

// bar is a line of blocks, w columns for the largest value.
func bar(n, largest, w int) string {
	if largest == 0 {
		return ""
	}
	return strings.Repeat("█", max(min(1, n, w), n*w/largest))
}
