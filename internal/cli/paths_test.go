package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestPathsThatCannotBe: a path below a file, a loop of links or a folder that is not
// there is told as what it is, with what to do next, by every command that takes it.
func TestPathsThatCannotBe(t *testing.T) {
	h := withLibrary(t)
	h.must("backup", "good.backup")
	below := filepath.Join("papers.jsonl", "below", "library")
	long := strings.Repeat("long", 100)
	const isFile = "papers.jsonl: it is a file, not a folder"
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"list", "--library", below}, isFile},
		{[]string{"search", "auctions", "--library", below}, isFile},
		{[]string{"check", "--library", below}, isFile},
		{[]string{"add", "papers.jsonl", "--library", below}, isFile},
		{[]string{"restore", "good.backup", "--library", below}, isFile},
		{[]string{"list", "--library", long}, "the folder cannot be reached"},
		{[]string{"add", "papers.jsonl", "--library", long}, "the folder cannot be reached"},
		{[]string{"restore", "good.backup", "--library", long}, "the folder cannot be reached"},
		{[]string{"backup", filepath.Join("gone", "file")}, "no file can be written there"},
		{[]string{"backup", filepath.Join("papers.jsonl", "file")}, "no file can be written there"},
		{[]string{"backup", "papers.jsonl"}, "file already exists"},
		{[]string{"restore", filepath.Join("papers.jsonl", "file")}, "papers.jsonl"},
		{[]string{"restore", "."}, "it is a folder"},
	} {
		got := h.run(test.args...)
		if got.code != 1 || !strings.Contains(got.stderr, test.want) || strings.Count(got.stderr, "\nhint: ") != 1 {
			t.Errorf("akin %.80q: %+v, want exit code 1, %q and a hint", test.args, got, test.want)
		}
		wellFormed(t, got)
	}
	if got := h.must("list"); strings.Count(got.stdout, "\n") != 3 {
		t.Errorf("afterwards the library has:\n%s", got.stdout)
	}
}
