package cluster_test

import (
	"math"
	"math/rand/v2"
)

const dim = 48

// planted draws n vectors around k random centres, and says which; near 0 is noise,
// 1 copies of the centres.
func planted(n, k int, near float64, seed uint64) (vectors []float32, labels []int32) {
	rng := rand.New(rand.NewPCG(seed, 1))
	draw := func() []float64 {
		v := make([]float64, dim)
		for d := range v {
			v[d] = rng.NormFloat64() / math.Sqrt(dim)
		}
		return v
	}
	centres := make([][]float64, k)
	for c := range centres {
		centres[c] = draw()
	}
	for range n {
		c := rng.IntN(k)
		labels = append(labels, int32(c))
		for d, v := range draw() {
			vectors = append(vectors, float32(near*centres[c][d]+(1-near)*v))
		}
	}
	return vectors, labels
}

// shuffled returns vectors in another order; order[i] is where item i came from.
func shuffled(vectors []float32, seed uint64) (out []float32, order []int) {
	n := len(vectors) / dim
	order = rand.New(rand.NewPCG(seed, 2)).Perm(n)
	for _, from := range order {
		out = append(out, vectors[from*dim:(from+1)*dim]...)
	}
	return out, order
}

// repeated returns one vector n times.
func repeated(n int) []float32 {
	one, _ := planted(1, 1, 0, 9)
	var out []float32
	for range n {
		out = append(out, one...)
	}
	return out
}
