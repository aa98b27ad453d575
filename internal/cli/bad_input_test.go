package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/number"
)

// threePapers is a small file of papers.
const threePapers = `{"id":"a","title":"Policy gradients without a critic","abstract":"We bound the variance of the policy gradient when no critic is learnt.","year":2024,"venue":"ICML","authors":["Lovelace, Ada"]}
{"id":"b","title":"Auctions with budgets","abstract":"We study truthful auctions when the bidders have hard budgets.","year":2019}
{"id":"c","title":"Sparse autoencoders","abstract":"Sparse autoencoders find features of language models.","year":2023}
`

// report is what add --json says.
type report struct {
	Read, Added, Updated, Merged, Unchanged int
	Rejected                                []struct {
		File, ID, Reason string
		Line             int
	}
	RejectedCount   int `json:"rejected_count"`
	WithoutAbstract int `json:"without_abstract"`
	Truncated       int
	Embedded        int
	Seconds         float64
}

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return v
}

// errorLines are the lines of the standard error but the note that the seeds answer.
func errorLines(r result) []string {
	var lines []string
	for line := range strings.Lines(r.stderr) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "akin: no library yet") {
			lines = append(lines, line)
		}
	}
	return lines
}

// wellFormed checks that r is an error as all are: what was being done, what went
// wrong; it may have a hint.
func wellFormed(t *testing.T, r result) {
	t.Helper()
	lines := errorLines(r)
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "akin: ") || strings.Count(lines[0], ": ") < 2 {
		t.Errorf("standard error is %q, want \"akin: <doing>: <what>\"", r.stderr)
	}
	for _, line := range lines[min(1, len(lines)):] {
		if !strings.HasPrefix(line, "hint: ") && !strings.HasPrefix(line, "akin: ") {
			t.Errorf("standard error has the line %q, want a hint", line)
		}
	}
	for _, leak := range []string{"goroutine ", "panic", "runtime error", "%!"} {
		if strings.Contains(r.stderr, leak) {
			t.Errorf("standard error holds %q: %s", leak, r.stderr)
		}
	}
}

// Files with nothing to read: a clear error, exit code 1, and no library comes of it.
func TestAddingWhatHoldsNoPapers(t *testing.T) {
	tests := []struct {
		name    string
		file    string
		content string
		want    string
	}{
		{"an empty file", "empty.jsonl", "", "empty.jsonl"},
		{"an empty text file", "empty.txt", " \n\n", "empty.txt"},
		{"a folder without papers", "folder/notes.bin", "\x00\x01\x02", "folder"},
		{"a file that is not text", "image.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00", "image.png"},
		{"a record without title and abstract", "bare.jsonl", `{"id":"x","year":2020}`, "bare.jsonl"},
		{"half a JSON line alone", "half.jsonl", `{"id":"x","title":"A ti`, "half.jsonl"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := newHome(t)
			h.write(test.file, test.content)
			got := h.run("add", strings.Split(test.file, "/")[0])
			if got.code != 1 {
				t.Errorf("exit code %d, want 1", got.code)
			}
			wellFormed(t, got)
			if !strings.Contains(got.stderr, test.want) {
				t.Errorf("standard error %q does not name %s", got.stderr, test.want)
			}
			if list := h.run("list"); !strings.Contains(list.stderr, "seed papers") && list.code != 3 {
				t.Errorf("afterwards akin list gives exit code %d and %q", list.code, list.stdout)
			}
		})
	}
}

func TestAddingAFileThatIsNotThere(t *testing.T) {
	got := newHome(t).run("add", "nowhere.jsonl")
	if got.code != 1 || !strings.Contains(got.stderr, "nowhere.jsonl") {
		t.Errorf("akin add nowhere.jsonl = %+v, want exit code 1 and the name", got)
	}
	wellFormed(t, got)
}

