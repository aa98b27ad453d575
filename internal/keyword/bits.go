package keyword

import (
	"encoding/binary"
	"math/bits"
)

// packedSize is the number of bytes of n numbers of width bits, in whole words of 32.
func packedSize(n int, width uint) int { return (n*int(width) + 31) / 32 * 4 }

// width is the number of bits of the largest of xs.
func width(xs []uint32) uint {
	var all uint32
	for _, x := range xs {
		all |= x
	}
	return uint(bits.Len32(all))
}

// pack appends xs to dst, width bits each, the lowest first.
func pack(dst []byte, xs []uint32, width uint) []byte {
	var acc uint64
	var have uint
	for _, x := range xs {
		acc |= uint64(x) << have
		if have += width; have >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(acc))
			acc >>= 32
			have -= 32
		}
	}
	if have > 0 {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(acc))
	}
	return dst
}

// unpack fills dst from src, which pack wrote and which holds packedSize bytes.
func unpack(dst []uint32, src []byte, width uint) {
	if width == 0 {
		clear(dst)
		return
	}
	var acc uint64
	var have uint
	mask := uint64(1)<<width - 1
	for k := range dst {
		if have < width {
			acc |= uint64(binary.LittleEndian.Uint32(src)) << have
			src = src[4:]
			have += 32
		}
		dst[k] = uint32(acc & mask)
		acc >>= width
		have -= width
	}
}
