package main

import "fmt"

// x86 is a level of amd64: AVX2 with 16 registers of 8 lanes, or AVX-512 with 32 of 16.
type x86 struct {
	name string
	wide bool // AVX-512
	vnni bool // AVX512-VNNI: only the integer kernels differ
}

var (
	avx2   = x86{name: "AVX2"}
	avx512 = x86{name: "AVX512", wide: true}
	vnni   = x86{name: "VNNI", wide: true, vnni: true}
)

func (m x86) level() string { return m.name }

func (m x86) parts() int {
	if m.wide {
		return 1
	}
	return 2
}

// width is the number of bytes of a register.
func (m x86) width() int { return lanes * 4 / m.parts() }

// vectors leaves out the last register: AVX2's tails need it for a mask.
func (m x86) vectors() int {
	if m.wide {
		return 31
	}
	return 15
}

func (m x86) scratch() string { return m.v(m.vectors()) }

// The last two are not handed out: tailReg holds what a tail's masks come from.
func (m x86) scalars() []string {
	return []string{"AX", "BX", "CX", "DX", "SI", "DI", "R8", "R9", "R10", "R11", "R12"}
}

const tailReg = "R13"

func (m x86) v(r int) string {
	if m.wide {
		return fmt.Sprintf("Z%d", r)
	}
	return fmt.Sprintf("Y%d", r)
}

func (m x86) prologue(k *kernel) {}

func (m x86) epilogue(k *kernel) {
	k.emit("VZEROUPPER")
	k.emit("RET")
}

func (m x86) loadArg(k *kernel, r string, offset int, name string) {
	k.emit("MOVQ %s+%d(FP), %s", name, offset, r)
}

func (m x86) broadcastArg(k *kernel, v, offset int, name string) {
	k.emit("VBROADCASTSS %s+%d(FP), %s", name, offset, m.v(v))
}

func (m x86) broadcastLoad(k *kernel, v int, base string) {
	k.emit("VBROADCASTSS (%s), %s", base, m.v(v))
}

func (m x86) storeResult(k *kernel, v, offset int, name string) {
	k.emit("VMOVSS X%d, %s+%d(FP)", v, name, offset)
}

func (m x86) move(k *kernel, dst, src string)        { k.emit("MOVQ %s, %s", src, dst) }
func (m x86) add(k *kernel, dst, src string)         { k.emit("ADDQ %s, %s", src, dst) }
func (m x86) addImm(k *kernel, dst string, n int)    { k.emit("ADDQ $%d, %s", n, dst) }
func (m x86) subtract(k *kernel, dst, src string)    { k.emit("SUBQ %s, %s", src, dst) }
func (m x86) shiftLeft(k *kernel, dst string, n int) { k.emit("SHLQ $%d, %s", n, dst) }
func (m x86) mulInto(k *kernel, dst, src string)     { k.emit("IMULQ %s, %s", src, dst) }
func (m x86) loadUint32(k *kernel, dst, base string) { k.emit("MOVL (%s), %s", base, dst) }
func (m x86) jump(k *kernel, label string)           { k.emit("JMP %s", label) }
func (m x86) branchLess(k *kernel, r string, n int, label string) {
	k.emit("CMPQ %s, $%d", r, n)
	k.emit("JLT %s", label)
}

func (m x86) branchAtLeast(k *kernel, r string, n int, label string) {
	k.emit("CMPQ %s, $%d", r, n)
	k.emit("JGE %s", label)
}

// beginTail makes the masks of the first n of 16 lanes: AVX-512 has mask registers;
// AVX2 reads them from a table of 16 set, 16 clear and 16 set lanes.
func (m x86) beginTail(k *kernel, n string) {
	if m.wide {
		k.emit("MOVQ $-1, %s", tailReg)
		k.emit("BZHIQ %s, %s, %s", n, tailReg, tailReg)
		k.emit("KMOVW %s, K1", tailReg)
		return
	}
	k.emit("LEAQ tailMask<>+64(SB), %s", tailReg)
	k.emit("SHLQ $2, %s", n)
	k.emit("SUBQ %s, %s", n, tailReg)
	k.emit("SHRQ $2, %s", n)
}

