package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
)

// Theme returns one theme with its papers, as a person names it: by its id, or by a part
// of its name that no other has.
func (e *Engine) Theme(ctx context.Context, name string) (_ *Theme, err error) {
	defer e.begin(&err)()
	t, err := e.theme(ctx, name)
	if err != nil {
		return nil, explain(err)
	}
	return t, nil
}

func (e *Engine) theme(ctx context.Context, name string) (*Theme, error) {
	g, err := e.standing(ctx)
	if err != nil {
		return nil, err
	}
	wanted, err := oneTheme(g.themes, name)
	if err != nil {
		return nil, err
	}
	if wanted.Level == store.Resting {
		return nil, rests(wanted, len(g.members()[wanted.N]) > 0)
	}
	all, err := e.present(ctx, g)
	if err != nil {
		return nil, err
	}
	for i := range all.Themes {
		if all.Themes[i].ID == themeID(wanted.N) {
			return &all.Themes[i], nil
		}
	}
	return nil, &Error{Kind: NotFound, Err: fmt.Errorf("no paper is in %s any more", themeID(wanted.N)), Hint: "akin themes --fresh finds the themes again"}
}

// standing is the themes as they are kept; errNoThemes where none are. Of the seeds they
// are found.
func (e *Engine) standing(ctx context.Context) (*grouping, error) {
	sh, err := e.papers(ctx)
	if err != nil {
		return nil, err
	}
	if lib, ok := sh.(*store.Library); ok {
		return e.readKept(ctx, lib)
	}
	return e.grouping(ctx, ThemesRequest{})
}

// themesOfPaper are the themes that paper n is of, the one on the first level first.
func themesOfPaper(ctx context.Context, lib *store.Library, n uint32) ([]ThemeRef, error) {
	placements, err := lib.PlacementsOf(ctx, n)
	if err != nil || len(placements) == 0 {
		return nil, err
	}
	themes, err := lib.Themes(ctx)
	var refs []ThemeRef
	for _, t := range themes {
		if t.Level != store.Resting && slices.ContainsFunc(placements, func(p store.Placement) bool { return p.Theme == t.N }) {
			refs = append(refs, themeRef(t))
		}
	}
	return refs, err
}

// themeIDs are texts that name a theme by its number.
var themeIDs = regexp.MustCompile(`^[tT][0-9]+$`)

// longestThemeName is the longest name, in characters, that a person can give a theme.
const longestThemeName = 100

// RenameTheme gives a theme a person's name, which stays while the theme is the same.
// "" gives it the found one back.
func (e *Engine) RenameTheme(ctx context.Context, theme, name string) (*ThemeRef, error) {
	name = strings.TrimSpace(name)
	switch {
	case utf8.RuneCountInString(name) > longestThemeName:
		return nil, usagef(fmt.Sprintf("a name has %s at most", number.Of(longestThemeName, "character")), "the name has %s", number.Of(utf8.RuneCountInString(name), "character"))
	case strings.ContainsFunc(name, unicode.IsControl):
		return nil, usagef("a name is one line of text", "the name %q holds control characters", name)
	}
	if themeIDs.MatchString(name) {
		return nil, usagef("choose another name", "%s is how the id of a theme is written", name)
	}
	var ref ThemeRef
	err := e.change(ctx, "themes rename", func(w *store.Writer) error {
		if err := e.needPapers(ctx, w.Library); err != nil {
			return err
		}
		themes, err := w.Themes(ctx)
		if err != nil {
			return err
		}
		if len(themes) == 0 {
			return errNoThemes
		}
		t, err := oneTheme(themes, theme)
		if err != nil {
			return err
		}
		if t.Level == store.Resting {
			members, err := w.NumbersOfThemes(ctx, []int64{t.N})
			return cmp.Or(err, rests(t, len(members) > 0))
		}
		for _, other := range themes {
			switch {
			case name == "" || other.N == t.N || paper.Fold(themeLabel(other)) != paper.Fold(name):
			case other.Level == store.Resting: // its name goes over
				if err := w.RenameTheme(other.N, ""); err != nil {
					return err
				}
			default:
				return usagef("choose another name", "%s is called %q already", themeID(other.N), themeLabel(other))
			}
		}
		t.Name = name
		ref = themeRef(t)
		return w.RenameTheme(t.N, name)
	})
	if err != nil {
		return nil, err
	}
	return &ref, nil
}

