package cli_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/seed-9f29d379/akin/internal/shareddata"
)

// BenchmarkAddSciFact measures adding the first 500 abstracts of SciFact to a new
// library: papers a second, and the peak of the process's memory.
func BenchmarkAddSciFact(b *testing.B) {
	const abstracts = 500
	file := firstLines(b, shareddata.Path(b, "data/scifact/corpus-part0.jsonl"), abstracts)
	binary := buildAkin(b)
	var wall, cpu []time.Duration
	var peak []int64 // kilobytes
	for b.Loop() {
		cmd := exec.CommandContext(b.Context(), binary, "add", "--json", "--library", filepath.Join(b.TempDir(), "library"), file)
		cmd.Env = []string{"HOME=" + b.TempDir(), "PATH=" + os.Getenv("PATH")}
		start := time.Now()
		out, err := cmd.Output()
		if err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		wall = append(wall, time.Since(start))
		cpu = append(cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		peak = append(peak, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
		var r report
		if err := json.Unmarshal(out, &r); err != nil || r.Embedded != abstracts {
			b.Fatalf("%+v, %v; want %d papers encoded", r, err, abstracts)
		}
	}
	b.ReportMetric(abstracts/median(wall).Seconds(), "papers/s")
	b.ReportMetric(median(cpu).Seconds(), "s-cpu")
	b.ReportMetric(float64(median(peak))/1000, "MB-peak")
}

// firstLines copies the first lines of a file to one of their own.
func firstLines(b *testing.B, path string, n int) string {
	b.Helper()
	in, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	name := filepath.Join(b.TempDir(), filepath.Base(path))
	out, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	lines := bufio.NewReader(in)
	for range n {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			b.Fatal(err)
		}
		if _, err := out.Write(line); err != nil {
			b.Fatal(err)
		}
	}
	return name
}
