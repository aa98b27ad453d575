package hnsw

import "slices"

// pool is the best nodes that a walk has met, in one sorted slice: the candidates and
// the results of the usual two heaps in one. A node is expanded at most once; a walk
// ends when all in the pool are.
type pool struct {
	keys []entry // descending
	size int     // most that are kept
	next int     // none before it is unexpanded
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
}

// floor is what a new entry must exceed.
func (p *pool) floor() entry {
	if len(p.keys) < p.size {
		return 0
	}
	return p.keys[len(p.keys)-1]
}

// insert puts in an entry that exceeds floor and is not in the pool.
func (p *pool) insert(e entry) {
	lo, hi := 0, len(p.keys)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if p.keys[mid] > e {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if len(p.keys) < p.size {
		p.keys = append(p.keys, 0)
	}
	copy(p.keys[lo+1:], p.keys[lo:])
	p.keys[lo] = e
	p.next = min(p.next, lo)
}

// take marks the best unexpanded node as expanded and returns it.
func (p *pool) take() (pos uint32, ok bool) {
	for i := p.next; i < len(p.keys); i++ {
		if p.keys[i]&expanded == 0 {
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
