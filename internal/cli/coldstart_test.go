package cli_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkColdSearch measures "akin search" on the seeds, the goal of which is under 150 ms
// on two cores.
func BenchmarkColdSearch(b *testing.B) {
	cold(b, "", "search", "--quiet", "policy gradient variance without a critic")
}

// BenchmarkColdEmbed measures "akin embed" of a line of ten words: under 80 ms.
func BenchmarkColdEmbed(b *testing.B) {
	cold(b, "the variance of a policy gradient without a learned critic\n", "embed", "--quiet")
}

// cold measures a command from the start of the process to its exit. It builds the binary,
// as the test's own is larger. It reports the median and the processor's time as well,
// since other programs may be at work.
func cold(b *testing.B, input string, args ...string) {
	binary := buildAkin(b)
	home := b.TempDir()
	var walls, cpus []time.Duration
	for b.Loop() {
		cmd := exec.CommandContext(b.Context(), binary, args...)
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		cmd.Stdin = strings.NewReader(input)
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		walls = append(walls, time.Since(start))
		cpus = append(cpus, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	b.ReportMetric(milliseconds(median(walls)), "ms-wall/median")
	b.ReportMetric(milliseconds(slices.Min(walls)), "ms-wall/least")
	b.ReportMetric(milliseconds(median(cpus)), "ms-cpu/median")
}

// buildAkin builds the command as a user does.
func buildAkin(b *testing.B) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "akin")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	cmd := exec.CommandContext(b.Context(), "go", "build", "-o", binary, "./cmd/akin")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("building akin: %v\n%s", err, out)
	}
	return binary
}

func median[T cmp.Ordered](values []T) T {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
