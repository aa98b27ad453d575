package cli_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// keysOf checks that a JSON object has the keys of the contract, and holds no null in
// any of them but in a figure that was not measured: fields may be added, never renamed.
func keysOf(t *testing.T, what, text string, keys ...string) {
	t.Helper()
	object := decode[map[string]any](t, text)
	for _, key := range keys {
		if _, ok := object[key]; !ok {
			t.Errorf("%s has no %q: %.300s", what, key, text)
		}
	}
	noNull(t, what, object)
}

func noNull(t *testing.T, where string, v any) {
	t.Helper()
	switch v := v.(type) {
	case nil:
		t.Errorf("%s is null", where)
	case map[string]any:
		for key, x := range v {
			noNull(t, where+"."+key, x)
		}
	case []any:
		for _, x := range v {
			noNull(t, where+"[]", x)
		}
	}
}

// The shapes of the JSON, on a library and on the seeds.
func TestJSONHasTheShapesOfTheContract(t *testing.T) {
	for name, h := range map[string]home{"a library": withLibrary(t), "the seeds": newHome(t)} {
		t.Run(name, func(t *testing.T) {
			search := h.must("search", "auctions", "--json").stdout
			keysOf(t, "search", search, "query", "mode", "neighbours", "results")
			results := decode[struct{ Results []json.RawMessage }](t, search).Results
			if len(results) == 0 {
				t.Fatal("no results")
			}
			keysOf(t, "a result", string(results[0]), "rank", "id", "keys", "title", "score", "authors", "snippet")

			id := decode[answer](t, search).Results[0].ID
			similar := h.must("similar", id, "--json").stdout
			keysOf(t, "similar", similar, "query", "mode", "neighbours", "results")

			themes := h.must("themes", "--json").stdout
			keysOf(t, "themes", themes, "k", "chosen_by", "reason", "stability", "themes")
			for _, theme := range decode[struct{ Themes []json.RawMessage }](t, themes).Themes {
				keysOf(t, "a theme", string(theme), "id", "label", "terms", "size", "representatives", "papers")
				for _, p := range decode[struct{ Papers []json.RawMessage }](t, string(theme)).Papers {
					keysOf(t, "a paper of a theme", string(p), "id", "keys", "fit")
				}
			}
			for line := range strings.Lines(h.must("list", "--json").stdout) {
				keysOf(t, "list", line, "id", "keys", "title", "authors")
			}
			keysOf(t, "show", h.must("show", id, "--json").stdout, "id", "keys", "title", "authors")
			keysOf(t, "check", h.must("check", "--json").stdout, "ok", "problems", "papers", "vectors", "recall_at_10", "recall_samples")
			stats := h.must("stats", "--json").stdout
			keysOf(t, "stats", stats, "papers", "with_abstract", "vectors", "model", "snapshot")
			inner := decode[struct{ Model, Snapshot json.RawMessage }](t, stats)
			keysOf(t, "the model of stats", string(inner.Model), "name", "dim", "fingerprint")
			keysOf(t, "the snapshot of stats", string(inner.Snapshot), "generation", "method", "bytes")
		})
	}
	h := newHome(t)
	h.write("papers.jsonl", threePapers+`{"id":"bare"}`)
	add := h.must("add", "papers.jsonl", "--json").stdout
	keysOf(t, "add", add, "read", "added", "updated", "merged", "unchanged", "rejected", "rejected_count", "without_abstract", "truncated", "embedded", "seconds")
	rejected := decode[struct{ Rejected []json.RawMessage }](t, add).Rejected
	if len(rejected) != 1 {
		t.Fatalf("%d rejected, want 1", len(rejected))
	}
	keysOf(t, "a rejected record", string(rejected[0]), "file", "line", "id", "reason")
	keysOf(t, "add of the same", h.must("add", "papers.jsonl", "--json").stdout, "rejected")
	keysOf(t, "embed", h.runWith("x", "embed", "--ids").stdout, "id", "vector", "tokens", "truncated", "ids")
}

func TestReportsAddUp(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", threePapers+`{"id":"bare"}`+"\n"+`{"id":"t","title":"A title alone"}`+"\n")
	for range 2 {
		r := decode[report](t, h.must("add", "papers.jsonl", "--json").stdout)
		if r.Read != r.Added+r.Updated+r.Merged+r.Unchanged+r.RejectedCount || r.Read != 5 || r.Read-r.RejectedCount-r.WithoutAbstract != 3 {
			t.Errorf("report %+v does not add up", r)
		}
	}
}

func TestSearchFindsTheAnswer(t *testing.T) {
	h := withLibrary(t)
	a := decode[answer](t, h.must("search", "truthful mechanisms for bidders", "--json").stdout)
	if len(a.Results) != 3 || a.Results[0].Title != "Auctions with budgets" {
		t.Fatalf("results %+v, want the paper on auctions first of three", a.Results)
	}
	if got := a.Results[0]; got.Year != 2019 || !slices.Equal(got.Keys, []string{"b"}) {
		t.Errorf("the first result is %+v, want the year 2019 and the key b", got)
	}
	if got := decode[answer](t, h.must("search", "truthful", "mechanisms", "for", "bidders", "--json").stdout); got.Query.Text != "truthful mechanisms for bidders" {
		t.Errorf("words without quotes are the query %q", got.Query.Text)
	}
}

