package cli_test

import (
	"os"
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

// TestPathsThatAreNone: a blank path, and '-' where that is no stream, are refused by
// every command that takes a path, before anything is done.
func TestPathsThatAreNone(t *testing.T) {
	h := withLibrary(t)
	for _, args := range [][]string{
		{"backup", ""}, {"backup", "-"}, {"restore", ""}, {"restore", "-"}, {"add", ""}, {"add", "papers.jsonl", ""}, {"eval", ""}, {"eval", "-"},
		{"list", "--library", ""}, {"add", "papers.jsonl", "--library", "-"}, {"search", "--queries", ""},
		{"eval", "--queries", "", "--qrels", "papers.jsonl"}, {"eval", "--queries", "-", "--qrels", "-"},
	} {
		got := h.run(args...)
		if got.code != 2 || strings.Count(got.stderr, "\nhint: ") != 1 || strings.Contains(got.stderr, h.dir) || strings.Contains(got.stderr, "library.db") {
			t.Errorf("akin %q: %+v, want exit code 2, a hint, and no path of its own", args, got)
		}
		wellFormed(t, got)
	}
	for _, name := range []string{"-", "new"} {
		if _, err := os.Lstat(filepath.Join(h.dir, name)); err == nil {
			t.Errorf("there is a file %q", name)
		}
	}
	if got := h.run("backup", "new"+string(filepath.Separator)); got.code != 1 || strings.Contains(got.stderr, ".akin-backup") {
		t.Errorf("akin backup to a folder that is not there: %+v, want exit code 1 and no path of its own", got)
	}
}
