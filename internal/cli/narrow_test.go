package cli_test

import (
	"strings"
	"testing"
)

// TestAnIdIsWholeOnANarrowTerminal: it names its paper, which half of it does not.
func TestAnIdIsWholeOnANarrowTerminal(t *testing.T) {
	h := newHome(t)
	const id = "doi:10.1234/markets.of.data.and.more" // wider than any of the terminals
	h.write("papers.jsonl", `{"id":"a","title":"Markets for data","abstract":"Data are sold.","year":2020,"venue":"Economics Letters","doi":"10.1234/markets.of.data.and.more"}
{"id":"b","title":"Markets for data","abstract":"Data are sold, and sold again."}
`)
	h.must("add", "papers.jsonl", "--no-embed")
	for _, columns := range []int{20, 24, 30} {
		for _, args := range [][]string{
			{"search", "markets", "--mode", "keyword", "--no-color"},
			{"list", "--no-color"},
		} {
			got := h.inProcess(columns, args...).stdout
			if !strings.Contains(got, id) {
				t.Errorf("%d columns: akin %q:\n%s\nwant the whole id %s", columns, args, got, id)
			}
			if strings.Count(got, "Mark") != 2 {
				t.Errorf("%d columns: akin %q:\n%s\nwant the titles of both papers", columns, args, got)
			}
		}
	}
	if got := h.inProcess(24, "list", "--no-color").stdout; !strings.HasPrefix(got, id+"  2020\n  Markets for data\n") {
		t.Errorf("a list on 24 columns:\n%s", got)
	}
	if got := h.inProcess(80, "list", "--no-color").stdout; strings.Count(got, "\n") != 2 {
		t.Errorf("a list on 80 columns:\n%s\nwant one line a paper", got)
	}
}
