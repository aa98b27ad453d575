package quant_test

import (
	"math"
	"slices"
	"testing"

	"github.com/seed-9f29d379/akin/index/indextest"
	"github.com/seed-9f29d379/akin/index/internal/quant"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// The nodes that a walk ranks in float32 depend on this estimate.
func TestHalfErrorIsTheErrorOfAProduct(t *testing.T) {
	const n, dim = 2000, 200
	vectors, _ := indextest.Clustered(n, dim, 3)
	h := quant.FitHalf(dim, quant.Vectors{N: n, At: func(i int) []float32 { return vectors[i*dim : (i+1)*dim] }})
	stride := quant.HalfStride(dim)
	row, query := make([]uint8, stride/2), make([]int8, stride)
	q := vectors[:dim]
	h.Query(query, q)
	var products, scores []float64
	for i := 1; i < n; i++ {
		v := vectors[i*dim : (i+1)*dim]
		h.Encode(row, v)
		var got [1]int32
		vec.DotsI4At(got[:], query, row, []uint32{0})
		exact := 0.0
		for j := range v {
			exact += float64(q[j]) * float64(v[j])
		}
		products, scores = append(products, exact), append(scores, float64(got[0]))
	}
	slope, rest := line(products, scores)
	// Of two products one is a multiple of the other, but for a constant and the error.
	got, want := rest, quant.HalfError*math.Sqrt(float64(vec.DotI8(query, query)))
	if slope <= 0 || got > 2*want || got < want/2 {
		t.Errorf("error of products %.4g, HalfError says %.4g (slope %.3g)", got, want, slope)
	}
}

// line fits y = slope·x + c and returns the standard deviation of what is left.
func line(x, y []float64) (slope, rest float64) {
	n := float64(len(x))
	var sx, sy, sxx, sxy, syy float64
	for i := range x {
		sx, sy = sx+x[i], sy+y[i]
		sxx, sxy, syy = sxx+x[i]*x[i], sxy+x[i]*y[i], syy+y[i]*y[i]
	}
	cov, vx, vy := sxy/n-sx*sy/n/n, sxx/n-sx*sx/n/n, syy/n-sy*sy/n/n
	return cov / vx, math.Sqrt(vy - cov*cov/vx)
}

func TestHalfCodesAreCutAtTheirLevels(t *testing.T) {
	h := quant.Half{Middles: make([]float32, 130), Steps: slices.Repeat([]float32{1}, 130)}
	h.Middles[129] = 5
	v := make([]float32, 130)
	copy(v, []float32{0, .9, -.1, 7.5, 100, -100})
	v[129] = 6
	row := make([]uint8, quant.HalfStride(130)/2)
	h.Encode(row, v)
	want := slices.Repeat([]uint8{0x08}, 128)
	copy(want, []uint8{0x88, 0x98, 7, 0xf, 0xf, 0})
	want[0], want[1] = 8|8<<4, 8|9<<4 // elements 128 and 129 are in the high halves
	if !slices.Equal(row, want) {
		t.Errorf("Encode = %x, want %x", row, want)
	}
}

func TestAnElementThatNeverVariesIsNoHarm(t *testing.T) {
	const dim = 130
	v := make([]float32, dim)
	v[3] = 1
	h := quant.FitHalf(dim, quant.Vectors{N: 2, At: func(int) []float32 { return v }})
	row, query := make([]uint8, quant.HalfStride(dim)/2), make([]int8, quant.HalfStride(dim))
	h.Encode(row, v)
	h.Query(query, v)
	for i, step := range h.Steps {
		if !(step > 0) {
			t.Fatalf("step %d is %v", i, step)
		}
	}
	if query[3] != 127 {
		t.Errorf("query element 3 is %d, want 127", query[3])
	}
}
