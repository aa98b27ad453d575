package quant_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-9f29d379/akin/index/indextest"
	"github.com/seed-9f29d379/akin/index/internal/quant"
)

func rowsOf(vectors []float32, dim, workers int, order []int) quant.Vectors {
	return quant.Vectors{N: len(order), Workers: workers, At: func(i int) []float32 {
		return vectors[order[i]*dim : (order[i]+1)*dim]
	}}
}

func TestTheScaleDoesNotDependOnTheOrderOrTheWorkers(t *testing.T) {
	const n, dim = 500, 40
	vectors, _ := indextest.Clustered(n, dim, 1)
	vectors[7*dim] = 1 // one that needs a wide range
	clear(vectors[7*dim+1 : 8*dim])
	rng := rand.New(rand.NewPCG(1, 1))
	want := quant.Scale(rowsOf(vectors, dim, 1, rng.Perm(n)))
	for workers := range 4 {
		if got := quant.Scale(rowsOf(vectors, dim, workers, rng.Perm(n))); got != want {
			t.Errorf("Scale in another order, %d workers = %v, want %v", workers, got, want)
		}
	}
	for i := range n {
		if v := vectors[i*dim : (i+1)*dim]; !quant.Fits(v, want) {
			t.Errorf("vector %d does not fit the scale %v that was chosen with it", i, want)
		}
	}
}

func TestCodesAreNearestIntegersCutAtTheLimit(t *testing.T) {
	got := make([]int8, quant.Stride(6))
	quant.Encode(got, []float32{0, .5, 1.5, -2.6, 1000, -1000}, 1)
	want := make([]int8, 64)
	copy(want, []int8{0, 0, 2, -3, 127, -127})
	if !slices.Equal(got, want) {
		t.Errorf("Encode = %v, want %v", got, want)
	}
}

func TestAQueryOfAnyLengthFillsItsCodes(t *testing.T) {
	for _, length := range []float32{1e-30, 1e-6, 1, 1e6, 1e14, math.SmallestNonzeroFloat32} {
		codes := make([]int8, quant.Stride(2))
		scale := quant.Query(codes, []float32{length, -length / 4})
		if math.IsInf(float64(scale), 0) || length > 1e-38 && (codes[0] != 127 || codes[1] != -32) {
			t.Errorf("Query of length %v: codes %v, scale %v", length, codes[:2], scale)
		}
	}
}

// The candidates that an exact search by codes takes depend on this estimate.
func TestNoiseIsTheErrorOfAProduct(t *testing.T) {
	const n, dim = 400, 96
	vectors, _ := indextest.Clustered(n, dim, 2)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	scale := quant.Scale(rowsOf(vectors, dim, 1, order))
	a, b := make([]int8, quant.Stride(dim)), make([]int8, quant.Stride(dim))
	q := vectors[:dim]
	queryScale := quant.Query(a, q)
	var sum float64
	for i := 1; i < n; i++ {
		v := vectors[i*dim : (i+1)*dim]
		quant.Encode(b, v, scale)
		exact, coded := 0.0, 0.0
		for j := range v {
			exact += float64(q[j]) * float64(v[j])
			coded += float64(a[j]) * float64(b[j])
		}
		e := exact - coded/float64(queryScale)/float64(scale)
		sum += e * e
	}
	got, want := math.Sqrt(sum/(n-1)), quant.Noise(dim, q, queryScale, scale)
	if got > 1.5*want || got < want/3 {
		t.Errorf("error of products %.2g, Noise says %.2g", got, want)
	}
}
