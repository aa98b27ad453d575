package cli_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
)

// Papers that wait for a vector, since an import was interrupted or made with --no-embed,
// are missing from what answers by meaning: each command whose answer lacks them says how
// many, and what to do.
func TestCommandsTellWhichPapersTheirAnswerLacks(t *testing.T) {
	h := withLibrary(t)
	h.write("later.jsonl", `{"id":"x","title":"Spectrum licences","abstract":"Auctions of spectrum. They raise revenue. Nobody knows why. We study it."}
{"id":"y","title":"Markets for data","abstract":"Data are sold."}
`)
	h.must("add", "later.jsonl", "--no-embed")
	h.write("many.jsonl", `{"id":1,"text":"auctions"}`+"\n"+`{"id":2,"text":"critics"}`+"\n")
	h.write("queries.jsonl", `{"_id":"q","text":"auctions with budgets"}`+"\n")
	h.write("qrels.tsv", "query-id\tcorpus-id\tscore\nq\tb\t1\n")
	const note = "2 papers are not encoded yet"
	for _, c := range []struct {
		args string
		want string // somewhere in what is written; "" is: nothing of the kind
	}{
		{"search auctions", note + " and are found by their words alone"},
		{"search auctions --mode dense", note + " and are left out"},
		{"search auctions --mode keyword", ""}, // it lacks none
		{"search --queries many.jsonl", note},
		{"similar a", note + " and are left out"},
		{"similar a --rerank", note},
		{"similar --text auctions", note},
		{"similar a --to bibtex", note},
		{"themes", note + " and are left out"},
		{"themes", note}, // those that are kept now
		{"themes --over year", note},
		{"themes show t1", note},
		{"eval --queries queries.jsonl --qrels qrels.tsv", note},
		{"eval --themes -k 1", note},
		{"export --to graphml", note + " and are written without theme or links"},
		{"export --to csv", ""},
		{"list", ""},
		{"show x", "not yet: akin add"},
		{"stats", "2 papers not encoded yet: akin add"},
		{"check", "not encoded yet: 2 papers (akin add"},
	} {
		got := h.run(strings.Fields(c.args)...)
		if got.code != 0 {
			t.Errorf("akin %s: exit code %d\n%s", c.args, got.code, got.stderr)
		}
		all := got.stdout + got.stderr
		if c.want == "" {
			if strings.Contains(got.stderr, "encoded") {
				t.Errorf("akin %s says %q, and its answer lacks nothing", c.args, got.stderr)
			}
			continue
		}
		if !strings.Contains(all, c.want) || strings.Count(got.stderr, "encoded yet") > 1 {
			t.Errorf("akin %s does not say %q once:\n%s%s", c.args, c.want, got.stdout, got.stderr)
		}
	}

	if got := h.must("check"); strings.Contains(got.stdout, "all is well") {
		t.Errorf("akin check of a library that waits for vectors says %q", got.stdout)
	}
	type counts struct {
		NotEncoded int `json:"not_encoded"`
	}
	for _, args := range []string{"search auctions", "similar a", "check", "stats", "eval --queries queries.jsonl --qrels qrels.tsv"} {
		if got := decode[counts](t, h.must(append(strings.Fields(args), "--json", "--quiet")...).stdout); got.NotEncoded != 2 {
			t.Errorf("akin %s --json counts %d papers that are not encoded, want 2", args, got.NotEncoded)
		}
	}

	h.must("add")
	for _, args := range []string{"search auctions", "similar a", "themes", "export --to graphml", "check", "stats"} {
		if got := h.must(strings.Fields(args)...); strings.Contains(got.stdout+got.stderr, "encoded yet") {
			t.Errorf("akin %s with every paper encoded: %s%s", args, got.stdout, got.stderr)
		}
	}
}

