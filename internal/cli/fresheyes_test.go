package cli_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestAmbiguousNamesAreShort: the papers that a name may mean stand one on a line.
func TestAmbiguousNamesAreShort(t *testing.T) {
	h := newHome(t)
	got := h.run("similar", "language models")
	if got.code != 2 {
		t.Fatalf("an ambiguous name: %+v", got)
	}
	wellFormed(t, got)
	lines := strings.Split(strings.TrimSpace(got.stderr), "\n")
	if len(lines) < 4 {
		t.Errorf("standard error is\n%s\nwant the papers one on a line", got.stderr)
	}
	for _, line := range lines {
		if len([]rune(line)) > 130 {
			t.Errorf("a line of %d characters: %s", len([]rune(line)), line)
		}
	}
}

// TestTheNumberOfAmbiguousNamesIsPlain: how many papers a name may mean is told exactly,
// up to the most that are looked for.
func TestTheNumberOfAmbiguousNamesIsPlain(t *testing.T) {
	h := newHome(t)
	line := func(n int) string {
		return fmt.Sprintf(`{"id":"k%d","title":"The common name of number %d","abstract":"Text %d."}`+"\n", n, n, n)
	}
	papers := ""
	for n := 1; n <= 12; n++ {
		papers += line(n)
		if n != 3 && n != 12 {
			continue
		}
		h.write("papers.jsonl", papers)
		h.must("add", "papers.jsonl", "--no-embed")
		got := h.run("show", "common name")
		want, others := `"common name" may mean 3 papers`+"\n", false
		if n == 12 {
			want, others = `"common name" may mean 10 papers or more`+"\n", true
		}
		if got.code != 2 || !strings.Contains(got.stderr, want) || strings.Contains(got.stderr, "hint: and 7 others or more\n") != others {
			t.Errorf("%d papers: %+v, want %q", n, got, want)
		}
	}
}

// TestQueriesWithoutWords are answered, and said to be what they are.
func TestQueriesWithoutWords(t *testing.T) {
	h := newHome(t)
	for query, want := range map[string]bool{"???": true, "∑∫ ≠": true, "C++": false, "图": false, "5": false} {
		got := h.must("search", "-n", "2", query)
		if told := strings.Contains(got.stderr, "no word can be read"); told != want {
			t.Errorf("search %q: told %t, want %t: %s", query, told, want, got.stderr)
		}
		if got := h.must("search", "-n", "2", "--quiet", query); got.stderr != "" {
			t.Errorf("search --quiet %q says %q", query, got.stderr)
		}
	}
}

// TestAQueryThatIsRefusedIsNotDescribed: nothing is below the reason.
func TestAQueryThatIsRefusedIsNotDescribed(t *testing.T) {
	if got := newHome(t).run("search", `""`); got.code != 2 || strings.Contains(got.stderr, "papers below") {
		t.Errorf("a search for nothing in quotes: %+v, want exit code 2 and no papers told", got)
	}
}

