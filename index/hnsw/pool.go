package hnsw

import (
	"math/bits"
	"slices"
)

// pool is the best nodes that a walk has met, in one sorted slice: the candidates and
// the results of the usual two heaps in one. A node is expanded at most once; a walk
// ends when all in the pool are.
type pool struct {
	keys []entry // descending
	size int     // most that are kept
	next int     // none before it is unexpanded

	keep   entry // what is below it is not kept
	expand entry // what is below it is not expanded

	better []entry // of a batch: those that exceed floor
}

// entry is a node of a pool: score, then inverted position, then whether the node is
// expanded. As a number it orders by score, and equal scores by ascending position.
type entry uint64

const expanded entry = 1

// maxPosition is the largest position that an entry holds.
const maxPosition = 1<<31 - 1

func newEntry(score int32, pos uint32) entry {
	return entry(uint32(score)^1<<31)<<32 | entry(^pos<<1)
}

func (e entry) pos() uint32  { return ^uint32(e) >> 1 }
func (e entry) score() int32 { return int32(uint32(e>>32) ^ 1<<31) }

// reset empties the pool for at most size nodes.
func (p *pool) reset(size int) {
	p.keys, p.size, p.next = slices.Grow(p.keys[:0], size), size, 0
	p.keep, p.expand = 0, 0
}

// floor is what a new entry must exceed.
func (p *pool) floor() entry {
	if len(p.keys) < p.size {
		return p.keep
	}
	return max(p.keep, p.keys[len(p.keys)-1])
}

// insertAll puts in those nodes of a batch whose scores suffice. None may be in the pool.
func (p *pool) insertAll(scores []int32, positions []uint32) {
	positions = positions[:len(scores)]
	p.better = slices.Grow(p.better[:0], len(scores))[:len(scores)]
	better, n, floor := p.better, 0, p.floor()
	for i, score := range scores {
		e := newEntry(score, positions[i])
		better[n] = e
		if e > floor { // no branch: whether it does cannot be foreseen
			n++
		}
	}
	for _, e := range better[:n] {
		if e > p.floor() {
			p.insert(e)
		}
	}
}

// insert puts in an entry that exceeds floor and is not in the pool.
func (p *pool) insert(e entry) {
	// The number of steps depends on the length alone, and none branches on a key.
	at := 0
	for n := len(p.keys); n > 0; {
		half := (n + 1) / 2
		_, less := bits.Sub64(uint64(e), uint64(p.keys[at+half-1]), 0)
		at += half & -int(less)
		n -= half
	}
	if len(p.keys) < p.size {
		p.keys = append(p.keys, 0)
	}
	copy(p.keys[at+1:], p.keys[at:])
	p.keys[at] = e
	p.next = min(p.next, at)
}

// take marks the best unexpanded node as expanded and returns it, unless it is too far.
func (p *pool) take() (pos uint32, ok bool) {
	for i := p.next; i < len(p.keys); i++ {
		if p.keys[i]&expanded == 0 {
			if p.keys[i] < p.expand {
				p.next = i
				return 0, false
			}
			p.keys[i] |= expanded
			p.next = i + 1
			return p.keys[i].pos(), true
		}
	}
	p.next = len(p.keys)
	return 0, false
}

// marks says which positions a walk has met. A new walk bumps the stamp instead of
// clearing the slice.
type marks struct {
	stamps []uint8
	stamp  uint8
}

// reset forgets all, for positions below n.
func (m *marks) reset(n int) {
	if len(m.stamps) < n {
		m.stamps, m.stamp = make([]uint8, n+n/8), 0
	}
	if m.stamp++; m.stamp == 0 {
		clear(m.stamps)
		m.stamp = 1
	}
}

// appendNew appends the links that were not met before, up to the first that is none of
// n positions, and marks them as met.
func (m *marks) appendNew(batch, links []uint32, n int) []uint32 {
	stamps, stamp := m.stamps[:n], m.stamp
	at := len(batch)
	batch = slices.Grow(batch, len(links))[:at+len(links)]
	for _, next := range links {
		if int(next) >= len(stamps) {
			break
		}
		met := stamps[next]
		stamps[next] = stamp
		batch[at] = next
		if met != stamp { // no branch: whether it was cannot be foreseen
			at++
		}
	}
	return batch[:at]
}
