package main

import "fmt"

// The tile of arm64 has 4 rows and 24 columns, in registers by pairs: what the driver
// calls a register is 8 columns. 24 sums are what four pipes of latency 4 need, and more.
// FMLA and SMLAL take one factor from a lane, so that a row of A is loaded 16 bytes at a
// time and no value is broadcast: four steps of floats are 4 loads of A, 12 pairs of B
// and 96 FMLA, 3.4 for each register loaded (6 for each load instruction).
//
// A step of integers is two products, of even and odd k: LD2 takes the pairs of B apart.
// Four steps are 4 loads of A, 12 LD2 and 192 SMLAL, of 4 products each. A core that
// runs SMLAL in one pipe of two (Neoverse N1, N2) does them at half the rate of FMLA.
const (
	neonRows = 4
	neonA    = 0 // SMLAL takes a lane from the first 16 registers only
	neonB    = 4 // two pairs in turn
	neonSums = 8
)

// neonTile returns the tile with columns of 8.
func neonTile(name string, columns int, of words) function {
	return function{
		name: name, params: "t *tile", driven: true,
		body: func(k *kernel) {
			t := k.arg("t")
			rows, most := k.gpr(), k.gpr()
			k.mark("block")
			k.emit("MOVD tile_rows(%s), %s", t, rows)
			k.emit("MOVD tile_most(%s), %s", t, most)
			k.emit("CMP %s, %s", most, rows)
			k.emit("CSEL LT, %s, %s, %s", rows, most, rows)
			for r := neonRows; r > 0; r-- {
				next := fmt.Sprintf("rows%d", r-1)
				if r > 1 {
					k.branchLess(k, rows, r, next)
				}
				newNeonTile(k, t, r, columns, of).write()
				if r > 1 {
					k.epilogue(k)
					k.mark(next)
				}
			}
		},
	}
}

// neonTileOf is the tile of a number of rows being written.
type neonTileOf struct {
	*kernel
	t             string // the arguments
	rows, columns int
	of            words

	a              []string // a pointer a row
	b, bStep       string
	next, widened  string
	steps, fetches string // left
	spare          string
}

func newNeonTile(k *kernel, t string, rows, columns int, of words) *neonTileOf {
	gprs := k.gprs
	n := &neonTileOf{
		kernel: k, t: t, rows: rows, columns: columns, of: of,
		b: k.gpr(), bStep: k.gpr(), next: k.gpr(), widened: k.gpr(), steps: k.gpr(), fetches: k.gpr(), spare: k.gpr(),
	}
	for range rows {
		n.a = append(n.a, k.gpr())
	}
	k.gprs = gprs
	return n
}

func (n *neonTileOf) sum(row, column, half int) int {
	return neonSums + (row*n.columns+column)*2 + half
}

// field loads a field of the arguments.
func (n *neonTileOf) field(r, name string) { n.emit("MOVD tile_%s(%s), %s", name, n.t, r) }

// integers reports whether the words are pairs of integers.
func (n *neonTileOf) integers() bool { return n.of == integerWords || n.of == rawIntegerWords }

