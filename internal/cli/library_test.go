package cli_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"
)

// withLibrary is a home with a library of threePapers.
func withLibrary(t *testing.T) home {
	t.Helper()
	h := newHome(t)
	h.write("papers.jsonl", threePapers)
	h.must("add", "papers.jsonl")
	return h
}

// folder is where the library is.
func (h home) folder() string { return filepath.Join(h.dir, ".local", "share", "akin") }

func TestAddingAgainChangesNothingAndSaysSo(t *testing.T) {
	h := withLibrary(t)
	before := h.must("list", "--json").stdout
	again := h.must("add", "papers.jsonl")
	if !strings.Contains(again.stdout, "3 records read: 3 unchanged") || !strings.Contains(again.stdout, "nothing to do") {
		t.Errorf("the second akin add says %q", again.stdout)
	}
	r := decode[report](t, h.must("add", "papers.jsonl", "--json").stdout)
	if r.Read != 3 || r.Unchanged != 3 || r.Embedded != 0 {
		t.Errorf("the third akin add reports %+v, want 3 unchanged and none encoded", r)
	}
	if after := h.must("list", "--json").stdout; after != before {
		t.Errorf("akin list changed:\n%s\nbefore:\n%s", after, before)
	}
}

func TestPapersFromTheStandardInputAndAFolder(t *testing.T) {
	h := newHome(t)
	if r := decode[report](t, h.runWith(threePapers, "add", "-", "--json").stdout); r.Added != 3 {
		t.Errorf("akin add - reports %+v, want 3 added", r)
	}
	h.write("folder/a.jsonl", threePapers)
	h.write("folder/below/b.jsonl", `{"title":"Markets for data"}`)
	r := decode[report](t, h.must("add", "folder", "--json", "--library", "other").stdout)
	if r.Added != 4 || r.WithoutAbstract != 1 || r.Embedded != 4 {
		t.Errorf("akin add folder reports %+v, want 4 added and encoded, 1 without an abstract", r)
	}
}

func TestAddingWithoutEncodingAndFinishing(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", threePapers)
	if r := decode[report](t, h.must("add", "papers.jsonl", "--no-embed", "--json").stdout); r.Added != 3 || r.Embedded != 0 {
		t.Errorf("akin add --no-embed reports %+v", r)
	}
	if r := decode[report](t, h.must("add", "--json").stdout); r.Read != 0 || r.Embedded != 3 {
		t.Errorf("akin add without a path reports %+v, want 3 encoded", r)
	}
	if got := h.must("search", "auctions", "-n", "1"); !strings.Contains(got.stdout, "Auctions with budgets") {
		t.Errorf("akin search auctions = %q", got.stdout)
	}
}

func TestRemovedPapersAreGone(t *testing.T) {
	h := withLibrary(t)
	if got := decode[struct{ Removed []string }](t, h.must("remove", "b", "--json").stdout); len(got.Removed) != 1 {
		t.Errorf("akin remove b --json = %+v", got)
	}
	for _, args := range [][]string{{"search", "auctions with budgets"}, {"list"}, {"similar", "a"}} {
		if got := h.must(args...); strings.Contains(got.stdout, "Auctions") {
			t.Errorf("akin %q still finds the removed paper", args)
		}
	}
	if got := h.run("show", "b"); got.code != 3 {
		t.Errorf("akin show of a removed paper: exit code %d, want 3", got.code)
	}
}