// TestTerminalSequencesAreDroppedWhole: nothing of them is left to read.
func TestTerminalSequencesAreDroppedWhole(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", `{"id":"k\u001b[5mey","title":"Red \u001b[31mherrings\u001b[0m in nets","abstract":"They \u001b]0;title\u0007swim.","authors":["A \u009b1mB"],"venue":"\u001b[2JSea"}`+"\n")
	h.must("add", "papers.jsonl", "--no-embed")
	for _, args := range [][]string{{"list"}, {"show", "key"}, {"list", "--json"}, {"export", "--to", "bibtex"}, {"export", "--to", "csv"}} {
		got := h.must(args...)
		if strings.Contains(got.stdout, "[31m") || strings.Contains(got.stdout, "[2J") || strings.Contains(got.stdout, "[5m") || strings.Contains(got.stdout, "]0;") || strings.ContainsAny(got.stdout, "\x1b\u009b") {
			t.Errorf("akin %q shows remains of terminal sequences: %q", args, got.stdout)
		}
	}
}

// TestImportsThatWereReadInPart say so.
func TestImportsThatWereReadInPart(t *testing.T) {
	h := newHome(t)
	h.write("a.jsonl", threePapers)
	h.write("broken.json", `[{"title":"One paper of many"},{"title":"Two pa`)
	if got := h.run("add", "a.jsonl", "broken.json", "gone.bib", "--no-embed"); got.code != 1 {
		t.Errorf("adding a broken file: %+v", got)
	}
	if got := h.must("sources"); !strings.Contains(got.stdout, "read in part") || strings.Contains(got.stdout, "failed") {
		t.Errorf("sources says\n%s", got.stdout)
	}
	if i := decode[struct{ State string }](t, h.must("sources", "show", "1", "--json").stdout); i.State != "partial" {
		t.Errorf("the state is %q, want partial", i.State)
	}
}

// TestTheWidthOfAPipe is what COLUMNS says.
func TestTheWidthOfAPipe(t *testing.T) {
	h := newHome(t)
	widest := func(columns string) int {
		cmd := h.process("show", "affine maximizer")
		if columns != "" {
			cmd.Env = append(cmd.Env, "COLUMNS="+columns)
		}
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		for line := range strings.Lines(string(out)) {
			most = max(most, len([]rune(line))-1)
		}
		return most
	}
	for columns, want := range map[string]int{"": 80, "40": 40, "70": 70, "wide": 80, "-3": 80} {
		if got := widest(columns); got > want || got < want-15 {
			t.Errorf("COLUMNS=%q: the widest line has %d columns, want nearly %d", columns, got, want)
		}
	}
}

// TestEmbedTellsWhatHardlyIsText on the standard error, and encodes it all the same.
func TestEmbedTellsWhatHardlyIsText(t *testing.T) {
	h := newHome(t)
	for name, test := range map[string]struct {
		in    string
		lines int
		want  string // "" for nothing
	}{
		"an object without a text": {`{"text":5}` + "\n", 1, `without a string "text"`},
		"blank lines":              {"a\n\n \n", 3, "2 lines are blank"},
		"an empty text":            {`{"text":""}` + "\n", 1, "1 line is blank"},
		"bytes of any kind":        {"a\n\xff\xfe\x00\n", 2, "1 line is no text in UTF-8 (line 2"},
		"texts":                    {"a\nb\n", 2, ""},
		"objects":                  {"\n" + `{"text":"a"}` + "\n", 1, ""},
	} {
		got := h.runWith(test.in, "embed")
		if n := strings.Count(got.stdout, "\n"); got.code != 0 || n != test.lines {
			t.Errorf("%s: exit code %d, %d vectors, want %d", name, got.code, n, test.lines)
		}
		if test.want == "" && got.stderr != "" || !strings.Contains(got.stderr, test.want) {
			t.Errorf("%s: standard error %q, want %q", name, got.stderr, test.want)
		}
	}
}

// TestTheREADMEsExamplesWorkInAnEmptyHome where they need no file of the user's.
func TestTheREADMEsExamplesWorkInAnEmptyHome(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	h := newHome(t)
	ran := 0
	for _, line := range strings.Split(string(text), "\n") {
		command, ok := strings.CutPrefix(line, "$ akin ")
		if !ok || strings.HasPrefix(command, "add ") || strings.Contains(command, "themes") {
			continue
		}
		var args []string
		for i, part := range strings.Split(command, `"`) {
			if i%2 == 1 {
				args = append(args, part)
			} else {
				args = append(args, strings.Fields(part)...)
			}
		}
		ran++
		if got := h.run(args...); got.code != 0 {
			t.Errorf("%s: exit code %d\n%s", line, got.code, got.stderr)
		}
	}
	if ran < 2 {
		t.Errorf("%d examples were found", ran)
	}
}
