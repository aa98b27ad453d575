package embed

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/seed-9f29d379/akin/embed/internal/bert"
)

// workspace is the memory of one worker.
type workspace struct {
	pass  bert.Workspace
	ids   []int32     // of the texts in group, one after the other
	group []bert.Text // texts that run together
}

// Short texts run together: the weights are then read once for all of them. Texts of
// more than groupTokens gain nothing, and their activations leave the cache.
const groupTokens = 64

// run encodes texts into out. Each worker takes the next texts that nobody has taken;
// workers are shared by all calls, so that memory is bounded.
func (m *Model) run(ctx context.Context, texts []string, out []Embedding) error {
	if len(texts) == 0 {
		return ctx.Err()
	}
	workers := min(len(texts), cap(m.bench))
	// A worker takes no more than its share, so that none is idle.
	share := (len(texts) + workers - 1) / workers
	work, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	j := job{model: m, texts: texts, out: out, share: share}
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Go(func() { j.work(work, cancel) })
	}
	j.work(work, cancel)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return context.Cause(work)
}

// job is one call of Encode.
type job struct {
	model *Model
	texts []string
	out   []Embedding
	share int
	next  atomic.Int64
}

// work encodes groups of texts until none is left; its error ends all workers.
func (j *job) work(ctx context.Context, cancel context.CancelCauseFunc) {
	var w *workspace
	select {
	case w = <-j.model.bench:
	case <-ctx.Done():
		return
	}
	if w == nil {
		w = new(workspace)
	}
	defer func() { j.model.bench <- w }()
	for ctx.Err() == nil {
		ok, err := j.group(ctx, w)
		if err != nil {
			cancel(err)
			return
		}
		if !ok {
			return
		}
	}
}

// group takes the next texts, one of any length or several short ones, and encodes them.
func (j *job) group(ctx context.Context, w *workspace) (ok bool, err error) {
	w.ids, w.group = w.ids[:0], w.group[:0]
	first := -1
	for len(w.group) < j.share {
		i := int(j.next.Add(1)) - 1
		if i >= len(j.texts) {
			break
		}
		if first < 0 {
			first = i
		}
		start := len(w.ids)
		ids, tokens := j.model.tokens.Encode(w.ids, j.texts[i], j.model.longest)
		w.ids = ids
		j.out[i].Tokens = tokens
		j.out[i].Truncated = tokens > j.model.longest
		w.group = append(w.group, bert.Text{IDs: ids[start:], Vector: j.out[i].Vector})
		if len(ids) > groupTokens*3/4 {
			break
		}
	}
	if len(w.group) == 0 {
		return false, nil
	}
	if err := j.model.bert.Encode(ctx, &w.pass, w.group); err != nil {
		if errors.Is(err, bert.ErrNotFinite) {
			err = fmt.Errorf("encoding text %d: %w", first, err)
		}
		return false, err
	}
	return true, nil
}
