package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// A library without papers, never filled or emptied, gives every command that needs papers
// the same answer; what is of the library itself is told.
func TestALibraryWithoutPapers(t *testing.T) {
	emptied := withLibrary(t)
	emptied.must("themes")
	emptied.must("remove", "a", "b", "c")
	undone := withLibrary(t)
	undone.must("sources", "undo", "1")
	unfilled := newHome(t)
	if err := os.MkdirAll(unfilled.folder(), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]home{"emptied": emptied, "undone": undone, "never filled": unfilled} {
		h.write("many.jsonl", `{"text":"auctions"}`+"\n"+`{"text":"critics"}`+"\n")
		h.write("queries.jsonl", `{"_id":"q","text":"auctions"}`+"\n")
		h.write("qrels.tsv", "q\tb\t1\n")
		queries, qrels := filepath.Join(h.dir, "queries.jsonl"), filepath.Join(h.dir, "qrels.tsv")
		for _, args := range [][]string{
			{"search", "auctions"}, {"search", "auctions", "--mode", "keyword"}, {"search", "auctions year:2020", "--year", "2019"},
			{"search", "--queries", filepath.Join(h.dir, "many.jsonl")},
			{"similar", "a"}, {"similar", "a", "--rerank"}, {"similar", "--text", "auctions"},
			{"themes"}, {"themes", "-k", "2"}, {"themes", "--over", "year"}, {"themes", "show", "t1"}, {"themes", "rename", "t1", "x"},
			{"list"}, {"list", "--sort", "year"}, {"list", "--duplicates"}, {"list", "--year", "2020"}, {"show", "a"},
			{"remove", "a"}, {"merge", "a", "b"}, {"split", "a"},
			{"export", "--to", "csv"}, {"export", "--to", "csljson"}, {"export", "--to", "graphml"}, {"export", "a", "--to", "bibtex"},
			{"eval"}, {"eval", "--themes"}, {"eval", "--queries", queries, "--qrels", qrels},
		} {
			for _, form := range [][]string{args, append(args[:len(args):len(args)], "--json")} {
				got := h.inProcess(0, form...)
				if got.code != 3 || !strings.Contains(got.stderr, " has no papers\nhint: add some with: akin add PATH\n") || strings.Count(got.stderr, "\n") != 2 {
					t.Errorf("%s: akin %q: exit code %d, %q; want 3, that the library has no papers, and the hint alone", name, form, got.code, got.stderr)
				}
				if got.stdout == "" {
					continue
				}
				var a answer
				if err := json.Unmarshal([]byte(got.stdout), &a); err != nil || len(form) == len(args) || len(a.Results) > 0 {
					t.Errorf("%s: akin %q writes %q, want nothing, or an empty answer in JSON", name, form, got.stdout)
				}
			}
		}
		if got := h.inProcess(0, "stats"); got.code != 0 || strings.Contains(got.stdout, "0 numbers") || !strings.Contains(got.stdout, "papers   none: akin add PATH") {
			t.Errorf("%s: akin stats: %+v", name, got)
		}
		if got := h.inProcess(0, "check"); got.code != 0 || got.stdout != "all is well: the library has no papers\n" {
			t.Errorf("%s: akin check: %+v", name, got)
		}
	}
	for _, args := range [][]string{{"sources"}, {"backup", filepath.Join(emptied.dir, "backup")}, {"check", "--repair"}} {
		if got := emptied.inProcess(0, args...); got.code != 0 {
			t.Errorf("akin %q of an emptied library: %+v, want exit code 0: it has a history", args, got)
		}
	}
	h := withLibrary(t)
	if got := h.inProcess(0, "list", "--duplicates"); got.code != 3 || got.stdout != "" {
		t.Errorf("akin list --duplicates: %+v, want exit code 3 and nothing on the standard output", got)
	}
}

