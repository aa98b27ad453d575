package keyword

import "sort"

// cursor walks one list in ascending order of documents.
type cursor struct {
	list   list
	weight float64
	slack  float64 // turns a bound of the list into one of a score, in fixed point
	bound  int64   // of the present window
	at     int     // the block that may hold the next document asked for
	loaded int     // one past the block that blk holds; 0 for none
	pos    int     // in blk
	blk    block
}

// enter moves to the window [from, to) and sets its bound; windows only go up.
func (c *cursor) enter(from, to uint32) {
	c.skip(from)
	bound := float32(0)
	for i := c.at; i < c.list.blocks(); i++ {
		bound = max(bound, c.list.blockBound(i))
		if c.list.last(i) >= to {
			break
		}
	}
	c.bound = 0
	if bound > 0 {
		c.bound = int64(float64(bound)*c.slack) + 1
	}
}

// skip moves to the first block whose last document is at least doc.
func (c *cursor) skip(doc uint32) {
	n := c.list.blocks()
	if c.at >= n || c.list.last(c.at) >= doc {
		return
	}
	// The block is near: search in growing steps, then between the last two.
	step := 1
	for c.at+step < n && c.list.last(c.at+step) < doc {
		c.at += step
		step *= 2
	}
	c.at += sort.Search(min(step, n-c.at), func(i int) bool { return c.list.last(c.at+i) >= doc })
}

// load decodes block i unless it is there. A damaged block ends the list.
func (c *cursor) load(i int) bool {
	if c.loaded == i+1 {
		return true
	}
	if !c.list.decode(i, &c.blk) {
		c.at = c.list.blocks()
		return false
	}
	c.loaded, c.pos = i+1, 0
	return true
}

// addAll adds the term's part to the sums of all documents in [from, to).
func (c *cursor) addAll(s *Segment, average float32, from, to uint32, sums []int64, touched *[window / 64]uint64) {
	for i := c.at; i < c.list.blocks() && c.load(i); i++ {
		docs, tfs := c.blk.docs[:c.blk.n], c.blk.tfs[:c.blk.n]
		k := 0
		if docs[0] < from {
			k = sort.Search(len(docs), func(k int) bool { return docs[k] >= from })
		}
		for ; k < len(docs); k++ {
			if docs[k] >= to {
				return
			}
			at := docs[k] - from
			sums[at] += fixed(c.weight, float32(tfs[k]), s.length(docs[k]), average)
			touched[at>>6] |= 1 << (at & 63)
		}
	}
}

// score is the term's part for one document; documents are asked for in ascending
// order.
func (c *cursor) score(s *Segment, average float32, doc uint32) int64 {
	if !c.has(doc) {
		return 0
	}
	return fixed(c.weight, float32(c.blk.tfs[c.pos]), s.length(doc), average)
}

// has moves to doc and reports whether it holds the term; documents are asked for in
// ascending order.
func (c *cursor) has(doc uint32) bool {
	c.skip(doc)
	if c.at >= c.list.blocks() || !c.load(c.at) {
		return false
	}
	docs := c.blk.docs[:c.blk.n]
	for c.pos < len(docs) && docs[c.pos] < doc {
		c.pos++
	}
	return c.pos < len(docs) && docs[c.pos] == doc
}
