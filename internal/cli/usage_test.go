package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// Whatever makes no sense is exit code 2, with what was being done, what is wrong, and
// what to do, and nothing on the standard output.
func TestCommandsThatMakeNoSense(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string // somewhere in the standard error
	}{
		{"an unknown command", []string{"serach", "x"}, `there is no command "akin serach"` + "\nhint: did you mean akin search?"},
		{"an unknown command below another", []string{"models", "varify"}, "did you mean akin models verify?"},
		{"help for an unknown command", []string{"help", "nonsense"}, `there is no command "akin nonsense"`},
		{"an unknown flag", []string{"search", "--sideways", "x"}, "unknown flag: --sideways\nhint: akin search --help"},
		{"an unknown short flag", []string{"search", "-x", "x"}, "unknown flag: 'x' in -x"},
		{"a flag without its value", []string{"search", "x", "-n"}, "flag needs an argument"},
		{"a number that is none", []string{"search", "x", "-n", "many"}, `-n takes a whole number, not "many"`},
		{"a number of themes that is none", []string{"themes", "-k", "abc"}, `-k takes a whole number, not "abc"`},
		{"a number beyond all", []string{"search", "x", "-n", "99999999999999999999"}, `-n: "99999999999999999999" is too large`},
		{"a seed below zero", []string{"themes", "--seed", "-1"}, `--seed takes a whole number, 0 or more, not "-1"`},
		{"a share that is none", []string{"search", "x", "--diversity", "much"}, `--diversity takes a number, not "much"`},
		{"a switch that is none", []string{"list", "--json=perhaps"}, `--json takes true or false, not "perhaps"`},
		{"a map that is none", []string{"add", "x", "--map", "title"}, `--map: it takes FIELD=NAME, as in title=Titel, not "title"`},
		{"a map for no file", []string{"add", "--map", "title=A"}, "--format and --map are of files to read, and none is named"},
		{"a format for no file", []string{"add", "--format", "csv"}, "--format and --map are of files to read, and none is named"},
		{"neither read nor encode", []string{"add", "--no-embed"}, "there is nothing to do"},
		{"a map of nothing", []string{"add", "x", "--map", ""}, `--map: it takes FIELD=NAME`},
		{"a map of a field that is none", []string{"add", "x", "--map", "titel=Titel"}, `there is no field "titel"; the fields are abstract, arxiv, author,`},
		{"a map of a field to two columns", []string{"add", "x", "--map", "title=A,title=B"}, `--map: title is both "A" and "B"`},
		{"a map of a column to two fields", []string{"add", "x", "--map", "title=A", "--map", "abstract=a"}, `--map: "a" is both abstract and title`},
		{"a search without a query", []string{"search"}, "search needs a query"},
		{"a search with two kinds of query", []string{"search", "x", "--queries", "f"}, "not both"},
		{"a query of spaces", []string{"search", "  \t "}, "the query is blank"},
		{"an empty query", []string{"search", ""}, "the query is blank"},
		{"no papers asked for", []string{"search", "x", "-n", "0"}, "-n 0 asks for no paper"},
		{"fewer than no papers", []string{"similar", "x", "-n", "-3"}, "-n -3 asks for no paper"},
		{"similar to nothing", []string{"similar"}, "similar needs a paper, or --text"},
		{"similar to a blank text", []string{"similar", "--text", " "}, "the text is blank"},
		{"no themes asked for", []string{"themes", "-k", "0"}, "-k 0 asks for no theme"},
		{"themes take no argument", []string{"themes", "t2"}, "takes no argument, but \"t2\" was given\nhint: akin themes show"},
		{"themes over what they are not", []string{"themes", "--over", "venue"}, "--over takes year"},
		{"an unknown command below themes", []string{"themes", "renmae", "t2"}, "did you mean akin themes rename?"},
		{"show no theme", []string{"themes", "show"}, "show needs a theme"},
		{"a theme without a name", []string{"themes", "rename", "t2"}, "rename needs a theme and its name"},
		{"a theme with a blank name", []string{"themes", "rename", "t2", " "}, "the name is blank"},
		{"a found name with a name", []string{"themes", "rename", "t2", "x", "--reset"}, "rename --reset needs a theme"},
		{"a mode that is none", []string{"search", "x", "--mode", "psychic"}, `there is no mode "psychic"`},
		{"more than all diversity", []string{"search", "x", "--diversity", "1.5"}, "a diversity of 1.5"},
		{"judgements without queries", []string{"eval", "--qrels", os.DevNull}, "judged queries need --queries and --qrels"},
		{"themes measured by queries", []string{"eval", "--themes", "--queries", os.DevNull}, "themes are not measured by queries"},
		{"a number of themes for queries", []string{"eval", "-k", "3"}, "-k is a number of --themes"},
		{"no themes to measure", []string{"eval", "--themes", "-k", "3,0"}, "-k 0 asks for no theme"},
		{"export to nothing", []string{"export"}, "export needs --to with one of bibtex"},
		{"export to an unknown format", []string{"export", "--to", "stone"}, ` cannot be written as "stone"`},
		{"answers to many queries in a format", []string{"search", "--queries", "f", "--to", "ris"}, "the answers to --queries are JSON"},
		{"answers in two formats", []string{"search", "x", "--to", "ris", "--json"}, "--json and --to each say"},
		{"similar papers in two formats", []string{"similar", "x", "--to", "ris", "--json"}, "--json and --to each say"},
		{"reasons for another program", []string{"search", "x", "--to", "ris", "--explain"}, "--explain has no place"},
		{"reasons of similar papers for another program", []string{"similar", "x", "--to", "ris", "--explain"}, "--explain has no place"},
		{"terms over the years", []string{"themes", "--over", "year", "-v"}, "-v is of terms and papers"},
		{"two levels over the years", []string{"themes", "--over", "year", "--levels", "2"}, "--levels 2 asks for the second"},
		{"two ranges of years", []string{"list", "--year", "2018", "--year", "2020"}, "--year: it is given twice"},
		{"a sample of judged queries", []string{"eval", "--queries", "f", "--qrels", "f", "--seed", "2"}, "--seed is of a sample"},
		{"a sample of a folder's queries", []string{"eval", "folder", "--seed", "2"}, "--seed is of a sample"},
		{"two files on one stream", []string{"eval", "--queries", "-", "--qrels", "-"}, "cannot both be the standard input"},
		{"show a blank theme", []string{"themes", "show", " "}, "the name of a theme is blank"},
		{"papers of a blank theme", []string{"list", "--theme", ""}, "the name of a theme is blank"},
		{"unlike a blank name", []string{"similar", "--text", "x", "--unlike", " "}, "the name of a paper is blank"},
		{"export a blank name", []string{"export", "", "--to", "ris"}, "the name of a paper is blank"},
		{"an order that is none", []string{"list", "--sort", "mood"}, `papers cannot be sorted by "mood"`},
		{"a year that is none", []string{"list", "--year", "soon"}, `expected a year or FROM..TO, found "soon"`},
		{"years backwards", []string{"list", "--year", "2022..2018"}, "the years 2022..2018 are backwards: write 2018..2022"},
		{"three levels of themes", []string{"themes", "--levels", "3"}, "themes have no 3 levels"},
		{"a list of no papers", []string{"list", "-n", "0"}, "-n 0 asks for no paper"},
		{"show nothing", []string{"show"}, "show needs a paper"},
		{"show a blank name", []string{"show", ""}, "the name of a paper is blank"},
		{"similar to a blank name", []string{"similar", " "}, "the name of a paper is blank"},
		{"remove nothing", []string{"remove"}, "remove needs a paper"},
		{"merge one paper", []string{"merge", "a"}, "merge needs two papers or more"},
		{"split nothing", []string{"split"}, "split needs a paper"},
		{"an import that is no number", []string{"sources", "undo", "all"}, `expected the number of an import, found "all"`},
		{"the import before the first", []string{"sources", "show", "0"}, "expected the number of an import"},
		{"back up to nowhere", []string{"backup"}, "backup needs a file"},
		{"an unknown shell", []string{"completion", "dosh"}, "completion needs one of bash"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := newHome(t).inProcess(0, test.args...)
			if got.code != 2 {
				t.Errorf("akin %q: exit code %d, want 2", test.args, got.code)
			}
			if got.stdout != "" {
				t.Errorf("akin %q: standard output %q, want none", test.args, got.stdout)
			}
			lines := errorLines(got)
			if len(lines) != 2 || !strings.HasPrefix(lines[0], "akin: ") || strings.Count(lines[0], ": ") < 2 || !strings.HasPrefix(lines[1], "hint: ") {
				t.Errorf("akin %q: standard error is\n%s\nwant \"akin: <doing>: <what>\" and \"hint: <what to do>\"", test.args, got.stderr)
			}
			if !strings.Contains(got.stderr, test.want) {
				t.Errorf("akin %q: standard error is\n%s\nwant %q in it", test.args, got.stderr, test.want)
			}
		})
	}
}

