package engine_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// catalogue is lines of papers with fields, of which some lack some.
func catalogue(from, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		k := from + i
		lines[i] = fmt.Sprintf(`{"id":"c%d","title":"Subject %d with method %d","abstract":"Detail %d of area %d.","year":%d,"venue":"Conf %d","authors":["Löw, Ann%d","Roe, Bob"],"keywords":["topic %d"]}`,
			k, k%97, k%31, k, k%7, 1990+k%40, k%12, k%50, k%9)
		if k%10 == 0 {
			lines[i] = fmt.Sprintf(`{"id":"c%d","title":"Subject %d with method %d","abstract":"Detail %d of area %d."}`, k, k%97, k%31, k, k%7)
		}
	}
	return lines
}

// listed are the keys of the papers that a list with filters gives: it looks at each.
func listed(t testing.TB, e *engine.Engine, f engine.Filters) []string {
	t.Helper()
	var out []string
	err := e.List(t.Context(), engine.ListRequest{Filters: f}, func(p *engine.Paper) error {
		out = append(out, p.Keys[0])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

func filterCases() map[string]engine.Filters {
	return map[string]engine.Filters{
		"nearly all":              {Author: []string{"roe"}},
		"one year":                {YearFrom: 2001, YearTo: 2001},
		"years from":              {YearFrom: 2015},
		"a venue":                 {Venue: []string{"conf 11"}},
		"venues":                  {Venue: []string{"conf 11", "CONF 2"}},
		"an author, words turned": {Author: []string{"ann3 low"}},
		"a few":                   {Author: []string{"Ann7"}, Venue: []string{"Conf 3"}},
		"a keyword":               {Keyword: []string{"Topic-8"}},
		"a source":                {Source: []string{"second"}},
		"the first source":        {Source: []string{"first.jsonl"}},
		"one paper":               {Author: []string{"löw, ann9"}, YearFrom: 1999, YearTo: 1999, Venue: []string{"conf 9"}},
	}
}

func TestFiltersInsideASearchEqualALookAtEveryPaper(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		cfg  engine.Config
	}{
		{"without a snapshot", engine.Config{Library: filepath.Join(dir, "small")}},
		{"with a graph", engine.Config{Library: filepath.Join(dir, "graph"), GraphFrom: smallGraph}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.cfg.Encoder = &words{}
			e := openWith(t, c.cfg)
			add(t, e, write(t, dir, "first.jsonl", catalogue(0, 400)...))
			same := func(when string) {
				t.Helper()
				for name, f := range filterCases() {
					want := listed(t, e, f)
					if len(want) == 0 {
						t.Errorf("%s: nothing meets %q", when, name)
						continue
					}
					for _, mode := range []string{"hybrid", "dense", "keyword"} {
						a, err := e.Search(t.Context(), engine.Query{Text: "subject with method", Mode: mode, N: 1000, Filters: f})
						if err != nil {
							t.Fatalf("%s: %s, %s: %v", when, name, mode, err)
						}
						got := keys(a)
						slices.Sort(got)
						if !slices.Equal(got, want) {
							t.Errorf("%s: %s, %s: %d papers %v, want %d %v", when, name, mode, len(got), got, len(want), want)
						}
					}
				}
			}
			add(t, e, write(t, dir, "second.jsonl", catalogue(400, 20)...))
			same("after more came")
			changed := catalogue(0, 400)
			for i := range 15 { // other years, venues and texts
				changed[20*i+1] = strings.NewReplacer(`"Conf `, `"Conf 11 and `, `"year":19`, `"year":20`, "Detail", "Other detail").Replace(changed[20*i+1])
			}
			write(t, dir, "first.jsonl", changed...)
			add(t, e, filepath.Join(dir, "first.jsonl"))
			same("after some changed")
			if _, err := e.Remove(t.Context(), []string{"c59", "c180", "c401"}); err != nil {
				t.Fatal(err)
			}
			same("after some were removed")
		})
	}
}

func TestPhrases(t *testing.T) {
	e := shelfOfWords(t)
	for _, c := range []struct {
		text string
		want []string
	}{
		{`"policy gradient"`, []string{"critic", "gradient"}},
		{`"Policy gradients"`, []string{"critic"}},
		{`"gradient of the policy"`, []string{"gradient"}},
		{`"that tell the"`, []string{"auction"}},
		{`"of a"`, []string{"critic", "gradient"}},
		{`policy -"policy gradients"`, []string{"auction", "bandit", "gradient", "zirconium"}},
		{`policy -"variance policy"`, []string{"auction", "bandit", "critic", "gradient", "zirconium"}},
		{`policy -gradients`, []string{"auction", "bandit", "zirconium"}},
		{`policy -author:"ada lovelace"`, []string{"auction", "critic", "zirconium"}},
		{`policy "+++"`, []string{"auction", "bandit", "critic", "gradient", "zirconium"}},
	} {
		for _, mode := range []string{"hybrid", "dense"} {
			a, err := e.Search(t.Context(), engine.Query{Text: c.text, Mode: mode})
			if err != nil {
				t.Fatalf("%s: %v", c.text, err)
			}
			got := keys(a)
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("%s, %s: %v, want %v", c.text, mode, got, c.want)
			}
		}
	}
}