// A bad record among good ones is set aside, counted and located; the others are added.
func TestBadRecordsAmongGoodOnes(t *testing.T) {
	tests := []struct {
		name   string
		line   string
		reason string
	}{
		{"a JSON line cut in half", `{"id":"x","title":"A ti`, ""},
		{"neither title nor abstract", `{"id":"x","year":2020}`, "title"},
		{"blank title and abstract", `{"id":"x","title":" ","abstract":"\n"}`, "title"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := newHome(t)
			good := strings.SplitAfterN(threePapers, "\n", 2)
			h.write("papers.jsonl", good[0]+test.line+"\n"+good[1])
			r := decode[report](t, h.must("add", "papers.jsonl", "--json").stdout)
			if r.Added != 3 || r.RejectedCount != 1 || r.Read != 4 || len(r.Rejected) != 1 {
				t.Fatalf("report %+v, want 4 read, 3 added, 1 rejected", r)
			}
			if rejected := r.Rejected[0]; rejected.Line != 2 || !strings.Contains(rejected.File, "papers.jsonl") || !strings.Contains(rejected.Reason, test.reason) || rejected.Reason == "" {
				t.Errorf("rejected %+v, want line 2 of papers.jsonl and why", rejected)
			}
			if got := strings.Count(h.must("list").stdout, "\n"); got != 3 {
				t.Errorf("akin list has %d lines, want 3", got)
			}
		})
	}
}

// The last line cut in half, as a broken download leaves it: what came before is kept.
func TestAFileCutShort(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", threePapers[:len(threePapers)-20])
	got := h.run("add", "papers.jsonl", "--json")
	r := decode[report](t, got.stdout)
	if r.Added != 2 || got.code == 0 && r.RejectedCount != 1 {
		t.Errorf("exit code %d, report %+v; want the two whole papers added, and the third told", got.code, r)
	}
	if got := strings.Count(h.must("list").stdout, "\n"); got != 2 {
		t.Errorf("akin list has %d lines, want 2", got)
	}
}

func TestALibraryPathThatIsAFile(t *testing.T) {
	h := newHome(t)
	h.write("file", "not a library")
	h.write("papers.jsonl", threePapers)
	for _, args := range [][]string{
		{"add", "papers.jsonl"}, {"search", "auctions"}, {"list"}, {"stats"}, {"themes"}, {"check"}, {"remove", "a"}, {"similar", "a"}, {"show", "a"},
	} {
		got := h.run(append(args, "--library", "file")...)
		if got.code != 1 || !strings.Contains(got.stderr, "file") {
			t.Errorf("akin %q = %+v, want exit code 1 and the path", args, got)
		}
		wellFormed(t, got)
	}
	if content, _ := os.ReadFile(filepath.Join(h.dir, "file")); string(content) != "not a library" {
		t.Errorf("the file is now %q", content)
	}
}

func TestAFolderThatCannotBeWritten(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", threePapers)
	dir := readOnlyFolder(t)
	got := h.run("add", "papers.jsonl", "--library", filepath.Join(dir, "library"))
	if got.code != 1 || !strings.Contains(got.stderr, dir) {
		t.Errorf("akin add into a folder that cannot be written = %+v, want exit code 1 and the path", got)
	}
	wellFormed(t, got)
}

func TestNamesOfPapers(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", threePapers+
		`{"id":"d","title":"Auctions without budgets","doi":"10.1000/auctions.1","abstract":"Nothing binds the bidders."}`+"\n"+
		`{"id":"e","title":"Auctions of spectrum","doi":"10.1000/auctions.2","abstract":"Licences are sold by auction."}`+"\n")
	h.must("add", "papers.jsonl")
	tests := []struct {
		name string
		args []string
		code int
		want string
	}{
		{"a key", []string{"show", "a"}, 0, ""},
		{"a part of a title", []string{"show", "sparse auto"}, 0, ""},
		{"an unknown id", []string{"show", "doi:10.1000/none"}, 3, "doi:10.1000/none"},
		{"similar to an unknown id", []string{"similar", "nonsense"}, 3, "nonsense"},
		{"remove an unknown id", []string{"remove", "a", "nonsense"}, 3, "nonsense"},
		{"a part of two titles", []string{"show", "auctions with"}, 2, "hint: "},
		{"a beginning of two ids", []string{"similar", "doi:10.1000/auctions"}, 2, "hint: "},
		{"a scheme of ids alone", []string{"show", "doi:"}, 2, "hint: "},
		{"the scheme of ids that were made", []string{"show", "p:"}, 2, "hint: "},
		{"unlike an unknown id", []string{"similar", "a", "--unlike", "nonsense"}, 3, "nonsense"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := h.run(test.args...)
			if got.code != test.code {
				t.Errorf("akin %q: exit code %d, want %d\n%s", test.args, got.code, test.code, got.stderr)
			}
			if !strings.Contains(got.stderr, test.want) {
				t.Errorf("akin %q: standard error %q, want %q in it", test.args, got.stderr, test.want)
			}
			if test.code != 0 {
				wellFormed(t, got)
			}
		})
	}
	if got := strings.Count(h.must("list").stdout, "\n"); got != 5 {
		t.Errorf("after a refused remove akin list has %d lines, want 5", got)
	}
}

