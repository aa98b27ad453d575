package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// vector is one line of akin embed.
type vector struct {
	ID        json.RawMessage
	Vector    []float64
	Tokens    int
	Truncated bool
	IDs       []int
}

// vectors reads the lines of akin embed.
func vectors(t *testing.T, stdout string) []vector {
	t.Helper()
	var list []vector
	for line := range strings.Lines(stdout) {
		v := decode[vector](t, line)
		var norm float64
		for _, x := range v.Vector {
			norm += x * x
		}
		if len(v.Vector) != 384 || math.Abs(norm-1) > 1e-5 {
			t.Errorf("id %s: %d numbers of length² %g, want 384 of length 1", v.ID, len(v.Vector), norm)
		}
		list = append(list, v)
	}
	return list
}

func TestEmbed(t *testing.T) {
	h := newHome(t)
	tests := []struct {
		name   string
		stdin  string
		ids    []string
		tokens []int
	}{
		{"nothing", "", nil, nil},
		{"plain lines", "hello world\n\nhello\n", []string{"1", "2", "3"}, []int{4, 2, 3}},
		{"JSON lines", `{"id":"x","text":"hello world"}` + "\n" + `{"id":7,"text":""}` + "\n" + `{"text":"hello"}`, []string{`"x"`, "7", "3"}, []int{4, 2, 3}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := h.runWith(test.stdin, "embed", "--ids", "--quiet")
			if got.code != 0 || got.stderr != "" {
				t.Fatalf("akin embed = exit code %d, standard error %q", got.code, got.stderr)
			}
			list := vectors(t, got.stdout)
			if len(list) != len(test.ids) {
				t.Fatalf("%d vectors, want %d", len(list), len(test.ids))
			}
			for i, v := range list {
				if string(v.ID) != test.ids[i] || v.Tokens != test.tokens[i] || v.Truncated || len(v.IDs) != v.Tokens {
					t.Errorf("line %d: id %s, %d tokens, truncated %v, ids %v; want id %s and %d tokens", i+1, v.ID, v.Tokens, v.Truncated, v.IDs, test.ids[i], test.tokens[i])
				}
			}
		})
	}
	if got := h.runWith("x", "embed"); strings.Contains(got.stdout, `"ids"`) {
		t.Errorf("akin embed without --ids gives ids: %s", got.stdout)
	}
}

func TestEmbedCutsALongLineAndCountsItWhole(t *testing.T) {
	got := newHome(t).runWith(strings.Repeat("word ", 100_000), "embed", "--ids")
	list := vectors(t, got.stdout)
	if len(list) != 1 || !list[0].Truncated || list[0].Tokens != 100_002 || len(list[0].IDs) != 256 {
		t.Fatalf("a line of 100,000 words: exit code %d, %s", got.code, got.stderr)
	}
}

func TestEmbedKeepsWhatCameBeforeABadLine(t *testing.T) {
	for _, bad := range []string{`{"text":`, `{"text":5}`, `[]`, `null`, `words`, strings.Repeat("x", 65<<20)} {
		got := newHome(t).runWith(`{"text":"a"}`+"\n"+bad+"\n", "embed")
		if got.code != 1 || len(vectors(t, got.stdout)) != 1 || !strings.Contains(got.stderr, "line 2 of the standard input: ") || strings.Count(got.stderr, "\nhint: ") != 1 {
			t.Errorf("akin embed of %.20q = exit code %d, %d bytes, %q; want 1, one vector, the line, and a hint", bad, got.code, len(got.stdout), got.stderr)
		}
		wellFormed(t, got)
	}
}

// A program may write one text and wait for its vector before the next.
func TestEmbedAnswersEachLineAsItComes(t *testing.T) {
	cmd := newHome(t).process("embed")
	in, out := pipes(t, cmd)
	answers := bufio.NewReader(out)
	for i := range 3 {
		fmt.Fprintf(in, "text %d\n", i)
		line, err := answers.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if v := decode[vector](t, line); string(v.ID) != fmt.Sprint(i+1) {
			t.Errorf("answer %d has the id %s", i+1, v.ID)
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// pipes starts cmd with pipes to its streams.
func pipes(t *testing.T, cmd *exec.Cmd) (io.WriteCloser, io.ReadCloser) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return in, out
}

// As in "akin embed | head -1": who has read enough closes the pipe, and nothing is said.
func TestAClosedPipeEndsQuietly(t *testing.T) {
	cmd := newHome(t).process("embed")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, out := pipes(t, cmd)
	fmt.Fprintln(in, "one")
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	out.Close()
	for range 1000 {
		if _, err := fmt.Fprintln(in, "more"); err != nil {
			break // akin has ended
		}
	}
	in.Close()
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 0 || stderr.Len() > 0 {
		t.Errorf("exit code %d, standard error %q; want 0 and nothing", code, stderr.String())
	}
}

func TestAFullDiskIsAnError(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("this system has no device that is always full: %v", err)
	}
	defer full.Close()
	for _, args := range [][]string{{"version"}, {"list"}, {"search", "auctions", "--json"}, {"--help"}} {
		cmd := newHome(t).process(args...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &stderr
		_ = cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(stderr.String(), "writing the answer: ") {
			t.Errorf("akin %q to a full disk: exit code %d, standard error %q; want 1 and why", args, code, stderr.String())
		}
	}
}

// Ctrl-C while papers are encoded: what was read stays, the exit code says interrupted,
// the library answers, and the next add goes on.
func TestInterruptedAddKeepsWhatIsDone(t *testing.T) {
	h := newHome(t)
	var papers strings.Builder
	const n = 3000
	for i := range n {
		fmt.Fprintf(&papers, `{"id":"p%d","title":"Paper %d","abstract":"%s"}`+"\n", i, i, strings.Repeat(fmt.Sprintf("sentence %d of the abstract goes on. ", i), 20))
	}
	h.write("papers.jsonl", papers.String())
	cmd := h.process("add", "papers.jsonl", "--json")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { // for some papers to be committed
		r := h.run("list", "-n", "1")
		return r.code == 0 && !strings.Contains(r.stderr, "seed papers")
	})
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	_ = cmd.Wait()
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("the interrupt took %v", took)
	}
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Fatalf("exit code %d, want 130\n%s", code, stderr.String())
	}
	if !strings.Contains(stderr.String(), "kept") {
		t.Errorf("standard error %q does not say that something was kept", stderr.String())
	}
	r := decode[report](t, stdout.String())
	if r.Added == 0 {
		t.Errorf("report %+v, want papers added", r)
	}
	if listed := strings.Count(h.must("list").stdout, "\n"); listed != r.Added {
		t.Errorf("%d papers are listed, the report says %d", listed, r.Added)
	}
	h.must("check")
}

// waitFor waits for what another process does, which nothing here can signal.
func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(5 * time.Millisecond) {
		if done() {
			return
		}
	}
	t.Fatal("nothing happened for a minute")
}

func TestInterruptedEmbedEnds(t *testing.T) {
	cmd := newHome(t).process("embed")
	in, out := pipes(t, cmd)
	defer in.Close()
	fmt.Fprintln(in, "one")
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
}
