package table

import (
	"sync"
	"sync/atomic"
)

// Each calls do for every i in [0, n), by workers side by side (0 is one), each worker
// for a run of neighbours at a time.
func Each(workers, n int, do func(i int)) {
	const run = 256
	var next atomic.Int64
	work := func() {
		for {
			from := int(next.Add(run)) - run
			if from >= n {
				return
			}
			for i := from; i < min(from+run, n); i++ {
				do(i)
			}
		}
	}
	var wg sync.WaitGroup
	for range min(workers, (n+run-1)/run) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}