func (n *neonTileOf) write() {
	n.start()
	prefix := fmt.Sprintf("r%d", n.rows)

	// The first blocks of four steps also fetch the next panel.
	n.field(n.steps, "steps")
	n.field(n.fetches, "nextGroups")
	n.field(n.spare, "blockGroups")
	n.emit("CMP %s, %s", n.spare, n.fetches)
	n.emit("CSEL LT, %s, %s, %s", n.fetches, n.spare, n.fetches)
	n.field(n.spare, "nextGroups")
	n.emit("SUB %s, %s", n.fetches, n.spare)
	n.emit("MOVD %s, tile_nextGroups(%s)", n.spare, n.t)
	n.emit("LSR $2, %s", n.steps)
	n.emit("SUB %s, %s", n.fetches, n.steps)
	n.emit("CBZ %s, %splain", n.fetches, prefix)
	n.mark(prefix + "fetch")
	n.block(n.fetch)
	n.emit("SUBS $1, %s", n.fetches)
	n.emit("BNE %sfetch", prefix)
	n.emit("MOVD %s, tile_next(%s)", n.next, n.t)
	n.mark(prefix + "plain")
	n.emit("CBZ %s, %srest", n.steps, prefix)
	n.emit("PCALIGN $32")
	n.mark(prefix + "block")
	n.block(func() {})
	n.emit("SUBS $1, %s", n.steps)
	n.emit("BNE %sblock", prefix)

	n.mark(prefix + "rest")
	n.field(n.steps, "steps")
	n.emit("ANDS $3, %s", n.steps)
	n.emit("BEQ %sdone", prefix)
	n.mark(prefix + "step")
	for r, a := range n.a {
		n.emit("FMOVS.P 4(%s), F%d", a, neonA+r)
	}
	n.step(0)
	n.emit("SUBS $1, %s", n.steps)
	n.emit("BNE %sstep", prefix)
	n.mark(prefix + "done")
	switch {
	case n.of == integerWords:
		n.toFloats()
	case n.of == floatWords && n.columns == 2:
		n.scaleRows()
	}
	n.finish()
	n.nextBlock(prefix + "last")
}

// nextBlock is that of x86.
func (n *neonTileOf) nextBlock(last string) {
	n.field(n.spare, "rows")
	n.emit("SUBS $%d, %s", n.rows, n.spare)
	n.emit("MOVD %s, tile_rows(%s)", n.spare, n.t)
	n.emit("BEQ %s", last)
	rows, stride := n.steps, n.fetches
	n.emit("MOVD $%d, %s", n.rows, rows)
	for _, f := range advancing(n.columns, n.of) {
		n.field(stride, f.stride)
		n.emit("MUL %s, %s", rows, stride)
		for _, name := range f.names {
			n.field(n.spare, name)
			n.emit("ADD %s, %s", stride, n.spare)
			n.emit("MOVD %s, tile_%s(%s)", n.spare, name, n.t)
		}
	}
	if n.of.scalesRows(n.columns) {
		n.field(n.spare, "aScale")
		n.emit("ADD $%d, %s", 4*n.rows, n.spare)
		n.emit("MOVD %s, tile_aScale(%s)", n.spare, n.t)
	}
	n.emit("B block")
	n.mark(last)
}

// start loads the pointers and sets the sums: a float's to the bias, or to what the result
// was.
func (n *neonTileOf) start() {
	start, startStep, lda := n.steps, n.bStep, n.fetches
	n.field(n.a[0], "a")
	n.field(lda, "lda")
	for r := 1; r < n.rows; r++ {
		n.emit("ADD %s, %s, %s", lda, n.a[r-1], n.a[r])
	}
	n.field(n.b, "b")
	n.field(n.next, "next")
	if n.of == halfWords {
		n.field(n.widened, "widened")
	}
	if !n.integers() {
		n.field(startStep, "startStep")
	}
	for c := range n.columns {
		if n.integers() {
			for r := range n.rows {
				n.zero(n.kernel, n.sum(r, c, 0))
				n.zero(n.kernel, n.sum(r, c, 1))
			}
			continue
		}
		n.field(start, fmt.Sprintf("start%d", c))
		for r := range n.rows {
			n.emit("FLDPQ (%s), (F%d, F%d)", start, n.sum(r, c, 0), n.sum(r, c, 1))
			if r < n.rows-1 {
				n.emit("ADD %s, %s", startStep, start)
			}
		}
	}
	n.field(n.bStep, "bStep")
}

// fetch asks for the lines of one step of the next panel, for the second cache: the first
// holds the present one.
func (n *neonTileOf) fetch() {
	for line := 0; line < 32*n.columns; line += 64 {
		n.emit("PRFM %d(%s), PLDL2KEEP", line, n.next)
	}
	n.emit("ADD $%d, %s", 32*n.columns, n.next)
}

// block is four steps, 16 bytes a row of A, each after what before writes.
func (n *neonTileOf) block(before func()) {
	for r, a := range n.a {
		n.emit("FMOVQ.P 16(%s), F%d", a, neonA+r)
	}
	for s := range 4 {
		before()
		n.step(s)
	}
}

