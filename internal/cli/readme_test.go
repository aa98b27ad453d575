package cli_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readme is the README of the repository.
var readme = filepath.Join("..", "..", "README.md")

// TestGoldenREADME runs the README's commands as a new user would, and compares what it
// shows with what they write; -update writes that into the README.
func TestGoldenREADME(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the commands are written for bash, which is not here")
	}
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	h := newHome(t)
	h.write("references.bib", "@article{lovelace24, title={Policy gradients without a critic}, abstract={We bound the variance.}, year=2024}\n"+
		"@article{turing23, title={Sparse autoencoders of language models}, abstract={We find features.}}\n"+
		"@article{noether22, title={Reinforcement learning from human feedback}, abstract={An agent finds what people want.}}\n")
	h.write("reading-list/papers.jsonl", threePapers)
	h.link(t)

	var got strings.Builder
	parts := strings.SplitAfter(string(text), "```console\n")
	got.WriteString(parts[0])
	ran := 0
	for _, part := range parts[1:] {
		console, rest, closed := strings.Cut(part, "```\n")
		if !closed {
			t.Fatal("the README has a console without an end")
		}
		for _, c := range strings.Split("\n"+console, "\n$ ")[1:] {
			line, shown, _ := strings.Cut(c, "\n")
			shown = strings.TrimSuffix(shown, "\n")
			if akin, ok := strings.CutPrefix(strings.TrimPrefix(line, "go run ./cmd/"), "akin "); ok {
				ran++
				out := h.shell(t, shell, "akin "+akin)
				if shown != "" { // of the others the README shows no output
					shown = strings.TrimSuffix(out, "\n")
				}
			}
			got.WriteString("$ " + line + "\n")
			if shown != "" {
				got.WriteString(shown + "\n")
			}
		}
		got.WriteString("```\n" + rest)
	}
	if ran < 6 {
		t.Errorf("%d commands of the README were run, want at least 6: has its form changed?", ran)
	}
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(readme, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(text), got.String()); diff != "" {
		t.Errorf("the README shows something else than akin writes (-README +akin; -update rewrites it):\n%s", diff)
	}
}

// shell runs a line in a shell that knows akin, and returns both streams as they come.
func (h home) shell(t *testing.T, shell, line string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), shell, "-o", "pipefail", "-ec", line)
	cmd.Dir = h.dir
	cmd.Env = h.withAkin()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}