func (m x86) mask(k *kernel, part int) {
	k.emit("VMOVDQU %d(%s), %s", part*32, tailReg, m.scratch())
}

func (m x86) load(k *kernel, v, part int, base string) {
	switch {
	case !k.tail:
		k.emit("VMOVUPS %d(%s), %s", part*m.width(), base, m.v(v))
	case m.wide:
		k.emit("VMOVUPS.Z (%s), K1, %s", base, m.v(v))
	default:
		m.mask(k, part)
		k.emit("VMASKMOVPS %d(%s), %s, %s", part*32, base, m.scratch(), m.v(v))
	}
}

func (m x86) store(k *kernel, v, part int, base string) {
	switch {
	case !k.tail:
		k.emit("VMOVUPS %s, %d(%s)", m.v(v), part*m.width(), base)
	case m.wide:
		k.emit("VMOVUPS %s, K1, (%s)", m.v(v), base)
	default:
		m.mask(k, part)
		k.emit("VMASKMOVPS %s, %s, %d(%s)", m.v(v), m.scratch(), part*32, base)
	}
}

func (m x86) loadHalf(k *kernel, v, part int, base string) {
	if k.tail {
		panic("loadHalf has no tail")
	}
	k.emit("VCVTPH2PS %d(%s), %s", part*m.width()/2, base, m.v(v))
}

func (m x86) storeInt16(k *kernel, v vec, base string) {
	if m.wide {
		k.emit("VPMOVSDW %s, (%s)", m.v(v[0]), base)
		return
	}
	// The pack takes four of one and four of the other in turn.
	k.emit("VPACKSSDW %s, %s, %s", m.v(v[1]), m.v(v[0]), m.v(v[0]))
	k.emit("VPERMQ $0xd8, %s, %s", m.v(v[0]), m.v(v[0]))
	k.emit("VMOVDQU %s, (%s)", m.v(v[0]), base)
}

func (m x86) storeTwoInt16(k *kernel, a, b vec, base string) {
	if !m.wide {
		panic("two values do not fit one register")
	}
	k.emit("VMOVDQU64 packOrder<>(SB), %s", m.scratch())
	k.emit("VPACKSSDW %s, %s, %s", m.v(b[0]), m.v(a[0]), m.v(a[0]))
	k.emit("VPERMQ %s, %s, %s", m.v(a[0]), m.scratch(), m.v(a[0]))
	k.emit("VMOVDQU64 %s, (%s)", m.v(a[0]), base)
}

func (m x86) keepTail(k *kernel, v, part int, c string) {
	if m.wide {
		k.emit("KNOTW K1, K2")
		k.emit("VBROADCASTSS %s, K2, %s", constRef(c), m.v(v))
		return
	}
	// The table goes on with 16 set lanes: 64 bytes on lies the mask's complement.
	m.mask(k, part+2)
	k.emit("VBLENDVPS %s, %s, %s, %s", m.scratch(), constRef(c), m.v(v), m.v(v))
}

func (m x86) constant(k *kernel, v int, name string) {
	if m.wide {
		k.emit("VBROADCASTSS %s, %s", constRef(name), m.v(v))
		return
	}
	k.emit("VMOVUPS %s, %s", constRef(name), m.v(v))
}

// ofOne is the suffix with which an instruction takes one word of memory for all lanes.
// AVX-512 has it, and needs it: the linker aligns tables to 32 bytes only, so that every
// other load of 64 would straddle two lines.
func (m x86) ofOne() string {
	if m.wide {
		return ".BCST"
	}
	return ""
}

func (m x86) copyReg(k *kernel, dst, src int) { k.emit("VMOVAPS %s, %s", m.v(src), m.v(dst)) }
func (m x86) zero(k *kernel, v int)           { k.emit("VXORPS X%d, X%d, X%d", v, v, v) }

