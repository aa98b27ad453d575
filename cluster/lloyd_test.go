package cluster_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/seed-9f29d379/akin/cluster"
)

// plainLloyd is spherical k-means as it is written down: float64, every row with every
// centroid in every round. It returns the label of each vector, and the least difference
// between the cosines with the nearest centroid and the next.
func plainLloyd(vectors []float32, dim, k, rounds int) (labels []int32, closest float64) {
	n := len(vectors) / dim
	x, centroids := make([]float64, n*dim), make([]float64, k*dim)
	unit := func(v []float64) {
		norm := 0.0
		for _, e := range v {
			norm += e * e
		}
		for d := range v {
			v[d] /= math.Sqrt(norm)
		}
	}
	for i, v := range vectors {
		x[i] = float64(v)
	}
	for i := range n {
		unit(x[i*dim : (i+1)*dim])
	}
	copy(centroids, x)
	labels, closest = make([]int32, n), math.Inf(1)
	for round := 0; ; round++ {
		for i := range n {
			cosines := make([]float64, k)
			for c := range cosines {
				for d, e := range x[i*dim : (i+1)*dim] {
					cosines[c] += e * centroids[c*dim+d]
				}
			}
			labels[i] = int32(slices.Index(cosines, slices.Max(cosines)))
			slices.Sort(cosines)
			closest = min(closest, cosines[k-1]-cosines[k-2])
		}
		if round == rounds {
			return labels, closest
		}
		clear(centroids)
		for i, label := range labels {
			for d, e := range x[i*dim : (i+1)*dim] {
				centroids[int(label)*dim+d] += e
			}
		}
		for c := range k {
			unit(centroids[c*dim : (c+1)*dim])
		}
	}
}

// Bounds and estimates leave comparisons out; they must not change one label.
func TestKMeansTakesTheStepsOfPlainLloyd(t *testing.T) {
	even, _ := planted(2000, 20, 0.25, 11)
	uneven := slices.Clone(even) // one large element makes a row's codes coarse
	for i := 0; i < len(uneven); i += dim {
		uneven[i] += 1
	}
	for name, test := range map[string]struct {
		vectors []float32
		k       int
	}{
		"even rows":                   {even, 12},
		"rows with one large element": {uneven, 12},
		"64 groups":                   {even, 64},
		"more groups than have bounds of their own": {even, 90},
	} {
		for _, rounds := range []int{1, 6, 25} {
			if testing.Short() && rounds > 6 {
				continue // the race detector makes plain loops slow
			}
			t.Run(fmt.Sprintf("%s, %d rounds", name, rounds), func(t *testing.T) {
				want, closest := plainLloyd(test.vectors, dim, test.k, rounds)
				if closest < 1e-7 {
					t.Fatalf("two centroids are within %v of one vector: rounding decides", closest)
				}
				p, err := cluster.KMeans(t.Context(), test.vectors, dim, cluster.KMeansOptions{K: test.k, Rounds: rounds, Start: test.vectors[:test.k*dim]})
				if err != nil {
					t.Fatal(err)
				}
				if ari := cluster.AdjustedRand(p.Labels, want); ari != 1 {
					t.Errorf("adjusted Rand index with the labels of plain k-means: got %v, want 1", ari)
				}
			})
		}
	}
}