func TestErrorsStayOnTheStandardErrorWithJSON(t *testing.T) {
	got := newHome(t).run("search", " ", "--json")
	if got.code != 2 || got.stdout != "" || !strings.HasPrefix(got.stderr, "akin: ") {
		t.Errorf("akin search ' ' --json = %+v, want exit code 2 and the error on the standard error", got)
	}
}

// An error may quote what a file or an argument holds; a terminal must not obey it.
func TestErrorsCannotDriveTheTerminal(t *testing.T) {
	got := newHome(t).run("\x1b[2Jsearch\a")
	if strings.ContainsAny(got.stderr, "\x1b\a") {
		t.Errorf("the standard error holds control characters: %q", got.stderr)
	}
}

func TestHelp(t *testing.T) {
	h := newHome(t)
	commands := []string{
		"search", "similar", "themes", "add", "list", "show", "remove", "stats", "check",
		"themes show", "themes rename", "merge", "split", "sources", "sources show", "sources undo", "export", "backup", "restore",
		"eval", "embed", "models", "models list", "models verify", "completion", "version",
	}
	if search := h.inProcess(0, "search", "--help").stdout; !strings.Contains(search, "exactly so: no other forms of its words") {
		t.Error("akin search --help does not say that a phrase is exact")
	}
	root := h.inProcess(0)
	for _, want := range []string{
		"AKIN_LIBRARY", "AKIN_ENGINE", "NO_COLOR", "--library", "--json", "--quiet", "--no-color",
		"Exit codes:\n  0 ", "  1    failed", "  130  interrupted",
	} {
		if !strings.Contains(root.stdout, want) {
			t.Errorf("akin alone shows no %q", want)
		}
	}
	for _, name := range environmentRead(t) {
		if !strings.Contains(root.stdout, name) {
			t.Errorf("akin reads %s from the environment, and its help does not say so", name)
		}
	}
	for _, command := range commands {
		args := strings.Fields(command)
		help := h.inProcess(0, append(args, "--help")...)
		if !strings.Contains(help.stdout, "Examples:\n  ") {
			t.Errorf("akin %s --help has no example", command)
		}
		if also := h.inProcess(0, append([]string{"help"}, args...)...); also.stdout != help.stdout {
			t.Errorf("akin help %s differs from akin %s --help", command, command)
		}
		if name := args[0]; !strings.Contains(root.stdout, "\n  "+name+" ") {
			t.Errorf("akin alone does not list %s", name)
		}
		for _, line := range strings.Split(help.stdout, "\n") {
			if flag := strings.Fields(line); len(flag) > 1 && strings.HasPrefix(flag[0], "--") && strings.ContainsAny(flag[1], "|.") && !strings.Contains(flag[1], "=") {
				t.Errorf("akin %s --help: the value of a flag has no name: %s", command, line)
			}
			if n := len([]rune(line)); n > 100 {
				t.Errorf("akin %s --help: a line of %d columns: %s", command, n, line)
			}
		}
	}
}

