package keyword

import (
	"cmp"
	"container/heap"
	"slices"
	"sync/atomic"
)

// top keeps the k best of what is added, in a heap whose first is the worst. Of equal
// scores the smaller number is better.
type top struct {
	k      int
	items  items
	others *atomic.Int64 // the greatest floor of all tops of a search
}

type scored struct {
	id    uint32
	score int64
}

// floor is the score that a document must exceed to get in. Documents come in ascending
// order of number, so one that is equal to the worst here never does; it may be better
// than one that is equal to the worst elsewhere.
func (t *top) floor() int64 {
	floor := max(t.others.Load()-1, 0)
	if len(t.items) == t.k {
		floor = max(floor, t.items[0].score)
	}
	return floor
}

func (t *top) add(id uint32, score int64) {
	if len(t.items) < t.k {
		heap.Push(&t.items, scored{id, score})
	} else {
		t.items[0] = scored{id, score}
		heap.Fix(&t.items, 0)
	}
	if len(t.items) < t.k {
		return
	}
	for mine := t.items[0].score; ; {
		if now := t.others.Load(); now >= mine || t.others.CompareAndSwap(now, mine) {
			return
		}
	}
}

// merge returns the k best of some tops, best first.
func merge(tops []*top, k int) []Hit {
	var all []scored
	for _, t := range tops {
		all = append(all, t.items...)
	}
	slices.SortFunc(all, func(x, y scored) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.id, y.id))
	})
	all = all[:min(k, len(all))]
	hits := make([]Hit, len(all))
	for i, x := range all {
		hits[i] = Hit{x.id, float64(x.score) / unit}
	}
	return hits
}

type items []scored

func (h items) Len() int      { return len(h) }
func (h items) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h items) Less(i, j int) bool {
	if h[i].score != h[j].score {
		return h[i].score < h[j].score
	}
	return h[i].id > h[j].id
}
func (h *items) Push(x any) { *h = append(*h, x.(scored)) }
func (h *items) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
