package hnsw

import (
	"slices"

	"github.com/seed-9f29d379/akin/index/internal/quant"
	"github.com/seed-9f29d379/akin/index/internal/table"
	"github.com/seed-9f29d379/akin/index/internal/work"
)

// core is the graph without its locks: rows in a table, and levels of links over them.
type core struct {
	rows   *table.Table
	shape  shape
	levels []level
	// half is the rows' 4-bit codes [rows, HalfStride/2], which searches walk over; it
	// is empty where dim is below halfFrom.
	half   []uint8
	steps  quant.Half // of half
	fitted int        // rows that steps were chosen for
	// twins chains the rows whose codes are equal: only the first of them is a node of
	// the graph, and twins leads from each to the next.
	twins []uint32
	// entry is the position, in the highest level that is linked (top), of the node
	// where every walk begins; top is -1 while there is no node.
	entry uint32
	top   int
	built int // rows that the last fresh build linked

	mapped bool // half, twins and levels are a snapshot's
}

// halfFrom is the dimension from which on 4 bits an element tell vectors apart well
// enough for a walk: the error of a product falls with the root of the dimension.
const halfFrom = 64

// halfLen is the bytes of a row of 4-bit codes; 0 where there are none.
func halfLen(dim int) int {
	if dim < halfFrom {
		return 0
	}
	return quant.HalfStride(dim) / 2
}

// shape is the parameters that the graph is built with.
type shape struct {
	m              int // links that a new node gets in a level, and the most in levels above 0
	efConstruction int // breadth of the walk that finds them
}

// none ends a list: of links, of twins.
const none = ^uint32(0)

// level is one layer of the graph: a node of it has a position, and links are
// positions in the same level. In level 0 the position of a row is the row.
type level struct {
	rows  []uint32 // [count] the row of a position; nil in level 0
	down  []uint32 // [count] its position one level below; nil in level 0
	links []uint32 // [count, width], each row's list ended by none where it is shorter
	width int
	count int
}

// row is the row of a position.
func (l *level) row(pos uint32) uint32 {
	if l.rows == nil {
		return pos
	}
	return l.rows[pos]
}

// of is the links of a position, with the nones that fill it up.
func (l *level) of(pos uint32) []uint32 {
	at := int(pos) * l.width
	return l.links[at : at+l.width : at+l.width]
}

// grow adds n positions without links.
func (l *level) grow(n int) {
	l.count += n
	at := len(l.links)
	l.links = append(l.links, make([]uint32, n*l.width)...)
	for i := at; i < len(l.links); i++ {
		l.links[i] = none
	}
}

// width is the most links of a node in a level.
func (s shape) width(l int) int {
	if l == 0 {
		return 2 * s.m
	}
	return s.m
}

// maxLevel is the highest level: with m of 2, one node of 2^16 is there.
const maxLevel = 16

// levelOf is the highest level that an item is in: a share 1/m of the items of a level
// is in the next one too (Malkov & Yashunin, arXiv 1603.09320, section 4.1). It
// depends on the vector's key alone.
func (s shape) levelOf(key uint64) int {
	h := mix(key + 0x9E3779B97F4A7C15)
	l := 0
	for l < maxLevel && h%uint64(s.m) == 0 {
		h /= uint64(s.m)
		l++
	}
	return l
}

// mix is the finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014): a bijection
// whose bits all depend on all of x.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

func newCore(rows *table.Table, s shape, workers int) *core {
	c := &core{rows: rows, shape: s, top: -1}
	c.extend(workers)
	return c
}

// extend gives level 0, twins and half a place for every row of the table.
func (c *core) extend(workers int) {
	c.own()
	if len(c.levels) == 0 {
		c.levels = append(c.levels, level{width: c.shape.width(0)})
	}
	n := c.rows.Rows() - c.levels[0].count
	c.levels[0].grow(n)
	for range n {
		c.twins = append(c.twins, none)
	}
	c.codeHalf(workers)
}

// codeHalf codes the rows that are not yet coded in 4 bits; all of them, with new steps,
// where they are twice as many as those that the steps were chosen for.
func (c *core) codeHalf(workers int) {
	size := halfLen(c.rows.Dim())
	if size == 0 {
		return
	}
	n := c.rows.Rows()
	if n >= 2*c.fitted {
		c.half, c.fitted = c.half[:0], n
		c.steps = quant.FitHalf(c.rows.Dim(), quant.Vectors{N: n, Workers: workers, At: func(i int) []float32 {
			return c.rows.Vector(uint32(i))
		}})
	}
	first := len(c.half) / size
	c.half = slices.Grow(c.half, n*size-len(c.half))[:n*size]
	work.Each(workers, n-first, func(i int) {
		row := first + i
		c.steps.Encode(c.half[row*size:(row+1)*size], c.rows.Vector(uint32(row)))
	})
}

// place gives row a position in each level above 0 up to l.
func (c *core) place(row uint32, l int) {
	below := row
	for i := 1; i <= l; i++ {
		if i == len(c.levels) {
			c.levels = append(c.levels, level{width: c.shape.width(i)})
		}
		lv := &c.levels[i]
		lv.rows = append(lv.rows, row)
		lv.down = append(lv.down, below)
		below = uint32(lv.count)
		lv.grow(1)
	}
}
