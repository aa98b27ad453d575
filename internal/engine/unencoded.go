package engine

import (
	"context"
	"fmt"

	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/store"
)

// A library whose import was interrupted, or made with --no-embed, has papers without a
// vector: what answers by meaning lacks them, and says so.

// unencoded is how many papers of a library wait for a vector, as of one state.
type unencoded struct {
	seq    int64  // of the library's last change
	newest uint32 // the library's last paper
	known  bool
	told   bool
	n      int
}

// What becomes of papers without a vector.
const (
	leftOut      = "left out"
	byWordsAlone = "found by their words alone"
)

// tellUnencoded counts the papers that wait for a vector, and says so once for each state
// of the library; fate is what becomes of them in the answer.
func (e *Engine) tellUnencoded(ctx context.Context, fate string) (int, error) {
	e.mu.Lock()
	n, tell, err := e.unencodedLocked(ctx)
	e.mu.Unlock()
	if err != nil || n == 0 || !tell {
		return n, err
	}
	are := number.Pick(n, "is", "are")
	e.warn("%s %s not encoded yet and %s %s: akin add, without a path, encodes %s", number.Of(n, "paper"), are, are, fate, number.Pick(n, "it", "them"))
	return n, nil
}

// unencodedLocked counts, and reports whether the count is still to be told.
func (e *Engine) unencodedLocked(ctx context.Context) (n int, tell bool, err error) {
	if e.lib == nil {
		return 0, false, nil
	}
	var now unencoded
	if now.seq, err = e.lib.Seq(ctx); err != nil {
		return 0, false, err
	}
	if now.newest, err = e.lib.Newest(ctx); err != nil {
		return 0, false, err
	}
	if u := &e.waiting; u.known && u.seq == now.seq && u.newest == now.newest {
		tell, u.told = !u.told, true
		return u.n, tell, nil
	}
	if now.n, err = e.countUnencoded(ctx, int(now.newest)); err != nil {
		return 0, false, fmt.Errorf("counting papers without a vector: %w", err)
	}
	now.known, now.told = true, true
	e.waiting = now
	return now.n, true, nil
}

// countUnencoded counts the papers that wait for a vector; most is at least the number of
// papers. Where the index has a vector for each there is nothing to count, which is a
// matter of microseconds in the largest library.
func (e *Engine) countUnencoded(ctx context.Context, most int) (int, error) {
	if e.index != nil && e.index.Len() >= most {
		return 0, nil
	}
	if e.index != nil {
		papers, err := e.lib.CountPapers(ctx)
		if err != nil || e.index.Len() >= papers {
			return 0, err
		}
	}
	return pendingIn(ctx, e.lib)
}

// pendingIn counts the papers of a library that wait for a vector. Some will never have
// one, since nothing of their text is left for the model: those among the first are not
// counted.
func pendingIn(ctx context.Context, lib *store.Library) (int, error) {
	n, err := lib.CountPending(ctx)
	if err != nil || n == 0 {
		return 0, err
	}
	papers, err := lib.Pending(ctx, 0, page)
	for _, p := range papers {
		if p.Fields.Text() == "" {
			n--
		}
	}
	return max(n, 0), err
}
