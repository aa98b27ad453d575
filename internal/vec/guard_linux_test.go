package vec_test

import (
	"fmt"
	"syscall"
	"testing"
	"unsafe"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// guarded is memory between two pages that nobody may touch: a kernel that reads or writes
// past a slice ends the test.
type guarded struct {
	t    testing.TB
	page []byte
}

func newGuarded(t testing.TB, size int) guarded {
	t.Helper()
	page := syscall.Getpagesize()
	size = (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(all) })
	for _, guard := range [][]byte{all[:page], all[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return guarded{t, all[page : page+size]}
}

// atEnd is n values that end where the memory does; atStart begins where it does.
func atEnd[T any](g guarded, n int) []T { return part[T](g, len(g.page)-n*size[T](), n) }

func atStart[T any](g guarded, n int) []T { return part[T](g, 0, n) }

func size[T any]() int { return int(unsafe.Sizeof(*new(T))) }

func part[T any](g guarded, offset, n int) []T {
	if n == 0 {
		return nil
	}
	// Valid: T is a plain number, and the bytes are there and aligned for it.
	return unsafe.Slice((*T)(unsafe.Pointer(&g.page[offset])), n)
}

// places returns n values at the end and at the start of memory of their own.
func places[T any](t testing.TB, n int) [2][]T {
	return [2][]T{atEnd[T](newGuarded(t, max(n, 1)*size[T]()), n), atStart[T](newGuarded(t, max(n, 1)*size[T]()), n)}
}

func TestNothingIsReadOrWrittenPastASlice(t *testing.T) {
	for _, n := range edges {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			x, y, w := places[float32](t, n), places[float32](t, n), places[float32](t, n)
			rows, q8, rows8 := places[float32](t, 5*n), places[int8](t, n), places[int8](t, 5*n)
			half := places[uint16](t, n)
			rows4 := places[uint8](t, 5*n/2)
			dst, dst32 := places[float32](t, 5), places[int32](t, 5)
			ids := atEnd[uint32](newGuarded(t, 20), 5)
			for i := range ids {
				ids[i] = uint32(4 - i)
			}
			eachLevel(t, func(t *testing.T) {
				for end := range 2 {
					vec.Dot(x[end], y[end])
					vec.Dots(dst[end], x[end], rows[end])
					vec.DotsAt(dst[end], x[end], rows[end], ids)
					vec.Axpy(x[end], 0.5, y[end])
					vec.Scale(x[end], 0.5)
					vec.QuantizeRow(q8[end], x[end])
					vec.DotsI8(dst32[end], q8[end], rows8[end])
					vec.DotsI8At(dst32[end], q8[end], rows8[end], ids)
					if n > 0 && n%vec.Row4 == 0 {
						vec.DotsI4At(dst32[end], q8[end], rows4[end], ids)
					}
					vec.Widen(x[end], half[end])
					vec.GELU(x[end])
					vec.Measure(x[end])
					(&vec.LayerNorm{Weight: w[end], Bias: y[end]}).Add(x[end], y[end])
				}
			})
		})
	}
}

func TestProductsStayWithinTheirSlices(t *testing.T) {
	for _, size := range [][3]int{{1, 1, 1}, {3, 24, 16}, {8, 48, 32}, {9, 50, 17}, {13, 96, 384}, {24, 48, 64}} {
		m, n, k := size[0], size[1], size[2]
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			a, b, dst := places[float32](t, m*k), places[float32](t, n*k), places[float32](t, m*n)
			half, bias := places[uint16](t, n*k), places[float32](t, n)
			eachLevel(t, func(t *testing.T) {
				for end := range 2 {
					p := vec.PackB(b[end], n, k)
					p.Bias = bias[end]
					vec.MatMul(dst[end], a[end], p)
					h := vec.NewPackedHalf(n, k)
					h.SetHalf(0, half[end], k)
					vec.MatMulHalf(dst[end], a[end], h)
					vec.AddMatMulHalf(dst[end], a[end], h)
					if k%16 == 0 {
						ints := vec.NewPackedI16(n, k)
						ints.SetHalf(0, half[end], k)
						ints.Bias = bias[end]
						vec.MatMulI16(dst[end], rowsFor(a[end], m, k, ints), ints)
						vec.AddMatMulI16(dst[end], rowsFor(a[end], m, k, ints), ints)
					}
				}
			})
		})
	}
	for _, m := range []int{1, 5, 16, 17, 50} {
		t.Run(fmt.Sprint("attention of ", m), func(t *testing.T) {
			const width, stride = 32, 64
			q, k, v := places[float32](t, m*width), places[float32](t, m*width), places[float32](t, m*width)
			dst := places[float32](t, (m-1)*stride+width)
			eachLevel(t, func(t *testing.T) {
				for end := range 2 {
					(&vec.Attention{Width: width, Stride: stride}).Head(dst[end], q[end], k[end], v[end])
					(&vec.AttentionI16{Width: width, Stride: stride}).Head(dst[end], q[end], k[end], v[end])
				}
			})
		})
	}
}
