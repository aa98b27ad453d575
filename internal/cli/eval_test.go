package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// judgedFolder writes a set in BEIR's form: its corpus is threePapers and one more.
func judgedFolder(h home, dir string) {
	h.write(dir+"/corpus.jsonl", `{"_id":"d1","title":"Auctions with budgets","text":"Bidders with hard budgets bid truthfully in this auction."}
{"_id":"d2","title":"Folding of small proteins","text":"A protein folds to its native state."}
{"_id":"d3","title":"","text":""}
`)
	h.write(dir+"/queries.jsonl", `{"_id":"q1","text":"truthful auctions"}
{"_id":"q2","text":"how proteins fold"}
{"_id":"q3","text":"nobody judged this"}
`)
	h.write(dir+"/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\nq2\tgone\t1\nqx\td1\t1\n")
	h.write(dir+"/qrels/train.tsv", "query-id\tcorpus-id\tscore\nq3\td1\t1\n")
}

func TestEvalOfAFolder(t *testing.T) {
	h := newHome(t)
	const dir = "set [1]"
	judgedFolder(h, dir)
	got := h.must("eval", dir)
	for _, want := range []string{"2 queries, judged by the file", "hybrid      ", "keyword     ", "dense       ", "1 relevant document missing from the library",
		"1 query without a text or a relevant document", "1 judged query not among the queries"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("akin eval FOLDER does not say %q:\n%s", want, got.stdout)
		}
	}
	for _, want := range []string{filepath.Join("qrels", "test.tsv"), "1 document of the corpus set aside"} {
		if !strings.Contains(got.stderr, want) {
			t.Errorf("akin eval FOLDER does not tell %q:\n%s", want, got.stderr)
		}
	}
	if _, err := os.Stat(h.folder()); err == nil {
		t.Error("akin eval FOLDER made a library of the user's")
	}
	r := decode[struct {
		Queries          int
		Modes            map[string]map[string]any
		MissingDocuments int `json:"missing_documents"`
		UnusedQueries    int `json:"unused_queries"`
		UnknownQueries   int `json:"unknown_queries"`
	}](t, h.must("eval", dir, "--json").stdout)
	if r.Queries != 2 || len(r.Modes) != 3 || r.MissingDocuments != 1 || r.UnusedQueries != 1 || r.UnknownQueries != 1 {
		t.Errorf("akin eval FOLDER --json = %+v", r)
	}
	for mode, f := range r.Modes {
		if f["mrr@10"] != 1.0 || f["recall@10"] != 0.75 {
			t.Errorf("%s: MRR %v, recall %v; want 1 and .75: one of q2's documents is missing", mode, f["mrr@10"], f["recall@10"])
		}
	}

	// A library that has the corpus is asked where it is named.
	h.must("add", "--library", "mine", dir+"/corpus.jsonl")
	if err := os.Remove(filepath.Join(h.dir, dir, "corpus.jsonl")); err != nil {
		t.Fatal(err)
	}
	if again := h.must("eval", dir, "--library", "mine"); again.stdout != got.stdout {
		t.Errorf("with a library of the corpus:\n%s\nwant\n%s", again.stdout, got.stdout)
	}
}

func TestEvalOfAFolderThatIsNone(t *testing.T) {
	h := newHome(t)
	h.write("file", "")
	h.write("bare/corpus.jsonl", threePapers)
	h.write("no queries/qrels/dev.tsv", "q1\ta\t1\n")
	h.write("many/qrels/train.tsv", "q1\ta\t1\n")
	h.write("many/qrels/extra.tsv", "q1\ta\t1\n")
	h.write("many/queries.jsonl", `{"_id":"q1","text":"auctions"}`)
	h.write("strange/corpus.jsonl", threePapers)
	h.write("strange/qrels/test.tsv", "q1\tnothing\t1\n")
	h.write("strange/queries.jsonl", `{"_id":"q1","text":"auctions"}`)
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"nowhere", 1, "nowhere"},
		{"file", 1, "file is a file"},
		{"bare", 1, "no qrels in bare"},
		{"no queries", 1, "no queries in no queries"},
		{"many", 2, "extra.tsv, train.tsv"},
		{"strange", 3, "none of the relevant documents"},
	} {
		got := h.run("eval", c.args)
		wellFormed(t, got)
		if got.code != c.code || !strings.Contains(got.stderr, c.says) {
			t.Errorf("akin eval %q: exit code %d, want %d and %q:\n%s", c.args, got.code, c.code, c.says, got.stderr)
		}
	}
	for _, args := range [][]string{{"eval", "a", "b"}, {"eval", "a", "--themes"}} {
		if got := h.run(args...); got.code != 2 {
			t.Errorf("akin %v: exit code %d, want 2", args, got.code)
		}
	}
	if got := h.must("eval", "strange", "--qrels", "many/qrels/train.tsv"); !strings.Contains(got.stdout, "1 query, judged") {
		t.Errorf("with a file of judgements that is named:\n%s", got.stdout)
	}
}

