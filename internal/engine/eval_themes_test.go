package engine_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func TestThemesAreMeasured(t *testing.T) {
	lines := planted(0, 72, 4)
	measure := func(lines []string) *engine.ThemesEvalReport {
		e, _ := library(t, lines...)
		r, err := e.EvalThemes(t.Context(), engine.ThemesEvalRequest{K: []int{4, 9}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Theme(t.Context(), "t1"); engine.KindOf(err) != engine.NotFound {
			t.Errorf("showing a theme after the measuring, which keeps none: %v", err)
		}
		themesOf(t, e, engine.ThemesRequest{}) // the library is at hand again
		return r
	}
	r := measure(lines)
	if r.Papers != 72 || len(r.Themes) != 2 {
		t.Fatalf("got %+v", r)
	}
	clear, forced := r.Themes[0], r.Themes[1]
	if clear.Stability < 0.99 || clear.IDsKept != 1 || clear.StabilityKMeans <= 0 {
		t.Errorf("as many themes as there are topics: %+v, want them stable", clear)
	}
	if forced.Stability >= clear.Stability || forced.IDsKept > 1 || forced.Stability < 0 {
		t.Errorf("many more themes than there are topics: %+v, want them less stable than %+v", forced, clear)
	}
	for _, f := range r.Themes {
		if f.StopWords != 0 || f.RepeatedNames != 0 || f.Diversity <= 0.5 || f.Diversity > 1 || f.NPMI < -1 || f.NPMI > 1 || f.ChosenBy != "user" {
			t.Errorf("names: %+v", f)
		}
	}
	slices.Reverse(lines)
	if diff := cmp.Diff(r, measure(lines)); diff != "" {
		t.Errorf("the same papers in another order:\n%s", diff)
	}
}

func TestThemesAreMeasuredWithTheNeighboursOfTheGraph(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "papers.jsonl", planted(0, 120, 4)...)
	measure := func(graphFrom int) engine.ThemesFigure {
		e := openWith(t, engine.Config{Library: t.TempDir(), Encoder: &words{}, GraphFrom: graphFrom})
		add(t, e, file)
		r, err := e.EvalThemes(t.Context(), engine.ThemesEvalRequest{K: []int{4}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Themes[0]
	}
	// In so small a collection the graph finds what is nearest: equal figures mean that its
	// answers are understood.
	if diff := cmp.Diff(measure(40), measure(100_000)); diff != "" {
		t.Errorf("with a graph (-) and with exact neighbours (+):\n%s", diff)
	}
}

func TestThemesThatCannotBeMeasured(t *testing.T) {
	e, _ := library(t, planted(0, 12, 3)...)
	for _, k := range []int{-1, 13} {
		if _, err := e.EvalThemes(t.Context(), engine.ThemesEvalRequest{K: []int{k}}); engine.KindOf(err) != engine.Usage {
			t.Errorf("%d themes of 12 papers: %v", k, err)
		}
	}
	one, _ := library(t, planted(0, 1, 1)...)
	if r, err := one.EvalThemes(t.Context(), engine.ThemesEvalRequest{}); err != nil || r.Themes[0].K != 1 {
		t.Errorf("one paper: %+v, %v", r, err)
	}
}
