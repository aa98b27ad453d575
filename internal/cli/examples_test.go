package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestExamplesInTheHelpRun runs every example that the help shows, as it is written, in
// a shell, for a new user with a few files and, for what needs one, a library.
func TestExamplesInTheHelpRun(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the examples are written for bash, which is not here")
	}
	h := newHome(t)
	papers := threePapers + `{"id":"key-1","title":"Reasoning in latent space","abstract":"A model reasons without words."}
{"id":"key-2","title":"Reasoning in a latent space","abstract":"A model that reasons without words."}
{"id":"key-3","title":"Markets for data","abstract":"Data are sold to companies. Companies train models on them. Models are sold in turn. Prices depend on all of this."}
`
	h.write("papers.jsonl", papers)
	h.write("reading-list/papers.jsonl", papers)
	h.write("draft.txt", "We find features of reasoning with sparse autoencoders.")
	h.write("queries.jsonl", `{"id":"q1","text":"auctions"}`+"\n"+`{"id":2,"text":"reasoning"}`+"\n")
	h.write("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\tb\t1\n")
	h.write("scifact/corpus.jsonl", papers)
	h.write("scifact/queries.jsonl", `{"_id":"q1","text":"auctions"}`+"\n")
	h.write("scifact/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tb\t1\n")
	h.write("texts.jsonl", `{"id":"x","text":"hello"}`+"\n")
	h.link(t)
	for _, command := range commands(t, h) {
		help := h.inProcess(0, append(strings.Fields(command), "--help")...).stdout
		_, examples, _ := strings.Cut(help, "\nExamples:\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		for example := range strings.Lines(examples + "\n") {
			example = strings.TrimSpace(example)
			if example == "" {
				continue
			}
			t.Run(example, func(t *testing.T) {
				h.shell(t, shell, example)
			})
		}
	}
}

// TestTheExamplesOfThemesMeanWhatTheySay: the theme that they show, search and name after
// auctions is the seed papers' theme of auctions.
func TestTheExamplesOfThemesMeanWhatTheySay(t *testing.T) {
	h := newHome(t)
	ids := make(map[string]bool)
	for _, command := range []string{"themes", "themes show", "themes rename"} {
		help := h.inProcess(0, append(strings.Fields(command), "--help")...).stdout
		_, examples, _ := strings.Cut(help, "\nExamples:\n")
		for _, id := range regexp.MustCompile(`\bt[0-9]+\b`).FindAllString(examples, -1) {
			ids[id] = true
		}
	}
	if len(ids) != 1 {
		t.Fatalf("the examples name the themes %v, want one", ids)
	}
	for id := range ids {
		if got := h.must("search", "auctions", "--theme", id, "-n", "1").stdout; !strings.Contains(got, "Auctions") {
			t.Errorf("the examples take %s for the theme of auctions; the best there for auctions is\n%s", id, got)
		}
	}
}

// link puts akin in the bin folder of the home.
func (h home) link(t *testing.T) {
	t.Helper()
	binary, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(h.dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(h.dir, "bin", "akin")); err != nil {
		t.Fatal(err)
	}
}

// withAkin is an environment in which a shell finds the akin of link.
func (h home) withAkin() []string {
	return append(h.process().Env, "PATH="+filepath.Join(h.dir, "bin")+":"+os.Getenv("PATH"))
}

// commands are the names of all commands, as the help lists them, in an order in which
// their examples can run: those that remove papers last.
func commands(t *testing.T, h home) []string {
	t.Helper()
	names := []string{""} // akin itself
	var last []string
	for line := range strings.Lines(h.inProcess(0).stdout) {
		fields := strings.Fields(line)
		if !strings.HasPrefix(line, "  ") || len(fields) < 2 || strings.HasPrefix(fields[0], "-") || fields[0] == "akin" {
			continue
		}
		if r := h.inProcess(0, fields[0], "--help"); r.code != 0 || !strings.Contains(r.stdout, "akin "+fields[0]) {
			continue // an exit code, or a variable of the environment
		}
		if fields[0] == "remove" {
			last = append(last, fields[0])
		} else {
			names = append(names, fields[0])
		}
	}
	if len(names) < 12 {
		t.Fatalf("the help lists only %v: has its form changed?", names)
	}
	return append(append(names, "models list", "models verify", "sources show", "sources undo"), last...)
}
