package cli_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestModesOfSearch(t *testing.T) {
	h := withLibrary(t)
	for mode, neighbours := range map[string]string{"hybrid": "exact", "dense": "exact", "keyword": "none"} {
		a := decode[answer](t, h.must("search", "bidders", "--mode", mode, "--json").stdout)
		if a.Mode != mode || a.Neighbours != neighbours || len(a.Results) == 0 || a.Results[0].Title != "Auctions with budgets" {
			t.Errorf("--mode %s: mode %q, neighbours %q, results %+v", mode, a.Mode, a.Neighbours, a.Results)
		}
	}
	if a := decode[answer](t, h.must("search", "bidders", "--json").stdout); a.Mode != "hybrid" {
		t.Errorf("the mode of a search is %q, want hybrid", a.Mode)
	}
}

func TestFiltersOfSearch(t *testing.T) {
	h := withLibrary(t)
	for _, test := range []struct {
		args string
		want int // results; 0 is exit code 3
	}{
		{"--year 2019", 1}, {"--year 2023..", 2}, {"--author lovelace", 1}, {"--venue icml", 1}, {"--source papers", 3}, {"--year 1950", 0},
		{"--venue icml --year 2019", 0},
	} {
		for _, command := range []string{"search", "similar --text"} {
			args := append(strings.Fields(command), "auctions", "--json")
			got := h.run(append(args, strings.Fields(test.args)...)...)
			if test.want == 0 {
				if got.code != 3 {
					t.Errorf("akin %s … %s: exit code %d, want 3", command, test.args, got.code)
				}
				continue
			}
			if a := decode[answer](t, got.stdout); len(a.Results) != test.want {
				t.Errorf("akin %s … %s: %d results, want %d", command, test.args, len(a.Results), test.want)
			}
		}
	}
	for query, want := range map[string]int{"features year:2019": 1, "-auctions papers": 2, `"hard budgets"`: 1, "variance author:lovelace": 1} {
		if a := decode[answer](t, h.must("search", "--json", "--", query).stdout); len(a.Results) != want {
			t.Errorf("akin search %q: %d results, want %d", query, len(a.Results), want)
		}
	}
}

