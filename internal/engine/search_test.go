package engine_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// shelfOfWords is a small library whose papers differ in words, years and authors.
func shelfOfWords(t testing.TB) *engine.Engine {
	t.Helper()
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "papers.jsonl",
		`{"id":"bandit","title":"Contextual bandits without regret","abstract":"Bandits choose arms. We bound regret.","year":2018,"authors":["Lovelace, Ada"],"venue":"ICML"}`,
		`{"id":"critic","title":"Policy gradients with a critic","abstract":"A critic lowers the variance of a policy gradient.","year":2020,"authors":["Turing, Alan"],"venue":"NeurIPS"}`,
		`{"id":"gradient","title":"Policy gradient variance","abstract":"We lower the variance of a gradient of the policy by baselines.","year":2021,"authors":["Lovelace, Ada"],"venue":"ICML"}`,
		`{"id":"auction","title":"Auctions that tell the truth","abstract":"Bidders report values. Revenue is near the best.","year":2022,"authors":["Noether, Emmy"],"venue":"EC"}`,
		`{"id":"zirconium","title":"Hafnates","abstract":"Zirconium hafnate crystals."}`,
	))
	return e
}

func keys(a *engine.Answer) []string {
	var out []string
	for _, r := range a.Results {
		out = append(out, r.Keys[0])
	}
	return out
}

func TestSearchModes(t *testing.T) {
	e := shelfOfWords(t)
	for _, c := range []struct {
		name, text, mode string
		wantMode         string
		first            string
		n                int
	}{
		{"hybrid is the default", "variance of a policy gradient", "", "hybrid", "gradient", 5},
		{"a rare word alone", "zirconium", "", "hybrid", "zirconium", 5},
		{"by words, stemmed", "gradients", "keyword", "keyword", "critic", 2},
		{"by meaning", "zirconium hafnate crystals", "dense", "dense", "zirconium", 5},
		{"words that nobody has", "qwertyuiop", "keyword", "keyword", "", 0},
		{"only symbols", "∑ §§ ++", "", "hybrid", "", 5},
		{"operators of other systems", `AND NEAR( * " OR`, "", "hybrid", "", 5},
		{"10,000 words", strings.Repeat("policy gradient ", 5000), "", "hybrid", "", 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := e.Search(t.Context(), engine.Query{Text: c.text, Mode: c.mode})
			if err != nil {
				t.Fatal(err)
			}
			if a.Mode != c.wantMode || len(a.Results) != c.n || c.first != "" && keys(a)[0] != c.first {
				t.Errorf("mode %s, %v; want %s with %d results, %s first", a.Mode, keys(a), c.wantMode, c.n, c.first)
			}
			if !slices.IsSortedFunc(a.Results, func(x, y engine.Result) int {
				if x.Score > y.Score {
					return -1
				}
				return 0
			}) {
				t.Errorf("not sorted by score: %+v", a.Results)
			}
		})
	}
}