func TestSimilarLeavesOutWhatWasNamed(t *testing.T) {
	h := withLibrary(t)
	a := decode[answer](t, h.must("similar", "a", "--json").stdout)
	if len(a.Results) != 2 || len(a.Query.Like) != 1 {
		t.Fatalf("akin similar a = %+v, want the two others", a)
	}
	away := decode[answer](t, h.must("similar", "a", "--unlike", "b", "--json").stdout)
	if len(away.Results) != 1 || away.Results[0].Title != "Sparse autoencoders" {
		t.Errorf("akin similar a --unlike b = %+v, want the third", away.Results)
	}
}

func TestQueriesFromAFile(t *testing.T) {
	h := withLibrary(t)
	h.write("queries.jsonl", `{"id":"q1","text":"auctions"}`+"\n\n"+`{"id":2,"text":"policy gradients"}`+"\n"+`{"_id":"q3","text":"features of language models"}`+"\n"+`{"text":"auctions"}`)
	got := h.must("search", "--queries", "queries.jsonl", "-n", "1")
	var ids, titles []string
	for line := range strings.Lines(got.stdout) {
		keysOf(t, "an answer", line, "query_id", "query", "mode", "neighbours", "results")
		a := decode[answer](t, line)
		ids = append(ids, string(a.QueryID))
		titles = append(titles, a.Results[0].Title)
	}
	if want := []string{`"q1"`, "2", `"q3"`, "5"}; !slices.Equal(ids, want) {
		t.Errorf("query ids %v, want %v", ids, want)
	}
	if want := []string{"Auctions with budgets", "Policy gradients without a critic", "Sparse autoencoders", "Auctions with budgets"}; !slices.Equal(titles, want) {
		t.Errorf("first results %v, want %v", titles, want)
	}
	if again := h.runWith(`{"id":"q1","text":"auctions"}`, "search", "--queries", "-", "-n", "1"); !strings.HasPrefix(got.stdout, again.stdout) || again.code != 0 {
		t.Errorf("the same from the standard input: %q", again.stdout)
	}
}

// A file of queries of which none finds a paper ends as one such query does.
func TestQueriesThatFindNothing(t *testing.T) {
	h := withLibrary(t)
	h.write("queries.jsonl", `{"id":1,"text":"qwertyuiop"}`+"\n"+`{"id":2,"text":"auctions"}`+"\n")
	if got := h.run("search", "--queries", "queries.jsonl", "--mode", "keyword"); got.code != 0 || strings.Count(got.stdout, "\n") != 2 {
		t.Errorf("one of two finds a paper: exit code %d, %q", got.code, got.stdout)
	}
	got := h.run("search", "--queries", "queries.jsonl", "--author", "lovelase")
	if got.code != 3 || strings.Count(got.stdout, "\n") != 2 || !strings.Contains(got.stderr, "hint: --author could be") {
		t.Errorf("none of two finds a paper: exit code %d, %q, %q", got.code, got.stdout, got.stderr)
	}
	h.must("remove", "a", "b", "c")
	if got := h.run("search", "--queries", "queries.jsonl"); got.code != 3 {
		t.Errorf("on an empty library: exit code %d, want 3 as for one query\n%s", got.code, got.stderr)
	}
}

func TestQueriesThatAreNone(t *testing.T) {
	h := newHome(t)
	h.write("empty.jsonl", "")
	h.write("half.jsonl", `{"id":"q1","text":"auctions"}`+"\n"+`{"id":"q2","te`)
	h.write("blank.jsonl", `{"id":"q1","text":" "}`)
	h.write("number.jsonl", `{"id":"q1","text":7}`)
	for _, test := range []struct {
		file        string
		code, lines int
		want        string
	}{
		{"empty.jsonl", 0, 0, ""},
		{"half.jsonl", 1, 1, "half.jsonl:2"},
		{"blank.jsonl", 2, 1, "blank.jsonl:1"},
		{"number.jsonl", 1, 0, "number.jsonl:1"},
		{"nowhere.jsonl", 1, 0, "nowhere.jsonl"},
	} {
		got := h.run("search", "--queries", test.file)
		if got.code != test.code || strings.Count(got.stdout, "\n") != test.lines || !strings.Contains(got.stderr, test.want) {
			t.Errorf("%s: exit code %d, %d answers, %q; want %d, %d and %q", test.file, got.code, strings.Count(got.stdout, "\n"), got.stderr, test.code, test.lines, test.want)
		}
		if test.code != 0 {
			wellFormed(t, got)
		}
	}
}

