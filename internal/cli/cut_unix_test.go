//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestASnapshotThatIsCutWhileItIsSearched cuts the file between two queries of one command,
// which has mapped it, and follows what the command says. On Windows no file is mapped.
func TestASnapshotThatIsCutWhileItIsSearched(t *testing.T) {
	h := newHome(t)
	var papers strings.Builder
	for i := range 2000 { // from which there is a snapshot
		fmt.Fprintf(&papers, `{"id":"p%d","title":"Paper %d"}`+"\n", i, i)
	}
	h.write("papers.jsonl", papers.String())
	h.must("add", "--no-sentences", "papers.jsonl")
	found, err := filepath.Glob(filepath.Join(h.folder(), "index", "*.snapshot"))
	if err != nil || len(found) != 1 {
		t.Fatalf("snapshots %q, %v; want one", found, err)
	}
	for _, mode := range []string{"hybrid", "dense", "keyword"} {
		whole, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		cmd := h.process("search", "--queries", "-", "--json", "--mode", mode)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		out := bufio.NewReader(stdout)
		for range 100 { // more answers than the command holds back
			io.WriteString(in, `{"id":"first","text":"paper 7"}`+"\n")
		}
		if line, err := out.ReadString('\n'); err != nil || !strings.Contains(line, `"Paper 7"`) {
			t.Errorf("%s: %v, answered %q", mode, err, line)
		}
		if err := os.Truncate(found[0], int64(os.Getpagesize())); err != nil {
			t.Fatal(err)
		}
		io.WriteString(in, `{"id":"second","text":"paper 8"}`+"\n")
		in.Close()
		rest, _ := io.ReadAll(out)
		err = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 4 || bytes.Contains(rest, []byte("second")) {
			t.Errorf("%s: %v, answered %q, want exit code 4 and no answer to the second query", mode, err, rest)
		}
		want := found[0] + ": it was cut short or became unreadable while it was read\nhint: akin check --repair writes it again\n"
		if got := stderr.String(); !strings.HasPrefix(got, "akin: searching: ") || !strings.HasSuffix(got, want) {
			t.Errorf("%s: told %q, want %q at its end", mode, got, want)
		}

		if got := h.run("check"); got.code != 4 {
			t.Errorf("check: %+v, want exit code 4", got)
		}
		h.must("check", "--repair")
		if again, err := os.ReadFile(found[0]); err != nil || !bytes.Equal(again, whole) {
			t.Errorf("after check --repair the snapshot is another one, %v", err)
		}
	}
}