func TestSearchOperatorsAndFilters(t *testing.T) {
	e := shelfOfWords(t)
	for _, c := range []struct {
		name string
		q    engine.Query
		want []string // in any order
	}{
		{"an exact phrase", engine.Query{Text: `"policy gradient"`}, []string{"critic", "gradient"}},
		{"a phrase whatever its case", engine.Query{Text: `"POLICY  gradient" variance`}, []string{"critic", "gradient"}},
		{"without", engine.Query{Text: "policy gradient -critics"}, []string{"bandit", "gradient", "auction", "zirconium"}},
		{"phrase and without", engine.Query{Text: `"policy gradient" -critic`}, []string{"gradient"}},
		{"author in the query", engine.Query{Text: "policy author:lovelace"}, []string{"bandit", "gradient"}},
		{"years in the query", engine.Query{Text: "policy year:2020..2021"}, []string{"critic", "gradient"}},
		{"years", engine.Query{Text: "policy", Filters: engine.Filters{YearFrom: 2021}}, []string{"gradient", "auction"}},
		{"up to a year, without those that have none", engine.Query{Text: "policy", Filters: engine.Filters{YearTo: 2020}}, []string{"bandit", "critic"}},
		{"venue and author", engine.Query{Text: "policy", Filters: engine.Filters{Venue: []string{"icml"}, Author: []string{"ada"}}}, []string{"bandit", "gradient"}},
		{"filters by words", engine.Query{Text: "policy", Mode: "keyword", Filters: engine.Filters{Venue: []string{"icml"}}}, []string{"gradient"}},
		{"filters by meaning", engine.Query{Text: "policy", Mode: "dense", Filters: engine.Filters{Venue: []string{"icml"}}}, []string{"bandit", "gradient"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := e.Search(t.Context(), c.q)
			if err != nil {
				t.Fatal(err)
			}
			got := keys(a)
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	a, err := e.Similar(t.Context(), engine.Query{Like: []string{"critic"}, Filters: engine.Filters{YearFrom: 2021}})
	if err != nil || len(a.Results) != 2 || a.Mode != "dense" {
		t.Errorf("similar with a filter: %+v, %v", a, err)
	}
}

func TestFiltersThatNothingMeetsSayWhatWould(t *testing.T) {
	e := shelfOfWords(t)
	for _, c := range []struct {
		f    engine.Filters
		hint string
	}{
		{engine.Filters{YearFrom: 1950, YearTo: 1960}, "2018..2022"},
		{engine.Filters{Venue: []string{"ICML"}, YearFrom: 2022}, "2018..2021"},
		{engine.Filters{Venue: []string{"CVPR"}}, `"ICML"`},
		{engine.Filters{Author: []string{"Gauss"}}, `"Lovelace, Ada"`},
	} {
		_, err := e.Search(t.Context(), engine.Query{Text: "policy", Filters: c.f})
		if engine.KindOf(err) != engine.NotFound || !strings.Contains(hint(err), c.hint) {
			t.Errorf("%+v: %v, hint %q; want NotFound with %q", c.f, err, hint(err), c.hint)
		}
	}
}

func TestSearchUsage(t *testing.T) {
	e := shelfOfWords(t)
	for name, q := range map[string]engine.Query{
		"blank":             {Text: " \t"},
		"operators only":    {Text: "author:lovelace -critic"},
		"an unknown mode":   {Text: "policy", Mode: "magic"},
		"diversity above 1": {Text: "policy", Diversity: 1.5},
	} {
		if _, err := e.Search(t.Context(), q); engine.KindOf(err) != engine.Usage {
			t.Errorf("%s: %v, want a usage error", name, err)
		}
	}
	if _, err := e.Similar(t.Context(), engine.Query{Like: []string{"critic"}, Mode: "keyword"}); engine.KindOf(err) != engine.Usage {
		t.Errorf("similar by words: %v, want a usage error", err)
	}
}

func TestDiversityPutsAnotherPaperSecond(t *testing.T) {
	e := shelfOfWords(t)
	plain, err := e.Search(t.Context(), engine.Query{Text: "policy gradient variance"})
	if err != nil {
		t.Fatal(err)
	}
	diverse, err := e.Search(t.Context(), engine.Query{Text: "policy gradient variance", Diversity: .9})
	if err != nil {
		t.Fatal(err)
	}
	if keys(plain)[0] != keys(diverse)[0] || keys(plain)[1] == keys(diverse)[1] {
		t.Errorf("plain %v, diverse %v; want the same first and another second", keys(plain), keys(diverse))
	}
}

func TestWordsOfALibraryThatGrowsAndShrinks(t *testing.T) {
	dir := t.TempDir()
	_, e := graphLibrary(t, dir, 400) // with a snapshot
	query := engine.Query{Text: "zirconium", Mode: "keyword"}
	find := func() []string {
		t.Helper()
		a, err := e.Search(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		return keys(a)
	}
	if got := find(); len(got) != 0 {
		t.Fatalf("before: %v", got)
	}
	file := write(t, dir, "z.jsonl", `{"id":"z","title":"Zirconium","abstract":"A metal."}`)
	add(t, e, file)
	if got := find(); !slices.Equal(got, []string{"z"}) {
		t.Errorf("after an add: %v, want z", got)
	}
	write(t, dir, "z.jsonl", `{"id":"z","title":"Hafnium","abstract":"A metal."}`)
	add(t, e, file)
	if got := find(); len(got) != 0 {
		t.Errorf("after its text changed: %v, want nothing", got)
	}
	query.Text = "detail 350"
	a, err := e.Search(t.Context(), query)
	if err != nil || len(a.Results) == 0 || keys(a)[0] != "p350" {
		t.Fatalf("a paper of the snapshot: %v, %v; want p350 first", a, err)
	}
	if _, err := e.Remove(t.Context(), []string{"p350"}); err != nil {
		t.Fatal(err)
	}
	if got := find(); slices.Contains(got, "p350") {
		t.Errorf("a removed paper is found: %v", got)
	}
}

// TestTextsThatChangeBeforeTheyAreEncodedAreFoundByTheirNewWords: also by an engine that
// has read the old ones.
func TestTextsThatChangeBeforeTheyAreEncodedAreFoundByTheirNewWords(t *testing.T) {
	dir := t.TempDir()
	library := filepath.Join(dir, "lib")
	file := filepath.Join(dir, "z.jsonl")
	read := func(title string) {
		t.Helper()
		write(t, dir, "z.jsonl", `{"id":"z","title":"`+title+`","abstract":"A metal."}`)
		if _, err := open(t, library).Add(t.Context(), engine.AddRequest{Paths: []string{file}, NoEmbed: true}); err != nil {
			t.Fatal(err)
		}
	}
	read("Zirconium")
	reader := open(t, library)
	for _, c := range []struct{ before, now string }{{"Hafnium", "Zirconium"}, {"Zirconium", "Hafnium"}} {
		read(c.now)
		for word, want := range map[string]int{c.before: 0, c.now: 1} {
			a, err := reader.Search(t.Context(), engine.Query{Text: word, Mode: "keyword"})
			if err != nil || len(a.Results) != want {
				t.Errorf("after %s became %s, %s has %v, %v; want %d results", c.before, c.now, word, a, err, want)
			}
		}
	}
}

func TestSnippetsBeginWithTheAbstractItself(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl",
		`{"id":"colon","title":"Colons","abstract":"Abstract: We study marks."}`,
		`{"id":"line","title":"Lines","abstract":"Abstract\nWe study marks. © 2019 Elsevier"}`,
		`{"id":"jats","title":"Tags","abstract":"<jats:title>Abstract</jats:title><jats:p>We study marks.</jats:p>"}`,
		`{"id":"term","title":"Terms","abstract":"Abstract interpretation is sound."}`))
	for _, mode := range []string{"keyword", "dense", "hybrid"} {
		a, err := e.Search(t.Context(), engine.Query{Text: "marks interpretation", Mode: mode})
		if err != nil || len(a.Results) != 4 {
			t.Fatalf("%s: %v, %v; want 4 results", mode, a, err)
		}
		for _, r := range a.Results {
			want := "We study marks."
			if r.Keys[0] == "term" {
				want = "Abstract interpretation is sound."
			}
			if r.Snippet != want {
				t.Errorf("%s, %s: the snippet is %q, want %q", mode, r.Keys[0], r.Snippet, want)
			}
		}
	}
}

// TestWhyNothingIsFound: of queries whose every filter is met, by a paper.
func TestWhyNothingIsFound(t *testing.T) {
	e := shelfOfWords(t)
	only2018 := engine.Filters{YearFrom: 2018, YearTo: 2018}
	for _, c := range []struct {
		name string
		q    engine.Query
		want string // of the error or the hint
	}{
		{"a phrase that no paper holds", engine.Query{Text: `"purple auctions"`}, `no paper holds the phrase "purple auctions"`},
		{"two of them", engine.Query{Text: `"purple auctions" "green regret"`}, `no paper holds any of the phrases "purple auctions", "green regret"`},
		{"phrases of different papers", engine.Query{Text: `"policy gradient" "choose arms"`}, `no paper holds all of the phrases "policy gradient", "choose arms"`},
		{"a phrase of other years", engine.Query{Text: `"policy gradient"`, Filters: only2018}, "there are answers without --year"},
		{"a phrase and its word left out", engine.Query{Text: `"choose arms" -arms`}, "there are answers without what the query leaves out"},
		{"words and an author left out", engine.Query{Text: "bandit -author:lovelace", Filters: only2018}, "without --year, or without what the query leaves out"},
		{"a word of other years", engine.Query{Text: "zirconium", Mode: "keyword", Filters: only2018}, "there are answers without --year"},
		{"a word of no paper, with a filter", engine.Query{Text: "qwertyuiop", Mode: "keyword", Filters: only2018}, "no paper holds a word of the query"},
		{"a word of no paper", engine.Query{Text: "qwertyuiop", Mode: "keyword"}, "no paper holds a word of the query"},
		{"words of every text", engine.Query{Text: "of the and", Mode: "keyword"}, "words like these are in every text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := e.Search(t.Context(), c.q)
			if a == nil || len(a.Results) > 0 {
				t.Fatalf("%+v, %v; want an empty answer", a, err)
			}
			got := a.Hint
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	a, err := e.Similar(t.Context(), engine.Query{Like: []string{"bandit"}, Filters: only2018})
	if err != nil || a.Hint != "there are answers without --year" {
		t.Errorf("a filter that the paper alone meets: %+v, %v", a, err)
	}
	one := open(t, filepath.Join(t.TempDir(), "lib"))
	add(t, one, write(t, t.TempDir(), "a.jsonl", graphs))
	if a, err := one.Similar(t.Context(), engine.Query{Like: []string{"a"}}); err != nil || a.Hint != "there is no other paper to answer with" {
		t.Errorf("a library of one paper: %+v, %v", a, err)
	}
}

// TestWhatAQueryDoesNotMeanIsTold: an operator that asks for nothing, and a script that
// the model hardly reads.
func TestWhatAQueryDoesNotMeanIsTold(t *testing.T) {
	var warned []string
	dir := t.TempDir()
	e := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}, Warn: func(m string) { warned = append(warned, m) }})
	add(t, e, write(t, dir, "a.jsonl", graphs, auction))
	for _, c := range []struct{ text, want string }{
		{"auctions", ""},
		{"auctions author: myerson", "author: is no filter"},
		{"auctions year:2022..2018", "year:2022..2018 is no filter"},
		{"auctions -year:2020", "-year:2020 is no filter"},
		{"強化学習", "another script than English"},
		{"обучение с подкреплением", ""}, // it is told once
	} {
		warned = nil
		if _, err := e.Search(t.Context(), engine.Query{Text: c.text}); err != nil {
			t.Fatal(err)
		}
		if len(warned) > 1 || (len(warned) == 1) != (c.want != "") || c.want != "" && !strings.Contains(warned[0], c.want) {
			t.Errorf("%s: told %q, want %q", c.text, warned, c.want)
		}
	}
}

// TestSnippetsAreNoLoneSigns: a quotation mark that is left over is no sentence to show.
func TestSnippetsAreNoLoneSigns(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", `{"id":"a","title":"Selection","abstract":"\" They said that it holds. It is selection of groups. \""}`))
	for _, text := range []string{"\"", "* \"x", "groups"} {
		a, err := e.Search(t.Context(), engine.Query{Text: text, Plain: true})
		if err != nil || len(strings.Trim(a.Results[0].Snippet, "\" ")) == 0 {
			t.Errorf("%s: %+v, %v; want words in the snippet", text, a, err)
		}
	}
}

func hint(err error) string {
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return e.Hint
	}
	return ""
}
