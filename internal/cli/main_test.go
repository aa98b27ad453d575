package cli_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/cli"
)

// runAsAkin, in the environment, makes the test binary be akin: so the tests run the
// command as a process of its own, with its signals, streams and exit codes.
const runAsAkin = "AKIN_TEST_RUN_AS_AKIN"

func TestMain(m *testing.M) {
	if os.Getenv(runAsAkin) != "" {
		os.Exit(cli.Main())
	}
	os.Exit(m.Run())
}

// home is a user's machine: an empty home folder, in which commands are run.
type home struct {
	t   *testing.T
	dir string
}

func newHome(t *testing.T) home {
	t.Helper()
	return home{t, t.TempDir()}
}

// write makes a file in the home folder.
func (h home) write(name, content string) {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// process is akin, ready to be started in the home folder.
func (h home) process(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(h.t.Context(), os.Args[0], args...)
	cmd.Dir = h.dir
	cmd.Env = []string{
		runAsAkin + "=1", "HOME=" + h.dir, "LOCALAPPDATA=" + h.dir, "PATH=" + os.Getenv("PATH"),
		"SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "TMPDIR=" + os.Getenv("TMPDIR"),
	}
	return cmd
}

// result is what a command did.
type result struct {
	code           int
	stdout, stderr string
}

// run runs akin to its end.
func (h home) run(args ...string) result {
	h.t.Helper()
	return h.runWith("", args...)
}

// runWith runs akin with a standard input.
func (h home) runWith(stdin string, args ...string) result {
	h.t.Helper()
	cmd := h.process(args...)
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		h.t.Fatalf("akin %q: %v", args, err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// must runs akin and ends the test if it fails.
func (h home) must(args ...string) result {
	h.t.Helper()
	r := h.run(args...)
	if r.code != 0 {
		h.t.Fatalf("akin %q: exit code %d\n%s", args, r.code, r.stderr)
	}
	return r
}

// inProcess runs akin in this process, on a terminal of some columns (0: none).
func (h home) inProcess(columns int, args ...string) result {
	h.t.Helper()
	var stdout, stderr bytes.Buffer
	code := cli.Run(context.Background(), cli.Process{
		Args:    args,
		Stdin:   strings.NewReader(""),
		Stdout:  &stdout,
		Stderr:  &stderr,
		Getenv:  func(name string) string { return map[string]string{"HOME": h.dir, "LOCALAPPDATA": h.dir}[name] },
		Columns: func(stream any) int { return columns },
	})
	return result{code, stdout.String(), stderr.String()}
}