// One of several values of a filter is enough, as a flag and in the query; each filter
// must hold, and none of what is left out may be.
func TestFiltersGivenAgain(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", `{"id":"a","title":"Tides of the sea","authors":["Lee, Ann"],"venue":"Waves","keywords":["moon"]}
{"id":"b","title":"Winds of the sea","authors":["Lee, Ann","Roe, Bob"],"venue":"Airs","keywords":["storm"]}
{"id":"c","title":"Ice on the sea","authors":["Roe, Bob"],"venue":"Waves","keywords":["cold"]}
{"id":"d","title":"Salt in the sea","authors":["Day, Cid"],"venue":"Salts","keywords":["taste"]}
`)
	h.must("add", "papers.jsonl", "--no-sentences")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"sea", "--author", "ann", "--author", "bob"}, "abc"},
		{[]string{"sea author:ann author:bob"}, "abc"},
		{[]string{"sea author:ann", "--author", "bob"}, "abc"},
		{[]string{"sea -author:ann -author:bob"}, "d"},
		{[]string{"sea author:ann -author:bob"}, "a"},
		{[]string{"sea", "--venue", "airs", "--venue", "salts"}, "bd"},
		{[]string{"sea", "--keyword", "moon", "--keyword", "cold"}, "ac"},
		{[]string{"sea", "--author", "ann", "--author", "bob", "--venue", "waves"}, "ac"},
	} {
		for _, mode := range []string{"hybrid", "dense", "keyword"} {
			var found []string
			for _, r := range decode[answer](t, h.must(append([]string{"search", "--json", "--mode", mode}, c.args...)...).stdout).Results {
				found = append(found, r.Keys[0])
			}
			slices.Sort(found)
			if got := strings.Join(found, ""); got != c.want {
				t.Errorf("akin search --mode %s %q finds %s, want %s", mode, c.args, got, c.want)
			}
		}
	}
}

// What a search by words alone does not use is told, and its explanation has no figures
// of meaning.
func TestASearchByWordsTellsWhatItDoesNotUse(t *testing.T) {
	h := withLibrary(t)
	got := h.must("search", "bidders", "--mode", "keyword", "--exact", "--precision", "fp32", "--explain", "--json")
	if !strings.Contains(got.stderr, "compares no vectors: --precision and --exact change nothing") {
		t.Errorf("the standard error is %q", got.stderr)
	}
	if strings.Contains(got.stdout, `"dense":`) || strings.Contains(got.stdout, `"sentence":`) || !strings.Contains(got.stdout, `"keyword":`) {
		t.Errorf("an explanation by words alone: %s", got.stdout)
	}
	if got := h.must("search", "bidders", "--exact"); got.stderr != "" {
		t.Errorf("where vectors are compared, the standard error is %q", got.stderr)
	}
}

func TestExplain(t *testing.T) {
	h := withLibrary(t)
	results := decode[struct {
		Results []struct {
			Explain *struct{ Dense, Keyword float64 }
		}
	}](t, h.must("search", "bidders", "--explain", "--json").stdout).Results
	if len(results) == 0 || results[0].Explain == nil || results[0].Explain.Dense <= 0 || results[0].Explain.Keyword <= 0 {
		t.Errorf("akin search --explain --json = %+v, want the parts of the score", results)
	}
	if got := h.must("search", "bidders", "--explain"); !strings.Contains(got.stdout, "meaning 0.") {
		t.Errorf("akin search --explain:\n%s", got.stdout)
	}
	if got := h.must("search", "bidders", "--json"); strings.Contains(got.stdout, `"explain"`) {
		t.Errorf("without --explain there is one: %s", got.stdout)
	}
}

func TestRerank(t *testing.T) {
	h := withLibrary(t)
	a := decode[struct {
		Order   string
		Results []struct {
			Score   float64
			Explain struct{ Dense, Neighbourhood float64 }
		}
	}](t, h.must("similar", "a", "--rerank", "--explain", "--json").stdout)
	if a.Order != "neighbourhood" || len(a.Results) != 2 {
		t.Fatalf("akin similar --rerank --json = %+v", a)
	}
	for _, r := range a.Results {
		if r.Score != r.Explain.Dense || r.Explain.Neighbourhood <= r.Score {
			t.Errorf("a result of akin similar --rerank: %+v; want its cosine as score, and a nearer neighbourhood", r)
		}
	}
	got := h.must("similar", "a", "--rerank", "--explain").stdout
	for _, want := range []string{"ordered by neighbourhood", ", neighbourhood 0."} {
		if !strings.Contains(got, want) {
			t.Errorf("akin similar --rerank --explain does not say %q:\n%s", want, got)
		}
	}
	if got := h.must("similar", "a", "--json").stdout; !strings.Contains(got, `"order": "score"`) && !strings.Contains(got, `"order":"score"`) {
		t.Errorf("akin similar --json does not say its order: %s", got)
	}
	if got := h.run("similar", "a", "--rerank", "--diversity", "0.5"); got.code != 2 {
		t.Errorf("akin similar --rerank --diversity: exit code %d, want 2", got.code)
	}
}

func TestDuplicates(t *testing.T) {
	h := withLibrary(t)
	if got := h.run("list", "--duplicates"); got.code != 3 {
		t.Errorf("akin list --duplicates where there are none: exit code %d, want 3", got.code)
	}
	const title = "Truthful auctions when all of the bidders have hard budgets"
	h.write("twice.jsonl", `{"title":"`+title+`","abstract":"In these auctions nobody bids more than they have.","year":2021,"arxiv_id":"2101.00001"}
{"title":"`+title+`","abstract":"In these auctions nobody bids more than they own.","year":2022,"doi":"10.1000/auctions"}`)
	h.must("add", "twice.jsonl")
	got := h.run("list", "--duplicates")
	if got.code != 0 || strings.Count(got.stdout, title) != 2 || strings.Count(got.stdout, "2 papers that may be one work: same title") != 1 {
		t.Errorf("akin list --duplicates = exit code %d\n%s", got.code, got.stdout)
	}
}

func TestEval(t *testing.T) {
	h := withLibrary(t)
	h.write("queries.jsonl", `{"_id":"q1","text":"truthful auctions"}`+"\n"+`{"_id":"q2","text":"features of models"}`+"\n")
	h.write("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\tb\t1\nq2\tc\t1\n")
	got := h.must("eval", "--queries", "queries.jsonl", "--qrels", "qrels.tsv", "--json").stdout
	keysOf(t, "eval", got, "queries", "modes")
	r := decode[struct {
		Queries int
		Modes   map[string]json.RawMessage
	}](t, got)
	if r.Queries != 2 || len(r.Modes) < 3 {
		t.Errorf("akin eval --json = %s", got)
	}
	for mode, figures := range r.Modes {
		keysOf(t, "mode "+mode, string(figures), "ndcg@10", "recall@10", "recall@100", "mrr@10", "ci95")
		if f := decode[map[string]any](t, string(figures)); f["recall@10"] != 1.0 {
			t.Errorf("mode %s: recall@10 %v, want 1", mode, f["recall@10"])
		}
	}
	if table := h.must("eval", "--queries", "queries.jsonl", "--qrels", "qrels.tsv"); !strings.Contains(table.stdout, "2 queries, judged") {
		t.Errorf("akin eval:\n%s", table.stdout)
	}
	for _, args := range [][]string{{"--queries", "nowhere", "--qrels", "qrels.tsv"}, {"--queries", "qrels.tsv", "--qrels", "queries.jsonl"}} {
		got := h.run(append([]string{"eval"}, args...)...)
		if got.code == 0 {
			t.Errorf("akin eval %q: exit code 0", args)
		}
		wellFormed(t, got)
	}
}

// TestMoreResultsThanANumberCanCount: what is reckoned from -n does not overflow.
func TestMoreResultsThanANumberCanCount(t *testing.T) {
	h := withLibrary(t)
	for _, args := range []string{"search auctions", "search auctions --mode dense", "search auctions --mode keyword", "similar a", "similar --text auctions"} {
		want := len(decode[answer](t, h.must(append(strings.Fields(args), "--json", "-n", "1000")...).stdout).Results)
		for _, more := range []string{"-n 2000000000", "-n 9223372036854775807", "-n 2000000000 --diversity 0.5", "-n 9223372036854775807 --diversity 0.5"} {
			a := decode[answer](t, h.must(append(strings.Fields(args+" "+more), "--json")...).stdout)
			if len(a.Results) != want || want == 0 {
				t.Errorf("akin %s %s: %d results, want %d", args, more, len(a.Results), want)
			}
		}
	}
}

// TestFewerPapersThanWantedIsToldOnce: of a file of queries too, and not by an eval, where
// nobody has asked for a number of papers.
func TestFewerPapersThanWantedIsToldOnce(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", threePapers)
	h.write("queries.jsonl", `{"id":"q1","text":"auctions"}`+"\n"+`{"id":"q2","text":"reasoning"}`+"\n")
	h.write("some.jsonl", `{"id":"q1","text":"auctions"}`+"\n"+`{"id":"q2","text":"reasoning -auctions"}`+"\n")
	h.write("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\tb\t1\nq2\ta\t1\n")
	h.must("add", "papers.jsonl")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"search", "auctions", "-n", "100"}, "akin: there are 3 papers to answer with, not 100\n"},
		{[]string{"similar", "a", "-n", "100"}, "akin: there are 2 papers to answer with, not 100\n"},
		{[]string{"search", "auctions"}, ""},
		{[]string{"search", "auctions", "-n", "100", "-q"}, ""},
		{[]string{"search", "--queries", "queries.jsonl", "-n", "100"}, "akin: there are 3 papers to answer with, not 100\n"},
		{[]string{"search", "--queries", "some.jsonl", "-n", "100"}, "akin: for 2 of 2 queries there are fewer papers to answer with than 100\n"},
		{[]string{"eval", "--queries", "queries.jsonl", "--qrels", "qrels.tsv"}, ""},
	} {
		if got := h.must(test.args...); got.stderr != test.want {
			t.Errorf("akin %q says %q, want %q", test.args, got.stderr, test.want)
		}
	}
}

// TestDiversityIsAnOrder that programs and people are told of.
func TestDiversityIsAnOrder(t *testing.T) {
	h := newHome(t)
	for _, test := range []struct {
		args  []string
		order string
	}{
		{[]string{"search", "auctions"}, "score"},
		{[]string{"search", "auctions", "--diversity", "0"}, "score"},
		{[]string{"search", "auctions", "--diversity", "0.5"}, "diversity"},
		{[]string{"similar", "sparse autoencoders", "--diversity", "1"}, "diversity"},
		{[]string{"similar", "sparse autoencoders", "--rerank"}, "neighbourhood"},
	} {
		var a struct{ Order string }
		if err := json.Unmarshal([]byte(h.must(append(test.args, "--json")...).stdout), &a); err != nil || a.Order != test.order {
			t.Errorf("akin %q: order %q, want %q (%v)", test.args, a.Order, test.order, err)
		}
		want := "ordered by " + test.order + "; the scores are the papers' own\n"
		if got := h.must(test.args...).stdout; strings.HasPrefix(got, want) != (test.order != "score") {
			t.Errorf("akin %q begins %.80q; is %q above it?", test.args, got, want)
		}
	}
}

// TestSingleSignsAreNoSharedWords: that two papers have a "p" and a "0" says nothing.
func TestSingleSignsAreNoSharedWords(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", `{"id":"a","title":"Sleep of bees","abstract":"Bees slept longer (p = 0.1, n = 7)."}
{"id":"b","title":"Sleep of ants","abstract":"Ants did not (p < 0.1, n = 7)."}
{"id":"c","title":"The price of salt","abstract":"It rose in 1990."}
`)
	h.must("add", "papers.jsonl")
	for _, args := range [][]string{{"similar", "a", "-n", "1"}, {"search", "sleep p 0 1 n 7", "-n", "1", "--mode", "keyword"}} {
		var a struct {
			Results []struct {
				Explain struct {
					Keyword float64
					Words   []struct {
						Word  string
						Score float64
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(h.must(append(args, "--explain", "--json")...).stdout), &a); err != nil || len(a.Results) != 1 {
			t.Fatalf("akin %q: %+v, %v", args, a, err)
		}
		x := a.Results[0].Explain
		if len(x.Words) != 1 || !strings.EqualFold(x.Words[0].Word, "sleep") || x.Keyword < 2*x.Words[0].Score {
			t.Errorf("akin %q: %+v, want sleep alone, and the score of all", args, x)
		}
	}
}

// TestALoneQuoteIsNotOfAName.
func TestALoneQuoteIsNotOfAName(t *testing.T) {
	h := newHome(t)
	for _, query := range []string{`author:"Bal`, `author:Bal"`, `author:"Bal"`} {
		if got := h.run("search", query); got.code != 2 || !strings.Contains(got.stderr, `hint: akin list --author "Bal" lists them`) {
			t.Errorf("search %s: %+v, want a hint with the name Bal", query, got)
		}
	}
	if got := h.run("search", `year:"2020`); got.code != 2 || !strings.Contains(got.stderr, "akin list --year 2020 ") {
		t.Errorf(`search year:"2020: %+v, want a hint with the year`, got)
	}
}
