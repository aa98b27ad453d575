package main

// The inner products of bytes with rows of 4-bit numbers from 0 to 15: of the bytes of a
// row the low halves belong to the first half of the query, the high halves to the
// second. Lengths are multiples of 128 (64 bytes of a row), so that there are no tails.

const params4 = "dst []int32, q []int8, rows []uint8, ids []uint32"

var dotsI4AtKernel = function{name: "dotsI4At", params: params4, vnni: true, body: x86EachFourI4}

var neonDotsI4At = function{name: "dotsI4At", params: params4, body: neonEachFourI4}

// x86EachFourI4 writes the products of q with all rows, four at a time and then one at a
// time. Products of 4 and 8 bits, four of them added, fit in 16 bits.
func x86EachFourI4(k *kernel) {
	m := k.machine.(x86)
	const low, high, first, second, halves, ones = 0, 1, 2, 3, 4, 5 // registers; the sums follow
	sum := func(i int) int { return 6 + i }
	q, half, dst, left := k.gpr(), k.gpr(), k.arg("dst_base"), k.arg("dst_len")
	ids, at := k.arg("ids_base"), k.gpr()
	k.loadArg(k, half, k.fn.offset("q_len"), "q_len")
	k.emit("SHRQ $1, %s", half) // bytes of a row
	k.constant(k, halves, "lowHalves")
	k.constant(k, ones, "ones16")
	free := k.gprs
	for _, count := range []int{4, 1} {
		k.gprs = free
		loop, chunk, done := k.label(), k.label(), k.label()
		k.mark(loop)
		k.branchLess(k, left, count, done)
		rows := make([]string, count)
		for i := range rows {
			rows[i] = k.gpr()
			k.loadUint32(k, rows[i], ids)
			k.addImm(k, ids, 4)
			k.mulInto(k, rows[i], half)
			k.emit("ADDQ rows_base+%d(FP), %s", k.fn.offset("rows_base"), rows[i])
			k.zero(k, sum(i))
		}
		k.loadArg(k, q, k.fn.offset("q_base"), "q_base")
		k.emit("XORL %s, %s", at, at)
		k.mark(chunk)
		k.emit("VMOVUPS (%s), %s", q, m.v(first))
		k.emit("VMOVUPS (%s)(%s*1), %s", q, half, m.v(second))
		for i, r := range rows {
			k.emit("VMOVUPS (%s)(%s*1), %s", r, at, m.v(high))
			k.emit("%s %s, %s, %s", m.and(), m.v(halves), m.v(high), m.v(low))
			k.emit("VPSRLW $4, %s, %s", m.v(high), m.v(high))
			k.emit("%s %s, %s, %s", m.and(), m.v(halves), m.v(high), m.v(high))
			if m.vnni {
				k.emit("VPDPBUSD %s, %s, %s", m.v(first), m.v(low), m.v(sum(i)))
				k.emit("VPDPBUSD %s, %s, %s", m.v(second), m.v(high), m.v(sum(i)))
				continue
			}
			k.emit("VPMADDUBSW %s, %s, %s", m.v(first), m.v(low), m.v(low))
			k.emit("VPMADDUBSW %s, %s, %s", m.v(second), m.v(high), m.v(high))
			k.emit("VPADDW %s, %s, %s", m.v(low), m.v(high), m.v(high))
			k.emit("VPMADDWD %s, %s, %s", m.v(ones), m.v(high), m.v(high))
			k.emit("VPADDD %s, %s, %s", m.v(high), m.v(sum(i)), m.v(sum(i)))
		}
		k.addImm(k, q, m.width())
		k.addImm(k, at, m.width())
		k.emit("CMPQ %s, %s", at, half)
		k.emit("JLT %s", chunk)
		if count == 4 {
			x86SumFour(k, m, sum(0), high)
			k.emit("VMOVDQU X%d, (%s)", sum(0), dst)
		} else {
			x86SumInt32(k, m, sum(0), high)
			k.emit("VMOVD X%d, (%s)", sum(0), dst)
		}
		k.addImm(k, dst, 4*count)
		k.addImm(k, left, -count)
		k.jump(k, loop)
		k.mark(done)
	}
}

// and is the instruction for it.
func (m x86) and() string {
	if m.wide {
		return "VPANDD"
	}
	return "VPAND"
}

// neonEachFourI4 writes the products of q with all rows, in the form that the processor
// takes: see neonEachFourI8.
func neonEachFourI4(k *kernel) {
	has := k.gpr()
	k.emit("MOVBU \u00b7hasSDOT(SB), %s", has)
	plain := k.label()
	k.emit("CBZ %s, %s", has, plain)
	gprs := k.gprs
	neonRowsI4(k, func(sum, q, row int) {
		k.word("sdot v%d.4s, v%d.16b, v%d.16b", sum, q, row)
	})
	k.epilogue(k)
	k.mark(plain)
	k.gprs = gprs
	neonRowsI4(k, func(sum, q, row int) {
		const low, high = 6, 7
		k.word("smull v%d.8h, v%d.8b, v%d.8b", low, q, row)
		k.word("smull2 v%d.8h, v%d.16b, v%d.16b", high, q, row)
		k.word("sadalp v%d.4s, v%d.8h", sum, low)
		k.word("sadalp v%d.4s, v%d.8h", sum, high)
	})
}

func neonRowsI4(k *kernel, product func(sum, q, row int)) {
	const first, second, row, low, high, halves = 0, 1, 2, 3, 4, 5
	sum := func(i int) int { return 16 + i }
	q, half, dst, left := k.gpr(), k.gpr(), k.arg("dst_base"), k.arg("dst_len")
	ids, base, n := k.arg("ids_base"), k.arg("rows_base"), k.gpr()
	k.loadArg(k, half, k.fn.offset("q_len"), "q_len")
	k.emit("LSR $1, %s", half)
	k.constant(k, halves, "lowHalves")
	free := k.gprs
	for _, count := range []int{4, 1} {
		k.gprs = free
		loop, chunk, done := k.label(), k.label(), k.label()
		k.mark(loop)
		k.branchLess(k, left, count, done)
		rows := make([]string, count)
		for i := range rows {
			rows[i] = k.gpr()
			k.emit("MOVWU.P 4(%s), %s", ids, rows[i])
			k.emit("MADD %s, %s, %s, %s", half, base, rows[i], rows[i])
			k.zero(k, sum(i))
		}
		k.loadArg(k, q, k.fn.offset("q_base"), "q_base")
		k.move(k, n, half)
		k.mark(chunk)
		k.move(k, neonAddr, q)
		k.add(k, neonAddr, half)
		k.emit("FMOVQ (%s), F%d", neonAddr, second)
		k.emit("FMOVQ.P 16(%s), F%d", q, first)
		for i, r := range rows {
			k.emit("FMOVQ.P 16(%s), F%d", r, row)
			k.word("and v%d.16b, v%d.16b, v%d.16b", low, row, halves)
			k.word("ushr v%d.16b, v%d.16b, #4", high, row)
			product(sum(i), first, low)
			product(sum(i), second, high)
		}
		k.addImm(k, n, -16)
		k.branchAtLeast(k, n, 1, chunk)
		neonSumRows(k, sum(0), count, dst)
		k.addImm(k, left, -count)
		k.jump(k, loop)
		k.mark(done)
	}
}
