package vec

import "unsafe"

// Arena is one piece of memory for many matrices, in large pages where the system has
// them. With pages of 4 KiB each 64 cache lines of weights cost a walk through the page
// tables, which a virtual machine doubles: on one, 16 tokens of the bundled model took
// 3.2 ms without and 2.1 ms with large pages. What does not fit comes from ordinary memory.
// The zero value is an empty Arena. It is not safe for concurrent use.
type Arena struct{ free []byte }

// largePage is the size of a large page on amd64, and on arm64 with base pages of 4 KiB.
const largePage = 2 << 20

// NewArena returns an Arena of size bytes.
func NewArena(size int) *Arena {
	if size < largePage {
		return &Arena{}
	}
	size = (size + largePage - 1) / largePage * largePage
	memory := make([]byte, size+largePage) // what is not touched costs nothing
	start := padding(unsafe.Pointer(&memory[0]), largePage)
	memory = memory[start : start+size]
	useLargePages(memory)
	return &Arena{free: memory}
}

// MatrixSize is the number of bytes that a matrix [n, k] of 16-bit numbers takes of an
// Arena.
func MatrixSize(n, k int) int {
	return roundUp(roundUp(n, panelWidth())*k*2, cacheLine)
}

// NewPackedHalf is [NewPackedHalf] with memory of a.
func (a *Arena) NewPackedHalf(n, k int) *PackedHalf {
	p := newPackedHalf(n, k, take[uint16](a, MatrixSize(n, k)))
	p.after = a.place()
	return p
}

// NewPackedI16 is [NewPackedI16] with memory of a.
func (a *Arena) NewPackedI16(n, k int) *PackedI16 {
	p := newPackedI16(n, k, take[int16](a, MatrixSize(n, k)))
	p.after = a.place()
	return p
}

// Floats returns n floats of a, of which the next Floats are at least a cache line away.
func (a *Arena) Floats(n int) []float32 {
	return grow(take[float32](a, roundUp(4*n, cacheLine)), n)
}

// place is the address of what will be taken next: the matrix that a model multiplies by
// next. It is only ever fetched into the cache.
func (a *Arena) place() uintptr {
	if len(a.free) == 0 {
		return 0
	}
	return uintptr(unsafe.Pointer(&a.free[0]))
}

// take cuts size bytes off the Arena; nil if it has no more.
func take[T int16 | uint16 | float32](a *Arena, size int) []T {
	if size == 0 || size > len(a.free) {
		return nil
	}
	// Valid: the memory starts at a cache line, sizes are whole cache lines, and T holds
	// no pointers.
	x := unsafe.Slice((*T)(unsafe.Pointer(&a.free[0])), size/int(unsafe.Sizeof(*new(T))))
	a.free = a.free[size:]
	return x[:0]
}

// grow returns a slice of n elements aligned to a cache line, x itself where it has room:
// a load of a whole register that straddles two lines costs twice.
func grow[T int8 | int16 | uint16 | int32 | float32](x []T, n int) []T {
	if cap(x) >= n {
		return x[:n]
	}
	size := int(unsafe.Sizeof(*new(T)))
	x = make([]T, n+cacheLine/size)
	start := padding(unsafe.Pointer(unsafe.SliceData(x)), cacheLine) / size
	return x[start : start+n : start+n]
}

const cacheLine = 64

// padding is how many bytes p lies before a multiple of align, a power of two. Objects do
// not move, so that an address may be looked at.
func padding(p unsafe.Pointer, align uintptr) int { return int(-uintptr(p) & (align - 1)) }

func roundUp(n, to int) int { return (n + to - 1) / to * to }
