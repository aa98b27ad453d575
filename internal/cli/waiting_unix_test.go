//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestOneSignalEndsACommandThatWaits: a pipe that nobody opens to write, or one whose
// writer writes nothing, keeps no command from ending.
func TestOneSignalEndsACommandThatWaits(t *testing.T) {
	h := withLibrary(t)
	if err := syscall.Mkfifo(filepath.Join(h.dir, "alone"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(h.dir, "silent"), 0o600); err != nil {
		t.Fatal(err)
	}
	silent, err := os.OpenFile(filepath.Join(h.dir, "silent"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	h.write("qrels.tsv", "q1\t0\ta\t1\n")
	for _, args := range [][]string{
		{"add", "alone"},
		{"add", "silent"},
		{"add", "silent", "--format", "bibtex"},
		{"add", "-"},
		{"search", "-"},
		{"search", "--queries", "alone"},
		{"search", "--queries", "silent"},
		{"search", "--queries", "-"},
		{"similar", "--text", "-"},
		{"embed"},
		{"eval", "--queries", "alone", "--qrels", "qrels.tsv"},
		{"eval", "--queries", "silent", "--qrels", "qrels.tsv"},
	} {
		for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
			if code, stderr := h.signalled(t, silent, signal, args...); code != 130 {
				t.Errorf("akin %q ends with %d after a %v, want 130\n%s", args, code, signal, stderr)
			}
			if len(args) > 2 {
				break // one of them says enough
			}
		}
	}
	if got := h.run("restore", "alone", "--library", "other"); got.code != 1 {
		t.Errorf("akin restore of a pipe: %+v, want exit code 1", got)
	}
	if got := h.must("list"); bytes.Count([]byte(got.stdout), []byte{'\n'}) != 3 {
		t.Errorf("afterwards the library has:\n%s", got.stdout)
	}
}

// signalled runs a command, sends it one signal when it has come to wait, and gives its
// exit code. A signal that came before the command listened is sent again to another.
func (h home) signalled(t *testing.T, stdin *os.File, signal os.Signal, args ...string) (code int, stderr string) {
	t.Helper()
	for delay := 50 * time.Millisecond; ; delay *= 2 {
		cmd := h.process(args...)
		var said bytes.Buffer
		cmd.Stdin, cmd.Stderr = stdin, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case <-ended:
			t.Fatalf("akin %q did not wait: %s", args, said.String())
		case <-time.After(delay):
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
			return -1, said.String()
		}
		if code := cmd.ProcessState.ExitCode(); code >= 0 || delay > 3*time.Second {
			return code, said.String()
		}
	}
}
