package cluster

import "sync"

// What the parts of the work are worth in steps of [Options.Progress].
const (
	stepsNeighbours = 25
	stepsChoose     = 40
	stepsRuns       = 20
	stepsStructure  = 15
	stepsLower      = 40
)

// meter tells how much of the work is done. A nil meter tells nothing.
type meter struct {
	mu     sync.Mutex
	report func(done, total int)
	total  int
	told   int
	before float64 // steps of the phases that have ended
	phase  float64 // steps of this one
	parts  int     // equal parts that it has
	done   int     // and of them done
}

// newMeter is the meter of a call of Themes.
func newMeter(opts Options) *meter {
	if opts.Progress == nil {
		return nil
	}
	m := &meter{report: opts.Progress, total: stepsNeighbours + stepsRuns + stepsStructure}
	if opts.K == 0 {
		m.total += stepsChoose
	}
	if opts.Levels == 2 {
		m.total += stepsLower
	}
	return m
}

// start ends the phase before and begins one of the given steps in equal parts.
func (m *meter) start(steps, parts int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.before += m.phase
	m.phase, m.parts, m.done = float64(steps), max(parts, 1), 0
	m.tell(m.before)
}

// part says that one more part is done.
func (m *meter) part() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done = min(m.done+1, m.parts)
	m.tell(m.before + m.phase*float64(m.done)/float64(m.parts))
}

// finish says that all is done.
func (m *meter) finish() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tell(float64(m.total))
}

func (m *meter) tell(steps float64) {
	if done := min(int(steps), m.total); done > m.told {
		m.told = done
		m.report(done, m.total)
	}
}