func TestListFilters(t *testing.T) {
	h := withLibrary(t)
	for _, test := range []struct {
		args string
		want int // papers; 0 is exit code 3
	}{
		{"--year 2024", 1}, {"--year 2019..2023", 2}, {"--year 2023..", 2}, {"--year ..2019", 1}, {"--year 1950", 0},
		{"--author lovelace", 1}, {"--venue icml", 1}, {"--venue nowhere", 0}, {"--source papers.jsonl", 3}, {"-n 2", 2},
	} {
		got := h.run(append([]string{"list"}, strings.Fields(test.args)...)...)
		if n := strings.Count(got.stdout, "\n"); n != test.want || (got.code == 3) != (test.want == 0) {
			t.Errorf("akin list %s: exit code %d, %d papers, want %d\n%s", test.args, got.code, n, test.want, got.stderr)
		}
	}
	years := h.must("list", "--sort", "year").stdout
	if i, j := strings.Index(years, "2024"), strings.Index(years, "2019"); i < 0 || j < i {
		t.Errorf("akin list --sort year:\n%s", years)
	}
}

func TestTheSeedsAnswerAndSaySo(t *testing.T) {
	h := newHome(t)
	for _, args := range [][]string{{"search", "auctions"}, {"similar", "sparse autoencoders"}, {"themes"}, {"list"}, {"show", "sparse autoencoders"}, {"stats"}, {"check"}} {
		got := h.must(args...)
		if !strings.Contains(got.stderr, "seed papers") {
			t.Errorf("akin %q says %q, want that the seeds answer", args, got.stderr)
		}
		if quiet := h.must(append(args, "--quiet")...); quiet.stderr != "" || quiet.stdout != got.stdout {
			t.Errorf("akin %q --quiet says %q", args, quiet.stderr)
		}
	}
	if got := h.must("list").stdout; strings.Count(got, "\n") != 19 {
		t.Errorf("akin list has %d lines, want 19", strings.Count(got, "\n"))
	}
}

func TestScoresAreCosines(t *testing.T) {
	h := newHome(t)
	text := "Large auctions with many bidders"
	dense := []string{"search", text, "-n", "19", "--json", "--mode", "dense"}
	a := decode[answer](t, h.must(dense...).stdout)
	if a.Mode != "dense" || len(a.Results) != 19 {
		t.Fatalf("mode %s, %d results; want dense, 19", a.Mode, len(a.Results))
	}
	last := math.Inf(1)
	for i, r := range a.Results {
		if r.Score > last || r.Score < -1 || r.Score > 1 || r.Rank != i+1 {
			t.Errorf("result %d: rank %d, score %g after %g", i+1, r.Rank, r.Score, last)
		}
		last = r.Score
	}
	if again := fmt.Sprint(decode[answer](t, h.must(append(dense, "--exact")...).stdout)); again != fmt.Sprint(a) {
		t.Error("--exact gives another answer on the seeds")
	}
}

func TestAQueryWithoutAnAnswerDoesNotEndTheOthers(t *testing.T) {
	h := withLibrary(t)
	h.write("queries.jsonl", `{"id":"q1","text":"auctions author:nobody"}`+"\n"+`{"id":"q2","text":"auctions"}`+"\n")
	got := h.must("search", "--queries", "queries.jsonl", "-n", "1")
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	if len(lines) != 2 {
		t.Fatalf("got %d answers, want 2: %q", len(lines), got.stdout)
	}
	keysOf(t, "an answer without papers", lines[0], "query_id", "query", "mode", "neighbours", "results")
	if a := decode[answer](t, lines[0]); len(a.Results) != 0 || string(a.QueryID) != `"q1"` {
		t.Errorf("got %s, want an answer to q1 without papers", lines[0])
	}
	if a := decode[answer](t, lines[1]); len(a.Results) != 1 {
		t.Errorf("got %s, want a paper", lines[1])
	}
}

func TestWhatAFolderHoldsBesidesPapersIsInTheReport(t *testing.T) {
	h := newHome(t)
	h.write("folder/papers.jsonl", threePapers)
	h.write("folder/page.html", "<!doctype html><html><body>A page</body></html>")
	h.write("folder/paper.pdf", "%PDF-1.7\n")
	h.write("folder/prices.tsv", "fruit\tprice\napples\t3\npears\t4\n")
	r := decode[struct {
		Read  int                             `json:"read"`
		Files []struct{ File, Reason string } `json:"passed_over"`
		Count int                             `json:"passed_over_count"`
	}](t, h.must("add", "folder", "--no-embed", "--json").stdout)
	if r.Read != 3 || r.Count != 3 || len(r.Files) != 3 {
		t.Fatalf("got %+v, want 3 records read and 3 files passed over", r)
	}
	for _, f := range r.Files {
		if f.Reason == "" || !strings.HasPrefix(f.File, "folder") {
			t.Errorf("got %+v, want a file of the folder and a reason", f)
		}
		if strings.HasSuffix(f.File, ".tsv") && !strings.Contains(f.Reason, "--map") {
			t.Errorf("got %+v, want what names the columns of a table", f)
		}
	}
	if got := h.run("add", "folder/prices.tsv"); got.code != 1 || !strings.Contains(got.stderr, "hint: say which column holds what") {
		t.Errorf("akin add of the table alone: %+v, want exit code 1 and a hint", got)
	}
}
