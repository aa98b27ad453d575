package engine_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func TestThemesOfOddCollections(t *testing.T) {
	same := strings.Repeat("one and the same text about auctions ", 3)
	var copies, bare, foreign []string
	for i := range 300 {
		copies = append(copies, fmt.Sprintf(`{"id":"c%d","title":"Copy %d","abstract":"%s","doi":"10.1/%d"}`, i, i, same, i))
	}
	for i := range 30 {
		bare = append(bare, fmt.Sprintf(`{"id":"b%d","title":"%s %d"}`, i, strings.Join(topics[i%3][:4], " "), i))
		foreign = append(foreign, fmt.Sprintf(`{"id":"f%d","title":"Über die %d. %s","abstract":"Wir untersuchen die Eigenschaften der Systeme und zeigen, dass sich das Verfahren eignet. %s %s"}`,
			i, i, []string{"Windkraft", "Bienen", "Märkte"}[i%3], []string{"Rotorblätter der Windkraftanlage ermüden.", "Bienen sammeln Nektar im Bienenstock.", "Bieter und Verkäufer handeln am Markt."}[i%3], []string{"Windkraftanlage", "Bienenstock", "Marktpreis"}[i%3]))
	}
	for name, test := range map[string]struct {
		lines []string
		k     int
	}{
		"one paper":                {planted(0, 1, 1), 0},
		"one paper, two asked for": {planted(0, 1, 1), 2},
		"two papers":               {planted(0, 2, 2), 0},
		"two papers, k 1":          {planted(0, 2, 2), 1},
		"all without abstract":     {bare, 3},
		"k larger than n":          {planted(0, 12, 3), 1000},
		"k 1":                      {planted(0, 40, 3), 1},
		"hundreds of copies":       {copies, 3},
		"copies beside others":     {append(slices.Clip(copies), planted(0, 30, 3)...), 4},
		"another language":         {foreign, 3},
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := library(t, test.lines...)
			th := themesOf(t, e, engine.ThemesRequest{K: test.k})
			if len(th.Themes) == 0 || test.k > 0 && len(th.Themes) > test.k || len(th.Themes) > len(test.lines) {
				t.Errorf("%d themes of %d papers, %d asked for", len(th.Themes), len(test.lines), test.k)
			}
			seen := make(map[string]bool)
			for _, theme := range th.Themes {
				if theme.Label == "" || seen[theme.Label] || theme.Size == 0 || len(theme.Representatives) == 0 {
					t.Errorf("theme %s: label %q, size %d, representatives %v", theme.ID, theme.Label, theme.Size, theme.Representatives)
				}
				seen[theme.Label] = true
				for _, word := range []string{"der", "die", "und", "wir", "dass"} {
					if slices.Contains(strings.Fields(strings.NewReplacer(",", " ").Replace(strings.ToLower(theme.Label))), word) {
						t.Errorf("theme %s is called %q: %q is a stop word", theme.ID, theme.Label, word)
					}
				}
			}
			if diff := cmp.Diff(th, themesOf(t, e, engine.ThemesRequest{})); diff != "" {
				t.Errorf("asked again:\n%s", diff)
			}
		})
	}
}

func TestTwoLevelsAreKept(t *testing.T) {
	e, dir := library(t, planted(0, 240, 6)...)
	th := themesOf(t, e, engine.ThemesRequest{K: 2, Levels: 2})
	subs := 0
	for _, theme := range th.Themes {
		if theme.Parent != "" {
			subs++
		}
	}
	if subs < 4 {
		t.Fatalf("%d themes below two of six topics", subs)
	}
	r := add(t, e, write(t, dir, "more.jsonl", planted(240, 246, 6)...))
	if r.Themes == nil || r.Themes.Joined != 6 {
		t.Fatalf("joined: %+v", r.Themes)
	}
	now := themesOf(t, e, engine.ThemesRequest{})
	if diff := cmp.Diff(themeIDs(th), themeIDs(now)); diff != "" {
		t.Errorf("ids:\n%s", diff)
	}
	parents, places := make(map[string]string), placesOf(now) // the lower level comes last
	for _, theme := range now.Themes {
		parents[theme.ID] = theme.Parent
	}
	for i := range 6 {
		a, b := places[fmt.Sprintf("k%d", 240+i)], places[fmt.Sprintf("k%d", i)]
		if parents[a] == "" || parents[a] != parents[b] {
			t.Errorf("a new paper like k%d is in %s of %s, that in %s of %s", i, a, parents[a], b, parents[b])
		}
	}
}

func TestThemesOfTheSeedsHaveTheSameIDsEachTime(t *testing.T) {
	first := themesOf(t, openWith(t, engine.Config{}), engine.ThemesRequest{Levels: 2})
	if diff := cmp.Diff(first, themesOf(t, openWith(t, engine.Config{}), engine.ThemesRequest{Levels: 2})); diff != "" {
		t.Errorf("another time:\n%s", diff)
	}
	if first.Themes[0].ID != "t1" {
		t.Errorf("the first theme is %s", first.Themes[0].ID)
	}
	e := openWith(t, engine.Config{Library: filepath.Join(t.TempDir(), "none")})
	if _, err := e.RenameTheme(t.Context(), "t1", "x"); engine.KindOf(err) != engine.NotFound {
		t.Errorf("naming a theme of the seeds: %v", err)
	}
}

