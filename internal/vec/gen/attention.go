package main

// The kernels of attention in integers, beside the tiles. Rows are of a multiple of 16
// elements, so that only the scores, as many as a text has tokens, have tails.

// longestRow returns the largest sum of squares of a row of n elements.
var longestRowKernel = function{
	name: "longestRow", params: "x []float32, n int", results: "squares float32",
	body: func(k *kernel) {
		x, left, n := k.arg("x_base"), k.arg("x_len"), k.gpr()
		longest := k.zeros()
		loop, done := k.label(), k.label()
		k.mark(loop)
		k.branchLess(k, left, 1, done)
		k.reload(n, "n")
		sum := k.zeros()
		k.eachWhole(n, floats(x), func() {
			v := k.get(x)
			k.mulAdd(sum, v, v)
			k.free(v)
		})
		k.reduce(k, "add", sum)
		k.op("max", longest, sum, longest)
		k.free(sum)
		k.reload(n, "n")
		k.subtract(k, left, n)
		k.jump(k, loop)
		k.mark(done)
		k.result(longest, "squares")
	},
}

// columnSquares sets dst to the sums of squares of 16 columns of rows that are stride apart.
var columnSquaresKernel = function{
	name: "columnSquares", params: "dst, x []float32, rows, stride int",
	body: func(k *kernel) {
		dst, x, rows, stride := k.arg("dst_base"), k.arg("x_base"), k.arg("rows"), k.arg("stride")
		k.shiftLeft(k, stride, 2)
		sum := k.zeros()
		loop, done := k.label(), k.label()
		k.mark(loop)
		k.branchLess(k, rows, 1, done)
		v := k.get(x)
		k.mulAdd(sum, v, v)
		k.free(v)
		k.add(k, x, stride)
		k.addImm(k, rows, -1)
		k.jump(k, loop)
		k.mark(done)
		k.put(sum, dst)
	},
}

// packPairs rounds 16 columns times inverse to 16-bit integers, and writes two rows side by
// side: a step of the products of P and V. The last row of an odd number is paired with
// zeros. Rows of x are stride apart, those of dst, in words, step.
var packPairsKernel = function{
	name: "packPairs", params: "dst []int16, x, inverse []float32, rows, stride, step int",
	body: func(k *kernel) {
		dst, x, scales, rows := k.arg("dst_base"), k.arg("x_base"), k.arg("inverse_base"), k.arg("rows")
		stride, step := k.arg("stride"), k.arg("step")
		k.shiftLeft(k, stride, 2)
		k.shiftLeft(k, step, 2)
		inverse := k.get(scales)
		integers := func() vec {
			v := k.get(x)
			k.op("mul", v, v, inverse)
			k.op1("round", v, v)
			k.add(k, x, stride)
			return v
		}
		loop, last, done := k.label(), k.label(), k.label()
		k.mark(loop)
		k.branchLess(k, rows, 2, last)
		low, high := integers(), integers()
		k.opConst("and", low, low, "lowHalf")
		k.op1("high", high, high)
		k.op("addInt", low, low, high)
		k.put(low, dst)
		k.free(low, high)
		k.add(k, dst, step)
		k.addImm(k, rows, -2)
		k.jump(k, loop)
		k.mark(last)
		k.branchLess(k, rows, 1, done)
		low = integers()
		k.opConst("and", low, low, "lowHalf")
		k.put(low, dst)
		k.mark(done)
	},
}

// softmaxI16 turns some rows of n scores, stride apart, into probabilities as 16-bit
// integers, each at the start of its row, of which the largest is 2^high: 2 to the power of
// factor times the distance from the row's largest score. inverse is 1 over their sum. As
// in softmax, all rows' largest scores come first, and inverse holds them meanwhile, as the
// integers that they are. What a row has beyond n, to a multiple of 16, becomes zeros.
var softmaxI16Kernel = function{
	name: "softmaxI16", params: "x []int32, stride, n int, inverse []float32, factor, high float32",
	body: func(k *kernel) {
		x, inverse, stride := k.gpr(), k.gpr(), k.arg("stride")
		k.shiftLeft(k, stride, 2)
		row, out, n, left := k.gpr(), k.gpr(), k.gpr(), k.gpr()
		rows := softmaxRows{x: x, stride: stride, inverse: inverse, row: row, n: n, left: left}.each(k)
		factor, high := k.argAll("factor"), k.argAll("high")
		rows(func() {
			top := k.constAll("lowestInt")
			k.each(n, floats(row), func() {
				v := k.get(row)
				if k.tail {
					k.keep(v, "lowestInt")
				}
				k.op("maxInt", top, v, top)
				k.free(v)
			})
			k.reduce(k, "maxInt", top)
			k.storeLane(k, top[0], inverse, 0)
			k.free(top)
		})
		rows(func() {
			top, sum := k.vec(), k.zeros()
			for _, r := range top {
				k.broadcastLoad(k, r, inverse)
			}
			k.move(k, out, row)
			k.toInt16(out, n, func() vec {
				v, y := k.get(row), k.vec()
				k.op("subInt", v, v, top)
				k.op1("float", v, v)
				for p := range y {
					k.copyReg(k, y[p], high[p])
				}
				k.mulAdd(y, v, factor)
				k.free(v)
				e := k.powerOf2(y)
				k.free(y)
				k.op1("round", e, e)
				if k.tail {
					k.keep(e, "zero")
				}
				k.op("addInt", sum, sum, e)
				k.addImm(k, row, 4*lanes)
				return e // whole: a row has room
			})
			k.reduce(k, "addInt", sum)
			k.op1("float", sum[:1], sum[:1])
			one := k.constAll("one")
			k.scalarBinary(k, "div", sum[0], one[0], sum[0])
			k.storeLane(k, sum[0], inverse, 0)
			k.free(top, sum, one)
		})
	},
}

// powerOf2 returns 2 to the power of y, within 4e-6 of it, and uses y up; below a half any
// power does that rounds to zero. See exp for the steps.
func (k *kernel) powerOf2(y vec) vec {
	k.opConst("max", y, y, "minusTwo")
	n := k.vec()
	k.opConst("add", n, y, "rounding")
	f := k.vec()
	k.opConst("sub", f, n, "rounding")
	k.op("sub", y, y, f)
	k.free(f)
	e := k.constAll("power4")
	k.horner(e, y, "power3", "power2", "power1", "one")
	k.op1("exponent", n, n)
	k.op("addInt", e, e, n)
	k.free(n)
	return e
}
