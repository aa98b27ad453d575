package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/seed-9f29d379/akin/internal/vec/gen/a64"
)

// neon is the level of arm64: 32 registers of 4 lanes, four to a value. Instructions
// between vector registers are written as words (see package a64); what moves data,
// counts and branches is in Go's syntax.
type neon struct{}

const (
	neonTemp  = 31    // holds constants, and the other half of a reduction
	neonAddr  = "R16" // an address that lives for a few instructions
	neonTailN = "R17" // how many lanes a tail has
	neonConst = "R25" // the constants, 16 bytes each
)

func (neon) level() string { return "NEON" }
func (neon) parts() int    { return 4 }
func (neon) vectors() int  { return neonTemp }

// R18 belongs to the platform; R26 to R30 to Go.
func (neon) scalars() []string {
	return []string{
		"R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R12",
		"R13", "R14", "R15", "R19", "R20", "R21", "R22", "R23", "R24",
	}
}

// word writes a vector instruction by its bits, with its text beside it.
func (k *kernel) word(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	bits, err := a64.Encode(text)
	if err != nil {
		panic(k.fn.name + ": " + err.Error())
	}
	k.emit("WORD $0x%08x // %s", bits, text)
}

// prologue points at the constants, if the body reads any.
func (neon) prologue(k *kernel) {
	if len(k.constants) > 0 {
		k.emit("MOVD $constants<>(SB), %s", neonConst)
	}
}

func (neon) epilogue(k *kernel) { k.emit("RET") }

func (neon) loadArg(k *kernel, r string, offset int, name string) {
	k.emit("MOVD %s+%d(FP), %s", name, offset, r)
}

func (neon) broadcastArg(k *kernel, v, offset int, name string) {
	k.emit("FMOVS %s+%d(FP), F%d", name, offset, v)
	k.word("dup v%d.4s, v%d.s[0]", v, v)
}

func (neon) broadcastLoad(k *kernel, v int, base string) {
	k.emit("FMOVS (%s), F%d", base, v)
	k.word("dup v%d.4s, v%d.s[0]", v, v)
}

func (neon) storeResult(k *kernel, v, offset int, name string) {
	k.emit("FMOVS F%d, %s+%d(FP)", v, name, offset)
}

func (neon) move(k *kernel, dst, src string)        { k.emit("MOVD %s, %s", src, dst) }
func (neon) add(k *kernel, dst, src string)         { k.emit("ADD %s, %s", src, dst) }
func (neon) addImm(k *kernel, dst string, n int)    { k.emit("ADD $%d, %s", n, dst) }
func (neon) subtract(k *kernel, dst, src string)    { k.emit("SUB %s, %s", src, dst) }
func (neon) shiftLeft(k *kernel, dst string, n int) { k.emit("LSL $%d, %s", n, dst) }
func (neon) mulInto(k *kernel, dst, src string)     { k.emit("MUL %s, %s", src, dst) }
func (neon) loadUint32(k *kernel, dst, base string) { k.emit("MOVWU (%s), %s", base, dst) }
func (neon) jump(k *kernel, label string)           { k.emit("B %s", label) }

func (neon) branchLess(k *kernel, r string, n int, label string) {
	k.emit("CMP $%d, %s", n, r)
	k.emit("BLT %s", label)
}

func (neon) branchAtLeast(k *kernel, r string, n int, label string) {
	k.emit("CMP $%d, %s", n, r)
	k.emit("BGE %s", label)
}

// beginTail remembers the number of lanes: there are no masks, so that a tail loads and
// stores lane by lane.
func (neon) beginTail(k *kernel, n string) { k.emit("MOVD %s, %s", n, neonTailN) }

// eachLane writes do for the lanes of a part that the tail has.
func (neon) eachLane(k *kernel, part int, base string, do func(lane int)) {
	done := k.label()
	for lane := range 4 {
		k.emit("CMP $%d, %s", 4*part+lane+1, neonTailN)
		k.emit("BLT %s", done)
		if lane == 0 {
			k.emit("ADD $%d, %s, %s", 16*part, base, neonAddr)
		}
		do(lane)
	}
	k.mark(done)
}

func (m neon) load(k *kernel, v, part int, base string) {
	if !k.tail {
		k.emit("FMOVQ %d(%s), F%d", 16*part, base, v)
		return
	}
	m.zero(k, v)
	m.eachLane(k, part, base, func(lane int) {
		k.emit("VLD1.P 4(%s), V%d.S[%d]", neonAddr, v, lane)
	})
}

func (m neon) store(k *kernel, v, part int, base string) {
	if !k.tail {
		k.emit("FMOVQ F%d, %d(%s)", v, 16*part, base)
		return
	}
	m.eachLane(k, part, base, func(lane int) {
		k.emit("VST1.P V%d.S[%d], 4(%s)", v, lane, neonAddr)
	})
}

func (neon) loadHalf(k *kernel, v, part int, base string) {
	if k.tail {
		panic("loadHalf has no tail")
	}
	k.emit("FMOVD %d(%s), F%d", 8*part, base, v)
	k.word("fcvtl v%d.4s, v%d.4h", v, v)
}

func (neon) storeInt16(k *kernel, v vec, base string) {
	for p, r := range v {
		k.word("sqxtn v%d.4h, v%d.4s", r, r)
		k.emit("FMOVD F%d, %d(%s)", r, 8*p, base)
	}
}

func (neon) storeTwoInt16(*kernel, vec, vec, string) { panic("two values do not fit one register") }