// environmentRead names the variables of the environment that the command reads, by its
// source.
func environmentRead(t *testing.T) []string {
	t.Helper()
	read := regexp.MustCompile(`(?:Getenv|LookupEnv|s\.folder)\("([A-Z_]+)"`)
	var names []string
	for _, pattern := range []string{"*.go", "../engine/*.go", "../store/*.go", "../vec/*.go", "../../models/*.go", "../../embed/*.go", "../../cmd/akin/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range read.FindAllStringSubmatch(string(source), -1) {
				if !strings.HasSuffix(file, "_test.go") {
					names = append(names, m[1])
				}
			}
		}
	}
	if len(names) < 5 {
		t.Fatalf("the environment that is read is %v", names)
	}
	return names
}

func TestVersion(t *testing.T) {
	h := newHome(t)
	line := h.must("version").stdout
	if !strings.HasPrefix(line, "akin ") || strings.Count(line, "\n") != 1 {
		t.Errorf("akin version = %q", line)
	}
	if got := h.must("--version").stdout; got != line {
		t.Errorf("akin --version = %q, akin version = %q", got, line)
	}
	var v struct{ Version, Go string }
	if err := json.Unmarshal([]byte(h.must("version", "--json").stdout), &v); err != nil || v.Version == "" || v.Go == "" {
		t.Errorf("akin version --json: %+v, %v", v, err)
	}
}