// TestEvalOfFilesThatJudgeNothing says which file, and how it should be written.
func TestEvalOfFilesThatJudgeNothing(t *testing.T) {
	h := withLibrary(t)
	const query, judgement = `{"_id":"q","text":"truthful auctions"}`, "q\tb\t1"
	for _, c := range []struct {
		name           string
		queries, qrels string
		code           int
		says           string
	}{
		{"no queries", "", judgement, 3, "there are no queries in queries.jsonl\nhint: a line for each: {"},
		{"no judgements", query, "", 3, "there are no judgements in qrels.tsv\nhint: a line for each: query"},
		{"a heading alone", query, "query-id\tcorpus-id\tscore", 3, "there are no judgements in qrels.tsv"},
		{"nothing relevant", query, "q\tb\t0", 3, "no query has a relevant document\nhint: a document is relevant whose grade is 1 or more"},
		{"queries of other ids", query, "other\tb\t1", 3, "hint: the ids of the queries must be"},
		{"documents of other ids", query, "q\tother\t1", 3, "none of the relevant documents"},
		{"two columns", query, judgement + "\nq\tb", 1, "qrels.tsv: line 2: expected 3 columns (query, document, grade) or TREC's 4, found 2\nhint: "},
		{"a grade that is none", query, judgement + "\nq\tb\tgood", 1, `qrels.tsv: line 2: grade "good" is no whole number`},
		{"a grade beyond all", query, "q\tb\t2000", 1, "qrels.tsv: line 1: grade 2000 is beyond 1000, the highest"},
		{"half a grade", query, "q\tb\t0.5", 1, `qrels.tsv: line 1: grade "0.5" is no whole number`},
		{"no JSON", "auctions", judgement, 1, "queries.jsonl: line 1: not a JSON object: invalid character"},
		{"no object", `["auctions"]`, judgement, 1, "queries.jsonl: line 1: not a JSON object: found array"},
		{"a number for a text", `{"_id":"q","text":5}`, judgement, 1, `queries.jsonl: line 1: its "text" is no string`},
		{"an object for an id", `{"_id":{},"text":"x"}`, judgement, 1, "queries.jsonl: line 1: its id is neither"},
		{"a document by its id", query, "q\tp:", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.code == 0 {
				c.qrels = "q\t" + decode[struct{ ID string }](t, h.must("show", "b", "--json").stdout).ID + "\t1"
			}
			h.write("queries.jsonl", c.queries+"\n")
			h.write("qrels.tsv", c.qrels+"\n")
			got := h.run("eval", "--queries", "queries.jsonl", "--qrels", "qrels.tsv")
			if got.code != c.code || !strings.Contains(got.stderr, c.says) {
				t.Errorf("exit code %d, want %d and %q:\n%s%s", got.code, c.code, c.says, got.stdout, got.stderr)
			}
			if strings.Contains(got.stderr, "Go ") || strings.Contains(got.stderr, "map[") {
				t.Errorf("a type of Go in\n%s", got.stderr)
			}
			if c.code == 0 && !strings.Contains(got.stdout, "hybrid      1.000") {
				t.Errorf("it is not found:\n%s", got.stdout)
			}
		})
	}
}

// Each of the two files may be the standard input, and what judges a document twice is
// told.
func TestEvalReadsTheStandardInputAndTellsContradictions(t *testing.T) {
	h := withLibrary(t)
	queries, qrels := `{"_id":"q","text":"truthful auctions"}`+"\n", "q\tb\t0\nq\tb\t1\nq\tb\t2\nq\ta\t0\nq\ta\t0\n"
	h.write("queries.jsonl", queries)
	h.write("qrels.tsv", qrels)
	want := h.must("eval", "--queries", "queries.jsonl", "--qrels", "qrels.tsv", "--json")
	if !strings.Contains(want.stderr, "1 document is judged more than once, with several grades: the highest counts") || !strings.Contains(want.stdout, `"contradicted":1`) {
		t.Errorf("a pair with three grades:\n%s%s", want.stderr, want.stdout)
	}
	for stdin, args := range map[string][]string{queries: {"--queries", "-", "--qrels", "qrels.tsv"}, qrels: {"--queries", "queries.jsonl", "--qrels", "-"}} {
		got := h.runWith(stdin, append([]string{"eval", "--json"}, args...)...)
		if got.code != 0 || got.stdout != want.stdout {
			t.Errorf("akin eval %v: exit code %d\n%s%s", args, got.code, got.stderr, got.stdout)
		}
	}
	got := h.runWith("[]\n", "eval", "--queries", "-", "--qrels", "qrels.tsv")
	if got.code != 1 || !strings.Contains(got.stderr, "the standard input: line 1: not a JSON object") {
		t.Errorf("no object on the standard input: %+v", got)
	}
}
