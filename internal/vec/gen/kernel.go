package main

import (
	"bytes"
	"fmt"
	"slices"
)

// lanes is the width of a value: the number of partial sums of every reduction.
const lanes = 16

// A vec is a value of 16 lanes, in as many registers as the machine needs.
type vec []int

// A machine writes the words of a kernel as the instructions of one level. Its vector
// operations work on single registers; part p of a value holds the lanes from p·lanes/parts.
type machine interface {
	level() string // the Go constant, which is also the suffix of its functions
	parts() int    // registers a value
	vectors() int  // registers for values
	scalars() []string

	// Control and addresses.
	prologue(k *kernel)
	epilogue(k *kernel)
	loadArg(k *kernel, r string, offset int, name string)
	broadcastArg(k *kernel, v int, offset int, name string)
	broadcastLoad(k *kernel, v int, base string)
	storeResult(k *kernel, v int, offset int, name string)
	move(k *kernel, dst, src string)
	add(k *kernel, dst, src string)
	addImm(k *kernel, dst string, n int)
	subtract(k *kernel, dst, src string)
	shiftLeft(k *kernel, dst string, n int)
	mulInto(k *kernel, dst, src string)
	loadUint32(k *kernel, dst, base string)
	branchLess(k *kernel, r string, n int, label string)
	branchAtLeast(k *kernel, r string, n int, label string)
	jump(k *kernel, label string)

	// Values. In a tail (k.tail) the lanes beyond n are loaded as zero and not stored.
	beginTail(k *kernel, n string)
	load(k *kernel, v, part int, base string)
	loadHalf(k *kernel, v, part int, base string) // 16-bit floats, widened
	store(k *kernel, v, part int, base string)
	storeInt16(k *kernel, v vec, base string)       // all lanes, which are integers; v is used up
	storeTwoInt16(k *kernel, a, b vec, base string) // likewise of two values
	keepTail(k *kernel, v, part int, c string)      // the lanes beyond n become c
	constant(k *kernel, v int, name string)
	copyReg(k *kernel, dst, src int)
	zero(k *kernel, v int)
	binary(k *kernel, op string, dst, a, b int)
	binaryConst(k *kernel, op string, dst, a int, c string)
	unary(k *kernel, op string, dst, a int)
	fma(k *kernel, acc, a, b int)                     // acc += a·b
	mulAddConst(k *kernel, x, y int, c string)        // x = x·y + c
	fmaConst(k *kernel, acc, a int, c string)         // acc += a·c
	reduce(k *kernel, op string, v vec)               // the lanes in halves; lane 0 of v[0]
	broadcast(k *kernel, dst vec, src int)            // lane 0 of src to all lanes
	scalarUnary(k *kernel, op string, dst, a int)     // lane 0 only: sqrt
	scalarBinary(k *kernel, op string, dst, a, b int) // lane 0 only
	storeLane(k *kernel, v int, base string, offset int)
}

// A kernel is one assembly function being written.
type kernel struct {
	machine
	out    *bytes.Buffer
	fn     function
	vecs   []int    // free registers
	gprs   []string // free
	labels int
	tail   bool

	constants []string // read by the body
}

func newKernel(m machine, out *bytes.Buffer, fn function) *kernel {
	k := &kernel{machine: m, out: out, fn: fn, gprs: slices.Clone(m.scalars())}
	for r := range m.vectors() {
		k.vecs = append(k.vecs, r)
	}
	return k
}

// emit writes one instruction.
func (k *kernel) emit(format string, args ...any) {
	fmt.Fprintf(k.out, "\t"+format+"\n", args...)
}

func (k *kernel) label() string {
	k.labels++
	return fmt.Sprintf("l%d", k.labels)
}

func (k *kernel) mark(label string) { fmt.Fprintf(k.out, "%s:\n", label) }

// gpr takes a general register.
func (k *kernel) gpr() string {
	if len(k.gprs) == 0 {
		panic(k.fn.name + " on " + k.level() + ": out of general registers")
	}
	r := k.gprs[0]
	k.gprs = k.gprs[1:]
	return r
}

// reg takes a vector register.
func (k *kernel) reg() int {
	if len(k.vecs) == 0 {
		panic(k.fn.name + " on " + k.level() + ": out of vector registers")
	}
	r := k.vecs[0]
	k.vecs = k.vecs[1:]
	return r
}

// vec takes the registers of a value.
func (k *kernel) vec() vec {
	v := make(vec, k.parts())
	for p := range v {
		v[p] = k.reg()
	}
	return v
}

// free gives registers back.
func (k *kernel) free(vs ...vec) {
	for _, v := range vs {
		k.vecs = append(k.vecs, v...)
	}
	slices.Sort(k.vecs)
}

