package work

import (
	"sync/atomic"

	"github.com/seed-9f29d379/akin/internal/mapped"
)

// Run is how many neighbours a goroutine takes at a time.
const Run = 256

// Each calls do for every i in [0, n), by workers side by side (0 is one).
func Each(workers, n int, do func(i int)) {
	Runs(workers, n, func(from, to int) {
		for i := from; i < to; i++ {
			do(i)
		}
	})
}

// Runs calls do for every run [from, to) of [0, n): Run of them from each multiple of Run on,
// by workers side by side (0 is one).
func Runs(workers, n int, do func(from, to int)) {
	var next atomic.Int64
	work := func() {
		for {
			from := int(next.Add(Run)) - Run
			if from >= n {
				return
			}
			do(from, min(from+Run, n))
		}
	}
	var group mapped.Group
	defer group.Wait()
	for range min(workers, (n+Run-1)/Run) - 1 {
		group.Go(work)
	}
	work()
}