// Recall is measured also where there is no graph, and a figure of no sample is none.
func TestRecallIsMeasuredOrNotTold(t *testing.T) {
	type report struct {
		Vectors       int      `json:"vectors"`
		RecallAt10    *float64 `json:"recall_at_10"`
		RecallSamples int      `json:"recall_samples"`
	}
	h := withLibrary(t)
	got := decode[report](t, h.must("check", "--json").stdout)
	if got.RecallAt10 == nil || *got.RecallAt10 != 1 || got.RecallSamples != got.Vectors || got.Vectors == 0 {
		t.Errorf("akin check of a small library: %+v, want a recall of 1 over all of its vectors", got)
	}
	if got := decode[report](t, h.must("check", "--json", "--library", "none").stdout); got.RecallAt10 == nil || got.RecallSamples != 19 {
		t.Errorf("akin check of the seeds: %+v, want recall over 19 samples", got)
	}
	h = newHome(t)
	h.write("a.txt", "Sealed bids and what they reveal of a bidder.\n")
	h.must("add", "a.txt", "--no-embed")
	if got := h.must("check", "--json").stdout; !strings.Contains(got, `"recall_at_10":null,"recall_samples":0`) {
		t.Errorf("akin check --json without a vector: %s", got)
	}
	if got := h.must("check").stdout; !strings.Contains(got, "recall@10 is not measured") {
		t.Errorf("akin check without a vector says %q", got)
	}
	if got := h.must("eval", "--library", "none").stdout; !strings.Contains(got, "1.000 of the ten nearest are those of an exact scan (exact, 19 samples)") {
		t.Errorf("akin eval of the seeds says %q", got)
	}
}

// After a pass over the sentences that was interrupted, a search weighs the sentences of
// some papers and not of others: that is told. A library that was made without them is not
// asked for them.
func TestASearchTellsWhoseSentencesAreMissing(t *testing.T) {
	h := withLibrary(t)
	lose := func(which string) {
		db, err := sql.Open("sqlite", filepath.Join(h.folder(), "library.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec("DELETE FROM sentences WHERE " + which); err != nil {
			t.Fatal(err)
		}
	}
	const note = "are not encoded yet, so it is ranked by its whole text alone: akin add"
	if got := h.must("search", "auctions"); strings.Contains(got.stderr, note) {
		t.Errorf("with all sentences: %q", got.stderr)
	}
	lose("vector = (SELECT min(vector) FROM sentences)")
	if got := h.must("search", "auctions"); strings.Count(got.stderr, "the sentences of 1 paper "+note) != 1 {
		t.Errorf("without the sentences of one paper: %q", got.stderr)
	}
	if got := h.must("search", "auctions", "--mode", "dense"); strings.Contains(got.stderr, note) {
		t.Errorf("a search that weighs no sentences: %q", got.stderr)
	}
	if got := h.must("stats").stdout; !strings.Contains(got, "of 2 of 3 papers") {
		t.Errorf("akin stats without the sentences of one paper: %s", got)
	}
	// Also where none of the papers of this answer has its sentences.
	lose("vector <> (SELECT p.vector FROM papers p JOIN records r ON r.paper = p.n WHERE r.key = 'c')")
	const two = "the sentences of 2 papers are not encoded yet, so they are ranked by the whole text alone"
	apart := []string{"search", "auctions -autoencoders"}
	if got := h.must(apart...); strings.Count(got.stderr, two) != 1 {
		t.Errorf("without the sentences of every paper that is found: %q", got.stderr)
	}
	if got := h.must(append(apart, "--json", "--quiet")...).stdout; !strings.Contains(got, `"without_sentences":2`) {
		t.Errorf("in JSON: %s", got)
	}
	h.must("add")
	if got := h.must("search", "auctions"); strings.Contains(got.stderr, note) || strings.Contains(got.stdout, "without_sentences") {
		t.Errorf("after akin add: %q", got.stderr)
	}
	lose("true")
	if got := h.must("search", "auctions"); strings.Contains(got.stderr, note) {
		t.Errorf("in a library without sentences: %q", got.stderr)
	}
}
