package vec_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// The level is chosen when a process starts, so each case is a process: this test again,
// which then only says what was chosen.
func TestAKINCPUForcesALevelOrIsRefused(t *testing.T) {
	const child = "AKIN_TEST_CHILD"
	if os.Getenv(child) != "" {
		level, err := vec.CPU()
		fmt.Printf("level=%v error=%v\n", level, err)
		return
	}
	levels := vec.Levels()
	best := levels[len(levels)-1].String()
	cases := map[string]string{
		"":     "level=" + best + " error=<nil>",
		"mmx":  "AKIN_CPU=mmx",
		"AVX2": "AKIN_CPU=AVX2", // names are in lower case
	}
	for _, l := range levels {
		cases[l.String()] = fmt.Sprintf("level=%v error=<nil>", l)
	}
	if levels[len(levels)-1] != vec.NEON {
		cases["neon"] = "this processor has [reference"
	}
	for name, want := range cases {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1", "AKIN_CPU="+name)
		out, err := cmd.CombinedOutput()
		if errors.Is(err, syscall.ENOEXEC) {
			t.Skip("under emulation a process cannot start itself; CI asks the binary")
		}
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("AKIN_CPU=%q: %v, %s; want %q", name, err, out, want)
		}
	}
	if err := vec.Use(99); err == nil {
		t.Error("Use took a level that does not exist")
	}
}
