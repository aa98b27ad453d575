package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestQueriesOfOddForms: whatever is typed is answered or told to be wrong, and never
// means something to the machinery below.
func TestQueriesOfOddForms(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", threePapers+
		`{"id":"h","title":"State-of-the-art zero-shot learning","abstract":"A multi-task, state-of-the-art method learns zero-shot.","year":2020}`+"\n"+
		`{"id":"g","title":"Обучение с подкреплением","abstract":"Мы изучаем градиенты стратегии."}`+"\n"+
		`{"id":"t","title":"Spectrum licences at auction"}`+"\n")
	h.must("add", "papers.jsonl")
	const all = 6
	for _, c := range []struct {
		name, query string
		first       string // key of the first result; "" is any
		n           int    // results; 0 is any
	}{
		{"rare symbols", "∮ ⊗ ‰ ¶", "", all},
		{"a hyphenated term", "zero-shot", "h", all},
		{"a hyphenated term without its hyphens", "zero shot state of the art", "h", all},
		{"a phrase with hyphens", `"state-of-the-art"`, "h", 1},
		{"one quote", `"zero-shot`, "h", 0},
		{"quotes alone", `""`, "", 0},
		{"typographic quotes", "“zero-shot learning”", "h", 0},
		{"an operator of another system", "auctions AND", "", all},
		{"NEAR(", "NEAR(auctions budgets, 3", "", all},
		{"a star", "*", "", all},
		{"a column filter of another system", "title:auctions OR abstract:*", "", all},
		{"a parenthesis", "auctions) OR (1=1", "", all},
		{"SQL", "'; DROP TABLE papers; --", "", all},
		{"another script", "градиенты стратегии", "g", all},
		{"a script that no paper has", "強化学習", "", all},
		{"an abstract", "We bound the variance of the policy gradient when no critic is learnt.", "a", all},
		{"10,000 words", strings.Repeat("spectrum licences ", 5000), "t", all},
		{"the title of a paper without abstract", "spectrum licences at auction", "t", all},
	} {
		for _, mode := range []string{"hybrid", "dense", "keyword"} {
			got := h.runWith(c.query, "search", "-", "--mode", mode, "--json")
			if strings.TrimSpace(strings.Trim(c.query, `"`)) == "" { // nothing is asked
				if got.code != 2 {
					t.Errorf("%s, %s: exit code %d\n%s", c.name, mode, got.code, got.stderr)
				}
				continue
			}
			if mode == "keyword" && got.code == 3 { // no paper holds the words
				if c.first != "" {
					t.Errorf("%s, %s: nothing is found", c.name, mode)
				}
				wellFormed(t, got)
				continue
			}
			if got.code != 0 {
				t.Errorf("%s, %s: exit code %d\n%s", c.name, mode, got.code, got.stderr)
				continue
			}
			a := decode[answer](t, got.stdout)
			if mode != "keyword" && c.n > 0 && len(a.Results) != c.n {
				t.Errorf("%s, %s: %d results, want %d", c.name, mode, len(a.Results), c.n)
			}
			if mode == "hybrid" && c.first != "" && a.Results[0].Keys[0] != c.first {
				t.Errorf("%s: %s is first, want %s", c.name, a.Results[0].Keys[0], c.first)
			}
		}
	}
	if listed := strings.Count(h.must("list").stdout, "\n"); listed != all {
		t.Errorf("after the queries %d papers are listed, want %d", listed, all)
	}
	if got := h.run("similar", "a", "--unlike", "a"); got.code != 2 || !strings.Contains(got.stderr, "both like and unlike") {
		t.Errorf("similar to a paper and unlike it: %+v, want exit code 2", got)
	}
	for _, args := range [][]string{{"search", "auctions"}, {"similar", "a"}, {"similar", "a", "--rerank"}} {
		got := h.run(append(args, "--year", "2022")...)
		if got.code != 3 || !strings.Contains(got.stderr, "2023") {
			t.Errorf("akin %q of a year that no paper has = %+v, want exit code 3 and the nearest year", args, got)
		}
		wellFormed(t, got)
	}
}

