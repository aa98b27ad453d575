//go:build unix

package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestWhatCameThroughAPipeIsKept: an interrupt while more is waited for loses no record
// that had come, in whatever format.
func TestWhatCameThroughAPipeIsKept(t *testing.T) {
	const (
		records = 300
		// A pipe holds 64 KB, and akin's reader hands 64 KB on: what was written before that
		// had surely come.
		surely = records - 2*64
	)
	filler := strings.Repeat("The abstract goes on. ", 48) // about 1 KB
	for format, one := range map[string]func(i int) string{
		"jsonl": func(i int) string {
			return fmt.Sprintf(`{"id":"p%d","title":"Paper number %d","abstract":"%s"}`, i, i, filler)
		},
		"bibtex": func(i int) string {
			return fmt.Sprintf("@article{p%d,\n title={Paper number %d},\n abstract={%s}\n}", i, i, filler)
		},
		"ris": func(i int) string {
			return fmt.Sprintf("TY  - JOUR\nID  - p%d\nTI  - Paper number %d\nAB  - %s\nER  - \n", i, i, filler)
		},
	} {
		h := newHome(t)
		cmd := h.process("add", "-", "--no-embed", "--json")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for i := range records {
			fmt.Fprintln(in, one(i))
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		in.Close()
		if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(stderr.String(), "kept") {
			t.Fatalf("%s: exit code %d, standard error %q; want 130, and that something is kept", format, code, stderr.String())
		}
		r := decode[report](t, stdout.String())
		if listed := strings.Count(h.must("list").stdout, "\n"); r.Added < surely || listed != r.Added || r.Added != r.Read {
			t.Errorf("%s: %d of %d records added, %d read, %d listed; want %d or more, all of them", format, r.Added, records, r.Read, listed, surely)
		}
		if last := h.must("show", fmt.Sprint("p", r.Added-1)).stdout; !strings.Contains(strings.Join(strings.Fields(last), " "), strings.TrimSpace(filler)) {
			t.Errorf("%s: the last record is not whole: %q", format, last)
		}
		h.must("check")
	}
}