var x86Binary = map[string]string{
	"add": "VADDPS", "sub": "VSUBPS", "mul": "VMULPS", "div": "VDIVPS",
	"max": "VMAXPS", "min": "VMINPS", "and": "VANDPS", "addInt": "VPADDD", "subInt": "VPSUBD", "maxInt": "VPMAXSD",
}

func (m x86) binary(k *kernel, op string, dst, a, b int) {
	k.emit("%s %s, %s, %s", x86Binary[op], m.v(b), m.v(a), m.v(dst))
}

func (m x86) binaryConst(k *kernel, op string, dst, a int, c string) {
	k.emit("%s%s %s, %s, %s", x86Binary[op], m.ofOne(), constRef(c), m.v(a), m.v(dst))
}

func (m x86) unary(k *kernel, op string, dst, a int) {
	switch op {
	case "exponent": // an integer into the place of a float's exponent
		k.emit("VPSLLD $23, %s, %s", m.v(a), m.v(dst))
	case "high": // an integer into the high half
		k.emit("VPSLLD $16, %s, %s", m.v(a), m.v(dst))
	case "round": // to the nearest integer, the even one of two
		k.emit("VCVTPS2DQ %s, %s", m.v(a), m.v(dst))
	case "float": // of an integer
		k.emit("VCVTDQ2PS %s, %s", m.v(a), m.v(dst))
	default:
		panic(op)
	}
}

func (m x86) fma(k *kernel, acc, a, b int) {
	k.emit("VFMADD231PS %s, %s, %s", m.v(b), m.v(a), m.v(acc))
}

func (m x86) mulAddConst(k *kernel, x, y int, c string) {
	k.emit("VFMADD213PS%s %s, %s, %s", m.ofOne(), constRef(c), m.v(y), m.v(x))
}

func (m x86) fmaConst(k *kernel, acc, a int, c string) {
	k.emit("VFMADD231PS%s %s, %s, %s", m.ofOne(), constRef(c), m.v(a), m.v(acc))
}

// reduce combines the lanes in halves: 16 to 8 to 4 to 2 to 1.
func (m x86) reduce(k *kernel, op string, v vec) {
	ins, r := x86Binary[op], v[0]
	t := 15 // of the registers that AVX2 has, the one kept for masks
	if m.wide {
		t = 31
		k.emit("VEXTRACTF32X8 $1, Z%d, Y%d", r, t)
		k.emit("%s Y%d, Y%d, Y%d", ins, t, r, r)
	} else {
		k.emit("%s Y%d, Y%d, Y%d", ins, v[1], r, r)
	}
	if m.wide {
		k.emit("VEXTRACTF32X4 $1, Y%d, X%d", r, t)
	} else {
		k.emit("VEXTRACTF128 $1, Y%d, X%d", r, t)
	}
	k.emit("%s X%d, X%d, X%d", ins, t, r, r)
	k.emit("VPERMILPS $14, X%d, X%d", r, t)
	k.emit("%s X%d, X%d, X%d", ins, t, r, r)
	k.emit("VPERMILPS $1, X%d, X%d", r, t)
	k.emit("%s X%d, X%d, X%d", ins, t, r, r)
}

func (m x86) broadcast(k *kernel, dst vec, src int) {
	for _, r := range dst {
		k.emit("VBROADCASTSS X%d, %s", src, m.v(r))
	}
}

func (m x86) scalarUnary(k *kernel, op string, dst, a int) {
	if op != "sqrt" {
		panic(op)
	}
	k.emit("VSQRTSS X%d, X%d, X%d", a, a, dst)
}

func (m x86) scalarBinary(k *kernel, op string, dst, a, b int) {
	ins := x86Binary[op]
	k.emit("%sSS X%d, X%d, X%d", ins[:len(ins)-2], b, a, dst)
}

func (m x86) storeLane(k *kernel, v int, base string, offset int) {
	k.emit("VMOVSS X%d, %d(%s)", v, offset, base)
}

func constRef(name string) string { return fmt.Sprintf("const_%s<>(SB)", name) }
