package main

import "fmt"

// The 8-bit inner products. Without VNNI the bytes are widened to 16 bits: exact for every
// value, which VPMADDUBSW is not. With VNNI see vnniEachFourI8.

var dotsI8Kernel = function{
	name: "dotsI8", params: "dst []int32, q, rows []int8", vnni: true,
	body: func(k *kernel) {
		row, stride := k.arg("rows_base"), k.arg("q_len")
		x86EachFourI8(k, scanAhead, func(r string) {
			k.move(k, r, row)
			k.add(k, row, stride)
		})
	},
}

var dotsI8AtKernel = function{
	name: "dotsI8At", params: "dst []int32, q, rows []int8, ids []uint32", vnni: true,
	body: func(k *kernel) {
		ids := k.arg("ids_base")
		x86EachFourI8(k, 0, func(r string) {
			k.loadUint32(k, r, ids)
			k.addImm(k, ids, 4)
			k.emit("IMULQ q_len+%d(FP), %s", k.fn.offset("q_len"), r)
			k.emit("ADDQ rows_base+%d(FP), %s", k.fn.offset("rows_base"), r)
		})
	},
}

// x86EachFourI8 writes the products of q with all rows, four at a time and then one at a
// time; next puts the address of the next row into a register. A query has at least 16
// bytes. With VNNI lines are asked for ahead bytes before they are read, where that is not 0.
func x86EachFourI8(k *kernel, ahead int, next func(r string)) {
	m := k.machine.(x86)
	if m.vnni {
		vnniEachFourI8(k, ahead, next)
		return
	}
	chunk := 16 // bytes of a row at a time
	if m.wide {
		chunk = 32
	}
	const query, row, shift = 0, 1, 3 // registers; the sums follow
	sum := func(i int) int { return 4 + i }
	q, n, dst, left := k.gpr(), k.gpr(), k.arg("dst_base"), k.arg("dst_len")

	// bytes loads a chunk, in a tail what is left of it.
	bytes := func(base string, v int) {
		switch {
		case m.wide && k.tail:
			k.emit("VMOVDQU8.Z (%s), K1, Y%d", base, v)
			k.emit("VPMOVSXBW Y%d, %s", v, m.v(v))
		case k.tail:
			// The last 16 bytes, without those that were counted before.
			k.emit("VMOVDQU -16(%s)(%s*1), X%d", base, n, v)
			k.emit("VPAND (%s), X%d, X%d", tailReg, v, v)
			k.emit("VPMOVSXBW X%d, %s", v, m.v(v))
		default:
			k.emit("VPMOVSXBW (%s), %s", base, m.v(v))
		}
	}
	step := func(rows []string) {
		bytes(q, query)
		for i, r := range rows {
			bytes(r, row)
			k.emit("VPMADDWD %s, %s, %s", m.v(query), m.v(row), m.v(row))
			k.emit("VPADDD %s, %s, %s", m.v(row), m.v(sum(i)), m.v(sum(i)))
		}
	}
	// chunks runs step over the whole query.
	chunks := func(rows []string) {
		loop, rest, done := k.label(), k.label(), k.label()
		k.loadArg(k, q, k.fn.offset("q_base"), "q_base")
		k.loadArg(k, n, k.fn.offset("q_len"), "q_len")
		k.mark(loop)
		k.branchLess(k, n, chunk, rest)
		step(rows)
		for _, r := range append([]string{q}, rows...) {
			k.addImm(k, r, chunk)
		}
		k.addImm(k, n, -chunk)
		k.jump(k, loop)
		k.mark(rest)
		k.branchLess(k, n, 1, done)
		if m.wide {
			k.emit("MOVQ $-1, %s", tailReg)
			k.emit("BZHIQ %s, %s, %s", n, tailReg, tailReg)
			k.emit("KMOVQ %s, K1", tailReg)
		} else {
			k.emit("LEAQ byteMask<>(SB), %s", tailReg)
			k.emit("ADDQ %s, %s", n, tailReg)
		}
		k.tail = true
		step(rows)
		k.tail = false
		k.mark(done)
	}

	k.emit("VPXOR X%d, X%d, X%d", shift, shift, shift)
	free := k.gprs
	for _, count := range []int{4, 1} {
		k.gprs = free
		loop, done := k.label(), k.label()
		k.mark(loop)
		k.branchLess(k, left, count, done)
		rows := make([]string, count)
		for i := range rows {
			rows[i] = k.gpr()
			next(rows[i])
			k.emit("VMOVAPS %s, %s", m.v(shift), m.v(sum(i)))
		}
		chunks(rows)
		for i := range rows {
			x86SumInt32(k, m, sum(i), row)
			k.emit("VMOVD X%d, %d(%s)", sum(i), 4*i, dst)
		}
		k.addImm(k, dst, 4*count)
		k.addImm(k, left, -count)
		k.jump(k, loop)
		k.mark(done)
	}
}

// x86SumInt32 adds the 32-bit lanes of register v into its lane 0.
func x86SumInt32(k *kernel, m x86, v, t int) {
	fold := func(extract string) {
		k.emit("%s", extract)
		k.emit("VPADDD X%d, X%d, X%d", t, v, v)
	}
	if m.wide {
		k.emit("VEXTRACTI64X4 $1, Z%d, Y%d", v, t)
		k.emit("VPADDD Y%d, Y%d, Y%d", t, v, v)
	}
	fold(fmt.Sprintf("VEXTRACTI128 $1, Y%d, X%d", v, t))
	fold(fmt.Sprintf("VPSHUFD $14, X%d, X%d", v, t))
	fold(fmt.Sprintf("VPSHUFD $1, X%d, X%d", v, t))
}
