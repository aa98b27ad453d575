package main

// neonPackWords is packWords for the 8 rows of a pair of registers: squares of 4 by 4 are
// transposed in registers, and what is left of the steps is moved word by word.
var neonPackWords = function{
	name: "packWords", params: "dst, rows []float32, steps, width int",
	body: func(k *kernel) {
		const group = 8
		dst, steps, width := k.arg("dst_base"), k.arg("steps"), k.arg("width")
		rows := []string{k.arg("rows_base")}
		k.shiftLeft(k, width, 2)
		for r := 1; r < group; r++ {
			rows = append(rows, k.gpr())
			k.emit("ADD %s<<2, %s, %s", steps, rows[r-1], rows[r])
		}
		loop, rest, done := k.label(), k.label(), k.label()
		k.mark(loop)
		k.branchLess(k, steps, 4, rest)
		for r, base := range rows {
			k.emit("FMOVQ.P 16(%s), F%d", base, r)
		}
		// Register 16 + 4·half + s holds step s of four rows.
		for half := range 2 {
			r, t, out := 4*half, 8+4*half, 16+4*half
			for pair := range 2 {
				k.word("trn1 v%d.4s, v%d.4s, v%d.4s", t+2*pair, r+2*pair, r+2*pair+1)
				k.word("trn2 v%d.4s, v%d.4s, v%d.4s", t+2*pair+1, r+2*pair, r+2*pair+1)
			}
			for odd := range 2 {
				k.word("zip1 v%d.2d, v%d.2d, v%d.2d", out+odd, t+odd, t+2+odd)
				k.word("zip2 v%d.2d, v%d.2d, v%d.2d", out+2+odd, t+odd, t+2+odd)
			}
		}
		for s := range 4 {
			k.emit("FSTPQ (F%d, F%d), (%s)", 16+s, 20+s, dst)
			k.add(k, dst, width)
		}
		k.addImm(k, steps, -4)
		k.jump(k, loop)

		k.mark(rest)
		k.branchLess(k, steps, 1, done)
		for r, base := range rows {
			k.emit("VLD1.P 4(%s), V%d.S[%d]", base, r/4, r%4)
		}
		k.emit("FSTPQ (F0, F1), (%s)", dst)
		k.add(k, dst, width)
		k.addImm(k, steps, -1)
		k.jump(k, rest)
		k.mark(done)
	},
}
