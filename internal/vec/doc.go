// Package vec holds the vector and matrix kernels: dot products for the index, the
// matrix product for clustering, and what the encoder's forward pass is made of.
//
// Every kernel has one reference in plain Go and an assembly form for each level of
// processor; which level runs is chosen once, at start, from the processor's features
// (see [Levels]; AKIN_CPU forces one). Slices are flat; a matrix is row-major, and its
// number of rows follows from the lengths given. Lengths that do not fit together are
// a bug of the caller and panic.
//
// # Vectors
//
//	Dot(a, b []float32) float32                        inner product
//	Dots(dst, q, rows []float32)                       dst[i] = q · row i, rows contiguous
//	DotsAt(dst, q, rows []float32, ids []uint32)       dst[i] = q · row ids[i]
//	Norm(x []float32) float32                          Euclidean length
//	Normalize(x []float32) float32                     x /= |x|, returns |x|; a zero vector stays
//	Add(dst, x []float32)                              dst += x
//	Axpy(dst []float32, a float32, x []float32)        dst += a·x
//	Scale(x []float32, a float32)                      x *= a
//
// # 8-bit vectors
//
//	QuantizeRow(dst []int8, x []float32) float32       codes in ±127, returns the scale: x ≈ scale · code
//	DotI8(a, b []int8) int32                           exact
//	DotsI8(dst []int32, q, rows []int8)                rows contiguous
//	DotsI8At(dst []int32, q, rows []int8, ids []uint32)
//
// # Matrix product
//
//	PackB(b []float32, n, k int) *Packed               b is [n, k]: its rows are the columns of the product
//	MatMul(dst, a []float32, b *Packed)                dst [m, n] = a [m, k] · bᵀ, one thread
//
// # The encoder
//
// [Arena], [PackedI16], [RowsI16] and [MatMulI16] are the dense layers in exact 16-bit
// integers, [AttentionI16] attention; [PackedHalf], [MatMulHalf] and [Attention] are those in
// 32-bit floats; [LayerNorm], [GELU], [Widen] and [Measure] the rest of the forward pass.
//
// # Same bytes everywhere
//
// An element of a matrix product is one chain of fused multiply-adds in ascending
// order of k. A sum over a vector (dot, mean, norm) is kept in 16 lanes, lane l adding the
// elements l, l+16, l+32 ...; the lanes are then added in halves: l and l+8, l and l+4,
// l and l+2, l and l+1. AVX2 (two registers), AVX-512 (one) and NEON (four) therefore give
// the same bytes; testdata/digests.txt holds amd64 and arm64 to them. Integer kernels are
// exact and equal on every processor. The reference rounds after each multiplication
// (plain Go has no 32-bit fused multiply-add), so that it agrees with the others within a
// tolerance only.
package vec
