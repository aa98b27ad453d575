package cli_test

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// onTerminal runs akin with a terminal as its standard error, and returns what came on it.
func (h home) onTerminal(environment []string, args ...string) string {
	h.t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		h.t.Skipf("no terminals here: %v", err)
	}
	defer screen.Close()
	if err := unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		h.t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err != nil {
		h.t.Fatal(err)
	}
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}); err != nil {
		h.t.Fatal(err)
	}
	cmd := h.process(args...)
	cmd.Env = append(cmd.Env, environment...)
	cmd.Stderr = terminal
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	terminal.Close()
	shown, _ := io.ReadAll(screen) // ends with an error, where nothing has the terminal open any more
	if err := cmd.Wait(); err != nil {
		h.t.Errorf("akin %q: %v\n%s", args, err, shown)
	}
	return string(shown)
}

// TestProgressStaysInItsLine: on a terminal what is drawn anew is drawn over what was there,
// and nothing is left of it in the end. A terminal that cannot do that has none.
func TestProgressStaysInItsLine(t *testing.T) {
	h := newHome(t)
	var lines strings.Builder
	for i := range 150 {
		fmt.Fprintf(&lines, `{"id":"%d","title":"Paper number %d","abstract":"%s"}`+"\n", i, i, strings.Repeat(aboutSoil+" ", 1+i%3))
	}
	h.write("papers.jsonl", lines.String())
	shown := h.onTerminal([]string{"TERM=xterm"}, "add", "papers.jsonl")
	drawn, up := strings.Count(shown, "\n"), 0
	for _, lines := range regexp.MustCompile("\x1b\\[([0-9]+)A").FindAllStringSubmatch(shown, -1) {
		n, _ := strconv.Atoi(lines[1])
		up += n
	}
	if !strings.Contains(shown, "encoding") || drawn < 2 || up != drawn {
		t.Errorf("the progress has %d lines, and the cursor went up %d:\n%q", drawn, up, shown)
	}
	if shown := h.onTerminal([]string{"TERM=dumb"}, "themes", "--fresh"); shown != "" {
		t.Errorf("a terminal that cannot move its cursor shows %q", shown)
	}
}
