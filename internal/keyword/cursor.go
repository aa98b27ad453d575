package keyword

import "sort"

// cursor walks one list in ascending order of documents.
type cursor struct {
	list   list
	scale  float64 // the term's weight in fixed point
	slack  float64 // turns a bound of the list into one of a score, in fixed point
	sparse bool    // few of its documents are in one window
	bound  int64   // of the present window
	at     int     // the block that may hold the next document asked for
	loaded int     // one past the block that blk holds; 0 for none
	pos    int     // in blk
	blk    block
}

// enter moves to the window [from, to) and sets its bound; windows only go up. Of a
// sparse list the bound is the greatest of the window's own documents, of another that
// of the blocks which reach into it.
func (c *cursor) enter(s *scorer, from, to uint32) {
	c.bound = 0
	c.skip(from)
	if c.sparse {
		for i := c.at; i < c.list.blocks() && c.load(i); i++ {
			docs := c.blk.docs[:c.blk.n]
			k := c.pos
			for k < len(docs) && docs[k] < from {
				k++
			}
			c.pos = k
			for ; k < len(docs) && docs[k] < to; k++ {
				c.bound = max(c.bound, s.score(c.scale, c.blk.count(k), docs[k]))
			}
			if k < len(docs) {
				return
			}
		}
		return
	}
	bound := float32(0)
	for i := c.at; i < c.list.blocks(); i++ {
		bound = max(bound, c.list.blockBound(i))
		if c.list.last(i) >= to {
			break
		}
	}
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

// each calls yield with the postings of the present window [from, to), a run of a block
// at a time.
func (c *cursor) each(from, to uint32, yield func(docs, tfs []uint32)) {
	for i := c.at; i < c.list.blocks() && c.load(i); i++ {
		docs := c.blk.docs[:c.blk.n]
		first, end := 0, len(docs)
		if docs[0] < from {
			first = sort.Search(end, func(k int) bool { return docs[k] >= from })
		}
		if docs[end-1] >= to {
			end = sort.Search(end, func(k int) bool { return docs[k] >= to })
		}
		yield(docs[first:end], c.blk.counts()[first:end])
		if end < len(docs) {
			return
		}
	}
}

// score is the term's part for one document; documents are asked for in ascending
// order.
func (c *cursor) score(s *scorer, doc uint32) int64 {
	if !c.has(doc) {
		return 0
	}
	return s.score(c.scale, c.blk.count(c.pos), doc)
}

// has moves to doc and reports whether it holds the term; documents are asked for in
// ascending order.
func (c *cursor) has(doc uint32) bool {
	c.skip(doc)
	if c.at >= c.list.blocks() || !c.load(c.at) {
		return false
	}
	const stride = 8
	docs := c.blk.docs[:c.blk.n]
	k := c.pos
	for k+stride < len(docs) && docs[k+stride] <= doc {
		k += stride
	}
	for k < len(docs) && docs[k] < doc {
		k++
	}
	c.pos = k
	return k < len(docs) && docs[k] == doc
}