// arg loads an argument, such as "a" or, of a slice, "a_base" or "a_len".
func (k *kernel) arg(name string) string {
	r := k.gpr()
	k.loadArg(k, r, k.fn.offset(name), name)
	return r
}

// reload loads an argument again, for another pass.
func (k *kernel) reload(r, name string) { k.loadArg(k, r, k.fn.offset(name), name) }

// keep sets the lanes of v beyond the tail's n to a constant.
func (k *kernel) keep(v vec, c string) {
	for p, r := range v {
		k.keepTail(k, r, p, c)
	}
}

// argAll returns a value with a float argument in all lanes.
func (k *kernel) argAll(name string) vec {
	v := k.vec()
	for _, r := range v {
		k.broadcastArg(k, r, k.fn.offset(name), name)
	}
	return v
}

// result stores lane 0 of v as a float result.
func (k *kernel) result(v vec, name string) { k.storeResult(k, v[0], k.fn.offset(name), name) }

// each runs body for every 16 of n elements, and once more for the rest; it advances the
// pointers, whose elements have the given size, and uses up n.
func (k *kernel) each(n string, ptrs []pointer, body func()) {
	done := k.label()
	k.eachWhole(n, ptrs, body)
	k.branchLess(k, n, 1, done)
	k.beginTail(k, n)
	k.tail = true
	body()
	k.tail = false
	k.mark(done)
}

// eachWhole is each for a length that is a multiple of 16.
func (k *kernel) eachWhole(n string, ptrs []pointer, body func()) {
	loop, done := k.label(), k.label()
	k.branchLess(k, n, lanes, done)
	k.mark(loop)
	body()
	for _, p := range ptrs {
		k.addImm(k, p.base, lanes*p.size)
	}
	k.addImm(k, n, -lanes)
	k.branchAtLeast(k, n, lanes, loop)
	k.mark(done)
}

// toInt16 writes n integers, as [kernel.each] does elements, of which next returns 16 at a
// time and moves on. Two registers become one in half as many operations as each alone.
func (k *kernel) toInt16(dst, n string, next func() vec) {
	if k.parts() == 1 {
		loop, rest := k.label(), k.label()
		k.branchLess(k, n, 2*lanes, rest)
		k.mark(loop)
		a, b := next(), next()
		k.storeTwoInt16(k, a, b, dst)
		k.free(a, b)
		k.addImm(k, dst, 4*lanes)
		k.addImm(k, n, -2*lanes)
		k.branchAtLeast(k, n, 2*lanes, loop)
		k.mark(rest)
	}
	k.each(n, []pointer{{dst, 2}}, func() {
		v := next()
		k.storeInt16(k, v, dst)
		k.free(v)
	})
}

// eachRow loads arguments into registers, of which left is one, and runs body until left,
// which body lowers, is below 1.
func (k *kernel) eachRow(left string, arguments []argument, body func()) {
	loop, done := k.label(), k.label()
	for _, a := range arguments {
		k.reload(a.register, a.name)
	}
	k.mark(loop)
	k.branchLess(k, left, 1, done)
	body()
	k.jump(k, loop)
	k.mark(done)
}

// An argument is a register, and what it is loaded with.
type argument struct{ register, name string }

// A pointer is a register that walks over elements of a size.
type pointer struct {
	base string
	size int
}

func floats(bases ...string) []pointer {
	var ps []pointer
	for _, b := range bases {
		ps = append(ps, pointer{b, 4})
	}
	return ps
}

func (k *kernel) get(base string) vec {
	v := k.vec()
	k.getInto(v, base)
	return v
}

func (k *kernel) getInto(v vec, base string) {
	for p, r := range v {
		k.load(k, r, p, base)
	}
}

func (k *kernel) put(v vec, base string) {
	for p, r := range v {
		k.store(k, r, p, base)
	}
}

func (k *kernel) zeros() vec {
	v := k.vec()
	for _, r := range v {
		k.zero(k, r)
	}
	return v
}

func (k *kernel) constAll(name string) vec {
	v := k.vec()
	for _, r := range v {
		k.constant(k, r, name)
	}
	return v
}

func (k *kernel) op(op string, dst, a, b vec) {
	for p := range dst {
		k.binary(k, op, dst[p], a[p], b[p])
	}
}

func (k *kernel) opConst(op string, dst, a vec, c string) {
	for p := range dst {
		k.binaryConst(k, op, dst[p], a[p], c)
	}
}

func (k *kernel) op1(op string, dst, a vec) {
	for p := range dst {
		k.unary(k, op, dst[p], a[p])
	}
}

func (k *kernel) mulAdd(acc, a, b vec) {
	for p := range acc {
		k.fma(k, acc[p], a[p], b[p])
	}
}

// horner sets x to x·y + c.
func (k *kernel) horner(x, y vec, cs ...string) {
	for _, c := range cs {
		for p := range x {
			k.mulAddConst(k, x[p], y[p], c)
		}
	}
}
