package main

// packWords transposes as many rows of words as a register has lanes: dst[s·width + r]
// becomes word s of row r. It works on squares in registers; what is left of the steps is
// moved word by word.
var x86PackWords = function{
	name: "packWords", params: "dst, rows []float32, steps, width int",
	body: func(k *kernel) {
		m := k.machine.(x86)
		n := m.width() / 4
		dst, src, steps, width := k.arg("dst_base"), k.arg("rows_base"), k.arg("steps"), k.arg("width")
		row := k.gpr() // bytes from row to row
		k.move(k, row, steps)
		k.shiftLeft(k, row, 2)
		k.shiftLeft(k, width, 2)
		loop, rest, word, done := k.label(), k.label(), k.label(), k.label()
		from, to := k.gpr(), k.gpr()
		k.mark(loop)
		k.branchLess(k, steps, n, rest)
		k.move(k, from, src)
		for r := range n {
			k.emit("VMOVUPS (%s), %s", from, m.v(r))
			if r < n-1 {
				k.add(k, from, row)
			}
		}
		order := m.transpose(k)
		k.move(k, to, dst)
		for s := range n {
			k.emit("VMOVUPS %s, (%s)", m.v(order[s]), to)
			k.add(k, to, width)
		}
		k.move(k, dst, to)
		k.addImm(k, src, 4*n)
		k.addImm(k, steps, -n)
		k.jump(k, loop)

		k.mark(rest)
		k.mark(word)
		k.branchLess(k, steps, 1, done)
		k.move(k, from, src)
		t := k.gpr()
		for r := range n {
			k.emit("MOVL (%s), %s", from, t)
			k.emit("MOVL %s, %d(%s)", t, 4*r, dst)
			if r < n-1 {
				k.add(k, from, row)
			}
		}
		k.add(k, dst, width)
		k.addImm(k, src, 4)
		k.addImm(k, steps, -1)
		k.jump(k, word)
		k.mark(done)
	},
}

// transpose turns the rows of a square of words, in the first registers, into columns,
// and returns which register holds each. The first two rounds pair words and then double
// words within blocks of 16 bytes; the others move the blocks.
func (m x86) transpose(k *kernel) []int {
	n := m.width() / 4
	in := make([]int, n)
	for i := range in {
		in[i] = i
	}
	// Each round reads two registers and writes two: one round's results go to the
	// registers that its pair came from, by way of a spare one.
	spare := n
	pair := func(a, b int, low, high string) (int, int) {
		t := spare
		k.emit("%s %s, %s, %s", low, m.v(b), m.v(a), m.v(t))
		k.emit("%s %s, %s, %s", high, m.v(b), m.v(a), m.v(b))
		spare = a
		return t, b
	}
	unpack := func(r []int) []int {
		out := make([]int, n)
		copy(out, r)
		for i := 0; i < n; i += 2 {
			out[i], out[i+1] = pair(r[i], r[i+1], "VUNPCKLPS", "VUNPCKHPS")
		}
		next := make([]int, n)
		copy(next, out)
		for i := 0; i < n; i += 4 {
			next[i], next[i+1] = pair(out[i], out[i+2], "VUNPCKLPD", "VUNPCKHPD")
			next[i+2], next[i+3] = pair(out[i+1], out[i+3], "VUNPCKLPD", "VUNPCKHPD")
		}
		return next // next[4g+c]: in each block b, column 4b+c of rows 4g to 4g+3
	}
	r := unpack(in)
	order := make([]int, n)
	if !m.wide {
		for c := range 4 {
			order[c], order[4+c] = pair(r[c], r[4+c], "VPERM2F128 $0x20,", "VPERM2F128 $0x31,")
		}
		return order
	}
	for c := range 4 {
		// Blocks 0 and 2, and 1 and 3, of two groups of rows; then again of the halves.
		a, b := pair(r[c], r[4+c], "VSHUFF32X4 $0x88,", "VSHUFF32X4 $0xdd,")
		d, e := pair(r[8+c], r[12+c], "VSHUFF32X4 $0x88,", "VSHUFF32X4 $0xdd,")
		order[c], order[8+c] = pair(a, d, "VSHUFF32X4 $0x88,", "VSHUFF32X4 $0xdd,")
		order[4+c], order[12+c] = pair(b, e, "VSHUFF32X4 $0x88,", "VSHUFF32X4 $0xdd,")
	}
	return order
}
