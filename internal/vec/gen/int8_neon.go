package main

// The 8-bit inner products of arm64. Where the processor has SDOT it multiplies and adds
// 16 bytes an instruction; elsewhere SMULL makes 16-bit products, which hold even the
// product of -128 with itself, and SADALP adds neighbours of them to the 32-bit sums.

var neonDotsI8 = function{
	name: "dotsI8", params: "dst []int32, q, rows []int8",
	body: func(k *kernel) {
		row, stride := k.arg("rows_base"), k.arg("q_len")
		neonEachFourI8(k, func(r string) {
			k.move(k, r, row)
			k.add(k, row, stride)
		})
	},
}

var neonDotsI8At = function{
	name: "dotsI8At", params: "dst []int32, q, rows []int8, ids []uint32",
	body: func(k *kernel) {
		ids, base, stride := k.arg("ids_base"), k.arg("rows_base"), k.arg("q_len")
		neonEachFourI8(k, func(r string) {
			k.emit("MOVWU.P 4(%s), %s", ids, r)
			k.emit("MADD %s, %s, %s, %s", stride, base, r, r)
		})
	},
}

// neonEachFourI8 writes the products of q with all rows, in the form that the processor
// takes.
func neonEachFourI8(k *kernel, next func(r string)) {
	has := k.gpr()
	k.emit("MOVBU \u00b7hasSDOT(SB), %s", has)
	plain := k.label()
	k.emit("CBZ %s, %s", has, plain)
	gprs := k.gprs
	neonEachFourRows(k, next, func(sum, q, row int) {
		k.word("sdot v%d.4s, v%d.16b, v%d.16b", sum, q, row)
	})
	k.epilogue(k)
	k.mark(plain)
	k.gprs = gprs
	neonEachFourRows(k, next, func(sum, q, row int) {
		const low, high = 4, 5
		k.word("smull v%d.8h, v%d.8b, v%d.8b", low, q, row)
		k.word("smull2 v%d.8h, v%d.16b, v%d.16b", high, q, row)
		k.word("sadalp v%d.4s, v%d.8h", sum, low)
		k.word("sadalp v%d.4s, v%d.8h", sum, high)
	})
}

// neonEachFourRows goes over the rows four at a time and then one at a time, and over a
// row 32 bytes at a time into two sums a row: with SDOT, eight chains hide its latency.
// next puts the address of the next row into a register; product adds to a sum the
// product of 16 bytes. A query has at least 16 bytes.
func neonEachFourRows(k *kernel, next func(r string), product func(sum, q, row int)) {
	const query, row = 0, 2 // two registers each; those of a product follow
	sum := func(i, half int) int { return 16 + 2*i + half }
	q, n, dst, left := k.gpr(), k.gpr(), k.arg("dst_base"), k.arg("dst_len")
	free := k.gprs
	for _, count := range []int{4, 1} {
		k.gprs = free
		loop, chunk, half, tail, end, done := k.label(), k.label(), k.label(), k.label(), k.label(), k.label()
		k.mark(loop)
		k.branchLess(k, left, count, done)
		rows := make([]string, count)
		for i := range rows {
			rows[i] = k.gpr()
			next(rows[i])
			k.zero(k, sum(i, 0))
			k.zero(k, sum(i, 1))
		}
		k.loadArg(k, q, k.fn.offset("q_base"), "q_base")
		k.loadArg(k, n, k.fn.offset("q_len"), "q_len")

		k.branchLess(k, n, 32, half)
		k.mark(chunk)
		k.emit("FLDPQ.P 32(%s), (F%d, F%d)", q, query, query+1)
		for i, r := range rows {
			k.emit("FLDPQ.P 32(%s), (F%d, F%d)", r, row, row+1)
			product(sum(i, 0), query, row)
			product(sum(i, 1), query+1, row+1)
		}
		k.addImm(k, n, -32)
		k.emit("CMP $32, %s", n)
		k.emit("BGE %s", chunk)

		k.mark(half)
		k.branchLess(k, n, 16, tail)
		k.emit("FMOVQ.P 16(%s), F%d", q, query)
		for i, r := range rows {
			k.emit("FMOVQ.P 16(%s), F%d", r, row)
			product(sum(i, 0), query, row)
		}
		k.addImm(k, n, -16)

		// The last 16 bytes of each row; the query's are cleared where they were counted
		// before.
		k.mark(tail)
		k.branchLess(k, n, 1, end)
		k.emit("MOVD $byteMask<>(SB), %s", neonAddr)
		k.add(k, neonAddr, n)
		k.emit("FMOVQ (%s), F%d", neonAddr, query+1)
		k.addImm(k, n, -16)
		for _, r := range append([]string{q}, rows...) {
			k.add(k, r, n)
		}
		k.emit("FMOVQ (%s), F%d", q, query)
		k.word("and v%d.16b, v%d.16b, v%d.16b", query, query, query+1)
		for i, r := range rows {
			k.emit("FMOVQ (%s), F%d", r, row)
			product(sum(i, 0), query, row)
		}

		k.mark(end)
		for i := range rows {
			k.word("add v%d.4s, v%d.4s, v%d.4s", sum(0, 0)+i, sum(i, 0), sum(i, 1))
		}
		neonSumRows(k, sum(0, 0), count, dst)
		k.addImm(k, left, -count)
		k.jump(k, loop)
		k.mark(done)
	}
}

// neonSumRows stores the sums of the lanes of the registers from v on, of one row or of
// four, and advances dst.
func neonSumRows(k *kernel, v, count int, dst string) {
	if count == 1 {
		k.word("addv s%d, v%d.4s", v, v)
		k.emit("FMOVS.P F%d, 4(%s)", v, dst)
		return
	}
	// Neighbours are added until a lane is a row.
	for _, i := range []int{0, 2} {
		k.word("addp v%d.4s, v%d.4s, v%d.4s", v+i, v+i, v+i+1)
	}
	k.word("addp v%d.4s, v%d.4s, v%d.4s", v, v, v+2)
	k.emit("FMOVQ.P F%d, 16(%s)", v, dst)
}