// Phrases of few and frequent words, asked for or not wanted, find what a look at every
// paper finds: in a snapshot, and after it.
func TestPhrasesEqualALookAtEveryPaper(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	texts := make(map[string][]string)
	var lines []string
	for i := range 700 {
		id := fmt.Sprintf("t%d", i)
		words := []string{id}
		for range 30 {
			words = append(words, []string{"of", "the", "policy", "policies", "gradient", "risk", "a"}[rng.IntN(7)])
		}
		texts[id] = words
		lines = append(lines, fmt.Sprintf(`{"id":%q,"title":"","abstract":%q}`, id, strings.Join(words, " ")))
	}
	e := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}, GraphFrom: smallGraph})
	noSentences := func(lines []string) {
		t.Helper()
		path := write(t, dir, "papers.jsonl", lines...)
		if _, err := e.Add(t.Context(), engine.AddRequest{Paths: []string{path}, NoSentences: true}); err != nil {
			t.Fatal(err)
		}
	}
	noSentences(lines[:690])
	if len(snapshots(t, dir)) == 0 {
		t.Fatal("there is no snapshot")
	}
	noSentences(lines)
	holds := func(id string, phrase []string) bool {
		words := texts[id]
		for i := 0; i+len(phrase) <= len(words); i++ {
			if slices.Equal(words[i:i+len(phrase)], phrase) {
				return true
			}
		}
		return false
	}
	for q := range 60 {
		some := texts[fmt.Sprintf("t%d", rng.IntN(700))]
		length := 2 + rng.IntN(6)
		at := 1 + rng.IntN(len(some)-length)
		phrase := some[at : at+length]
		text, wanted := `"`+strings.Join(phrase, " ")+`"`, true
		if q%3 == 0 {
			text, wanted = `risk -`+text, false
		}
		var want []string
		for id := range texts {
			if holds(id, phrase) == wanted {
				want = append(want, id)
			}
		}
		if len(want) == 0 {
			continue
		}
		slices.Sort(want)
		a, err := e.Search(t.Context(), engine.Query{Text: text, Mode: []string{"hybrid", "dense"}[q%2], N: 1000})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got := keys(a)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d papers, want %d", text, len(got), len(want))
		}
	}
}

func TestAPhraseOfNoPaperIsToldSo(t *testing.T) {
	e := shelfOfWords(t)
	_, err := e.Search(t.Context(), engine.Query{Text: `"gradient variance policy" critic`})
	if engine.KindOf(err) != engine.NotFound || !strings.Contains(hint(err), "quotes") {
		t.Errorf("got %v, hint %q; want NotFound and what to do", err, hint(err))
	}
}

func TestTheNearestFilterIsNamed(t *testing.T) {
	e := shelfOfWords(t)
	for _, c := range []struct {
		name string
		f    engine.Filters
		hint string
	}{
		{"a slip in an author", engine.Filters{Author: []string{"Lovelase"}}, `--author could be "Lovelace, Ada"`},
		{"a slip in a venue", engine.Filters{Venue: []string{"NeurlPS"}}, `--venue could be "NeurIPS"`},
		{"an author of another venue", engine.Filters{Author: []string{"Noether"}, Venue: []string{"ICML"}}, `--venue could be "EC"`},
		{"a year between", engine.Filters{YearFrom: 2019, YearTo: 2019}, "the papers are of --year 2018..2022; the nearest is of 2018"},
		{"two that fail", engine.Filters{Author: []string{"Nobody"}, Venue: []string{"Nowhere"}}, `; --`},
		{"three that fail", engine.Filters{YearFrom: 1800, YearTo: 1810, Author: []string{"Lovelase"}, Venue: []string{"NeurlPS"}}, `--venue could be "NeurIPS"`},
		{"years that fail with another", engine.Filters{YearFrom: 1800, YearTo: 1810, Venue: []string{"NeurlPS"}}, "the papers are of --year "},
		{"a year before all", engine.Filters{YearFrom: 1990, YearTo: 1999}, "the papers are of --year 2018..2022; the nearest is of 2018"},
		{"a year after all", engine.Filters{YearFrom: 2030}, "the papers are of --year 2018..2022; the nearest is of 2022"},
		{"the years contradict", engine.Filters{YearFrom: 2021, YearTo: 2019}, "2018..2022"},
	} {
		_, err := e.Search(t.Context(), engine.Query{Text: "policy", Filters: c.f})
		if engine.KindOf(err) != engine.NotFound || !strings.Contains(hint(err), c.hint) {
			t.Errorf("%s: %v, hint %q; want NotFound with %q", c.name, err, hint(err), c.hint)
		}
	}
	for _, f := range []engine.Filters{{Author: []string{"Lovelase"}}, {Venue: []string{"NeurlPS"}}} {
		errs := map[string]error{
			"list": e.List(t.Context(), engine.ListRequest{Filters: f}, func(*engine.Paper) error { return nil }),
		}
		_, errs["export"] = e.Export(t.Context(), io.Discard, engine.ExportRequest{Filters: f, To: "jsonl"})
		_, errs["similar"] = e.Similar(t.Context(), engine.Query{Like: []string{"auction"}, Filters: f})
		_, errs["keyword"] = e.Search(t.Context(), engine.Query{Text: "policy", Mode: "keyword", Filters: f})
		for what, err := range errs {
			if engine.KindOf(err) != engine.NotFound || !strings.Contains(hint(err), " could be ") {
				t.Errorf("%s with %+v: %v, hint %q; want NotFound and what it could be", what, f, err, hint(err))
			}
		}
	}
	if _, err := e.Search(t.Context(), engine.Query{Text: "policy", Filters: engine.Filters{Author: []string{"…"}}}); engine.KindOf(err) != engine.Usage {
		t.Errorf("an author without letters: %v, want a usage error", err)
	}
}

