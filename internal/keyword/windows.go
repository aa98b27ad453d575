package keyword

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

const (
	// window is how many documents are scored together. Their sums (128 kB) stay in the
	// processor's second cache; with those of a quarter, which fit the first, a long
	// query takes a third more time for the bounds of its words in each window.
	window = 16384
	// sparseShare is how many documents a list may have in one window to be sparse: the
	// exact bound of so few costs less than it saves.
	sparseShare = 64
	// scanCost is how many postings are added up in the time in which one document is
	// looked up.
	scanCost = 4
	// fewDocuments of a window are looked up without being found first.
	fewDocuments = window / 32
	// dropEvery is after how many terms the documents that are left behind are dropped.
	dropEvery = 4
)

// windows goes through the documents [first, end) of one segment.
type windows struct {
	*scorer
	cursors []*cursor
	allow   []uint64 // nil is all
	top     *top
	first   uint32
	end     uint32

	sums     []int64 // [window]; zero between windows
	touched  [window / 64]uint64
	possible []uint32 // documents of a window that may get into top, from its first on
	rest     []int64  // what the first i cursors can add at most
}

func (w *windows) scan() {
	w.rest = make([]int64, len(w.cursors)+1)
	for from := w.first; from < w.end; from += window {
		to := min(from+window, w.end)
		few := w.fewAllowed(from, to)
		if few && len(w.possible) == 0 {
			continue
		}
		for _, c := range w.cursors {
			c.enter(w.scorer, from, to)
		}
		slices.SortStableFunc(w.cursors, func(x, y *cursor) int { return cmp.Compare(x.bound, y.bound) })
		// The first `optional` terms cannot make a result alone.
		optional := 0
		for i, c := range w.cursors {
			w.rest[i+1] = w.rest[i] + c.bound
			if w.rest[i+1] <= w.top.floor() {
				optional = i + 1
			}
		}
		if optional == len(w.cursors) {
			continue
		}
		if few {
			w.rate(from, to, len(w.cursors))
		} else {
			w.gather(from, to, w.cursors[optional:], w.rest[optional])
			w.rate(from, to, optional)
		}
	}
}

// gather adds up some terms and collects the documents that are allowed and may yet get
// into the top, when up to rest is added.
func (w *windows) gather(from, to uint32, terms []*cursor, rest int64) {
	for _, c := range terms {
		c.each(from, to, func(docs, tfs []uint32) {
			w.add(c, docs, tfs)
			for _, doc := range docs {
				at := (doc - from) % window
				w.touched[at>>6] |= 1 << (at & 63)
			}
		})
	}
	w.possible = w.possible[:0]
	floor := w.top.floor() - rest
	for i := range w.touched {
		word := w.touched[i]
		w.touched[i] = 0
		if w.allow != nil {
			word &= w.allowed(from + uint32(i)<<6)
		}
		for ; word != 0; word &= word - 1 {
			at := uint32(i<<6 + bits.TrailingZeros64(word))
			if w.sums[at] > floor {
				w.possible = append(w.possible, at)
			}
		}
	}
}

// rate adds the first terms to the sums of the possible documents, and puts into the top
// what belongs there.
func (w *windows) rate(from, to uint32, terms int) {
	for i := terms - 1; i >= 0 && len(w.possible) > 0; i-- {
		c := w.cursors[i]
		if c.bound == 0 { // and so are those before it
			break
		}
		if c.list.df/scanCost < len(w.possible)*(w.docs/window+1) {
			// Many documents are asked for: the sums of the others do no harm.
			c.each(from, to, func(docs, tfs []uint32) { w.add(c, docs, tfs) })
		} else {
			for _, at := range w.possible {
				w.sums[at] += c.score(w.scorer, from+at)
			}
		}
		if i%dropEvery == 0 {
			w.drop(w.rest[i])
		}
	}
	for _, at := range w.possible {
		if sum := w.sums[at]; sum > w.top.floor() {
			w.top.add(w.base+from+at, sum)
		}
	}
	clear(w.sums)
}

// add adds the term's part to the sums of documents, all of one window.
func (w *windows) add(c *cursor, docs, tfs []uint32) {
	sums, lens, table := (*[window]int64)(w.sums), w.lens, w.impacts
	tfs = tfs[:len(docs)]
	for k, doc := range docs {
		length, tf := int(binary.LittleEndian.Uint16(lens[2*doc:])), int(tfs[k])
		var x float32
		if tf < impactCounts && length < impactLengths {
			x = table[tf*impactLengths+length]
		} else {
			x = impact(float32(tf), float32(length), w.average)
		}
		sums[doc%window] += fixed(c.scale, x)
	}
}

// drop leaves out the documents that cannot get into the top any more.
func (w *windows) drop(rest int64) {
	floor := w.top.floor() - rest
	kept := w.possible[:0]
	for _, at := range w.possible {
		if w.sums[at] > floor {
			kept = append(kept, at)
		}
	}
	w.possible = kept
}

// allowed is which of the 64 documents from doc on may be returned.
func (w *windows) allowed(doc uint32) uint64 {
	id := uint64(w.base) + uint64(doc)
	at, shift := id>>6, id&63
	var word uint64
	if at < uint64(len(w.allow)) {
		word = w.allow[at] >> shift
	}
	if shift > 0 && at+1 < uint64(len(w.allow)) {
		word |= w.allow[at+1] << (64 - shift)
	}
	return word
}

// fewAllowed reports whether so few documents of a window are allowed that they are
// better looked up than found; they are then the possible ones.
func (w *windows) fewAllowed(from, to uint32) bool {
	w.possible = w.possible[:0]
	if w.allow == nil {
		return false
	}
	for at := uint32(0); at < to-from; at += 64 {
		word := w.allowed(from + at)
		if left := to - from - at; left < 64 {
			word &= 1<<left - 1
		}
		for ; word != 0; word &= word - 1 {
			if len(w.possible) == fewDocuments {
				return false
			}
			w.possible = append(w.possible, at+uint32(bits.TrailingZeros64(word)))
		}
	}
	return true
}