// A library that another model made is refused with exit code 4, never mixed.
func TestALibraryOfAnotherModel(t *testing.T) {
	h := withLibrary(t)
	db, err := sql.Open("sqlite", filepath.Join(h.folder(), "library.db"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := db.Exec("UPDATE models SET fingerprint = 'another-model/akin/fp32'")
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := res.RowsAffected(); n != 1 {
		t.Fatalf("%d models in the library, want 1", n)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	h.write("more.jsonl", `{"title":"Markets for data"}`)
	for _, args := range [][]string{{"search", "auctions"}, {"similar", "--text", "auctions"}, {"add", "more.jsonl"}} {
		got := h.run(args...)
		if got.code != 4 || !strings.Contains(got.stderr, "another-model/akin/fp32") || !strings.Contains(got.stderr, "\nhint: ") {
			t.Errorf("akin %q = %+v, want exit code 4, the model, and a hint", args, got)
		}
		wellFormed(t, got)
	}
	if got := strings.Count(h.must("list").stdout, "\n"); got != 3 {
		t.Errorf("afterwards akin list has %d lines, want 3", got)
	}
}

func TestADamagedLibrary(t *testing.T) {
	h := withLibrary(t)
	if err := os.WriteFile(filepath.Join(h.folder(), "library.db"), []byte(strings.Repeat("no database ", 1000)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"search", "auctions"}, {"list"}, {"check"}, {"add", "papers.jsonl"}} {
		got := h.run(args...)
		if got.code != 4 {
			t.Errorf("akin %q on a damaged library: exit code %d, want 4\n%s", args, got.code, got.stderr)
		}
		wellFormed(t, got)
	}
}

// While one process adds, another is told who holds the lock, and readers answer.
func TestALockedLibrary(t *testing.T) {
	h := withLibrary(t)
	cmd := h.process("add", "-") // holds the lock while it waits for its input
	in, _ := pipes(t, cmd)
	defer func() {
		in.Close()
		_ = cmd.Wait()
	}()
	waitFor(t, func() bool {
		_, err := os.Stat(filepath.Join(h.folder(), "lock.json")) // who holds the lock
		return err == nil
	})
	got := h.run("remove", "a")
	if got.code != 4 || !strings.Contains(got.stderr, "\nhint: ") {
		t.Errorf("akin remove on a locked library = %+v, want exit code 4 and a hint", got)
	}
	wellFormed(t, got)
	if got := h.must("search", "auctions", "-n", "1"); !strings.Contains(got.stdout, "Auctions with budgets") {
		t.Errorf("akin search while another process adds = %q", got.stdout)
	}
}

func TestWhereTheLibraryIs(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", threePapers)
	tests := []struct {
		name string
		env  []string
		args []string
		want string // the folder, below the home
	}{
		{"by default", nil, nil, ".local/share/akin"},
		{"the XDG data folder", []string{"XDG_DATA_HOME=" + filepath.Join(h.dir, "data")}, nil, "data/akin"},
		{"AKIN_LIBRARY goes before it", []string{"XDG_DATA_HOME=" + filepath.Join(h.dir, "data2"), "AKIN_LIBRARY=mine"}, nil, "mine"},
		{"--library goes before all", []string{"AKIN_LIBRARY=mine2"}, []string{"--library", "flag"}, "flag"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cmd := h.process(append([]string{"add", "papers.jsonl", "--no-embed"}, test.args...)...)
			cmd.Env = append(cmd.Env, test.env...)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if _, err := os.Stat(filepath.Join(h.dir, test.want, "library.db")); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWithoutAHomeFolder(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", threePapers)
	for _, test := range []struct {
		args []string
		code int
	}{{[]string{"search", "auctions"}, 0}, {[]string{"add", "papers.jsonl"}, 2}} {
		cmd := h.process(test.args...)
		cmd.Env = append(cmd.Env, "HOME=", "LOCALAPPDATA=")
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != test.code {
			t.Errorf("akin %q without a home: exit code %d, want %d\n%s", test.args, code, test.code, out)
		}
	}
}

func TestWhatTheEnvironmentAsksFor(t *testing.T) {
	h := newHome(t)
	cmd := h.process("search", "auctions")
	cmd.Env = append(cmd.Env, "AKIN_ENGINE=steam")
	out, _ := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(string(out), "steam") {
		t.Errorf("AKIN_ENGINE=steam: exit code %d, want 2 and the name\n%s", code, out)
	}
	for _, args := range [][]string{{"search", "auctions"}, {"similar", "a"}, {"themes"}} {
		cmd := withLibrary(t).process(args...)
		cmd.Env = append(cmd.Env, "AKIN_CPU=steam")
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(string(out), "AKIN_CPU=steam: this processor has [reference") || !strings.Contains(string(out), "\nhint: set AKIN_CPU to one of them") {
			t.Errorf("AKIN_CPU=steam akin %s: exit code %d, want 2 and a hint\n%s", args, code, out)
		}
	}
	cmd = h.process("search", "auctions", "--engine", "akin")
	cmd.Env = append(cmd.Env, "AKIN_ENGINE=steam")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("--engine goes before AKIN_ENGINE: %v\n%s", err, out)
	}
}

// imported is a line of akin sources --json.
type imported struct {
	N           int
	What, State string
	Added       int
}

func TestSourcesAreListedShownAndUndone(t *testing.T) {
	h := withLibrary(t)
	h.write("more.jsonl", `{"id":"m","title":"Markets for data"}`+"\n"+`{"id":"bare"}`)
	h.must("add", "more.jsonl")
	var list []imported
	for line := range strings.Lines(h.must("sources", "--json").stdout) {
		list = append(list, decode[imported](t, line))
	}
	if len(list) != 2 || list[1].Added != 1 || list[1].State != "done" || !strings.Contains(list[1].What, "more.jsonl") {
		t.Fatalf("akin sources --json = %+v, want two imports, the second of one paper", list)
	}
	shown := h.must("sources", "show", "2")
	for _, want := range []string{"more.jsonl", "2 records read: 1 added, 1 set aside", "more.jsonl:2 (bare)"} {
		if !strings.Contains(shown.stdout, want) {
			t.Errorf("akin sources show 2 has no %q:\n%s", want, shown.stdout)
		}
	}
	if got := h.must("sources", "undo", "2"); !strings.Contains(got.stdout, "1 paper removed") {
		t.Errorf("akin sources undo 2 says %q", got.stdout)
	}
	if got := strings.Count(h.must("list").stdout, "\n"); got != 3 {
		t.Errorf("after the undo akin list has %d lines, want 3", got)
	}
	if got := h.run("sources", "undo", "2"); got.code != 2 {
		t.Errorf("undoing again: exit code %d, want 2", got.code)
	}
	if got := h.run("sources", "show", "99"); got.code != 3 {
		t.Errorf("an import that is not there: exit code %d, want 3", got.code)
	}
}

// TestSourcesTellMergesAndSplitsAsWhatTheyAre: they read nothing, so that nothing is said
// of records; a merge is undone by its number, a split by a merge alone.
func TestSourcesTellMergesAndSplitsAsWhatTheyAre(t *testing.T) {
	h := withLibrary(t)
	h.must("merge", "a", "b")
	h.must("split", "a")
	h.must("merge", "a", "c")
	listed := h.must("sources").stdout
	for _, want := range []string{"1  add papers.jsonl", "3 records read: 3 added", "2  merge a b", "3  split a"} {
		if !strings.Contains(listed, want) {
			t.Errorf("akin sources has no %q:\n%s", want, listed)
		}
	}
	if n := strings.Count(listed, "read"); n != 1 {
		t.Errorf("akin sources says of %d entries what they read, want 1:\n%s", n, listed)
	}
	if got := decode[struct{ Command string }](t, h.must("sources", "show", "3", "--json").stdout); got.Command != "split" {
		t.Errorf("akin sources show 3 --json has the command %q, want split", got.Command)
	}
	if got := h.run("sources", "undo", "3"); got.code != 2 || !strings.Contains(got.stderr, "is a split") || !strings.Contains(got.stderr, "\nhint: akin merge") {
		t.Errorf("undoing a split: %+v, want exit code 2 and akin merge", got)
	}
	if got := h.must("sources", "undo", "4"); !strings.Contains(got.stdout, "1 paper taken apart") {
		t.Errorf("undoing a merge says %q", got.stdout)
	}
}

// TestUndoCountsEveryRecord that it takes back: those of papers that go, and those that
// had become part of papers that stay.
func TestUndoCountsEveryRecord(t *testing.T) {
	h := withLibrary(t)
	h.write("again.jsonl", strings.ReplaceAll(threePapers, `"id":"`, `"id":"again-`)+`{"id":"d","title":"Rivers in winter","abstract":"We measure rivers."}`+"\n")
	if got := h.must("add", "again.jsonl"); !strings.Contains(got.stdout, "1 added, 3 merged") {
		t.Fatalf("akin add says %q", got.stdout)
	}
	const want = "import 2 is undone: 1 paper removed, 3 records withdrawn from papers that stay, 0 records restored, 0 papers taken apart\n"
	if got := h.must("sources", "undo", "2"); got.stdout != want {
		t.Errorf("akin sources undo says %q, want %q", got.stdout, want)
	}
	h.must("check")
}

func TestMergedPapersCanBeSplit(t *testing.T) {
	h := withLibrary(t)
	h.must("merge", "a", "b")
	if got := strings.Count(h.must("list").stdout, "\n"); got != 2 {
		t.Errorf("after akin merge a b akin list has %d lines, want 2", got)
	}
	if a, b := h.must("show", "a", "--json").stdout, h.must("show", "b", "--json").stdout; a != b {
		t.Errorf("the two keys name two papers:\n%s%s", a, b)
	}
	if got := h.must("split", "a"); !strings.HasPrefix(got.stdout, "2 papers now:\n") {
		t.Errorf("akin split a says %q", got.stdout)
	}
	if got := strings.Count(h.must("list").stdout, "\n"); got != 3 {
		t.Errorf("after akin split a akin list has %d lines, want 3", got)
	}
	if got := h.run("split", "c"); got.code != 2 {
		t.Errorf("splitting what was never merged: exit code %d, want 2", got.code)
	}
}

func TestABackupRestoresEverything(t *testing.T) {
	h := withLibrary(t)
	h.must("merge", "a", "b")
	want := h.must("list", "--json").stdout
	h.must("backup", "library.backup")
	if got := h.run("backup", "library.backup"); got.code != 1 {
		t.Errorf("backing up over a file that is there: exit code %d, want 1", got.code)
	}
	if got := h.run("restore", "library.backup"); got.code != 1 {
		t.Errorf("restoring over a library with papers: exit code %d, want 1", got.code)
	}
	got := decode[struct{ Papers int }](t, h.must("restore", "library.backup", "--library", "restored", "--json").stdout)
	if got.Papers != 2 {
		t.Errorf("akin restore --json = %+v, want 2 papers", got)
	}
	if got := h.must("list", "--json", "--library", "restored").stdout; got != want {
		t.Errorf("restored:\n%s\nwant\n%s", got, want)
	}
	if got := h.must("search", "variance without a critic", "-n", "1", "--library", "restored"); !strings.Contains(got.stdout, "Policy gradients") {
		t.Errorf("the restored library answers %q", got.stdout)
	}
	h.write("no.backup", "not a backup")
	for _, file := range []string{"no.backup", "nowhere.backup"} {
		got := h.run("restore", file, "--library", "other")
		if got.code != 1 && got.code != 4 || !strings.Contains(got.stderr, file) {
			t.Errorf("akin restore %s = %+v, want exit code 1 or 4 and the name", file, got)
		}
		wellFormed(t, got)
	}
}

// With --repair akin check brings a damaged library as far as it can be brought, or says
// what else to do.
func TestCheckRepairs(t *testing.T) {
	h := withLibrary(t)
	got := h.must("check", "--repair", "--json")
	if r := decode[struct {
		OK     bool
		Papers int
	}](t, got.stdout); !r.OK || r.Papers != 3 {
		t.Errorf("akin check --repair of a sound library = %+v", r)
	}
	for _, args := range [][]string{{"sources"}, {"merge", "a", "b"}, {"split", "a"}, {"backup", "b"}, {"check", "--repair"}, {"remove", "a"}} {
		if got := newHome(t).run(args...); got.code != 3 {
			t.Errorf("akin %q without a library: exit code %d, want 3\n%s", args, got.code, got.stderr)
		}
	}
}

// What is exported and added again is unchanged: nothing is lost on the way.
func TestExportedPapersComeBack(t *testing.T) {
	h := withLibrary(t)
	for _, format := range []string{"jsonl", "bibtex", "ris", "csv", "csljson"} {
		t.Run(format, func(t *testing.T) {
			file := h.must("export", "--to", format).stdout
			h.write("exported."+format, file)
			h.must("add", "exported."+format, "--format", format, "--library", "from-"+format, "--no-embed")
			titles := func(library ...string) string {
				var list strings.Builder
				for line := range strings.Lines(h.must(append([]string{"list", "--sort", "title", "--json"}, library...)...).stdout) {
					p := decode[answered](t, line)
					fmt.Fprintln(&list, p.ID, p.Title, p.Year, p.Venue, p.Authors)
				}
				return list.String()
			}
			if diff := cmp.Diff(titles(), titles("--library", "from-"+format)); diff != "" {
				t.Errorf("the papers before and after (-before +after):\n%s", diff)
			}
		})
	}
	if got := h.must("export", "b", "--to", "bibtex"); strings.Count(got.stdout, "@") != 1 || !strings.Contains(got.stdout, "Auctions with budgets") {
		t.Errorf("akin export b --to bibtex:\n%s", got.stdout)
	}
	if got := h.must("export", "b", "--to", "ris", "--json"); !strings.Contains(got.stdout, "TY  - ") || !strings.Contains(got.stderr, "written as ris: --json changes nothing") {
		t.Errorf("akin export b --to ris --json: %+v", got)
	}
	if got := h.run("export", "--year", "1950", "--to", "ris"); got.code != 3 {
		t.Errorf("akin export of no paper: exit code %d, want 3", got.code)
	}
	if got := h.must("search", "auctions", "-n", "2", "--to", "bibtex"); strings.Count(got.stdout, "@") != 2 || strings.Index(got.stdout, "Auctions") > strings.LastIndex(got.stdout, "@") {
		t.Errorf("akin search --to bibtex:\n%s\nwant two papers, the nearest first", got.stdout)
	}
}
