package keyword

import (
	"cmp"
	"container/heap"
	"slices"
)

// top keeps the k best of what is added, in a heap whose first is the worst. Of equal
// scores the smaller number is better.
type top struct {
	k     int
	items items
}

type scored struct {
	id    uint32
	score int64
}

// floor is the score that a document must exceed to get in. Documents come in
// ascending order of number within a segment, so an equal score never does; across
// segments the earlier one's numbers are lower.
func (t *top) floor() int64 {
	if len(t.items) < t.k {
		return 0
	}
	return t.items[0].score
}

func (t *top) add(id uint32, score int64) {
	if len(t.items) < t.k {
		heap.Push(&t.items, scored{id, score})
		return
	}
	t.items[0] = scored{id, score}
	heap.Fix(&t.items, 0)
}

func (t *top) hits() []Hit {
	slices.SortFunc(t.items, func(x, y scored) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.id, y.id))
	})
	hits := make([]Hit, len(t.items))
	for i, x := range t.items {
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
