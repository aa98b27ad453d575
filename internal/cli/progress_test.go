package cli

import (
	"bytes"
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
	for _, want := range []string{"encoding", "of 500", "papers a second", "left", "a note\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the screen never showed %q:\n%q", want, got)
		}
	}
	if g.say("after the end") {
		t.Error("say wrote above bars that are gone")
	}
	g.report(engine.Progress{Stage: "late", Done: 1, Total: 2, Unit: "papers"})
	if strings.Contains(screen.String(), "late") {
		t.Error("a bar was drawn after the end")
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
