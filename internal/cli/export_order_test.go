package cli_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The same papers are the same bytes in every format, in whatever order and in however
// many steps they were added.
func TestTheOrderOfAddingDoesNotShowInAnExport(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimSpace(papersOn(0, 40))+"\n", "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	// Copies, all equally near to each other: more than a paper has links, and what a search asks for.
	for i := range 14 {
		lines = append(lines, fmt.Sprintf(`{"id":"c%d","doi":"10.1000/c%d","title":"Tides","abstract":"The moon draws the water of the sea.","year":2005}`+"\n", i, i))
	}
	first := newHome(t)
	first.write("papers.jsonl", strings.Join(lines, ""))
	first.must("add", "papers.jsonl", "--no-sentences")

	slices.Reverse(lines)
	second := newHome(t)
	second.write("some/papers.jsonl", strings.Join(lines[:17], ""))
	second.must("add", "some/papers.jsonl", "--no-sentences")
	second.write("papers.jsonl", strings.Join(lines[17:], ""))
	second.must("add", "papers.jsonl", "--no-sentences")

	for _, format := range []string{"bibtex", "ris", "csljson", "csv", "jsonl", "graphml"} {
		for _, args := range [][]string{
			{"export"}, {"export", "--year", "2002..2005"}, {"export", "k3", "k12", "c5"},
			{"search", "the moon and the sea"}, {"similar", "k3"}, {"similar", "c3", "-n", "20"},
		} {
			args = append(args, "--to", format)
			one, other := first.must(args...).stdout, second.must(args...).stdout
			if one != other || one == "" {
				t.Errorf("akin %s depends on the order of adding:\n%s", strings.Join(args, " "), cmp.Diff(strings.Split(one, "\n"), strings.Split(other, "\n")))
			}
		}
	}
}