func TestCompletion(t *testing.T) {
	h := newHome(t)
	for shell, want := range map[string]string{
		"bash": "complete -o", "zsh": "#compdef akin", "fish": "complete -c akin", "powershell": "Register-ArgumentCompleter",
	} {
		if got := h.must("completion", shell); !strings.Contains(got.stdout, want) {
			t.Errorf("akin completion %s: no %q in it", shell, want)
		}
	}
	if got := h.must("__complete", "themes", "--"); !strings.Contains(got.stdout, "--seed") {
		t.Errorf("completing 'akin themes --' = %q, want --seed in it", got.stdout)
	}
}

func TestModels(t *testing.T) {
	h := newHome(t)
	var model struct {
		Name    string
		Dim     int
		Bundled bool
	}
	if err := json.Unmarshal([]byte(h.must("models", "list", "--json").stdout), &model); err != nil {
		t.Fatal(err)
	}
	if model.Name != "all-MiniLM-L6-v2" || model.Dim != 384 || !model.Bundled {
		t.Errorf("akin models list --json = %+v", model)
	}
	var report struct {
		OK       bool
		Sections []struct{ Name, SHA256 string }
	}
	if err := json.Unmarshal([]byte(h.must("models", "verify", "--json").stdout), &report); err != nil {
		t.Fatal(err)
	}
	if !report.OK || len(report.Sections) == 0 {
		t.Errorf("akin models verify --json = %+v", report)
	}
	deep := decode[struct {
		OK       bool
		Encoding struct {
			Texts       int
			LeastCosine float64 `json:"least_cosine"`
		}
	}](t, h.must("models", "verify", "--deep", "--json").stdout)
	if !deep.OK || deep.Encoding.Texts != 19 || deep.Encoding.LeastCosine < 0.99999 {
		t.Errorf("akin models verify --deep --json = %+v, want 19 texts at a cosine of 0.99999 or more", deep)
	}
	if got := h.must("models", "verify"); !strings.Contains(got.stdout, "model.safetensors") {
		t.Errorf("akin models verify = %q", got.stdout)
	}
}

// The same mistake through a process of its own: what Run returns is the exit code.
func TestAMistakeIsTheExitCodeOfTheProcess(t *testing.T) {
	h := newHome(t)
	args := []string{"search", "--sideways", "x"}
	if got, want := h.run(args...), h.inProcess(0, args...); got != want || got.code != 2 {
		t.Errorf("akin %q = %+v, in this process %+v; want the same, with exit code 2", args, got, want)
	}
}

// TestFlagsOfAFewValues: what help says that a flag takes is what it takes, and what is
// told when it was given something else.
func TestFlagsOfAFewValues(t *testing.T) {
	h := withLibrary(t)
	for _, c := range []struct {
		flag   string
		values []string
		args   []string // what the flag is tried with
	}{
		{"--engine", []string{"akin", "cybertron"}, []string{"stats"}},
		{"--precision", []string{"int16", "fp32"}, []string{"stats"}},
		{"--mode", []string{"hybrid", "dense", "keyword"}, []string{"search", "auctions"}},
		{"--sort", []string{"added", "year", "title"}, []string{"list"}},
		{"--levels", []string{"1", "2"}, []string{"themes"}},
		{"--over", []string{"year"}, []string{"themes"}},
		{"--to", engine.ExportFormats(), []string{"export"}},
		{"--to", engine.ExportFormats(), []string{"search", "auctions"}},
		{"--to", engine.ExportFormats(), []string{"similar", "a"}},
		{"--format", engine.Formats(), []string{"add", "--no-embed", filepath.Join(h.dir, "papers.jsonl")}},
	} {
		value := "9"
		if c.flag != "--levels" {
			value = "nonesuch"
		}
		wrong := h.inProcess(0, append(c.args, c.flag, value)...)
		if wrong.code != 2 || wrong.stdout != "" || strings.Count(wrong.stderr, "\n") != 2 {
			t.Errorf("akin %q %s %s: %+v, want exit code 2, an error and a hint alone", c.args, c.flag, value, wrong)
		}
		help := strings.Join(strings.Fields(h.inProcess(0, c.args[0], "--help").stdout), " ")
		for _, value := range c.values {
			for from, text := range map[string]string{"the hint": wrong.stderr, "the help": help} {
				if !regexp.MustCompile(`\b` + regexp.QuoteMeta(value) + `\b`).MatchString(text) {
					t.Errorf("%s of akin %s %s does not name %s", from, c.args[0], c.flag, value)
				}
			}
			if got := h.inProcess(0, append(c.args, c.flag, value)...); got.code == 2 {
				t.Errorf("akin %q %s %s is refused: %s", c.args, c.flag, value, got.stderr)
			}
		}
	}
}
