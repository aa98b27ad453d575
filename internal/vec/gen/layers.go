package main

// The kernels of the forward pass that are not matrix products.

// softmaxRows are the registers of a softmax over the rows of x, one number of inverse each.
type softmaxRows struct{ x, stride, inverse, row, n, left string }

// each returns what runs body for each row, which finds it at row and its length in n.
func (r softmaxRows) each(k *kernel) func(body func()) {
	return func(body func()) {
		k.eachRow(r.left, []argument{{r.x, "x_base"}, {r.inverse, "inverse_base"}, {r.left, "inverse_len"}}, func() {
			k.move(k, r.row, r.x)
			k.reload(r.n, "n")
			body()
			k.add(k, r.x, r.stride)
			k.addImm(k, r.inverse, 4)
			k.addImm(k, r.left, -1)
		})
	}
}

// softmax works on some rows of n elements, stride apart: the largest of each row first,
// which inverse then holds, so that the rows hide each other's latency. It leaves the
// division by the sum to the product that follows, where a row is shorter.
var softmaxKernel = function{
	name: "softmax", params: "x []float32, stride, n int, inverse []float32",
	body: func(k *kernel) {
		x, inverse, stride := k.gpr(), k.gpr(), k.arg("stride")
		k.shiftLeft(k, stride, 2)
		row, n, left := k.gpr(), k.gpr(), k.gpr()
		rows := softmaxRows{x: x, stride: stride, inverse: inverse, row: row, n: n, left: left}.each(k)
		rows(func() {
			top := k.constAll("minusInf")
			k.each(n, floats(row), func() {
				v := k.get(row)
				if k.tail { // lanes beyond n are zero, which may be more than the largest
					k.keep(v, "minusInf")
				}
				k.op("max", top, v, top)
				k.free(v)
			})
			k.reduce(k, "max", top)
			k.storeLane(k, top[0], inverse, 0)
			k.free(top)
		})
		rows(func() {
			top, sum := k.vec(), k.zeros()
			for _, r := range top {
				k.broadcastLoad(k, r, inverse)
			}
			k.each(n, floats(row), func() {
				v := k.get(row)
				k.op("sub", v, v, top)
				e := k.exp(v)
				k.free(v)
				if k.tail {
					k.keep(e, "zero")
				}
				k.op("add", sum, sum, e)
				k.put(e, row)
				k.free(e)
			})
			k.reduce(k, "add", sum)
			one := k.constAll("one")
			k.scalarBinary(k, "div", sum[0], one[0], sum[0])
			k.storeLane(k, sum[0], inverse, 0)
			k.free(top, sum, one)
		})
	},
}

// exp returns e to the power of v, which is at most 0 and is used up: 2^n · e^r with
// |r| at most ln 2 / 2. Adding a float without a fraction rounds to n, and leaves it in
// the lowest bits. Powers below the smallest normal number are near that instead.
func (k *kernel) exp(v vec) vec {
	k.opConst("max", v, v, "expLowest")
	n := k.constAll("rounding")
	for p := range n {
		k.fmaConst(k, n[p], v[p], "log2e")
	}
	f := k.vec()
	k.opConst("sub", f, n, "rounding")
	for p := range v {
		k.fmaConst(k, v[p], f[p], "minusLn2")
	}
	k.free(f)
	e := k.constAll("exp5")
	k.horner(e, v, "exp4", "exp3", "exp2", "exp1", "one")
	k.op1("exponent", n, n)
	k.op("addInt", e, e, n)
	k.free(n)
	return e
}

