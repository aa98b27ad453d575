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

// unpack fills dst with numbers of width bits, at most 32, from src, which pack wrote and
// which holds at least packedSize bytes.
func unpack(dst []uint32, src []byte, width uint) {
	k := 0
	switch {
	case width == 0:
		clear(dst)
		return
	case width <= 8:
		k = unpackEights(dst, src, width)
	case width <= 16:
		k = unpackFours(dst, src, width)
	}
	mask := uint64(1)<<width - 1
	for bit := uint(k) * width; k < len(dst); k++ {
		at := bit >> 3
		var x uint64
		if at+8 <= uint(len(src)) {
			x = binary.LittleEndian.Uint64(src[at:])
		} else {
			var last [8]byte
			copy(last[:], src[at:])
			x = binary.LittleEndian.Uint64(last[:])
		}
		dst[k] = uint32(x >> (bit & 7) & mask)
		bit += width
	}
}

// at is the k-th number of those that unpack would give.
func at(src []byte, k int, width uint) uint32 {
	bit := uint(k) * width
	from := bit >> 3
	if from+8 <= uint(len(src)) {
		return uint32(binary.LittleEndian.Uint64(src[from:]) >> (bit & 7) & (1<<width - 1))
	}
	var last [8]byte
	copy(last[:], src[from:])
	return uint32(binary.LittleEndian.Uint64(last[:]) >> (bit & 7) & (1<<width - 1))
}

// unpackEights unpacks eight numbers of at most 8 bits at a time: they are so many bytes
// as one of them has bits. It returns how many it has unpacked.
func unpackEights(dst []uint32, src []byte, width uint) int {
	mask := uint64(1)<<width - 1
	k := 0
	for ; k+8 <= len(dst) && len(src) >= 8; k += 8 {
		x := binary.LittleEndian.Uint64(src)
		src = src[width:]
		d := dst[k : k+8 : k+8]
		d[0] = uint32(x & mask)
		x >>= width & 63
		d[1] = uint32(x & mask)
		x >>= width & 63
		d[2] = uint32(x & mask)
		x >>= width & 63
		d[3] = uint32(x & mask)
		x >>= width & 63
		d[4] = uint32(x & mask)
		x >>= width & 63
		d[5] = uint32(x & mask)
		x >>= width & 63
		d[6] = uint32(x & mask)
		x >>= width & 63
		d[7] = uint32(x & mask)
	}
	return k
}

// unpackFours does so with numbers of at most 16 bits, in two steps of four.
func unpackFours(dst []uint32, src []byte, width uint) int {
	mask := uint64(1)<<width - 1
	half, shift := width/2, width%2*4 // where the second four begin
	k := 0
	for ; k+8 <= len(dst) && len(src) >= 16; k += 8 {
		x, y := binary.LittleEndian.Uint64(src), binary.LittleEndian.Uint64(src[half:])>>shift
		src = src[width:]
		d := dst[k : k+8 : k+8]
		d[0], d[4] = uint32(x&mask), uint32(y&mask)
		x, y = x>>(width&63), y>>(width&63)
		d[1], d[5] = uint32(x&mask), uint32(y&mask)
		x, y = x>>(width&63), y>>(width&63)
		d[2], d[6] = uint32(x&mask), uint32(y&mask)
		x, y = x>>(width&63), y>>(width&63)
		d[3], d[7] = uint32(x&mask), uint32(y&mask)
	}
	return k
}
