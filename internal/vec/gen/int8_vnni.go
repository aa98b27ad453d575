package main

// vnniEachFourI8 is x86EachFourI8 for VPDPBUSD, which multiplies unsigned by signed
// bytes: a row is shifted by 128 (its sign bit flipped), and the sums start at -128 times
// the query's. One register counts through the query and four rows at once.
func vnniEachFourI8(k *kernel, ahead int, next func(r string)) {
	const query, row, flip, shift = 0, 1, 2, 3 // registers; the sums follow
	const chunk = 64
	sum := func(i int) int { return 4 + i }
	q, at, dst, left := k.gpr(), k.gpr(), k.arg("dst_base"), k.arg("dst_len")
	whole := k.gpr() // bytes of a row in whole chunks

	// chunks runs step at every chunk of a row, masked by K1 at the last part of one.
	chunks := func(step func()) {
		loop, rest, done := k.label(), k.label(), k.label()
		k.emit("XORL %s, %s", at, at)
		k.mark(loop)
		k.emit("CMPQ %s, %s", at, whole)
		k.emit("JGE %s", rest)
		step()
		k.addImm(k, at, chunk)
		k.jump(k, loop)
		k.mark(rest)
		k.emit("KTESTQ K1, K1")
		k.emit("JEQ %s", done)
		k.tail = true
		step()
		k.tail = false
		k.mark(done)
	}
	bytes := func(base string, v int) {
		if k.tail {
			k.emit("VMOVDQU8.Z (%s)(%s*1), K1, Z%d", base, at, v)
			return
		}
		k.emit("VMOVDQU8 (%s)(%s*1), Z%d", base, at, v)
	}

	k.loadArg(k, q, k.fn.offset("q_base"), "q_base")
	k.loadArg(k, at, k.fn.offset("q_len"), "q_len")
	k.emit("MOVQ $-1, %s", tailReg)
	k.move(k, whole, at)
	k.emit("ANDQ $%d, %s", -chunk, whole)
	k.emit("SUBQ %s, %s", whole, at)
	k.emit("BZHIQ %s, %s, %s", at, tailReg, tailReg)
	k.emit("KMOVQ %s, K1", tailReg)
	k.emit("VMOVDQU8 const_signBits<>(SB), Z%d", flip)
	k.emit("VPXOR X%d, X%d, X%d", shift, shift, shift)
	chunks(func() {
		bytes(q, query)
		k.emit("VPDPBUSD Z%d, Z%d, Z%d", query, flip, shift)
	})
	k.emit("VPXOR X%d, X%d, X%d", query, query, query)
	k.emit("VPSUBD Z%d, Z%d, Z%d", shift, query, shift)

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
			k.emit("VMOVAPS Z%d, Z%d", shift, sum(i))
		}
		chunks(func() {
			bytes(q, query)
			for i, r := range rows {
				k.askAhead("("+r+")("+at+"*1)", ahead)
				if k.tail {
					bytes(r, row)
					k.emit("VPXORD Z%d, Z%d, Z%d", flip, row, row)
				} else {
					k.emit("VPXORD (%s)(%s*1), Z%d, Z%d", r, at, flip, row)
				}
				k.emit("VPDPBUSD Z%d, Z%d, Z%d", query, row, sum(i))
			}
		})
		if count == 4 {
			x86SumFour(k, vnni, sum(0), row)
			k.emit("VMOVDQU X%d, (%s)", sum(0), dst)
		} else {
			x86SumInt32(k, vnni, sum(0), row)
			k.emit("VMOVD X%d, (%s)", sum(0), dst)
		}
		k.addImm(k, dst, 4*count)
		k.addImm(k, left, -count)
		k.jump(k, loop)
		k.mark(done)
	}
}

// x86SumFour adds the lanes of each of four registers from v on, and leaves the four
// sums in the lanes of v.
func x86SumFour(k *kernel, m x86, v, t int) {
	if m.wide {
		for i := range 4 {
			k.emit("VEXTRACTI64X4 $1, Z%d, Y%d", v+i, t)
			k.emit("VPADDD Y%d, Y%d, Y%d", t, v+i, v+i)
		}
	}
	k.emit("VPHADDD Y%d, Y%d, Y%d", v+1, v, v)
	k.emit("VPHADDD Y%d, Y%d, Y%d", v+3, v+2, v+2)
	k.emit("VPHADDD Y%d, Y%d, Y%d", v+2, v, v)
	k.emit("VEXTRACTI128 $1, Y%d, X%d", v, t)
	k.emit("VPADDD X%d, X%d, X%d", t, v, v)
}