func TestAnEmptyLibrary(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", threePapers)
	h.must("add", "papers.jsonl")
	h.must("remove", "a", "b", "c")
	for _, args := range [][]string{{"search", "auctions"}, {"list"}, {"themes"}, {"similar", "a"}, {"show", "a"}} {
		got := h.run(args...)
		if got.code != 3 {
			t.Errorf("akin %q on an empty library: exit code %d, want 3\n%s", args, got.code, got.stderr)
		}
		wellFormed(t, got)
	}
	empty := newHome(t)
	if err := os.Mkdir(filepath.Join(empty.dir, "library"), 0o755); err != nil {
		t.Fatal(err)
	}
	got := empty.run("search", "auctions", "--library", "library")
	if got.code != 3 || !strings.Contains(got.stderr, "hint: ") {
		t.Errorf("akin search in an empty folder = %+v, want exit code 3 and a hint", got)
	}
}

func TestMoreAskedForThanThereIs(t *testing.T) {
	h := newHome(t)
	themes := h.must("themes", "-k", "1000", "--json")
	grouped := decode[struct {
		K      int
		Themes []struct{ Size int }
	}](t, themes.stdout)
	if grouped.K > 19 || len(grouped.Themes) != grouped.K || !strings.Contains(themes.stderr, "19") {
		t.Errorf("akin themes -k 1000 on 19 papers: k %d, %d themes, %q; want at most 19, and told", grouped.K, len(grouped.Themes), themes.stderr)
	}
	search := h.must("search", "language models", "-n", "1000", "--json")
	a := decode[answer](t, search.stdout)
	if len(a.Results) != 19 || !strings.Contains(search.stderr, "19") {
		t.Errorf("akin search -n 1000 on 19 papers: %d results, %q; want 19, and told", len(a.Results), search.stderr)
	}
}

// answer is what search --json and similar --json say.
type answer struct {
	QueryID json.RawMessage `json:"query_id"`
	Query   struct {
		Text         string
		Like, Unlike []string
		Tokens       int
		Truncated    bool
	}
	Mode, Neighbours string
	Results          []answered
}

// answered is one paper of an answer.
type answered struct {
	Rank    int
	ID      string
	Keys    []string
	Title   string
	Score   float64
	Year    int
	Venue   string
	Authors []string
	Snippet string
}

func TestALongQueryIsCutAndTold(t *testing.T) {
	h := newHome(t)
	draft := strings.Repeat("We study the variance of policy gradients. ", 60)
	tests := []struct {
		name  string
		stdin string
		args  []string
	}{
		{"a draft", draft, []string{"search", "-"}},
		{"a draft as an argument", "", []string{"search", draft}},
		{"a draft as a text to be like", draft, []string{"similar", "--text", "-"}},
		{"a hundred thousand words", strings.Repeat("word ", 100_000), []string{"search", "-"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := h.runWith(test.stdin, append(test.args, "--json")...)
			if got.code != 0 {
				t.Fatalf("exit code %d: %s", got.code, got.stderr)
			}
			a := decode[answer](t, got.stdout)
			if !a.Query.Truncated || a.Query.Tokens <= 256 || len(a.Results) == 0 {
				t.Errorf("truncated %v, %d tokens, %d results; want a cut query that is answered", a.Query.Truncated, a.Query.Tokens, len(a.Results))
			}
			if !strings.Contains(got.stderr, number.Of(a.Query.Tokens, "token")) {
				t.Errorf("standard error %q does not tell that the query was cut", got.stderr)
			}
		})
	}
}

func TestABlankQueryOnTheStandardInput(t *testing.T) {
	h := newHome(t)
	for _, args := range [][]string{{"search", "-"}, {"similar", "--text", "-"}} {
		got := h.runWith(" \n\t", args...)
		if got.code != 2 {
			t.Errorf("akin %q with a blank standard input: exit code %d, want 2", args, got.code)
		}
		wellFormed(t, got)
	}
}
