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
	f.Uint64Var(&o.seed, "seed", 0, "the `SEED` of what is random")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "each theme's terms and papers, too")
	addEngineFlags(cmd, &o.engineOptions)
	return cmd
}

func runThemes(ctx context.Context, s *session, o themesOptions) error {
	if o.kGiven && o.k < 1 {
		return usagef("-k is the number of themes wanted, at least 1", "-k %d asks for no theme", o.k)
	}
	e, err := s.openToRead(ctx, o.engineOptions)
	if err != nil {
		return err
	}
	defer e.Close()
	t, err := e.Themes(ctx, engine.ThemesRequest{K: o.k, Seed: o.seed})
	if err != nil {
		return err
	}
	if o.k > len(t.Themes) {
		s.notef("%s asked for; the papers make %d", plural(o.k, "theme"), len(t.Themes))
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

// renderThemes sets each theme's name beside its size and a bar, and below it the paper
// that represents it best.
func renderThemes(w io.Writer, l layout, t themesView) {
	papers, largest, names := 0, 0, 0
	for _, theme := range t.Themes.Themes {
		papers += theme.Size
		largest = max(largest, theme.Size)
		names = max(names, width(oneLine(theme.Label)))
	}
	digits := len(count(largest))
	names = min(names, labelWidth, max(10, l.text()-digits-8))
	bars := max(0, min(barWidth, l.text()-names-digits-6))

	for _, line := range wrap(oneLine(themesHead(t.Themes, papers)), l.text(), 0) {
		fmt.Fprintln(w, l.faint(line))
	}
	for _, theme := range t.Themes.Themes {
		fmt.Fprintln(w)
		for i, line := range wrap(oneLine(theme.Label), names, 2) {
			if i == 0 {
				fmt.Fprintf(w, "  %s  %*s  %s\n", l.strong(pad(line, names)), digits, count(theme.Size), l.accent(bar(theme.Size, largest, bars)))
			} else {
				fmt.Fprintf(w, "  %s\n", l.strong(line))
			}
		}
		if t.verbose {
			renderThemeInside(w, l, t, theme)
		} else if len(theme.Representatives) > 0 {
			fmt.Fprintf(w, "    %s\n", fit(oneLine(t.titles[theme.Representatives[0]]), l.text()-4))
		}
	}
}

// renderThemeInside sets a theme's terms and its papers with their fit.
func renderThemeInside(w io.Writer, l layout, t themesView, theme engine.Theme) {
	for _, line := range wrap(oneLine(strings.Join(theme.Terms, ", ")), l.text()-4, 0) {
		fmt.Fprintf(w, "    %s\n", l.faint(line))
	}
	for _, p := range theme.Papers {
		fmt.Fprintf(w, "    %4.2f  %s\n", p.Fit, fit(oneLine(t.titles[p.ID]), l.text()-10))
		fmt.Fprintf(w, "          %s\n", l.faint(oneLine(p.ID)))
	}
}

// themesHead says how many themes there are, and why.
func themesHead(t *engine.Themes, papers int) string {
	head := fmt.Sprintf("%s in %s", plural(len(t.Themes), "theme"), plural(papers, "paper"))
	if t.Reason != "" {
		head += ": " + t.Reason
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