// gelu is x·Φ(x) = max(x, 0) - y·(1 - Φ(y)) with y = |x|, where 1 - Φ(y) is e^(-y²/2) times a
// polynomial in y. Its errors count less the larger y is, so that seven degrees do for
// an error of 3e-6; from 13 on the power is zero beside any x. No division is as fast, and every
// processor makes the same number.
var geluKernel = function{
	name: "gelu", params: "x []float32",
	body: func(k *kernel) {
		x, n := k.arg("x_base"), k.arg("x_len")
		k.each(n, floats(x), func() {
			v := k.get(x)
			y, most := k.vec(), k.constAll("geluMost")
			k.opConst("and", y, v, "magnitude")
			k.op("min", y, most, y) // in this order a NaN stays
			k.free(most)

			// e is the power, as in exp but to the base 2.
			z := k.vec()
			k.op("mul", z, y, y)
			n, f := k.constAll("rounding"), k.constAll("rounding")
			for p := range n {
				k.fmaConst(k, n[p], z[p], "halfLog2e")
			}
			k.op("sub", f, f, n)
			for p := range f {
				k.fmaConst(k, f[p], z[p], "halfLog2e")
			}
			k.free(z)
			e := k.constAll("power4")
			k.horner(e, f, "power3", "power2", "power1", "one")
			k.free(f)
			k.op1("exponent", n, n)
			k.op("addInt", e, e, n)
			k.free(n)

			k.op("mul", e, e, y)
			q := k.constAll("gelu7")
			k.horner(q, y, "gelu6", "gelu5", "gelu4", "gelu3", "gelu2", "gelu1", "gelu0")
			k.free(y)
			k.opConst("max", v, v, "zero")
			k.mulAdd(v, q, e)
			k.free(q, e)
			k.put(v, x)
			k.free(v)
		})
	},
}

// addNorm sets some rows of x, each as long as weight, to the LayerNorm of x + y: all
// rows' means first, then their variances about them, so that the rows hide each other's
// latency. kept has room for both numbers of each row.
var addNormKernel = function{
	name: "addNorm", params: "x, y, weight, bias, kept []float32, count, eps float32",
	body: func(k *kernel) {
		rowX, rowY, kept, left := k.gpr(), k.gpr(), k.gpr(), k.gpr()
		x, y, z, n := k.gpr(), k.gpr(), k.gpr(), k.gpr()
		rows := func(body func()) {
			k.eachRow(left, []argument{{rowX, "x_base"}, {rowY, "y_base"}, {kept, "kept_base"}, {left, "x_len"}}, func() {
				k.reload(n, "weight_len")
				k.move(k, x, rowX)
				k.move(k, y, rowY)
				body()
				k.reload(n, "weight_len")
				k.subtract(k, left, n)
				k.shiftLeft(k, n, 2)
				k.add(k, rowX, n)
				k.add(k, rowY, n)
				k.addImm(k, kept, 8)
			})
		}
		load := func() vec {
			v := k.vec()
			for _, r := range v {
				k.broadcastLoad(k, r, kept)
			}
			return v
		}
		rows(func() {
			mean := k.zeros()
			k.each(n, floats(x, y), func() {
				v, u := k.get(x), k.get(y)
				k.op("add", v, v, u)
				k.put(v, x)
				k.op("add", mean, mean, v)
				k.free(v, u)
			})
			k.reduce(k, "add", mean)
			t := k.argAll("count")
			k.scalarBinary(k, "div", mean[0], mean[0], t[0])
			k.storeLane(k, mean[0], kept, 0)
			k.free(mean, t)
		})
		rows(func() {
			mean, scale := load(), k.zeros()
			k.each(n, floats(x), func() {
				v := k.get(x)
				k.op("sub", v, v, mean)
				if k.tail {
					k.keep(v, "zero")
				}
				k.mulAdd(scale, v, v)
				k.free(v)
			})
			k.reduce(k, "add", scale)
			for _, step := range [][2]string{{"div", "count"}, {"add", "eps"}} {
				t := k.argAll(step[1])
				k.scalarBinary(k, step[0], scale[0], scale[0], t[0])
				k.free(t)
			}
			k.scalarUnary(k, "sqrt", scale[0], scale[0])
			one := k.constAll("one")
			k.scalarBinary(k, "div", scale[0], one[0], scale[0])
			k.storeLane(k, scale[0], kept, 4)
			k.free(one, scale, mean)
		})
		rows(func() {
			mean := load()
			k.addImm(k, kept, 4)
			scale := load()
			k.addImm(k, kept, -4)
			k.reload(y, "weight_base")
			k.reload(z, "bias_base")
			k.each(n, floats(x, y, z), func() {
				v, w := k.get(x), k.get(y)
				k.op("sub", v, v, mean)
				k.op("mul", v, v, scale)
				b := k.get(z)
				k.mulAdd(b, v, w)
				k.put(b, x)
				k.free(v, w, b)
			})
			k.free(mean, scale)
		})
	},
}

var statsKernel = function{
	name: "stats", params: "x []float32", results: "top, squares float32",
	body: func(k *kernel) {
		x, n := k.arg("x_base"), k.arg("x_len")
		s := newStats(k)
		k.each(n, floats(x), func() {
			v := k.get(x)
			s.add(v)
			k.free(v)
		})
		s.reduce()
		k.result(s.top, "top")
		k.result(s.squares, "squares")
	},
}

