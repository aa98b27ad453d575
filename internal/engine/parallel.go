package engine

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/seed-9f29d379/akin/internal/mapped"
)

// parallel calls do(0) to do(n-1) on the engine's workers until one fails or ctx ends,
// and tells how far it is.
func (e *Engine) parallel(ctx context.Context, n int, stage string, do func(i int) error) error {
	var next, done atomic.Int64
	var wg sync.WaitGroup
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	errs := make([]error, min(e.workers(), n))
	for worker := range errs {
		wg.Go(func() {
			defer func() {
				if errs[worker] != nil {
					stop()
				}
			}()
			defer mapped.Guard(&errs[worker])()
			for {
				i := int(next.Add(1)) - 1
				if i >= n || ctx.Err() != nil {
					return
				}
				if errs[worker] = do(i); errs[worker] != nil {
					return
				}
				if all := done.Add(1); worker == 0 {
					e.progress(Progress{Stage: stage, Done: int(all), Total: n, Unit: "papers"})
				}
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return ctx.Err()
}
