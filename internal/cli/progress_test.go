package cli

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func TestProgressSaysStageCountRateAndTimeLeft(t *testing.T) {
	var screen bytes.Buffer
	g := newProgress(&locked{w: &screen}, 80)
	g.report(engine.Progress{Stage: "reading", Done: 7, Unit: "records"})
	for i := range 5 {
		g.report(engine.Progress{Stage: "encoding", Done: 100 * i, Total: 500, Unit: "papers"})
		time.Sleep(60 * time.Millisecond) // the bars are drawn by the clock
	}
	if !g.say("a note") {
		t.Error("say found no bars to write above")
	}
	g.end()
	got := screen.String()
	for _, want := range []string{"encoding", "of 500 papers", "a second", " left", "a note\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the screen never showed %q:\n%q", want, got)
		}
	}
	// What is drawn anew is drawn in its place: below the bars the cursor goes up again, by a
	// line for each. The note stays.
	up := 0
	for _, lines := range regexp.MustCompile("\x1b\\[([0-9]+)A").FindAllStringSubmatch(got, -1) {
		n, _ := strconv.Atoi(lines[1])
		up += n
	}
	if drawn := strings.Count(got, "\n") - 1; drawn < 3 || up != drawn {
		t.Errorf("the bars were drawn in %d lines, and the cursor went up %d:\n%q", drawn, up, got)
	}
	if g.say("after the end") {
		t.Error("say wrote above bars that are gone")
	}
	g.report(engine.Progress{Stage: "late", Done: 1, Total: 2, Unit: "papers"})
	if strings.Contains(screen.String(), "late") {
		t.Error("a bar was drawn after the end")
	}
}

func TestPace(t *testing.T) {
	for _, test := range []struct {
		p       engine.Progress
		elapsed time.Duration
		want    string
	}{
		{engine.Progress{Total: 500, Unit: "papers"}, time.Second, "0 of 500 papers"},
		{engine.Progress{Done: 1200, Total: 5000, Unit: "papers"}, time.Minute, "1,200 of 5,000 papers, 20 a second, 3 min 10 s left"},
		{engine.Progress{Done: 5, Total: 6, Unit: "papers"}, 10 * time.Second, "5 of 6 papers, 0.5 a second, 2.0 s left"},
		{engine.Progress{Done: 300_000, Unit: "records"}, 3 * time.Second, "300,000 records, 100,000 a second"},
		{engine.Progress{Done: 6, Total: 6, Unit: "papers"}, 2 * time.Second, "6 of 6 papers, 3.0 a second"},
		{engine.Progress{Done: 1, Total: 2, Unit: "papers"}, 0, "1 of 2 papers"},
	} {
		if got := pace(test.p, test.elapsed); got != test.want {
			t.Errorf("pace(%+v, %v) = %q, want %q", test.p, test.elapsed, got, test.want)
		}
	}
}

func TestProgressIsSafeForConcurrentUse(t *testing.T) {
	g := newProgress(&locked{w: &bytes.Buffer{}}, 80)
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 50 {
				g.report(engine.Progress{Stage: []string{"a", "b"}[worker%2], Done: i, Total: 50, Unit: "papers"})
				g.say("x")
			}
		})
	}
	wg.Wait()
	g.end()
	g.end()
}

func TestNoProgressIsAProgressToo(t *testing.T) {
	var g *progress
	g.report(engine.Progress{Stage: "encoding"})
	if g.say("x") {
		t.Error("say wrote without a terminal")
	}
	g.end()
}