func (m neon) keepTail(k *kernel, v, part int, c string) {
	m.constant(k, neonTemp, c)
	for lane := range 4 {
		kept := k.label()
		k.emit("CMP $%d, %s", 4*part+lane, neonTailN)
		k.emit("BGT %s", kept)
		k.emit("VMOV V%d.S[%d], V%d.S[%d]", neonTemp, lane, v, lane)
		k.mark(kept)
	}
}

func (neon) constant(k *kernel, v int, name string) {
	i := slices.IndexFunc(constants, func(c constant) bool { return c.name == name })
	if i < 0 {
		panic(k.fn.name + ": no constant " + name)
	}
	k.constants = append(k.constants, name)
	k.emit("FMOVQ %d(%s), F%d // %s", 16*i, neonConst, v, name)
}

func (neon) copyReg(k *kernel, dst, src int) {
	k.word("orr v%d.16b, v%d.16b, v%d.16b", dst, src, src)
}

func (neon) zero(k *kernel, v int) { k.word("eor v%d.16b, v%d.16b, v%d.16b", v, v, v) }

var neonBinary = map[string]string{
	"add": "fadd v%d.4s, v%d.4s, v%d.4s", "sub": "fsub v%d.4s, v%d.4s, v%d.4s",
	"mul": "fmul v%d.4s, v%d.4s, v%d.4s",
	"max": "fmaxnm v%d.4s, v%d.4s, v%d.4s", // a number rather than a NaN, as on amd64
	"min": "fmin v%d.4s, v%d.4s, v%d.4s",   // of a number and a NaN the NaN, as on amd64 in our order
	"and": "and v%d.16b, v%d.16b, v%d.16b", "addInt": "add v%d.4s, v%d.4s, v%d.4s",
	"subInt": "sub v%d.4s, v%d.4s, v%d.4s", "maxInt": "smax v%d.4s, v%d.4s, v%d.4s",
}

func (neon) binary(k *kernel, op string, dst, a, b int) { k.word(neonBinary[op], dst, a, b) }

func (m neon) binaryConst(k *kernel, op string, dst, a int, c string) {
	m.constant(k, neonTemp, c)
	m.binary(k, op, dst, a, neonTemp)
}

func (neon) unary(k *kernel, op string, dst, a int) {
	switch op {
	case "exponent": // an integer into the place of a float's exponent
		k.word("shl v%d.4s, v%d.4s, #23", dst, a)
	case "high": // an integer into the high half
		k.word("shl v%d.4s, v%d.4s, #16", dst, a)
	case "round": // to the nearest integer, the even one of two
		k.word("fcvtns v%d.4s, v%d.4s", dst, a)
	case "float": // of an integer
		k.word("scvtf v%d.4s, v%d.4s", dst, a)
	default:
		panic(op)
	}
}

func (neon) fma(k *kernel, acc, a, b int) { k.word("fmla v%d.4s, v%d.4s, v%d.4s", acc, a, b) }

// mulAddConst goes by way of the constant's register: FMLA adds to what it overwrites.
func (m neon) mulAddConst(k *kernel, x, y int, c string) {
	m.constant(k, neonTemp, c)
	m.fma(k, neonTemp, x, y)
	m.copyReg(k, x, neonTemp)
}

func (m neon) fmaConst(k *kernel, acc, a int, c string) {
	m.constant(k, neonTemp, c)
	m.fma(k, acc, a, neonTemp)
}

// reduce combines the lanes in halves: 16 to 8 to 4 to 2 to 1.
func (m neon) reduce(k *kernel, op string, v vec) {
	m.binary(k, op, v[0], v[0], v[2])
	m.binary(k, op, v[1], v[1], v[3])
	m.binary(k, op, v[0], v[0], v[1])
	k.word("ext v%d.16b, v%d.16b, v%d.16b, #8", neonTemp, v[0], v[0])
	m.binary(k, op, v[0], v[0], neonTemp)
	k.word("dup v%d.4s, v%d.s[1]", neonTemp, v[0])
	m.binary(k, op, v[0], v[0], neonTemp)
}

func (neon) broadcast(k *kernel, dst vec, src int) {
	for i := range dst {
		// The source may be among the registers: it comes last.
		if r := dst[len(dst)-1-i]; r != src {
			k.word("dup v%d.4s, v%d.s[0]", r, src)
		}
	}
	for _, r := range dst {
		if r == src {
			k.word("dup v%d.4s, v%d.s[0]", r, src)
		}
	}
}

func (neon) scalarUnary(k *kernel, op string, dst, a int) {
	if op != "sqrt" {
		panic(op)
	}
	k.emit("FSQRTS F%d, F%d", a, dst)
}

var neonScalar = map[string]string{"add": "FADDS", "sub": "FSUBS", "mul": "FMULS", "div": "FDIVS", "max": "FMAXS"}

func (neon) scalarBinary(k *kernel, op string, dst, a, b int) {
	k.emit("%s F%d, F%d, F%d", neonScalar[op], b, a, dst)
}

func (neon) storeLane(k *kernel, v int, base string, offset int) {
	k.emit("FMOVS F%d, %d(%s)", v, offset, base)
}

// writeNEONConstants writes the constants as one table: a load reaches each from one
// address, where a symbol apiece would take three instructions.
func writeNEONConstants(asm *bytes.Buffer) {
	var words []uint32
	for _, c := range constants {
		words = append(words, slices.Repeat([]uint32{c.word()}, 4)...)
	}
	writeData(asm, "constants", words)
}
