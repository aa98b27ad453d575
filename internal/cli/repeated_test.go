package cli_test

import (
	"strings"
	"testing"
)

// TestWhatIsAskedIsNotDropped: a flag that is a part of what is asked takes one value, and
// of others the last counts.
func TestWhatIsAskedIsNotDropped(t *testing.T) {
	h := newHome(t)
	for _, args := range [][]string{
		{"similar", "--text", "A", "--text", "B"},
		{"similar", "sparse autoencoders", "--to", "ris", "--to", "csv"},
		{"search", "auctions", "--to", "ris", "--to=csv"},
		{"search", "--queries", "a.jsonl", "--queries", "b.jsonl"},
		{"eval", "--qrels", "q.tsv", "--queries", "a.jsonl", "--queries", "b.jsonl"},
		{"eval", "--queries", "a.jsonl", "--qrels", "q.tsv", "--qrels", "r.tsv"},
		{"export", "--to", "ris", "--to", "csv"},
	} {
		got := h.run(args...)
		wellFormed(t, got)
		if got.code != 2 || !strings.Contains(got.stderr, " takes one value, and is given two: ") || !strings.Contains(got.stderr, "\nhint: ") || strings.Contains(got.stderr, "--help") {
			t.Errorf("akin %q: %+v, want exit code 2, both values and a hint", args, got)
		}
	}
	if got := h.run("similar", "--text", "A", "--text", "B"); !strings.Contains(got.stderr, `"A" and "B"`+"\nhint: write both in one text\n") {
		t.Errorf("two texts: %s", got.stderr)
	}
	for _, args := range [][]string{
		{"search", "auctions", "-n", "3", "-n", "1"},
		{"search", "auctions", "--mode", "dense", "--mode", "keyword", "-n", "1"},
		{"similar", "--text", "auctions", "--text", "auctions", "-n", "1"},
	} {
		if got := h.must(args...); strings.Count(got.stdout, "p:") != 1 {
			t.Errorf("akin %q: %s\nwant one paper", args, got.stdout)
		}
	}
	if got := h.run("similar", "--txt", "A"); got.code != 2 || !strings.Contains(got.stderr, "unknown flag: --txt") || !strings.Contains(got.stderr, "akin similar --help") {
		t.Errorf("an unknown flag of a command with such flags: %+v", got)
	}
}
