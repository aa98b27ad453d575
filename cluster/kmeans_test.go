package cluster_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/cluster"
)

func TestKMeansFindsPlantedGroups(t *testing.T) {
	vectors, want := planted(600, 7, 0.6, 1)
	p, err := cluster.KMeans(t.Context(), vectors, dim, cluster.KMeansOptions{K: 7})
	if err != nil {
		t.Fatal(err)
	}
	if ari := cluster.AdjustedRand(p.Labels, want); ari < 0.99 {
		t.Errorf("adjusted Rand index with the planted groups: got %.3f, want at least 0.99", ari)
	}
	for c := range p.K {
		norm := 0.0
		for _, v := range p.Centroids[c*dim : (c+1)*dim] {
			norm += float64(v) * float64(v)
		}
		if math.Abs(norm-1) > 1e-5 {
			t.Errorf("centroid %d: got squared length %v, want 1", c, norm)
		}
	}
}

func TestKMeansLabelsAreTheNearestCentroids(t *testing.T) {
	vectors, _ := planted(300, 5, 0.3, 2)
	p, err := cluster.KMeans(t.Context(), vectors, dim, cluster.KMeansOptions{K: 9, Restarts: 2})
	if err != nil {
		t.Fatal(err)
	}
	mean := 0.0
	for i, label := range p.Labels {
		v := vectors[i*dim : (i+1)*dim]
		norm, best, at := 0.0, math.Inf(-1), 0
		for _, x := range v {
			norm += float64(x) * float64(x)
		}
		for c := range p.K {
			dot := 0.0
			for d, x := range p.Centroids[c*dim : (c+1)*dim] {
				dot += float64(x) * float64(v[d])
			}
			if dot > best {
				best, at = dot, c
			}
		}
		mean += best / math.Sqrt(norm) / 300
		if at != int(label) {
			t.Errorf("vector %d: got group %d, but centroid %d is nearest", i, label, at)
		}
	}
	const rounding = 1e-5
	if math.Abs(mean-p.Objective) > rounding {
		t.Errorf("objective: got %v, want the mean cosine %v", p.Objective, mean)
	}
}

func TestKMeansIsFreeOfOrderAndWorkers(t *testing.T) {
	vectors, _ := planted(200, 6, 0.2, 3)
	opts := cluster.KMeansOptions{K: 6, Restarts: 3, Seed: 5, Workers: 1}
	want, err := cluster.KMeans(t.Context(), vectors, dim, opts)
	if err != nil {
		t.Fatal(err)
	}
	other, order := shuffled(vectors, 4)
	opts.Workers = 4
	got, err := cluster.KMeans(t.Context(), other, dim, opts)
	if err != nil {
		t.Fatal(err)
	}
	back := make([]int32, len(order))
	for i, from := range order {
		back[from] = got.Labels[i]
	}
	got.Labels = back
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("another order, four workers (-want +got):\n%s", diff)
	}
}

func TestKMeansOfFewVectors(t *testing.T) {
	for name, test := range map[string]struct {
		vectors []float32
		k       int
		want    int // groups
	}{
		"no vectors":           {nil, 3, 0},
		"one vector":           {repeated(1), 3, 1},
		"copies of one vector": {repeated(50), 3, 1},
		"zero vectors":         {make([]float32, 4*dim), 2, 1},
		"as many as groups":    {first(planted(5, 5, 0, 1)), 5, 5},
		"next to nothing":      {slices.Repeat([]float32{1e-40}, 4*dim), 2, 1},
		"one group":            {first(planted(5, 5, 0, 1)), 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := cluster.KMeans(t.Context(), test.vectors, dim, cluster.KMeansOptions{K: test.k})
			if err != nil {
				t.Fatal(err)
			}
			if p.K != test.want || len(p.Labels) != len(test.vectors)/dim {
				t.Errorf("got %d groups of %d vectors, want %d of %d", p.K, len(p.Labels), test.want, len(test.vectors)/dim)
			}
		})
	}
}

func first(vectors []float32, _ []int32) []float32 { return vectors }

func TestKMeansStartsWhereItIsTold(t *testing.T) {
	vectors, _ := planted(100, 3, 0.5, 6)
	p, err := cluster.KMeans(t.Context(), vectors, dim, cluster.KMeansOptions{K: 3, Rounds: 1, Start: vectors[:3*dim]})
	if err != nil {
		t.Fatal(err)
	}
	if p.Rounds != 1 {
		t.Errorf("got %d rounds, want 1", p.Rounds)
	}
	if p.Labels[0] == p.Labels[1] || p.Labels[1] == p.Labels[2] || p.Labels[0] == p.Labels[2] {
		t.Errorf("the vectors that are the start have groups %v: want three", p.Labels[:3])
	}
}

func TestNonsenseIsRefused(t *testing.T) {
	vectors, labels := planted(20, 2, 0.5, 7)
	infinite := append([]float32{float32(math.Inf(1))}, vectors[1:]...)
	none := slices.Clone(vectors)
	none[18*dim+3] = float32(math.NaN())
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"k-means with k 0":          {second(cluster.KMeans(t.Context(), vectors, dim, cluster.KMeansOptions{})), "k is 0"},
		"k-means of infinity":       {second(cluster.KMeans(t.Context(), infinite, dim, cluster.KMeansOptions{K: 2})), "vector 0 holds +Inf"},
		"k-means of no number":      {second(cluster.KMeans(t.Context(), none, dim, cluster.KMeansOptions{K: 2})), "vector 18 holds NaN"},
		"k-means with a bad start":  {second(cluster.KMeans(t.Context(), vectors, dim, cluster.KMeansOptions{K: 2, Start: vectors[:dim]})), "want 2 centroids"},
		"half a vector":             {second(cluster.Themes(t.Context(), vectors[1:], dim, cluster.Options{})), "do not divide"},
		"dimension 0":               {second(cluster.Themes(t.Context(), vectors, 0, cluster.Options{})), "dimension 0"},
		"themes of infinity":        {second(cluster.Themes(t.Context(), infinite, dim, cluster.Options{})), "+Inf"},
		"a negative k":              {second(cluster.Themes(t.Context(), vectors, dim, cluster.Options{K: -1})), "k is -1"},
		"three levels":              {second(cluster.Themes(t.Context(), vectors, dim, cluster.Options{Levels: 3})), "3 levels"},
		"fewer texts than labels":   {second(cluster.Names(nil, labels, 2, cluster.NameOptions{})), "0 texts and 20 labels"},
		"a label beyond the themes": {second(cluster.Names(make([]string, 20), labels, 1, cluster.NameOptions{})), "theme 1 of 1"},
		"parents of other themes":   {second(cluster.Names(make([]string, 20), labels, 2, cluster.NameOptions{Parents: []int32{0}})), "1 parents"},
		"labels without vectors":    {second(cluster.NewAssigner(t.Context(), nil, dim, labels, 1)), "20 labels"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one with %q", name, test.err, test.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
