package cli

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// update rewrites the golden files.
var update = flag.Bool("update", false, "rewrite the golden files")

// answer holds what tables have to cope with: long and short titles, wide characters,
// missing fields, control characters, many authors, an id wider than its room.
var answer = &engine.Answer{
	Mode: "dense", Neighbours: "exact",
	Results: []engine.Result{
		{Rank: 1, ID: "arxiv:2401.00001", Title: "Policy gradients with low variance", Score: 0.7312, Year: 2024,
			Venue: "ICML", Authors: []string{"Lovelace, Ada", "Turing, Alan"},
			Snippet: "We remove the critic and show that the variance of the gradient stays bounded when the baseline is the mean of a group of answers to one question, in eight environments and two model families."},
		{Rank: 2, ID: "p:0123456789abcdef0123", Title: "A title that is so long that it does not fit into two lines of a terminal of eighty columns, however it is broken, and so has to be cut somewhere near here, or here",
			Score: 0.5, Authors: []string{"One, A", "Two, B", "Three, C", "Four, D", "Five, E"}, Snippet: ""},
		{Rank: 3, ID: "doi:10.1000/a-very-long-identifier-that-goes-on-and-on-and-on-and-on-and-on", Title: "深層強化学習における方策勾配の分散低減 and 한국어 제목 in one line, e\u0301te\u0301",
			Score: 0.25, Year: 1998, Snippet: "A snippet with \x1b[31mcolours\x1b[0m,\nline ends,\tand a bell\a."},
		{Rank: 10, ID: "x", Title: "The same text twice", Score: -0.03, Snippet: "The same text twice"},
	},
}

var explainedAnswer = &engine.Answer{Results: []engine.Result{
	{Rank: 1, ID: "arxiv:2401.00001", Title: "Policy gradients with low variance", Score: 0.87, Snippet: "We remove the critic.", Explain: &engine.Explanation{
		Dense: 0.61, Sentence: 0.7, Keyword: 3.2, Share: &engine.Share{Meaning: 0.5, Words: 0.37},
		Pair:     &engine.SentencePair{Asked: "low variance", Paper: "The variance of the gradient stays bounded when the baseline is the mean of a group of answers.", Cosine: 0.7},
		Words:    []engine.SharedWord{{Word: "variance"}, {Word: "gradient"}},
		Nearness: &engine.Nearness{RandomPairs: 99.4, Neighbours: 60},
	}},
	{Rank: 2, ID: "x", Title: "By words alone", Score: 0.2, Explain: &engine.Explanation{Keyword: 1.5}},
}}

var found = engine.ThemesFound{K: 3, ChosenBy: "modularity", Reason: "the number with the largest modularity among 2 to 7"}

var themes = themesView{
	Themes: &engine.Themes{ThemesFound: found, Themes: []engine.Theme{
		{ID: "t1", Label: "language models, reasoning", Terms: []string{"language models", "reasoning", "agents"}, Size: 1200,
			Representatives: []string{"a", "b"}, Papers: []engine.ThemePaper{
				{ID: "a", Fit: 0.93, Title: "Large language models excel as few-shot learners when provided with appropriate demonstrations, yet this strength becomes problematic"},
				{ID: "b", Fit: 0.08, Title: "A study of agents", Between: "t3"}}},
		{ID: "t2", Label: "深層学習 of a name that is much too long for one line of a narrow terminal", Size: 40, Representatives: []string{"c"},
			Papers: []engine.ThemePaper{{ID: "c", Fit: 1, Title: "深層学習"}}},
		{ID: "t3", Label: "auctions", Size: 1, Representatives: []string{"d"}, Papers: []engine.ThemePaper{{ID: "d", Title: "Markets"}}},
	}},
}