// stats are the largest magnitude and the sum of squares.
type stats struct {
	k            *kernel
	top, squares vec
}

func newStats(k *kernel) stats { return stats{k, k.zeros(), k.zeros()} }

// add takes v in and uses it up.
func (s stats) add(v vec) {
	if s.k.tail {
		s.k.keep(v, "zero")
	}
	s.k.mulAdd(s.squares, v, v)
	s.k.opConst("and", v, v, "magnitude")
	s.k.op("max", s.top, v, s.top)
}

// reduce leaves both in the first lanes.
func (s stats) reduce() {
	s.k.reduce(s.k, "max", s.top)
	s.k.reduce(s.k, "add", s.squares)
}

// quantI16 rounds x·inverse to 16-bit integers; the length is a multiple of 16.
var quantI16Kernel = function{
	name: "quantI16", params: "dst []int16, x []float32, inverse float32",
	body: func(k *kernel) {
		dst, x, n := k.arg("dst_base"), k.arg("x_base"), k.arg("x_len")
		inverse := k.argAll("inverse")
		k.toInt16(dst, n, func() vec { return k.rounded(x, inverse) })
	},
}

// rounded returns 16 elements times scale as integers, and moves x on.
func (k *kernel) rounded(x string, scale vec) vec {
	v := k.get(x)
	k.op("mul", v, v, scale)
	k.op1("round", v, v)
	k.addImm(k, x, 4*lanes)
	return v
}

// quantRows rounds rows of n elements, a multiple of 16, to 16-bit integers, each row times
// 1 over its scale: the largest of top·perTop, the square root of the squares·perLength, and
// least, which is no scale that is of use, but has an inverse. All rows' scales come first,
// so that the rows hide each other's latency.
var quantRowsKernel = function{
	name: "quantRows", params: "dst []int16, x, scales []float32, n int, perTop, perLength, least float32",
	body: func(k *kernel) {
		dst, x, scales, left, n := k.gpr(), k.gpr(), k.gpr(), k.gpr(), k.gpr()
		rows := func(body func()) {
			k.eachRow(left, []argument{{x, "x_base"}, {scales, "scales_base"}, {left, "scales_len"}}, func() {
				k.reload(n, "n")
				body()
				k.addImm(k, scales, 4)
				k.addImm(k, left, -1)
			})
		}
		rows(func() {
			s := newStats(k)
			k.eachWhole(n, floats(x), func() {
				v := k.get(x)
				s.add(v)
				k.free(v)
			})
			s.reduce()
			// Of a number and a NaN, which only the squares can be, the NaN stays.
			scale, t := s.squares, k.argAll("perLength")
			k.scalarUnary(k, "sqrt", scale[0], scale[0])
			k.scalarBinary(k, "mul", scale[0], scale[0], t[0])
			k.free(t)
			t = k.argAll("perTop")
			k.scalarBinary(k, "mul", s.top[0], s.top[0], t[0])
			k.free(t)
			k.scalarBinary(k, "max", scale[0], s.top[0], scale[0])
			t = k.argAll("least")
			k.scalarBinary(k, "max", scale[0], t[0], scale[0])
			k.storeLane(k, scale[0], scales, 0)
			k.free(t, s.top, scale)
		})
		k.reload(dst, "dst_base")
		rows(func() {
			scale, one := k.vec(), k.constAll("one")
			k.broadcastLoad(k, scale[0], scales)
			k.scalarBinary(k, "div", scale[0], one[0], scale[0])
			k.free(one)
			k.broadcast(k, scale, scale[0])
			k.toInt16(dst, n, func() vec { return k.rounded(x, scale) })
			k.free(scale)
		})
	},
}

// widen turns 16-bit floats into 32-bit ones; the length is a multiple of 16.
var widenKernel = function{
	name: "widen", params: "dst []float32, half []uint16",
	body: func(k *kernel) {
		dst, half, n := k.arg("dst_base"), k.arg("half_base"), k.arg("dst_len")
		k.eachWhole(n, []pointer{{dst, 4}, {half, 2}}, func() {
			v := k.vec()
			for p, r := range v {
				k.loadHalf(k, r, p, half)
			}
			k.put(v, dst)
			k.free(v)
		})
	},
}
