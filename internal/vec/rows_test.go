package vec_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// A product whose k is cut in pieces is the whole one: in floats to the bit, in integers up
// to what the scales of a piece round.
func TestProductsInPiecesAddUp(t *testing.T) {
	for _, size := range [][3]int{{1, 48, 32}, {13, 50, 96}, {9, 384, 64}} {
		m, n, k := size[0], size[1], size[2]
		first := k / 2
		a, bias := random(m*k, 1), random(n, 2)
		half, _ := halves(n*k, 3)
		left, right := make([]float32, 0, m*first), make([]float32, 0, m*(k-first))
		for i := range m {
			left = append(left, a[i*k:i*k+first]...)
			right = append(right, a[i*k+first:(i+1)*k]...)
		}
		t.Run(fmt.Sprint(size, " floats"), func(t *testing.T) {
			sameBytes(t, roundings*10, func() []float32 {
				whole := vec.NewPackedHalf(n, k)
				whole.Bias = bias
				whole.SetHalf(0, half, k)
				want, got := make([]float32, m*n), make([]float32, m*n)
				vec.MatMulHalf(want, a, whole)
				l, r := vec.NewPackedHalf(n, first), vec.NewPackedHalf(n, k-first)
				l.Bias = bias
				l.SetHalf(0, half[:(n-1)*k+first], k)
				r.SetHalf(0, half[first:], k)
				vec.MatMulHalf(got, left, l)
				vec.AddMatMulHalf(got, right, r)
				if i := differ(got, want, 0); i >= 0 {
					t.Errorf("element %d is %v, of the whole %v", i, got[i], want[i])
				}
				return got
			})
		})
		t.Run(fmt.Sprint(size, " integers"), func(t *testing.T) {
			sameBytes(t, 1e-6, func() []float32 {
				whole := vec.NewPackedI16(n, k)
				whole.Bias = bias
				whole.SetHalf(0, half, k)
				want, got := make([]float32, m*n), make([]float32, m*n)
				vec.MatMulI16(want, rowsFor(a, m, k, whole), whole)
				l, r := vec.NewPackedI16(n, first), vec.NewPackedI16(n, k-first)
				l.Bias = bias
				l.SetHalf(0, half[:(n-1)*k+first], k)
				r.SetHalf(0, half[first:], k)
				vec.MatMulI16(got, rowsFor(left, m, first, l), l)
				vec.AddMatMulI16(got, rowsFor(right, m, k-first, r), r)
				if i := differ(got, want, 1e-3); i >= 0 {
					t.Errorf("element %d is %v, of the whole %v", i, got[i], want[i])
				}
				return got
			})
		})
	}
}

// Rows that are set for one of several matrices stay within 32 bits in the longest of them.
func TestRowsThatMatricesShareDoNotOverflow(t *testing.T) {
	const n, k = 48, 384
	a := special(k, 1000)
	small, large := make([]uint16, n*k), make([]uint16, n*k)
	for i := range small {
		small[i], large[i] = 0x0001, 0x3c00 // 2^-24 and 1
	}
	eachLevel(t, func(t *testing.T) {
		s, l := vec.NewPackedI16(n, k), vec.NewPackedI16(n, k)
		small[5] = 0x3c00 // a row of one large element is far from 2^15.5 long
		s.SetHalf(0, small[:k], k)
		l.SetHalf(0, large, k)
		vec.ShareRows([]*vec.PackedI16{s, l})
		rows := rowsFor(a, 1, k, s)
		got := make([]float32, n)
		vec.MatMulI16(got, rows, l)
		for j, v := range got {
			if want := float32(1000 * k); !(v > want*0.999 && v < want*1.001) {
				t.Fatalf("column %d is %v, want about %v", j, v, want)
			}
		}
	})
}

// rowsFor sets rows of a [m, k] for b.
func rowsFor(a []float32, m, k int, b *vec.PackedI16) *vec.RowsI16 {
	var rows vec.RowsI16
	rows.Resize(m, k)
	rows.Set(0, a, b)
	return &rows
}

func TestMatMulI16OfSpecialRows(t *testing.T) {
	const n, k = 48, 32
	half, _ := halves(n*k, 1)
	bias := random(n, 2)
	for name, row := range map[string][]float32{
		"zeros":       special(k, 0),
		"denormals":   special(k, 1e-42, -1e-40),
		"one element": append(special(k-1, 0), 1e-20),
	} {
		t.Run(name, func(t *testing.T) {
			eachLevel(t, func(t *testing.T) {
				b := vec.NewPackedI16(n, k)
				b.Bias = bias
				b.SetHalf(0, half, k)
				got := make([]float32, n)
				vec.MatMulI16(got, rowsFor(row, 1, k, b), b)
				if i := differ(got, bias, 1e-7); i >= 0 {
					t.Errorf("column %d is %v, want the bias %v", i, got[i], bias[i])
				}
			})
		})
	}
	eachLevel(t, func(t *testing.T) {
		for _, bad := range []float32{float32(math.NaN()), inf} {
			b := vec.NewPackedI16(n, k)
			b.SetHalf(0, half, k)
			got := make([]float32, n)
			vec.MatMulI16(got, rowsFor(special(k, 1, bad), 1, k, b), b)
			for j, v := range got {
				if !isNaN(v) && !math.IsInf(float64(v), 0) {
					t.Fatalf("with %v in the row, column %d is %v, want no number", bad, j, v)
				}
			}
		}
	})
}