// themesNamed are the present themes that a text means: the one with that id, or all
// with the text in their name or their found label.
func themesNamed(themes []store.Theme, text string) []store.Theme {
	folded := paper.Fold(text)
	var found []store.Theme
	for _, t := range themes {
		if strings.EqualFold(themeID(t.N), strings.TrimSpace(text)) {
			return []store.Theme{t}
		}
		if t.Level != store.Resting && folded != "" && (strings.Contains(paper.Fold(t.Name), folded) || strings.Contains(paper.Fold(t.Label), folded)) {
			found = append(found, t)
		}
	}
	return found
}

// oneTheme is the theme that a person names: also one that rests, by its id.
func oneTheme(themes []store.Theme, name string) (store.Theme, error) {
	if strings.TrimSpace(name) == "" {
		return store.Theme{}, errBlankTheme
	}
	found := themesNamed(themes, name)
	exact := slices.DeleteFunc(slices.Clone(found), func(t store.Theme) bool { return paper.Fold(themeLabel(t)) != paper.Fold(name) })
	switch {
	case len(exact) == 1:
		return exact[0], nil
	case len(found) == 0:
		return store.Theme{}, noTheme(name)
	case len(found) > 1:
		return store.Theme{}, usagef("name one of "+themeList(found), "%q may mean %s", name, number.Of(len(found), "theme"))
	}
	return found[0], nil
}

// rests is the error for a theme that is none of the present ones. It is known by its
// papers: when the last of them is removed, nothing says any more which theme it was, also
// where the same papers are added again.
func rests(t store.Theme, hasPapers bool) error {
	hint := "it keeps its name, and comes back when it is found again"
	if !hasPapers {
		hint = fmt.Sprintf("its papers were removed, so it cannot come back; akin themes rename THEME %q gives its name to another", themeLabel(t))
	}
	return &Error{Kind: NotFound, Err: fmt.Errorf("%s (%s) is not among the present themes", themeID(t.N), themeLabel(t)), Hint: hint}
}

var errBlankTheme = &Error{Kind: Usage, Err: errors.New("the name of a theme is blank"), Hint: "name it by its id or a part of its name; akin themes lists them"}

func noTheme(name string) error {
	return &Error{Kind: NotFound, Err: fmt.Errorf("no theme is called %q", name), Hint: "akin themes lists them"}
}

// themeList names some themes.
func themeList(themes []store.Theme) string {
	const shown = 3
	var names []string
	for _, t := range themes[:min(shown, len(themes))] {
		names = append(names, fmt.Sprintf("%s (%s)", themeID(t.N), themeLabel(t)))
	}
	if len(themes) > shown {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// within resolves the themes of filters: after it, filter knows which papers they have.
func (e *Engine) within(ctx context.Context, sh shelf, f Filters) (Filters, error) {
	if len(f.Theme) == 0 {
		return f, nil
	}
	if slices.ContainsFunc(f.Theme, func(name string) bool { return strings.TrimSpace(name) == "" }) {
		return f, errBlankTheme
	}
	var themes []store.Theme
	var g *grouping
	lib, ok := sh.(*store.Library)
	var err error
	if ok {
		if themes, err = lib.Themes(ctx); err == nil && len(themes) == 0 {
			err = errNoThemes
		}
	} else if g, err = e.standing(ctx); err == nil {
		themes = g.themes
	}
	if err != nil {
		return f, err
	}
	var numbers []int64
	for _, name := range f.Theme {
		found := themesNamed(themes, name)
		if len(found) == 0 {
			return f, noTheme(name)
		}
		for _, t := range found {
			numbers = append(numbers, t.N)
		}
	}
	f.inThemes = new(index.Set)
	if ok {
		ns, err := lib.NumbersOfThemes(ctx, numbers)
		for _, n := range ns {
			f.inThemes.Add(n)
		}
		return f, err
	}
	for _, p := range g.placements {
		if slices.Contains(numbers, p.Theme) {
			f.inThemes.Add(p.Paper)
		}
	}
	return f, nil
}