// TestExportsThatFailWriteNothing: what goes to a file is whole, or is not there.
func TestExportsThatFailWriteNothing(t *testing.T) {
	h := withLibrary(t)
	for _, format := range engine.ExportFormats() {
		for _, rest := range [][]string{
			{"--year", "1900"}, {"--theme", "no such theme"}, {"no such paper"}, {"a", "no such paper"}, {"a", "--year", "1900"}, {"a", "--venue", "!"},
		} {
			args := append([]string{"export", "--to", format}, rest...)
			if got := h.inProcess(0, args...); got.code != 3 && got.code != 2 || got.stdout != "" {
				t.Errorf("akin %q: %+v, want exit code 3 or 2 and nothing on the standard output", args, got)
			}
		}
		if got := h.inProcess(0, "export", "--to", format, "a", "--year", "2018.."); got.code != 0 || got.stdout == "" {
			t.Errorf("akin export a, which meets the filter, --to %s: %+v", format, got)
		}
	}
}

// TestNothingIsEncodedYet of a library that was made with --no-embed: what needs vectors
// says so, and nothing else.
func TestNothingIsEncodedYet(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", threePapers)
	if got := h.inProcess(0, "add", "--no-embed", filepath.Join(h.dir, "papers.jsonl")); got.code != 0 {
		t.Fatalf("akin add --no-embed: %+v", got)
	}
	for _, args := range [][]string{{"export", "--to", "graphml"}, {"export", "--to", "graphml", "a"}, {"themes"}, {"similar", "a"}, {"search", "auctions", "--mode", "dense"}} {
		got := h.inProcess(0, args...)
		if got.code != 3 || got.stdout != "" || !strings.HasSuffix(got.stderr, "\nhint: akin add, without a path, encodes what is missing\n") || strings.Count(got.stderr, "\n") != 2 {
			t.Errorf("akin %q: %+v, want exit code 3, one error and the hint", args, got)
		}
	}
	got := h.inProcess(0, "stats").stdout
	for _, want := range []string{"vectors  none yet: akin add, without a path", "search   by words alone"} {
		if !strings.Contains(got, want) || strings.Contains(got, "model") {
			t.Errorf("akin stats does not say %q, or names a model:\n%s", want, got)
		}
	}
}

// What asks for nothing is refused with what to do; of many queries only that one is.
func TestQueriesThatAskForNothing(t *testing.T) {
	h := withLibrary(t)
	for _, c := range []struct{ query, want string }{
		{`""`, "the query is blank"},
		{`"`, "the query is blank"},
		{"“ ”", "the query is blank"},
		{`-`, "blank"},
		{`- -""`, "the query is blank"},
		{"year:2020", "hint: akin list --year 2020 lists them"},
		{`year:2018..2020 author:"ada lovelace"`, `hint: akin list --year 2018..2020 --author "ada lovelace" lists them`},
		{"-auctions", "the query only leaves papers out"},
		{`-author:lovelace -"a phrase"`, "the query only leaves papers out"},
	} {
		args := []string{"search", "--", c.query}
		if got := h.inProcess(0, args...); got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, c.want) {
			t.Errorf("akin %q: %+v, want exit code 2 and %q", args, got, c.want)
		} else {
			wellFormed(t, got)
		}
		if c.query == "-" {
			continue
		}
		line, _ := json.Marshal(map[string]string{"id": "odd", "text": c.query})
		h.write("queries.jsonl", `{"id":1,"text":"auctions"}`+"\n"+string(line)+"\n"+`{"id":3,"text":"critics"}`+"\n")
		got := h.inProcess(0, "search", "--queries", filepath.Join(h.dir, "queries.jsonl"))
		lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
		if got.code != 2 || len(lines) != 3 || !strings.Contains(got.stderr, "of the 3 queries of ") {
			t.Errorf("%s among others: exit code %d, %d answers, %q", c.query, got.code, len(lines), got.stderr)
			continue
		}
		odd := decode[struct {
			Error, Order, Mode, Neighbours string
			Results                        []any
		}](t, lines[1])
		if odd.Error == "" || odd.Order != "score" || odd.Mode != "hybrid" || odd.Neighbours != "none" || odd.Results == nil || strings.Contains(lines[0]+lines[2], `"error"`) {
			t.Errorf("%s among others: %s", c.query, lines[1])
		}
	}
	if got := h.inProcess(0, "search", "-auctions"); got.code != 2 || !strings.Contains(got.stderr, "hint: a query that begins with '-' comes after '--'") {
		t.Errorf("akin search -auctions: %+v", got)
	}
}
