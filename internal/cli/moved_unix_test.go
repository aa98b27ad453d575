//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A file that is open can be taken away where Windows would refuse it.

// TestALibraryThatIsTakenAwayMeanwhile: what is written to a database that is no longer
// where the library is, is not said to be added.
func TestALibraryThatIsTakenAwayMeanwhile(t *testing.T) {
	for name, take := range map[string]func(h home) error{
		"the folder is deleted":   func(h home) error { return os.RemoveAll(h.folder()) },
		"the folder is moved":     func(h home) error { return os.Rename(h.folder(), h.folder()+"-moved") },
		"the database is deleted": func(h home) error { return os.Remove(filepath.Join(h.folder(), "library.db")) },
		"the folder is a file now": func(h home) error {
			if err := os.RemoveAll(h.folder()); err != nil {
				return err
			}
			return os.WriteFile(h.folder(), nil, 0o644)
		},
		"another library is there": func(h home) error {
			if err := os.Rename(h.folder(), h.folder()+"-moved"); err != nil {
				return err
			}
			return os.Rename(filepath.Join(h.dir, "other"), h.folder())
		},
	} {
		for _, flags := range [][]string{{"--no-embed"}, {"--json"}} {
			h := withLibrary(t)
			h.write("one.jsonl", `{"title":"A paper of another library","abstract":"It stays as it is."}`)
			h.must("add", "one.jsonl", "--no-embed", "--library", "other")
			pipe := filepath.Join(h.dir, "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := h.process(append([]string{"add", "pipe"}, flags...)...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			in, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for akin to read, which has opened the library then
			if err != nil {
				t.Fatal(err)
			}
			if err := take(h); err != nil {
				t.Fatal(err)
			}
			if _, err := in.WriteString(`{"title":"A paper that came too late","abstract":"Nobody will find it."}` + "\n"); err != nil {
				t.Fatal(err)
			}
			in.Close()
			_ = cmd.Wait()
			said := stderr.String()
			if code := cmd.ProcessState.ExitCode(); code != 4 || stdout.Len() > 0 ||
				!strings.Contains(said, "deleted, moved or replaced") || !strings.Contains(said, "hint: ") || strings.Count(said, "\n") > 2 {
				t.Errorf("%s, add %q: exit code %d, output %q, errors %q; want 4, and that the library is gone", name, flags, code, stdout.String(), said)
			}
			for _, folder := range []string{h.folder(), h.folder() + "-moved"} {
				if _, err := os.Stat(filepath.Join(folder, "library.db")); err == nil {
					h.must("check", "--library", folder)
				}
			}
		}
	}
}
