package main

import "fmt"

// The tile of the matrix product: a few rows of A times one panel of B. The sums of the
// whole tile stay in registers; each step loads one word a row of A to all lanes, and one
// word a column of B. A word is a float, or two 16-bit integers that are multiplied with
// two others and added.
//
// AVX-512 takes 8 rows and 48 columns: 24 sums, 3 registers of B, one of A. AVX2 takes 4
// and 24: 12 sums, 3 of B, one of A, all of its 16.

//
// The words of B may also be 16-bit floats, which the tile widens and leaves widened for
// the other tiles of the panel: a pass of its own took a fourth of the time of 16 rows.

// words is what a panel of B holds.
type words int

const (
	floatWords words = iota
	halfWords
	integerWords
	rawIntegerWords // of which the sums are left as they are
)

// scalesRows reports whether a tile multiplies rows by scales: V in floats is the only matrix
// of floats with panels of two registers.
func (w words) scalesRows(columns int) bool {
	return w == integerWords || w == floatWords && columns == 2
}

// tileKernel returns the tile with columns registers wide.
func tileKernel(name string, columns int, of words) function {
	return function{
		name: name, params: "t *tile", driven: true, vnni: of == integerWords || of == rawIntegerWords,
		body: func(k *kernel) {
			m := k.machine.(x86)
			t := "R13"
			k.loadArg(k, t, k.fn.offset("t"), "t")
			rows, most := "R8", "R9"
			k.mark("block")
			k.emit("MOVQ tile_rows(%s), %s", t, rows)
			k.emit("MOVQ tile_most(%s), %s", t, most)
			k.emit("CMPQ %s, %s", rows, most)
			k.emit("CMOVQGT %s, %s", most, rows)
			for r := m.tileRows(); r > 0; r-- {
				next := fmt.Sprintf("rows%d", r-1)
				if r > 1 {
					k.emit("CMPQ %s, $%d", rows, r)
					k.emit("JLT %s", next)
				}
				x86Tile(k, m, t, r, columns, of)
				nextBlock(k, t, r, columns, of)
				if r > 1 {
					k.epilogue(k)
					k.mark(next)
				}
			}
		},
	}
}

// fields are pointers of a tile that are as far apart from row to row.
type fields struct {
	stride string
	names  []string
}

// advancing lists what moves on from block to block, but for the scales of the rows.
func advancing(columns int, of words) []fields {
	results, starts := fields{stride: "ldc"}, fields{stride: "startStep"}
	for c := range columns {
		results.names = append(results.names, fmt.Sprintf("c%d", c))
		starts.names = append(starts.names, fmt.Sprintf("start%d", c))
	}
	all := []fields{{"lda", []string{"a"}}, results}
	if of != rawIntegerWords {
		all = append(all, starts)
	}
	return all
}

// nextBlock lets t begin at the rows after the present ones, and starts again, if there are
// any: with a call a block 64 to 256 tokens took 2 % longer with VNNI. No pointer is moved
// beyond the last row.
func nextBlock(k *kernel, t string, rows, columns int, of words) {
	done := fmt.Sprintf("r%ddone", rows)
	k.emit("SUBQ $%d, tile_rows(%s)", rows, t)
	k.emit("JE %s", done)
	for _, f := range advancing(columns, of) {
		k.emit("IMUL3Q $%d, tile_%s(%s), AX", rows, f.stride, t)
		for _, name := range f.names {
			k.emit("ADDQ AX, tile_%s(%s)", name, t)
		}
	}
	if of.scalesRows(columns) {
		k.emit("ADDQ $%d, tile_aScale(%s)", 4*rows, t)
	}
	k.emit("JMP block")
	k.mark(done)
}

func (m x86) tileRows() int {
	if m.wide {
		return 8
	}
	return 4
}