func TestThemesOverYears(t *testing.T) {
	e, _ := library(t, append(planted(0, 120, 3), strings.Replace(about(120, 2), `"year":2000`, `"year":0`, 1))...)
	y, err := e.ThemesOverYears(t.Context(), engine.ThemesRequest{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	th := themesOf(t, e, engine.ThemesRequest{})
	if y.WithoutYear != 1 || len(y.Years) != 20 || len(y.Themes) != 3 {
		t.Errorf("%d years, %d papers without, %d themes", len(y.Years), y.WithoutYear, len(y.Themes))
	}
	sums := make([]float64, len(y.Years))
	for _, theme := range y.Themes {
		papers := 0
		for i, year := range theme.Years {
			sums[i] += year.Share
			papers += year.Papers
		}
		for _, other := range th.Themes {
			if other.ID == theme.ID && (other.Size != theme.Size || papers > theme.Size || papers < theme.Size-1) {
				t.Errorf("%s has %d papers, %d of a year; want %d", theme.ID, theme.Size, papers, other.Size)
			}
		}
	}
	for i, sum := range sums {
		if sum < 0.999 || sum > 1.001 {
			t.Errorf("the shares of %d add up to %f", y.Years[i].Year, sum)
		}
	}
}

func TestTrendsOfThemes(t *testing.T) {
	var lines []string
	for i := range 200 { // the share of auctions rises from nothing to all of what is not about proteins
		year := i / 10
		topic := 0
		switch {
		case i%10 < 4:
			topic = 2
		case i%10 < 4+year*6/19:
			topic = 1
		}
		lines = append(lines, strings.Replace(about(i, topic), fmt.Sprintf(`"year":%d`, 2000+i%20), fmt.Sprintf(`"year":%d`, 2000+year), 1))
	}
	e, _ := library(t, lines...)
	th := themesOf(t, e, engine.ThemesRequest{K: 3})
	y, err := e.ThemesOverYears(t.Context(), engine.ThemesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	places := placesOf(th)
	want := map[string]engine.Trend{places["k0"]: engine.Steady, places["k199"]: engine.Grows, places["k5"]: engine.Shrinks}
	for _, theme := range y.Themes {
		if theme.Trend != want[theme.ID] {
			t.Errorf("%s (%s) %s (p %.3f), want %s", theme.ID, theme.Label, theme.Trend, theme.P, want[theme.ID])
		}
	}
	// One paper of 1904 must not hide what the others show.
	add(t, e, write(t, t.TempDir(), "old.jsonl", strings.Replace(about(800, 1), `"year":2000`, `"year":1904`, 1)))
	if y, err = e.ThemesOverYears(t.Context(), engine.ThemesRequest{}); err != nil || y.Years[0].Year != 1904 {
		t.Fatalf("%v, years from %d", err, y.Years[0].Year)
	}
	for _, theme := range y.Themes {
		if theme.Trend != want[theme.ID] {
			t.Errorf("with a paper of 1904: %s (%s) %s (p %.3f), want %s", theme.ID, theme.Label, theme.Trend, theme.P, want[theme.ID])
		}
	}
	bare, _ := library(t, `{"title":"Without a year","abstract":"graph node"}`, `{"title":"Without a year, too","abstract":"auction price"}`)
	if _, err := bare.ThemesOverYears(t.Context(), engine.ThemesRequest{}); engine.KindOf(err) != engine.NotFound {
		t.Errorf("papers without years: %v", err)
	}
}

// A theme that is too small to be divided has no theme below it: that would be the same.
func TestNoThemeIsTheSameAsTheOneAboveIt(t *testing.T) {
	lines := planted(0, 120, 2)
	for i := 300; i < 312; i++ {
		lines = append(lines, about(i, stranger))
	}
	e, dir := library(t, lines...)
	th := themesOf(t, e, engine.ThemesRequest{K: 3, Levels: 2})
	small := placesOf(th)["k300"]
	add(t, e, write(t, dir, "more.jsonl", strings.NewReplacer("k300", "k312", "Paper 300", "Paper 312").Replace(about(300, stranger))))
	size, below := make(map[string]int), 0
	for _, theme := range themesOf(t, e, engine.ThemesRequest{}).Themes {
		size[theme.ID] = theme.Size
		if theme.Parent == "" {
			continue
		}
		below++
		if theme.Parent == small || theme.Size >= size[theme.Parent] {
			t.Errorf("%s, of %d papers, is below %s of %d", theme.ID, theme.Size, theme.Parent, size[theme.Parent])
		}
	}
	if size[small] != 13 || below < 2 || len(size) != 3+below {
		t.Errorf("%s has %d papers, want 13; %d themes, %d below others", small, size[small], len(size), below)
	}
	for n := 1; n <= len(size); n++ {
		if size[fmt.Sprintf("t%d", n)] == 0 {
			t.Errorf("no theme is t%d, of %d", n, len(size))
		}
	}
}
