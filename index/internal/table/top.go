package table

import (
	"math"
	"slices"
)

// Hit is an item with its score.
type Hit struct {
	ID    uint32
	Score float32
}

// top keeps the greatest of the keys that it is given, a heap whose least is first. A
// key is a score above an inverted id, so that of equal scores the lower id is greater.
type top struct {
	keys []uint64
	size int
}

// floor is the key that a new one must exceed.
func (h *top) floor() uint64 {
	if len(h.keys) < h.size {
		return 0
	}
	return h.keys[0]
}

func (h *top) full() bool { return len(h.keys) >= h.size }

func (h *top) push(key uint64) {
	if len(h.keys) < h.size {
		h.keys = append(h.keys, key)
		for i := len(h.keys) - 1; i > 0; {
			parent := (i - 1) / 2
			if h.keys[parent] <= h.keys[i] {
				break
			}
			h.keys[parent], h.keys[i] = h.keys[i], h.keys[parent]
			i = parent
		}
		return
	}
	if key <= h.keys[0] {
		return
	}
	h.keys[0] = key
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(h.keys) {
			break
		}
		if child+1 < len(h.keys) && h.keys[child+1] < h.keys[child] {
			child++
		}
		if h.keys[i] <= h.keys[child] {
			break
		}
		h.keys[i], h.keys[child] = h.keys[child], h.keys[i]
		i = child
	}
}

// Top keeps the best of the items that it is given.
type Top struct{ heap top }

// NewTop returns an empty Top of at most k items.
func NewTop(k int) *Top { return &Top{top{size: k}} }

// Push gives an item. An item must not be given twice.
func (t *Top) Push(id uint32, score float32) { t.heap.push(floatKey(score, id)) }

// Least is the score of the last of the items; an item that scores less is not taken once
// there are k.
func (t *Top) Least() float32 { return floatHit(t.heap.keys[0]).Score }

// Hits returns the items, best first, ties in ascending order of id. The Top is spent.
func (t *Top) Hits() []Hit { return floatHits(t.heap) }

// descending sorts the keys, the greatest first; the heap is spent.
func (h *top) descending() []uint64 {
	slices.Sort(h.keys)
	slices.Reverse(h.keys)
	return h.keys
}

// floatKey orders by score, then by ascending id.
func floatKey(score float32, id uint32) uint64 {
	b := math.Float32bits(score + 0) // -0 becomes 0
	if b>>31 != 0 {
		b = ^b
	} else {
		b |= 1 << 31
	}
	return uint64(b)<<32 | uint64(^id)
}

func floatHit(key uint64) Hit {
	b := uint32(key >> 32)
	if b>>31 != 0 {
		b &^= 1 << 31
	} else {
		b = ^b
	}
	return Hit{ID: ^uint32(key), Score: math.Float32frombits(b)}
}

// intKey orders by score, then by ascending row.
func intKey(score int32, row uint32) uint64 {
	return uint64(uint32(score)^1<<31)<<32 | uint64(^row)
}

func intScore(key uint64) int32 { return int32(uint32(key>>32) ^ 1<<31) }
