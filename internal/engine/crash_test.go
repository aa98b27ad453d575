package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// These variables make the test binary the program that is killed.
const (
	crashLibrary = "AKIN_TEST_CRASH_LIBRARY"
	crashFile    = "AKIN_TEST_CRASH_FILE"
)

func TestMain(m *testing.M) {
	if lib := os.Getenv(crashLibrary); lib != "" {
		os.Exit(addAndTell(lib, os.Getenv(crashFile)))
	}
	os.Exit(m.Run())
}

// addAndTell adds a file and acknowledges it on stdout.
func addAndTell(lib, file string) int {
	ctx := context.Background()
	e, err := engine.Open(ctx, engine.Config{Library: lib, Encoder: &words{}, GraphFrom: 40})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer e.Close()
	r, err := e.Add(ctx, engine.AddRequest{Paths: []string{file}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("acknowledged", r.Added+r.Unchanged+r.Merged+r.Updated)
	return 0
}

// TestKilledAtRandom kills an add at a random moment, over and over in one library, and
// looks after each whether the library opens and has what was acknowledged.
// AKIN_CRASHES says how often; 200 is what a release wants.
func TestKilledAtRandom(t *testing.T) {
	crashes := 6
	if n, err := strconv.Atoi(os.Getenv("AKIN_CRASHES")); err == nil {
		crashes = n
	}
	if testing.Short() {
		crashes = 3
	}
	dir := t.TempDir()
	lib := filepath.Join(dir, "lib")
	r := rand.New(rand.NewPCG(1, 2))
	acknowledged := map[string]bool{}
	killed, window := 0, time.Second
	for i := range crashes {
		const papers = 60
		file := many(t, dir, fmt.Sprintf("file%d.jsonl", i), i*papers, papers)
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), crashLibrary+"="+lib, crashFile+"="+file)
		var out, fault strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &fault
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(r.Int64N(int64(window))), func() { cmd.Process.Kill() })
		err := cmd.Wait()
		if timer.Stop() { // it ended by itself: kill earlier from now on
			window -= window / 8
			if err != nil {
				t.Fatalf("crash %d: the add failed: %v: %s", i, err, fault.String())
			}
		} else {
			killed++
			window += window / 8
		}
		if strings.HasPrefix(out.String(), "acknowledged") {
			for k := range papers {
				acknowledged[fmt.Sprintf("p%d", i*papers+k)] = true
			}
		}
		e := openWith(t, engine.Config{Library: lib, Encoder: &words{}, GraphFrom: 40})
		if e.OnSeeds() {
			if len(acknowledged) > 0 {
				t.Fatalf("crash %d: the library is gone", i)
			}
			continue
		}
		have := map[string]bool{}
		err = e.List(t.Context(), engine.ListRequest{}, func(p *engine.Paper) error {
			for _, k := range p.Keys {
				have[k] = true
			}
			return nil
		})
		if err != nil && engine.KindOf(err) != engine.NotFound {
			t.Fatalf("crash %d: %v", i, err)
		}
		for k := range acknowledged {
			if !have[k] {
				t.Fatalf("crash %d: the acknowledged paper %s is lost", i, k)
			}
		}
		if r, err := e.Check(t.Context()); err != nil || !r.OK {
			problems, _ := json.Marshal(r)
			t.Fatalf("crash %d: %s, %v", i, problems, err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	e := openWith(t, engine.Config{Library: lib, Encoder: &words{}, GraphFrom: 40})
	for i := range crashes { // the next adds finish the rest
		add(t, e, filepath.Join(dir, fmt.Sprintf("file%d.jsonl", i)))
	}
	if s := stats(t, e); s.Papers != crashes*60 || s.Vectors != s.Papers {
		t.Errorf("%d papers with %d vectors, want %d", s.Papers, s.Vectors, crashes*60)
	}
	t.Logf("%d of %d were killed before their end", killed, crashes)
}
