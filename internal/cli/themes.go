package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

type themesOptions struct {
	engineOptions
	request engine.ThemesRequest
	kGiven  bool
	levels  bool // --levels was given
	over    string
	verbose bool
}

func newThemes(s *session) *cobra.Command {
	var o themesOptions
	var seed uint64
	cmd := &cobra.Command{
		Use:   "themes [COMMAND]",
		Short: "Group the papers into themes and name them",
		Long: `Group the papers of the library into themes. Each has an id, a name, a size and papers
that represent it. Without -k the number of themes is chosen, and the reason is given.
The same papers give the same themes, in whatever order they were added.

The library keeps its themes. New papers join them at 'akin add'. They are found again
when -k, --levels or --seed ask for other ones, when more than a tenth of the papers
came, changed or went, or with --fresh; a theme that is still the same keeps its id and
the name that you gave it, and what has changed is told.`,
		Example: "  akin themes\n  akin themes -k 4 -v\n  akin themes show t3\n  akin search auctions --theme t3",
		GroupID: groupFind,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return notBelowThemes(cmd, args[0])
			}
			o.kGiven, o.levels = cmd.Flags().Changed("k"), cmd.Flags().Changed("levels")
			if cmd.Flags().Changed("seed") {
				o.request.Seed = &seed
			}
			return during("finding themes", runThemes(cmd.Context(), s, o))
		},
	}
	f := cmd.Flags()
	f.IntVarP(&o.request.K, "k", "k", 0, "`N` themes instead of as many as the papers suggest")
	f.IntVar(&o.request.Levels, "levels", 0, "1 or 2 `LEVELS`: with 2 each theme is grouped again; at first 1")
	f.Uint64Var(&seed, "seed", 0, "the `SEED` of what is random")
	f.BoolVar(&o.request.Fresh, "fresh", false, "find the themes again, as if the library had none")
	f.StringVar(&o.over, "over", "", "each theme's share by `year`, and which grow")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "each theme's terms, representatives, and papers between it and another")
	addEngineFlags(cmd, &o.engineOptions)
	cmd.AddCommand(newThemesShow(s), newThemesRename(s))
	return cmd
}

// notBelowThemes is the error for an argument of themes: a command that is misspelt, or
// a theme.
func notBelowThemes(cmd *cobra.Command, name string) error {
	cmd.SuggestionsMinimumDistance = 2 // letters apart
	if len(cmd.SuggestionsFor(name)) > 0 {
		return unknownCommand(cmd, name)
	}
	return during(parsing, usagef("akin themes show shows one theme", "themes takes no argument, but %q was given", name))
}

// themesGarbagePercent is how much the heap may grow before it is collected while themes
// are found. They are made of a few long arrays of numbers, which cost nothing to collect:
// on 100,000 papers it takes no longer than with 200, and half of the memory.
const themesGarbagePercent = 25

func runThemes(ctx context.Context, s *session, o themesOptions) error {
	if o.levels && (o.request.Levels < 1 || o.request.Levels > 2) {
		return usagef("--levels takes 1 or 2", "themes have no %d levels", o.request.Levels)
	}
	if o.kGiven && o.request.K < 1 {
		return usagef("-k is the number of themes wanted, at least 1", "-k %d asks for no theme", o.request.K)
	}
	if o.over != "" && o.over != "year" {
		return usagef("--over takes year", "themes have no share over %q", o.over)
	}
	if o.over != "" && o.verbose {
		return usagef("akin themes -v shows those", "-v is of terms and papers, and --over of shares")
	}
	if o.over != "" && o.request.Levels == 2 {
		return usagef("akin themes --levels 2 shows the themes that each is made of", "--over takes the themes of the first level, and --levels 2 asks for the second")
	}
	if s.proc.SetGCPercent != nil {
		s.proc.SetGCPercent(themesGarbagePercent)
	}
	e, err := s.openToRead(ctx, o.engineOptions)
	if err != nil {
		return err
	}
	defer e.Close()
	if o.over != "" {
		return runThemesOverYears(ctx, s, e, o)
	}
	t, err := e.Themes(ctx, o.request)
	if err != nil {
		return err
	}
	if s.global.json {
		return s.writeJSON(t)
	}
	renderThemes(s.out, s.layout(), themesView{t, o.verbose, o.kept(t.ThemesFound)})
	return nil
}

// kept are the flags of an earlier command that the themes still follow.
func (o themesOptions) kept(t engine.ThemesFound) string {
	var flags []string
	if t.Asked > 0 && !o.kGiven {
		flags = append(flags, fmt.Sprintf("-k %d", t.Asked))
	}
	if t.Levels > 1 && !o.levels {
		flags = append(flags, fmt.Sprintf("--levels %d", t.Levels))
	}
	if t.Seed > 0 && o.request.Seed == nil {
		flags = append(flags, fmt.Sprintf("--seed %d", t.Seed))
	}
	return strings.Join(flags, " ")
}

func runThemesOverYears(ctx context.Context, s *session, e *engine.Engine, o themesOptions) error {
	y, err := e.ThemesOverYears(ctx, o.request)
	if err != nil {
		return err
	}
	if s.global.json {
		return s.writeJSON(y)
	}
	renderThemeYears(s.out, s.layout(), yearsView{y, o.kept(y.ThemesFound)})
	return nil
}

func newThemesShow(s *session) *cobra.Command {
	return &cobra.Command{
		Use:     "show THEME",
		Short:   "Show one theme with its papers",
		Long:    "Show one theme: its terms, and all its papers, the clearest first. A theme is named by\nits id, or by a part of its name.",
		Example: "  akin themes show t3",
		Args:    needArgs(1, "a theme"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("showing a theme", runThemesShow(cmd.Context(), s, strings.Join(args, " ")))
		},
	}
}

func runThemesShow(ctx context.Context, s *session, name string) error {
	e, err := s.openToRead(ctx, engineOptions{})
	if err != nil {
		return err
	}
	defer e.Close()
	t, err := e.Theme(ctx, name)
	if err != nil {
		return err
	}
	if s.global.json {
		return s.writeJSON(t)
	}
	renderTheme(s.out, s.layout(), t)
	return nil
}

func newThemesRename(s *session) *cobra.Command {
	var reset bool
	cmd := &cobra.Command{
		Use:   "rename THEME NAME",
		Short: "Give a theme a name of your own",
		Long: `Give a theme a name of your own. It keeps it as long as it is the same theme, also when
the themes are found again; --reset gives the found name back.`,
		Example: "  akin themes rename t3 \"Auctions and markets\"\n  akin themes rename t3 --reset",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case reset && len(args) != 1:
				return misusef(cmd, "rename --reset needs a theme")
			case !reset && len(args) != 2:
				return misusef(cmd, "rename needs a theme and its name, in quotes")
			case !reset && strings.TrimSpace(args[1]) == "":
				return misusef(cmd, "the name is blank (--reset gives the found name back)")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("naming a theme", runThemesRename(cmd.Context(), s, append(args, "")))
		},
	}
	cmd.Flags().BoolVar(&reset, "reset", false, "give the theme its found name back")
	return cmd
}

// runThemesRename gives the theme args[0] the name args[1].
func runThemesRename(ctx context.Context, s *session, args []string) error {
	e, err := s.open(ctx, engineOptions{})
	if err != nil {
		return err
	}
	defer e.Close()
	t, err := e.RenameTheme(ctx, args[0], args[1])
	if err != nil {
		return err
	}
	if s.global.json {
		return s.writeJSON(t)
	}
	_, err = fmt.Fprintf(s.out, "%s is called %s\n", t.ID, oneLine(t.Label))
	return err
}