func x86Tile(k *kernel, m x86, t string, rows, columns int, of words) {
	int16s := of == integerWords || of == rawIntegerWords
	const (
		a, a4, lda, lda3 = "BX", "CX", "DX", "SI"
		b, bStep, steps  = "DI", "R8", "R9"
		next, nextGroups = "R10", "R11"
		bStep3           = "R12"
		widened          = "R14"
	)
	sum := func(r, c int) string { return m.v(r*columns + c) }
	bReg := func(c int) string { return m.v(rows*columns + c) }
	aReg := m.v(rows*columns + columns)
	product := m.v(rows*columns + columns + 1) // of int16s without VNNI

	if columns == 3 && m.wide {
		m.claimResult(k, t, rows)
	}
	k.emit("MOVQ tile_a(%s), %s", t, a)
	k.emit("MOVQ tile_lda(%s), %s", t, lda)
	k.emit("LEAQ (%s)(%s*2), %s", lda, lda, lda3)
	k.emit("LEAQ (%s)(%s*4), %s", a, lda, a4)
	k.emit("MOVQ tile_b(%s), %s", t, b)
	k.emit("MOVQ tile_steps(%s), %s", t, steps)
	k.emit("MOVQ tile_next(%s), %s", t, next)
	if of == halfWords {
		k.emit("MOVQ tile_widened(%s), %s", t, widened)
	}

	// A float's sum starts at the bias, or at what the result was.
	if !int16s {
		k.emit("MOVQ tile_startStep(%s), R12", t)
	}
	for c := range columns {
		if int16s {
			k.emit("VPXOR X%d, X%d, X%d", c, c, c)
			for r := 1; r < rows; r++ {
				k.emit("VMOVAPS %s, %s", sum(0, c), sum(r, c))
			}
			continue
		}
		k.emit("MOVQ tile_start%d(%s), R11", c, t)
		for r := range rows {
			k.emit("VMOVUPS (R11), %s", sum(r, c))
			if r < rows-1 {
				k.emit("ADDQ R12, R11")
			}
		}
	}

	// indexed is base + i·stride, for i below 4.
	indexed := func(offset int, base, stride, stride3 string, i int) string {
		index := []string{"", "(" + stride + "*1)", "(" + stride + "*2)", "(" + stride3 + "*1)"}[i]
		return fmt.Sprintf("%d(%s)%s", offset, base, index)
	}
	line := columns * m.width() // bytes of a step of words
	inMemory := line            // of a step of B
	if of == halfWords {
		inMemory /= 2
	}
	// Only V in floats has steps that are further apart: it is not packed. An index costs:
	// AVX2's multiplication splits into two operations with one.
	strided := of == floatWords && columns == 2
	step := func(s int) {
		bAt := func(c int) string {
			if strided {
				return indexed(c*m.width(), b, bStep, bStep3, s)
			}
			return fmt.Sprintf("%d(%s)", s*inMemory+c*inMemory/columns, b)
		}
		narrow := int16s && !m.wide && columns == 3 // no register is left for a product: B stays in memory
		for c := range columns {
			switch {
			case of == halfWords:
				k.emit("VCVTPH2PS %s, %s", bAt(c), bReg(c))
				k.emit("VMOVUPS %s, %d(%s)", bReg(c), s*line+c*m.width(), widened)
			case !narrow:
				k.emit("VMOVUPS %s, %s", bAt(c), bReg(c))
			}
		}
		for r := range rows {
			base := a
			if r >= 4 {
				base = a4
			}
			k.emit("VBROADCASTSS %s, %s", indexed(4*s, base, lda, lda3, r%4), aReg)
			for c := range columns {
				switch {
				case !int16s:
					k.emit("VFMADD231PS %s, %s, %s", bReg(c), aReg, sum(r, c))
				case m.vnni:
					k.emit("VPDPWSSD %s, %s, %s", bReg(c), aReg, sum(r, c))
				case !narrow:
					k.emit("VPMADDWD %s, %s, %s", bReg(c), aReg, product)
					k.emit("VPADDD %s, %s, %s", product, sum(r, c), sum(r, c))
				default:
					k.emit("VPMADDWD %s, %s, %s", bAt(c), aReg, bReg(c))
					k.emit("VPADDD %s, %s, %s", bReg(c), sum(r, c), sum(r, c))
				}
			}
		}
	}
	// loop takes count steps at a time.
	loop := func(name, counter string, count, fetch int) {
		label := fmt.Sprintf("r%d%s", rows, name)
		k.emit("TESTQ %s, %s", counter, counter)
		k.emit("JE %send", label)
		k.emit("PCALIGN $32")
		k.mark(label)
		for s := range count {
			for at := 0; s < fetch && at < line; at += 64 {
				k.emit("PREFETCHT1 %d(%s)", s*line+at, next)
			}
			step(s)
		}
		k.emit("ADDQ $%d, %s", 4*count, a)
		if rows > 4 {
			k.emit("ADDQ $%d, %s", 4*count, a4)
		}
		if strided {
			k.emit("LEAQ (%s)(%s*%d), %s", b, bStep, count, b)
		} else {
			k.emit("ADDQ $%d, %s", count*inMemory, b)
		}
		if fetch > 0 {
			k.emit("ADDQ $%d, %s", fetch*line, next)
		}
		if of == halfWords {
			k.emit("ADDQ $%d, %s", count*line, widened)
		}
		k.emit("DECQ %s", counter)
		k.emit("JNE %s", label)
		k.mark(label + "end")
	}
	// Four steps at a time, the first of them with a share of the next panel; then one.
	if strided {
		k.emit("MOVQ tile_bStep(%s), %s", t, bStep)
		k.emit("LEAQ (%s)(%s*2), %s", bStep, bStep, bStep3)
	}
	groups, share := "AX", "R15"
	k.emit("MOVQ %s, %s", steps, groups)
	k.emit("SHRQ $2, %s", groups)
	if columns == 3 {
		k.emit("MOVQ tile_nextGroups(%s), %s", t, nextGroups)
		k.emit("MOVQ tile_blockGroups(%s), %s", t, share)
		k.emit("CMPQ %s, %s", nextGroups, share)
		k.emit("CMOVQGT %s, %s", share, nextGroups)
		k.emit("SUBQ %s, tile_nextGroups(%s)", nextGroups, t)
		k.emit("SUBQ %s, %s", nextGroups, groups)
		k.emit("MOVQ tile_nextShare(%s), %s", t, share)
		for _, n := range []int{4, 2} {
			other := fmt.Sprintf("r%dnot%d", rows, n)
			k.emit("CMPQ %s, $%d", share, n)
			k.emit("JNE %s", other)
			loop(fmt.Sprintf("fetch%d", n), nextGroups, 4, n)
			k.mark(other)
		}
		loop("fetch1", nextGroups, 4, 1)
		k.emit("MOVQ %s, tile_next(%s)", next, t)
	}
	loop("plain", groups, 4, 0)
	k.emit("ANDQ $3, %s", steps)
	loop("rest", steps, 1, 0)

	// Integers become floats: sum · scale of the column · scale of the row + start.
	if of == integerWords {
		starts := []string{"R10", "R11", "R12"}[:columns]
		for c, start := range starts {
			k.emit("MOVQ tile_start%d(%s), %s", c, t, start)
		}
		k.emit("MOVQ tile_startStep(%s), R8", t)
		k.emit("MOVQ tile_bScale(%s), BX", t)
		k.emit("MOVQ tile_aScale(%s), CX", t)
		for r := range rows {
			k.emit("VBROADCASTSS %d(CX), %s", 4*r, aReg)
			for c, start := range starts {
				k.emit("VCVTDQ2PS %s, %s", sum(r, c), sum(r, c))
				k.emit("VMULPS %d(BX), %s, %s", c*m.width(), sum(r, c), sum(r, c))
				k.emit("VFMADD213PS (%s), %s, %s", start, aReg, sum(r, c))
				if r < rows-1 {
					k.emit("ADDQ R8, %s", start)
				}
			}
		}
	}
	if of == floatWords && columns == 2 {
		k.emit("MOVQ tile_aScale(%s), CX", t)
		for r := range rows {
			k.emit("VBROADCASTSS %d(CX), %s", 4*r, aReg)
			for c := range columns {
				k.emit("VMULPS %s, %s, %s", aReg, sum(r, c), sum(r, c))
			}
		}
	}
	k.emit("MOVQ tile_ldc(%s), R9", t)
	for c := range columns {
		k.emit("MOVQ tile_c%d(%s), R8", c, t)
		for r := range rows {
			k.emit("VMOVUPS %s, (R8)", sum(r, c))
			if r < rows-1 {
				k.emit("ADDQ R9, R8")
			}
		}
	}
}

// claimResult asks for the lines of the result while the sums are made: with many rows
// they are no longer in the second cache, and the stores at the end would wait for them.
// The scores of attention, which fetch no next panel, are in the nearest one. AVX2 gains
// nothing: it computes for longer.
func (m x86) claimResult(k *kernel, t string, rows int) {
	claimed := fmt.Sprintf("r%dclaimed", rows)
	k.emit("CMPQ tile_nextGroups(%s), $0", t)
	k.emit("JE %s", claimed)
	k.emit("MOVQ tile_ldc(%s), R9", t)
	for c := range 3 {
		k.emit("MOVQ tile_c%d(%s), R8", c, t)
		for r := range rows {
			// Go's assembler lacks it; processors without it take it for a NOP.
			k.emit("BYTE $0x41; BYTE $0x0f; BYTE $0x0d; BYTE $0x08 // PREFETCHW (R8)")
			if r < rows-1 {
				k.emit("ADDQ R9, R8")
			}
		}
	}
	k.mark(claimed)
}