func TestALibraryOfOnePaper(t *testing.T) {
	h := newHome(t)
	h.write("one.jsonl", `{"id":"a","title":"Policy gradients without a critic","abstract":"We bound their variance. No critic is learnt."}`)
	h.must("add", "one.jsonl")
	for _, args := range []string{"search critics", "search gradients --mode keyword", "search critics --explain --diversity 0.5", "similar --text critics --rerank --explain"} {
		if a := decode[answer](t, h.must(append(strings.Fields(args), "--json")...).stdout); len(a.Results) != 1 {
			t.Errorf("akin %s: %d results, want the paper", args, len(a.Results))
		}
	}
	for _, args := range []string{"similar a", "similar a --rerank", "search critics --year 1900", "eval"} {
		got := h.run(strings.Fields(args)...)
		if got.code != 3 {
			t.Errorf("akin %s on one paper: exit code %d, want 3", args, got.code)
		}
		wellFormed(t, got)
	}
}

func TestAThousandPapersAtOnce(t *testing.T) {
	h := newHome(t)
	var papers strings.Builder
	args := []string{"similar", "--json", "--rerank"}
	for i := range 1004 {
		fmt.Fprintf(&papers, `{"id":"p%04d","title":"Subject %d"}`+"\n", i, i)
		if i < 1000 {
			args = append(args, fmt.Sprintf("p%04d", i))
		}
	}
	h.write("papers.jsonl", papers.String())
	h.must("add", "papers.jsonl")
	a := decode[answer](t, h.must(args...).stdout)
	if len(a.Query.Like) != 1000 || len(a.Results) != 4 {
		t.Errorf("like %d papers: %d results, want 1,000 and the 4 others", len(a.Query.Like), len(a.Results))
	}
	unlike := []string{"similar", "--json", "p1000"}
	for _, name := range args[3:] {
		unlike = append(unlike, "--unlike", name)
	}
	if a := decode[answer](t, h.must(unlike...).stdout); len(a.Query.Unlike) != 1000 || len(a.Results) != 3 {
		t.Errorf("unlike %d papers: %d results, want 1,000 and the 3 others", len(a.Query.Unlike), len(a.Results))
	}
}

// Ctrl-C while sentences are encoded: those that are done are kept and not done again.
func TestAnInterruptedSentencePassGoesOn(t *testing.T) {
	h := newHome(t)
	var papers strings.Builder
	const n = 100
	for i := range n {
		fmt.Fprintf(&papers, `{"id":"p%d","title":"Paper %d","abstract":"`, i, i)
		for k := range 40 {
			fmt.Fprintf(&papers, "Sentence %d is about subject %d. ", k, i)
		}
		papers.WriteString(`"}` + "\n")
	}
	h.write("papers.jsonl", papers.String())
	cmd := h.process("add", "papers.jsonl", "--json")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return strings.Contains(h.run("stats", "--json").stdout, fmt.Sprintf(`"vectors":%d`, n)) })
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	type counts struct{ Added, Embedded, Sentences int }
	first := decode[counts](t, stdout.String())
	if code := cmd.ProcessState.ExitCode(); code != 130 || first.Embedded != n || first.Sentences >= n {
		t.Fatalf("exit code %d, %+v, want 130, %d papers encoded and the sentences of some\n%s", code, first, n, stderr.String())
	}
	if a := decode[answer](t, h.must("search", "subject 7", "--json").stdout); len(a.Results) != 10 {
		t.Errorf("%d results between the two, want 10", len(a.Results))
	}
	if again := decode[counts](t, h.must("add", "--json").stdout); again.Embedded != 0 || again.Sentences != n-first.Sentences {
		t.Errorf("%+v after %+v; want the sentences that were missing, and no paper again", again, first)
	}
}