func TestGoldenTables(t *testing.T) {
	verbose := themes
	verbose.verbose = true
	levels := themes
	levels.Themes = &engine.Themes{Themes: append(slices.Clone(themes.Themes.Themes),
		engine.Theme{ID: "t4", Parent: "t1", Label: "agents", Size: 700}, engine.Theme{ID: "t5", Parent: "t1", Label: "reasoning", Size: 500})}
	changed := themes
	again := *themes.Themes
	again.Changes = &engine.ThemeChanges{Kept: 2, Moved: 35, New: []engine.ThemeRef{{ID: "t3", Label: "auctions"}}, Gone: []engine.ThemeRef{{ID: "t7", Label: "Markets, as I call them"}}}
	again.FitNone = []engine.ThemePaper{{ID: "e", Title: "On beekeeping", Between: "t1"}, {ID: "f", Title: "On beekeeping, again", Between: "t2"}}
	changed.Themes = &again
	theme := themes.Themes.Themes[0]
	theme.FoundLabel = "language models, agents"
	// What the engine makes of these counts: of complementary themes one grows where the
	// other shrinks, and three papers are too few for any test.
	years := &engine.ThemeYears{WithoutYear: 7, Themes: []engine.ThemeTrend{
		{ThemeRef: engine.ThemeRef{ID: "t1", Label: "language models, reasoning"}, Trend: engine.Grows, P: 0.00017},
		{ThemeRef: engine.ThemeRef{ID: "t12", Label: "深層学習 of a name that is much too long for one line of a narrow terminal"}, Trend: engine.Shrinks, P: 0.00017},
		{ThemeRef: engine.ThemeRef{ID: "t3", Label: "auctions"}, Trend: engine.TooFew, P: 1},
	}}
	years.Spans = []engine.YearSpan{{From: 1990, To: 2011}, {From: 2012, To: 2023}}
	for year := 1990; year <= 2023; year++ {
		if year == 1993 || year == 1994 {
			continue
		}
		all, first, third := 2*(year-1980), 5*(year-1985)/3, 0
		if year == 2001 || year == 2010 || year == 2020 {
			third = 1
		}
		half := 0
		if year > years.Spans[0].To {
			half = 1
		}
		years.Years = append(years.Years, engine.YearCount{Year: year, Papers: all})
		years.Spans[half].Papers += all
		for i, n := range []int{first, all - first - third, third} {
			t := &years.Themes[i]
			if t.Spans == nil {
				t.Spans = make([]engine.SpanShare, 2)
			}
			t.Size += n
			t.Spans[half].Papers += n
			t.Years = append(t.Years, engine.YearShare{YearCount: engine.YearCount{Year: year, Papers: n}, Share: float64(n) / float64(all)})
		}
	}
	for _, t := range years.Themes {
		for half := range t.Spans {
			t.Spans[half].Share = float64(t.Spans[half].Papers) / float64(years.Spans[half].Papers)
		}
	}
	years.ThemesFound = engine.ThemesFound{Asked: 3, Reason: "3 asked for", Changes: again.Changes,
		Join: &engine.JoinReport{Joined: 12, FitNone: 1}}
	joined := &engine.JoinReport{Joined: 12, FitNone: 3, Drifted: true, Into: []engine.ThemeCount{
		{ThemeRef: engine.ThemeRef{ID: "t1", Label: "language models, reasoning"}, Papers: 8}, {ThemeRef: engine.ThemeRef{ID: "t3", Label: "auctions"}, Papers: 4}}}
	papers := []engine.Paper{
		{ID: "arxiv:2401.00001", Title: "Policy gradients with low variance", Year: 2024},
		{ID: "p:0123456789abcdef", Title: strings.Repeat("very ", 30) + "long"},
		{ID: "doi:10.1000/a-very-long-identifier-that-goes-on", Title: "\x1b[2Jcleared", Year: 1998},
	}
	report := &engine.AddReport{Read: 1234, Added: 1200, Updated: 3, Merged: 2, Unchanged: 17, RejectedCount: 12, WithoutAbstract: 40,
		Truncated: 300, Embedded: 1203, Seconds: 75.2, Rejected: []engine.Rejected{
			{File: "papers.jsonl", Line: 12, Reason: "has neither a title nor an abstract"},
			{File: "papers.jsonl", Line: 40, ID: "key-7", Reason: "is no JSON: unexpected end"},
		}}
	var repeated engine.AddReport
	repeated.Read, repeated.Unchanged = 500, 500
	paper := &engine.Paper{ID: "arxiv:2401.00001", Keys: []string{"lovelace24"}, Title: "Policy gradients with low variance",
		Abstract: strings.Repeat("We remove the critic. ", 10), Authors: []string{"Lovelace, Ada", "Turing, Alan"}, Year: 2024, Venue: "ICML",
		URL: "https://example.org/x", Sources: []string{"papers.bib"}}
	stats := &engine.Stats{Library: "/home/ada/.local/share/akin", Papers: 12345, WithAbstract: 12000, Vectors: 12345, Bytes: 45678901,
		Model:    engine.ModelStats{Name: "all-MiniLM-L6-v2", Dim: 384, Fingerprint: "all-MiniLM-L6-v2/akin/fp32"},
		Snapshot: engine.SnapshotStats{Generation: 3, Method: "hnsw", Bytes: 23456789}}
	check := &engine.CheckReport{Problems: []engine.Problem{{What: "a vector is not of unit length", Where: "paper arxiv:2401.00001", Hint: "akin add encodes it again"}}}

	tests := []struct {
		name   string
		layout layout
		render func(w *strings.Builder, l layout)
	}{
		{"answer-80", layout{width: 80}, func(w *strings.Builder, l layout) { renderAnswer(w, l, answer) }},
		{"answer-40", layout{width: 40, cut: true}, func(w *strings.Builder, l layout) { renderAnswer(w, l, answer) }},
		{"answer-200-colour", layout{width: 200, cut: true, colour: true}, func(w *strings.Builder, l layout) { renderAnswer(w, l, answer) }},
		{"answer-explained-80", layout{width: 80}, func(w *strings.Builder, l layout) { renderAnswer(w, l, explainedAnswer) }},
		{"themes-80", layout{width: 80}, func(w *strings.Builder, l layout) { renderThemes(w, l, themes) }},
		{"themes-40", layout{width: 40}, func(w *strings.Builder, l layout) { renderThemes(w, l, themes) }},
		{"themes-levels-80", layout{width: 80}, func(w *strings.Builder, l layout) { renderThemes(w, l, levels) }},
		{"themes-verbose-80", layout{width: 80}, func(w *strings.Builder, l layout) { renderThemes(w, l, verbose) }},
		{"themes-changed-80", layout{width: 80}, func(w *strings.Builder, l layout) { renderThemes(w, l, changed) }},
		{"themes-years-80", layout{width: 80}, func(w *strings.Builder, l layout) { renderThemeYears(w, l, yearsView{years, "-k 3"}) }},
		{"eval-themes", layout{width: 80}, func(w *strings.Builder, l layout) {
			renderEvalThemes(w, l, &engine.ThemesEvalReport{Papers: 5183, Subsets: 5, Themes: []engine.ThemesFigure{
				{K: 8, ChosenBy: "user", Stability: 0.875, StabilityKMeans: 0.754, IDsKept: 0.97, NPMI: 0.343, Diversity: 0.99},
				{K: 100, ChosenBy: "user", Stability: 1, StabilityKMeans: -0.01, IDsKept: 1, NPMI: -0.343, Diversity: 1, StopWords: 12, RepeatedNames: 3},
			}})
		}},
		{"theme-80", layout{width: 80, cut: true}, func(w *strings.Builder, l layout) { renderTheme(w, l, &theme) }},
		{"add-joined", layout{width: 80}, func(w *strings.Builder, l layout) { renderJoined(w, l, joined) }},
		{"list-80", layout{width: 80, cut: true}, func(w *strings.Builder, l layout) { renderList(w, l, papers) }},
		{"list-pipe", layout{width: 80}, func(w *strings.Builder, l layout) { renderList(w, l, papers) }},
		{"add", layout{width: 80}, func(w *strings.Builder, l layout) { renderAdd(w, l, report, false) }},
		{"add-again", layout{width: 80}, func(w *strings.Builder, l layout) { renderAdd(w, l, &repeated, false) }},
		{"show-80", layout{width: 80}, func(w *strings.Builder, l layout) { renderPaper(w, l, paper) }},
		{"stats", layout{width: 80}, func(w *strings.Builder, l layout) { renderStats(w, l, stats) }},
		{"check", layout{width: 80}, func(w *strings.Builder, l layout) { renderCheck(w, l, check) }},
		{"models", layout{width: 80}, func(w *strings.Builder, l layout) { renderModels(w, l, engine.Models()) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var w strings.Builder
			test.render(&w, test.layout)
			got := w.String()
			checkTable(t, test.layout, got)
			path := filepath.Join("testdata", test.name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got; -update rewrites it):\n%s", path, diff)
			}
		})
	}
}