// step multiplies word s of the rows by one step of the panel.
func (n *neonTileOf) step(s int) {
	for c := range n.columns {
		b := neonB + c%2*2
		if !n.integers() {
			if n.of == halfWords {
				n.emit("FMOVQ %d(%s), F%d", 16*c, n.b, b+1)
				n.word("fcvtl v%d.4s, v%d.4h", b, b+1)
				n.word("fcvtl2 v%d.4s, v%d.8h", b+1, b+1)
				n.emit("FSTPQ (F%d, F%d), %d(%s)", b, b+1, 32*c, n.widened)
			} else {
				n.emit("FLDPQ %d(%s), (F%d, F%d)", 32*c, n.b, b, b+1)
			}
			for r := range n.rows {
				for half := range 2 {
					n.word("fmla v%d.4s, v%d.4s, v%d.s[%d]", n.sum(r, c, half), b+half, neonA+r, s)
				}
			}
			continue
		}
		n.emit("VLD2.P 32(%s), [V%d.H8, V%d.H8]", n.b, b, b+1)
		for odd := range 2 {
			for r := range n.rows {
				n.word("smlal v%d.4s, v%d.4h, v%d.h[%d]", n.sum(r, c, 0), b+odd, neonA+r, 2*s+odd)
				n.word("smlal2 v%d.4s, v%d.8h, v%d.h[%d]", n.sum(r, c, 1), b+odd, neonA+r, 2*s+odd)
			}
		}
	}
	if !n.integers() {
		n.emit("ADD %s, %s", n.bStep, n.b)
	}
	if n.of == halfWords {
		n.emit("ADD $%d, %s", 32*n.columns, n.widened)
	}
}

// toFloats makes sum · scale of the column · scale of the row + start.
func (n *neonTileOf) toFloats() {
	const rowScales, scales, starts = neonA, neonB, neonB + 2 // two registers each but for the first
	start, startStep, bScale, aScale := n.b, n.steps, n.bStep, n.next
	n.field(startStep, "startStep")
	n.field(bScale, "bScale")
	n.field(aScale, "aScale")
	for r := range n.rows {
		n.emit("VLD1.P 4(%s), V%d.S[%d]", aScale, rowScales, r)
	}
	for c := range n.columns {
		n.emit("FLDPQ %d(%s), (F%d, F%d)", 32*c, bScale, scales, scales+1)
		n.field(start, fmt.Sprintf("start%d", c))
		for r := range n.rows {
			n.emit("FLDPQ (%s), (F%d, F%d)", start, starts, starts+1)
			if r < n.rows-1 {
				n.emit("ADD %s, %s", startStep, start)
			}
			for half := range 2 {
				sum := n.sum(r, c, half)
				n.word("scvtf v%d.4s, v%d.4s", sum, sum)
				n.word("fmul v%d.4s, v%d.4s, v%d.4s", sum, sum, scales+half)
				n.word("fmla v%d.4s, v%d.4s, v%d.s[%d]", starts+half, sum, rowScales, r)
				n.copyReg(n.kernel, sum, starts+half)
			}
		}
	}
}

// scaleRows multiplies each row by its scale.
func (n *neonTileOf) scaleRows() {
	const scales = neonA
	n.field(n.next, "aScale")
	for r := range n.rows {
		n.emit("VLD1.P 4(%s), V%d.S[%d]", n.next, scales, r)
	}
	for r := range n.rows {
		for c := range n.columns {
			for half := range 2 {
				sum := n.sum(r, c, half)
				n.word("fmul v%d.4s, v%d.4s, v%d.s[%d]", sum, sum, scales, r)
			}
		}
	}
}

// finish writes the sums.
func (n *neonTileOf) finish() {
	c, ldc := n.b, n.bStep
	n.field(ldc, "ldc")
	for column := range n.columns {
		n.field(c, fmt.Sprintf("c%d", column))
		for r := range n.rows {
			n.emit("FSTPQ (F%d, F%d), (%s)", n.sum(r, column, 0), n.sum(r, column, 1), c)
			if r < n.rows-1 {
				n.emit("ADD %s, %s", ldc, c)
			}
		}
	}
}
