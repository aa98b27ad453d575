package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadersOfALibraryInTheMaking: until the first import into a library is committed
// there is none, and the seeds answer.
func TestReadersOfALibraryInTheMaking(t *testing.T) {
	h := newHome(t)
	cmd := h.process("add", "-", "--no-embed", "--quiet")
	in, _ := pipes(t, cmd)
	const papers = 1200 // more than are written together, in more bytes than are read at once
	abstract := strings.Repeat("The abstract goes on and on. ", 30)
	for i := range papers {
		fmt.Fprintf(in, "{\"title\": \"Paper number %d\", \"abstract\": \"%s\"}\n", i, abstract)
	}
	waitFor(t, func() bool {
		_, err := os.Stat(filepath.Join(h.folder(), "library.db"))
		return err == nil
	})
	for _, args := range [][]string{{"search", "auctions"}, {"list", "-n", "1"}, {"stats"}} {
		if got := h.run(args...); got.code != 0 || !strings.Contains(got.stderr, "the bundled seed papers answer") {
			t.Errorf("akin %q: exit code %d, %q; want the seeds to answer", args, got.code, got.stderr)
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if listed := strings.Count(h.must("list").stdout, "\n"); listed != papers {
		t.Errorf("afterwards %d papers are listed, want %d", listed, papers)
	}
}