// checkTable holds what every table must: no line wider than the terminal (but an id), no control
// character but colours, no space at the end of a line.
func checkTable(t *testing.T, l layout, table string) {
	t.Helper()
	for line := range strings.Lines(table) {
		line = strings.TrimSuffix(line, "\n")
		plain := line
		if l.colour {
			plain = strings.NewReplacer("\x1b[1m", "", "\x1b[2m", "", "\x1b[36m", "", "\x1b[m", "").Replace(line)
		}
		if plain != oneLineKeepingSpaces(plain) {
			t.Errorf("a control character in %q", line)
		}
		if strings.HasSuffix(plain, " ") {
			t.Errorf("a space at the end of %q", line)
		}
		if w := width(plain); l.cut && w > l.width && len(strings.Fields(plain)) > 1 { // one word alone is an id, which is never broken
			t.Errorf("%d columns on a terminal of %d: %q", w, l.width, line)
		}
	}
}

func oneLineKeepingSpaces(s string) string {
	var words []string
	for _, word := range strings.Split(s, " ") {
		words = append(words, oneLine(word))
	}
	return strings.Join(words, " ")
}

// renderList lists papers as akin list does.
func renderList(w *strings.Builder, l layout, papers []engine.Paper) {
	table := listTable{w: w, layout: l}
	for i := range papers {
		_ = table.add(&papers[i])
	}
	_ = table.flush()
}

func TestABarNeverVanishesAndNeverOverflows(t *testing.T) {
	for _, test := range []struct{ n, largest, width, want int }{
		{1, 1000000, 20, 1}, {1000000, 1000000, 20, 20}, {500, 1000, 20, 10}, {0, 10, 20, 0}, {0, 0, 20, 0}, {5, 10, 0, 0},
	} {
		if got := width(bar(test.n, test.largest, test.width)); got != test.want {
			t.Errorf("bar(%d, %d, %d) has %d columns, want %d", test.n, test.largest, test.width, got, test.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{count(0), "0"}, {count(1234567), "1,234,567"},
		{plural(1, "paper"), "1 paper"}, {plural(0, "paper"), "0 papers"}, {plural(12345, "paper"), "12,345 papers"},
		{duration(0.04), "0.0 s"}, {duration(9.87), "9.9 s"}, {duration(59), "59 s"}, {duration(200), "3 min 20 s"}, {duration(3661), "61 min 1 s"},
		{size(45141904), "45 MB"}, {size(-1), "0 B"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}
