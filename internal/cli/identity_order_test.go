package cli_test

import (
	"slices"
	"strings"
	"testing"
)

const (
	aboutGraphs = "We study random walks on sparse graphs and bound how long they take to visit every vertex."
	aboutSoil   = "Bacteria living in agricultural soil break down nitrates faster where earthworms are common."
)

// TestPapersAreTheSameInEveryOrder: which records are one paper is a matter of what they
// say, and not of which came first.
func TestPapersAreTheSameInEveryOrder(t *testing.T) {
	for _, c := range []struct {
		name    string
		records []string
		want    string // the titles of each paper's records, as list shows one of them
		apart   bool
	}{
		{"one record has the ids of two whose DOIs differ", []string{
			`{"id":"a","doi":"10.1000/a","arxiv_id":"2101.00001","title":"Random walks on sparse graphs","abstract":"` + aboutGraphs + `"}`,
			`{"id":"b","doi":"10.1000/b","pmid":"1234567","title":"Random walks on sparse graphs, revisited","abstract":"` + aboutGraphs + ` Again."}`,
			`{"id":"c","doi":"10.1000/a","arxiv_id":"2101.00001","pmid":"1234567","title":"Random walks on sparse graphs","abstract":"` + aboutGraphs + `"}`,
		}, "a b c", false},
		{"one arXiv id on works whose DOI, title and text differ", []string{
			`{"id":"a","doi":"10.1000/a","arxiv_id":"2101.00001","title":"Random walks on sparse graphs","abstract":"` + aboutGraphs + `"}`,
			`{"id":"b","doi":"10.1000/b","arxiv_id":"2101.00001","title":"Soil bacteria and earthworms","abstract":"` + aboutSoil + `"}`,
		}, "a | b", true},
		{"one arXiv id on two versions of a work", []string{
			`{"id":"a","arxiv_id":"2101.00001","title":"Random walks on sparse graphs","abstract":"` + aboutGraphs + `"}`,
			`{"id":"b","doi":"10.1000/b","arxiv_id":"2101.00001","title":"How long until everything was visited","abstract":"Rewritten from the first to the last word by its authors."}`,
		}, "a b", false},
		{"one arXiv id, two DOIs, one title", []string{
			`{"id":"a","doi":"10.1000/a","arxiv_id":"2101.00001","title":"Random walks on sparse graphs","abstract":"` + aboutGraphs + `"}`,
			`{"id":"b","doi":"10.1000/b","arxiv_id":"2101.00001","title":"Random walks on sparse graphs","abstract":"` + aboutSoil + `"}`,
		}, "a b", false},
		{"a volume's DOI on its chapters", []string{
			`{"id":"a","doi":"10.1000/v","title":"Random walks on sparse graphs","abstract":"` + aboutGraphs + `"}`,
			`{"id":"b","doi":"10.1000/v","title":"Soil bacteria and earthworms","abstract":"` + aboutSoil + `"}`,
		}, "a | b", true},
	} {
		for _, order := range permutations(len(c.records)) {
			h := newHome(t)
			var lines []string
			for _, i := range order {
				lines = append(lines, c.records[i])
			}
			h.write("all.jsonl", strings.Join(lines, "\n"))
			got := h.must("add", "all.jsonl", "--no-embed", "--json")
			told := strings.Contains(got.stderr, "kept apart") && strings.Contains(got.stderr, "akin list --duplicates")
			r := decode[struct {
				KeptApart int `json:"kept_apart"`
			}](t, got.stdout)
			if told != c.apart || (r.KeptApart == 1) != c.apart {
				t.Errorf("%s, in the order %v: %d kept apart, standard error %q", c.name, order, r.KeptApart, got.stderr)
			}
			var papers []string
			for line := range strings.Lines(h.must("list", "--json").stdout) {
				p := decode[struct{ Keys []string }](t, line)
				slices.Sort(p.Keys)
				papers = append(papers, strings.Join(p.Keys, " "))
			}
			slices.Sort(papers)
			if got := strings.Join(papers, " | "); got != c.want {
				t.Errorf("%s, in the order %v: papers %q, want %q", c.name, order, got, c.want)
			}
			listed := h.run("list", "--duplicates")
			if (strings.Count(listed.stdout, "\n") > 0) != c.apart {
				t.Errorf("%s, in the order %v: list --duplicates shows %q", c.name, order, listed.stdout)
			}
			h.must("check")
		}
	}
}

// permutations are all orders of n things.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, shorter := range permutations(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(shorter), at, n-1))
		}
	}
	return all
}
