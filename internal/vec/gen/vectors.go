package main

// The kernels of dot.go: all reductions keep 16 partial sums.

var dotKernel = function{
	name: "dot", params: "a, b []float32", results: "sum float32",
	body: func(k *kernel) {
		a, b, n := k.arg("a_base"), k.arg("b_base"), k.arg("a_len")
		acc := k.zeros()
		k.each(n, floats(a, b), func() {
			x, y := k.get(a), k.get(b)
			k.mulAdd(acc, x, y)
			k.free(x, y)
		})
		k.reduce(k, "add", acc)
		k.result(acc, "sum")
	},
}

// dots takes four rows at once: four chains of additions hide each other's latency, and
// the query is loaded once for all.
var dotsKernel = function{
	name: "dots", params: "dst, q, rows []float32",
	body: func(k *kernel) {
		dst, left, row := k.arg("dst_base"), k.arg("dst_len"), k.arg("rows_base")
		stride := k.arg("q_len")
		k.shiftLeft(k, stride, 2)
		eachFour(k, dst, left, scanAhead, func(r string) {
			k.move(k, r, row)
			k.add(k, row, stride)
		})
	},
}

var dotsAtKernel = function{
	name: "dotsAt", params: "dst, q, rows []float32, ids []uint32",
	body: func(k *kernel) {
		dst, left, ids, base := k.arg("dst_base"), k.arg("dst_len"), k.arg("ids_base"), k.arg("rows_base")
		eachFour(k, dst, left, 0, func(r string) {
			k.loadUint32(k, r, ids)
			k.addImm(k, ids, 4)
			// The stride is read anew: the registers are needed for the rows.
			stride := k.arg("q_len")
			k.mulInto(k, r, stride)
			k.gprs = append([]string{stride}, k.gprs...)
			k.shiftLeft(k, r, 2)
			k.add(k, r, base)
		})
	},
}

// scanAhead is how many bytes ahead of a row that is read in the order of memory lines are
// asked for: the processor by itself stops at the end of a page. From a half to four times
// as many bytes make no difference.
const scanAhead = 3072

// eachFour writes the products of q with left rows, four at a time and then one at a time;
// next puts the address of the next row into a register. Lines are asked for ahead bytes
// before they are read, where that is not 0.
func eachFour(k *kernel, dst, left string, ahead int, next func(r string)) {
	q, n := k.gpr(), k.gpr()
	free := k.gprs
	for _, count := range []int{4, 1} {
		k.gprs = free
		loop, done := k.label(), k.label()
		k.mark(loop)
		k.branchLess(k, left, count, done)
		k.loadArg(k, q, k.fn.offset("q_base"), "q_base")
		k.loadArg(k, n, k.fn.offset("q_len"), "q_len")
		rows := make([]string, count)
		accs := make([]vec, count)
		for i := range rows {
			rows[i] = k.gpr()
			accs[i] = k.zeros()
		}
		for _, r := range rows {
			next(r)
		}
		k.each(n, floats(append([]string{q}, rows...)...), func() {
			x := k.get(q)
			for i, r := range rows {
				k.askAhead("("+r+")", ahead)
				y := k.get(r)
				k.mulAdd(accs[i], x, y)
				k.free(y)
			}
			k.free(x)
		})
		for i, acc := range accs {
			k.reduce(k, "add", acc)
			k.storeLane(k, acc[0], dst, 4*i)
		}
		k.addImm(k, dst, 4*count)
		k.addImm(k, left, -count)
		k.jump(k, loop)
		k.mark(done)
		k.free(accs...)
	}
}

var axpyKernel = function{
	name: "axpy", params: "dst, x []float32, a float32",
	body: func(k *kernel) {
		dst, x, n := k.arg("dst_base"), k.arg("x_base"), k.arg("dst_len")
		a := k.argAll("a")
		k.each(n, floats(dst, x), func() {
			sum, v := k.get(dst), k.get(x)
			k.mulAdd(sum, v, a)
			k.put(sum, dst)
			k.free(sum, v)
		})
	},
}

var scaleKernel = function{
	name: "scale", params: "x []float32, a float32",
	body: func(k *kernel) {
		x, n := k.arg("x_base"), k.arg("x_len")
		a := k.argAll("a")
		k.each(n, floats(x), func() {
			v := k.get(x)
			k.op("mul", v, v, a)
			k.put(v, x)
			k.free(v)
		})
	},
}