// Papers meet the filters, but none of them answers: the filter that stands in the way is
// named.
func TestTheFilterInTheWayIsNamed(t *testing.T) {
	e := shelfOfWords(t)
	for _, c := range []struct {
		name string
		q    engine.Query
		hint string
	}{
		{"words of other papers", engine.Query{Text: "zirconium", Mode: "keyword", Filters: engine.Filters{Author: []string{"turing"}}}, "without --author"},
		{"words of other years", engine.Query{Text: "bandits", Mode: "keyword", Filters: engine.Filters{YearFrom: 2020, Author: []string{"lovelace"}}}, "without --year"},
		{"words of no paper", engine.Query{Text: "qwertyuiop", Mode: "keyword"}, "--mode hybrid"},
		{"the named paper alone", engine.Query{Like: []string{"auction"}, Filters: engine.Filters{Venue: []string{"EC"}}}, "without --venue"},
	} {
		ask := e.Search
		if len(c.q.Like) > 0 {
			ask = e.Similar
		}
		a, err := ask(t.Context(), c.q)
		if err != nil || len(a.Results) != 0 || !strings.Contains(a.Hint, c.hint) {
			t.Errorf("%s: %+v, %v; want no results and the hint %q", c.name, a, err, c.hint)
		}
	}
	if _, err := e.Search(t.Context(), engine.Query{Text: "-bandits"}); engine.KindOf(err) != engine.Usage || !strings.Contains(hint(err), "-word") {
		t.Errorf("a query of -word alone: %v, hint %q", err, hint(err))
	}
}

func TestManyNamesOfNoPaperAreToldShortly(t *testing.T) {
	e := shelfOfWords(t)
	names := []string{"auction"}
	for i := range 300 {
		names = append(names, fmt.Sprintf("nobody%d", i))
	}
	_, err := e.Similar(t.Context(), engine.Query{Like: names})
	if engine.KindOf(err) != engine.NotFound || strings.Count(err.Error(), "\n") != 3 || !strings.Contains(err.Error(), "297 more of the 301 names") {
		t.Errorf("got %v; want three names and the number of the others", err)
	}
}

// Where the other filters are met outside of the theme, that is told too.
func TestTheThemeInTheWayIsNamed(t *testing.T) {
	lines := planted(0, 60, 3)
	for i, line := range lines {
		lines[i] = strings.Replace(line, `{"id"`, fmt.Sprintf(`{"venue":"Conf %d","id"`, i%3), 1)
	}
	e, _ := library(t, lines...)
	th := themesOf(t, e, engine.ThemesRequest{K: 3})
	first := th.Themes[0].Papers[0].ID
	p, err := e.Show(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		venue := fmt.Sprintf("Conf %d", i)
		if venue == p.Venue {
			continue
		}
		_, err := e.Search(t.Context(), engine.Query{Text: "paper", Filters: engine.Filters{Theme: []string{"t1"}, Venue: []string{venue}}})
		if engine.KindOf(err) != engine.NotFound || !strings.Contains(hint(err), "--venue could be ") || !strings.Contains(hint(err), "without --theme the other filters are met, by 20 of the papers") {
			t.Errorf("%s in another's theme: %v, hint %q", venue, err, hint(err))
		}
	}
}
