package cli

import (
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// progress shows how far a long piece of work has come, one bar a stage, on a terminal.
// A nil progress shows nothing. It is safe for concurrent use.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	width int
	bars  *mpb.Progress // nil until the first report, and again after end
	bar   *mpb.Bar
	stage string
	ended bool
}

// newProgress draws on w, which is a terminal: as its file, where the system has to be asked
// to move the cursor, or as anything that passes on what is written.
func newProgress(w io.Writer, width int) *progress { return &progress{w: w, width: width} }

// report shows p; a new stage begins a new bar.
func (g *progress) report(p engine.Progress) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended {
		return
	}
	if g.bars == nil {
		g.bars = mpb.New(mpb.WithOutput(g.w), mpb.WithWidth(g.width), mpb.ForceTTY(), mpb.WithAutoRefresh())
	}
	if g.bar == nil || g.stage != p.Stage {
		if g.bar != nil {
			g.bar.Abort(true)
		}
		g.bar, g.stage = g.add(p), p.Stage
	}
	g.bar.SetTotal(int64(p.Total), false)
	g.bar.SetCurrent(int64(p.Done))
}

// add begins the bar of a stage.
func (g *progress) add(p engine.Progress) *mpb.Bar {
	start := time.Now()
	text := decor.Any(func(s decor.Statistics) string {
		return "  " + pace(engine.Progress{Done: int(s.Current), Total: int(s.Total), Unit: p.Unit}, time.Since(start))
	})
	style := mpb.NopStyle()
	if p.Total > 0 {
		style = mpb.BarStyle().Lbound("").Rbound("").Filler("━").Tip("━").Padding("─")
	}
	return g.bars.New(int64(p.Total), style, mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(fmt.Sprintf("%-9s ", p.Stage))), mpb.AppendDecorators(text))
}

// pace says how far p has come in the time since its stage began, how fast, and how much
// time is left.
func pace(p engine.Progress, elapsed time.Duration) string {
	done := count(p.Done)
	if p.Total > 0 {
		done += " of " + count(p.Total)
	}
	if p.Done == 0 || elapsed <= 0 {
		return done + " " + p.Unit
	}
	rate := float64(p.Done) / elapsed.Seconds()
	each := count(int64(math.Round(rate)))
	if rate < 10 {
		each = fmt.Sprintf("%.1f", rate)
	}
	line := fmt.Sprintf("%s %s, %s a second", done, p.Unit, each)
	if left := p.Total - p.Done; left > 0 {
		line += ", " + duration(float64(left)/rate) + " left"
	}
	return line
}

// say writes a line above the bars and reports whether there were any.
func (g *progress) say(line string) bool {
	if g == nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.bars == nil {
		return false
	}
	_, err := fmt.Fprintln(g.bars, line)
	return err == nil
}

// end takes the bars from the screen; nothing is shown after it.
func (g *progress) end() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended = true
	if g.bars == nil {
		return
	}
	g.bar.Abort(true)
	g.bars.Wait()
	g.bars, g.bar = nil, nil
}
