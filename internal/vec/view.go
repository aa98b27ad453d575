package vec

import (
	"encoding/binary"
	"unsafe"
)

// Element is what a file's section may hold: values of a fixed width for which every
// pattern of bits is a value.
type Element interface {
	int8 | uint8 | uint16 | uint32 | uint64 | float32
}

// View returns little-endian bytes as values, in place where the processor allows it
// and else as a copy. Bytes beyond the last whole value are left out. The result must
// not be changed, and lives as long as b.
func View[T Element](b []byte) []T {
	var zero T
	width := int(unsafe.Sizeof(zero))
	n := len(b) / width
	if n == 0 {
		return nil
	}
	// Valid: the n values lie within b, the address is a multiple of the width, and T
	// holds no pointers.
	if p := unsafe.Pointer(unsafe.SliceData(b)); width == 1 || littleEndian() && uintptr(p)%uintptr(width) == 0 {
		return unsafe.Slice((*T)(p), n)
	}
	values := make([]T, n)
	copy(native(values), b)
	if !littleEndian() {
		swap(native(values), width)
	}
	return values
}

// Bytes returns the little-endian bytes of values, in place on a little-endian
// processor and else as a copy. The result must not be changed.
func Bytes[T Element](values []T) []byte {
	b := native(values)
	if littleEndian() || len(b) == len(values) {
		return b
	}
	b = append([]byte(nil), b...)
	swap(b, len(b)/len(values))
	return b
}

// native returns the bytes of values as they lie in memory.
func native[T Element](values []T) []byte {
	if len(values) == 0 {
		return nil
	}
	var zero T
	// Valid: a byte has no alignment, and the bytes are those of the slice's values.
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(zero)))
}

func littleEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// swap reverses the bytes of each value.
func swap(b []byte, width int) {
	for ; len(b) >= width; b = b[width:] {
		for i, j := 0, width-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}
