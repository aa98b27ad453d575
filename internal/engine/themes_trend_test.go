package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// overHalves is themes with the given papers in the earlier and the later half, judged.
func overHalves(earlier, later int, themes ...[2]int) []ThemeTrend {
	y := &ThemeYears{Spans: []YearSpan{{2001, 2010, earlier}, {2011, 2020, later}}}
	for _, n := range themes {
		y.Themes = append(y.Themes, ThemeTrend{Spans: []SpanShare{
			{n[0], float64(n[0]) / float64(earlier)}, {n[1], float64(n[1]) / float64(later)}}})
	}
	y.judge()
	return y.Themes
}

// A reader of the two shares must agree with what is said of them. All but the first case
// are among seven themes, of which the others change no more than chance has it.
func TestTrendsAreWhatTheSharesSay(t *testing.T) {
	others := [][2]int{{20, 11}, {21, 11}, {19, 11}, {22, 11}, {10, 6}, {11, 6}}
	for _, test := range []struct {
		name           string
		earlier, later int
		theme          [2]int
		others         [][2]int
		want           Trend
	}{
		{"a theme alone, from a fourth to a twentieth", 140, 77, [2]int{35, 4}, nil, Shrinks},
		{"from a fourth to a twentieth", 140, 77, [2]int{35, 4}, others, Shrinks},
		{"from a fifth to two fifths", 140, 77, [2]int{28, 31}, others, Grows},
		{"13 papers, and none any more", 140, 77, [2]int{13, 0}, others, Shrinks},
		{"none before", 140, 77, [2]int{0, 9}, others, Grows},
		{"six papers and none any more", 140, 77, [2]int{6, 0}, others, TooFew},
		{"some papers, and fewer", 103, 114, [2]int{16, 5}, others, TooFew},
		{"four papers", 108, 109, [2]int{4, 0}, others, TooFew},
		{"one paper", 108, 109, [2]int{0, 1}, others, TooFew},
		{"a tenth in both", 140, 77, [2]int{14, 8}, others, Steady},
		{"a little more of few", 140, 77, [2]int{14, 11}, others, Steady},
		{"a little more of many", 14000, 7700, [2]int{1400, 1100}, others, Grows},
		{"all papers", 140, 77, [2]int{140, 77}, nil, TooFew},
	} {
		got := overHalves(test.earlier, test.later, append([][2]int{test.theme}, test.others...)...)[0]
		if got.Trend != test.want || (got.P <= sureTrend) != (test.want == Grows || test.want == Shrinks) {
			t.Errorf("%s: %v of %d and %d: %s (p %.4f), want %s", test.name, test.theme, test.earlier, test.later, got.Trend, got.P, test.want)
		}
	}
}

// The p of single tables, computed apart in exact fractions.
func TestFishersExactTest(t *testing.T) {
	for _, test := range []struct {
		table halvesTable
		want  float64
	}{
		{halvesTable{3, 1, 4, 4}, 0.48571429}, // Fisher's lady and her tea
		{halvesTable{35, 4, 140, 77}, 0.00016836},
		{halvesTable{0, 0, 5, 5}, 1},
		{halvesTable{5, 5, 5, 5}, 1},
	} {
		if got := test.table.p(); math.Abs(got-test.want) > 1e-6 {
			t.Errorf("%+v: p %.8f, want %.8f", test.table, got, test.want)
		}
	}
}

// Where no share changes, of 20 themes 19 must be called steady, and in 19 of 20
// collections no theme may be said to grow or to shrink.
func TestNoTrendIsSeenInNoise(t *testing.T) {
	const collections, papers, themes = 1000, 400, 8
	rng := rand.New(rand.NewPCG(1, 2))
	wrong, unsteady := 0, 0
	for range collections {
		var counts [themes][2]int
		halves := [2]int{}
		for range papers {
			half, theme := rng.IntN(2), rng.IntN(themes)
			halves[half]++
			counts[theme][half]++
		}
		changes := false
		for _, trend := range overHalves(halves[0], halves[1], counts[:]...) {
			if trend.Trend != Steady {
				unsteady++
			}
			changes = changes || trend.Trend == Grows || trend.Trend == Shrinks
		}
		if changes {
			wrong++
		}
	}
	if share := float64(wrong) / collections; share > sureTrend {
		t.Errorf("in %.1f %% of collections a theme is said to change", 100*share)
	}
	if share := float64(unsteady) / collections / themes; share > sureTrend || share == 0 {
		t.Errorf("%.1f %% of themes are not called steady", 100*share)
	}
}

func TestYearsAreHalvedByTheirPapers(t *testing.T) {
	for want, years := range map[string][]YearCount{
		"[{1999 1999 7}]":                           {{1999, 7}},
		"[{1999 1999 7} {2000 2010 2}]":             {{1999, 7}, {2010, 2}},
		"[{1904 2019 103} {2020 2024 114}]":         {{1904, 1}, {2019, 102}, {2020, 37}, {2024, 77}},
		"[{2001 2001 5} {2002 2003 10}]":            {{2001, 5}, {2002, 5}, {2003, 5}},
		"[{2001 2001 10} {2002 2003 90}]":           {{2001, 10}, {2002, 85}, {2003, 5}},
		"[{2001 2002 1000000} {2003 2004 1000001}]": {{2001, 500_000}, {2002, 500_000}, {2003, 500_000}, {2004, 500_001}},
	} {
		if got := fmt.Sprint(halves(years)); got != want {
			t.Errorf("%v in %s, want %s", years, got, want)
		}
	}
}
