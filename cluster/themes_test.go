package cluster_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/cluster"
	"github.com/seed-9f29d379/akin/internal/vec"
)

func labelsOf(level cluster.Level) []int32 {
	labels := make([]int32, len(level.Items))
	for i, m := range level.Items {
		labels[i] = m.Theme
	}
	return labels
}

func TestThemesFindsPlantedGroupsAndTheirNumber(t *testing.T) {
	for _, k := range []int{5, 9} {
		vectors, want := planted(300, k, 0.55, uint64(k))
		r, err := cluster.Themes(t.Context(), vectors, dim, cluster.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if ari := cluster.AdjustedRand(labelsOf(r.Levels[0]), want); r.K != k || ari < 0.98 {
			t.Errorf("%d planted groups: got %d themes with adjusted Rand index %.3f, want %d with at least 0.98", k, r.K, ari, k)
		}
		if !r.ClearStructure || r.ChosenBy != cluster.ByStructure || r.Stability < 0.9 {
			t.Errorf("%d planted groups: got clear %v, chosen by %s, stability %.2f", k, r.ClearStructure, r.ChosenBy, r.Stability)
		}
	}
}

func TestNoiseHasNoClearStructure(t *testing.T) {
	for seed := range uint64(3) {
		vectors, _ := planted(250, 1, 0, seed)
		r, err := cluster.Themes(t.Context(), vectors, dim, cluster.Options{K: 5})
		if err != nil {
			t.Fatal(err)
		}
		if r.ClearStructure {
			t.Errorf("noise %d: got a clear structure", seed)
		}
	}
}

// TestThemesAreTheSameBytes holds the promise of the package: not the order of input,
// the number of workers nor the level of an x86 processor changes anything.
func TestThemesAreTheSameBytes(t *testing.T) {
	vectors, _ := planted(180, 6, 0.25, 11)
	vectors = append(vectors, vectors[:20*dim]...) // copies as well
	opts := cluster.Options{Levels: 2, Seed: 3, Workers: 1}
	want, err := cluster.Themes(t.Context(), vectors, dim, opts)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(2) {
		other, order := shuffled(vectors, seed)
		opts.Workers = 3 + int(seed)
		got, err := cluster.Themes(t.Context(), other, dim, opts)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, inOrder(got, order, vectors)); diff != "" {
			t.Errorf("another order, %d workers (-want +got):\n%s", opts.Workers, diff)
		}
	}

	before, _ := vec.CPU()
	defer vec.Use(before)
	for _, level := range vec.Levels() {
		if level == vec.Reference {
			continue // equal within a tolerance only
		}
		if err := vec.Use(level); err != nil {
			t.Fatal(err)
		}
		got, err := cluster.Themes(t.Context(), vectors, dim, opts)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("level %v (-want +got):\n%s", level, diff)
		}
	}
}

// inOrder gives r's items the numbers that they have in the order of vectors. Of copies
// any may represent a theme: the first stands for all.
func inOrder(r *cluster.Result, order []int, vectors []float32) *cluster.Result {
	firstCopy := func(item int) uint32 {
		for i := range item {
			if slices.Equal(vectors[i*dim:(i+1)*dim], vectors[item*dim:(item+1)*dim]) {
				return uint32(i)
			}
		}
		return uint32(item)
	}
	for l := range r.Levels {
		items := make([]cluster.Membership, len(order))
		for i, from := range order {
			items[from] = r.Levels[l].Items[i]
		}
		r.Levels[l].Items = items
		for _, theme := range r.Levels[l].Themes {
			for i, item := range theme.Representatives {
				theme.Representatives[i] = firstCopy(order[item])
			}
		}
	}
	return r
}

func TestThemesOfSmallAndOddCollections(t *testing.T) {
	few, _ := planted(12, 3, 0.5, 2)
	for name, test := range map[string]struct {
		vectors []float32
		k       int
		want    int // themes; -1: any number
		chosen  string
		reason  string
	}{
		"nothing":                       {nil, 0, 0, cluster.BySize, "nothing to group"},
		"nothing, k 3":                  {nil, 3, 0, cluster.BySize, "nothing to group"},
		"one":                           {few[:dim], 0, 1, cluster.BySize, "too few"},
		"two":                           {few[:2*dim], 0, 1, cluster.BySize, "too few"},
		"two, k 2":                      {few[:2*dim], 2, 2, cluster.ByCaller, "asked for"},
		"two, k 5":                      {few[:2*dim], 5, 2, cluster.ByCaller, "only 2 distinct"},
		"all equal":                     {repeated(40), 0, 1, cluster.BySize, "too few"},
		"all equal, k 3":                {repeated(40), 3, 1, cluster.ByCaller, "only 1 distinct"},
		"twelve":                        {few, 0, -1, cluster.ByStructure, "modularity"},
		"twelve, k 1":                   {few, 1, 1, cluster.ByCaller, "asked for"},
		"twelve, k 12":                  {few, 12, 12, cluster.ByCaller, "asked for"},
		"twelve, k 11":                  {few, 11, 11, cluster.ByCaller, "asked for"},
		"zero vectors":                  {make([]float32, 30*dim), 0, 1, cluster.BySize, "too few"},
		"a thousand copies of one text": {append(repeated(1000), few...), 3, 3, cluster.ByCaller, "asked for"},
	} {
		for _, levels := range []int{1, 2} {
			t.Run(name, func(t *testing.T) {
				r, err := cluster.Themes(t.Context(), test.vectors, dim, cluster.Options{K: test.k, Levels: levels})
				if err != nil {
					t.Fatal(err)
				}
				if test.want >= 0 && r.K != test.want || r.ChosenBy != test.chosen || !strings.Contains(r.Reason, test.reason) {
					t.Errorf("got %d themes chosen by %s (%s), want %d by %s (%s)", r.K, r.ChosenBy, r.Reason, test.want, test.chosen, test.reason)
				}
				for _, level := range r.Levels {
					checkLevel(t, level, len(test.vectors)/dim)
				}
			})
		}
	}
}

// checkLevel holds what is true of every division.
func checkLevel(t *testing.T, level cluster.Level, n int) {
	t.Helper()
	if len(level.Items) != n {
		t.Fatalf("got %d items, want %d", len(level.Items), n)
	}
	sizes := make([]int, len(level.Themes))
	for i, m := range level.Items {
		if m.Fit < 0 || m.Fit > 1 || m.Next == m.Theme {
			t.Errorf("item %d: got %+v", i, m)
		}
		sizes[m.Theme]++
	}
	for i, theme := range level.Themes {
		if theme.Size != sizes[i] || theme.Size == 0 {
			t.Errorf("theme %d: got size %d of %d items", i, theme.Size, sizes[i])
		}
		if i > 0 && theme.Parent == level.Themes[i-1].Parent && theme.Size > level.Themes[i-1].Size {
			t.Errorf("theme %d is larger than the one before", i)
		}
		if len(theme.Representatives) == 0 {
			t.Errorf("theme %d has no representative", i)
		}
		for _, item := range theme.Representatives {
			if int(level.Items[item].Theme) != i {
				t.Errorf("theme %d is represented by item %d of theme %d", i, item, level.Items[item].Theme)
			}
		}
	}
}

func TestCopiesOfAVectorAreInOneTheme(t *testing.T) {
	vectors, _ := planted(150, 3, 0.1, 4)
	vectors = append(vectors, vectors...)
	r, err := cluster.Themes(t.Context(), vectors, dim, cluster.Options{K: 6})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 150 {
		if a, b := r.Levels[0].Items[i], r.Levels[0].Items[i+150]; a != b {
			t.Errorf("item %d and its copy: got %+v and %+v", i, a, b)
		}
	}
}

func TestSubThemesLieWithinTheirParents(t *testing.T) {
	vectors, _ := planted(360, 12, 0.5, 5)
	r, err := cluster.Themes(t.Context(), vectors, dim, cluster.Options{K: 4, Levels: 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Levels) != 2 || len(r.Levels[1].Themes) <= 4 {
		t.Fatalf("got %d levels, the last with %d themes; want 2 and more than 4", len(r.Levels), len(r.Levels[len(r.Levels)-1].Themes))
	}
	for i, m := range r.Levels[1].Items {
		if parent := r.Levels[1].Themes[m.Theme].Parent; parent != int(r.Levels[0].Items[i].Theme) {
			t.Errorf("item %d: its sub-theme is of theme %d, but it is in %d", i, parent, r.Levels[0].Items[i].Theme)
		}
	}
}

func TestNeighboursOfAnIndexAreUsed(t *testing.T) {
	vectors, want := planted(300, 5, 0.5, 6)
	asked := make([]int, 300)
	r, err := cluster.Themes(t.Context(), vectors, dim, cluster.Options{K: 5, Workers: 1, Neighbours: func(item, m int) []uint32 {
		asked[item]++
		var ids []uint32 // any of the same group, itself among them, and one that does not exist
		for i := range want {
			if want[i] == want[item] && len(ids) < m {
				ids = append(ids, uint32(i))
			}
		}
		return append(ids, 1<<31)
	}})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Min(asked) != 1 || slices.Max(asked) != 1 {
		t.Errorf("items were asked for %d to %d times, want once each", slices.Min(asked), slices.Max(asked))
	}
	if ari := cluster.AdjustedRand(labelsOf(r.Levels[0]), want); ari != 1 {
		t.Errorf("got adjusted Rand index %.3f, want 1", ari)
	}
}

func TestProgressReachesItsTotal(t *testing.T) {
	vectors, _ := planted(200, 5, 0.5, 7)
	last, steps := 0, 0
	_, err := cluster.Themes(t.Context(), vectors, dim, cluster.Options{Levels: 2, Progress: func(done, total int) {
		if done < last || done > total {
			t.Errorf("got step %d of %d after step %d", done, total, last)
		}
		last, steps = done, total
	}})
	if err != nil {
		t.Fatal(err)
	}
	if last == 0 || last != steps {
		t.Errorf("the last step was %d of %d", last, steps)
	}
}

func TestAnEndedContextEndsTheWork(t *testing.T) {
	vectors, labels := planted(300, 5, 0.5, 8)
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err := cluster.Themes(ctx, vectors, dim, cluster.Options{Progress: func(int, int) {
		if calls++; calls == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("themes, cancelled at the third step: got error %v", err)
	}
	if _, err := cluster.KMeans(ctx, vectors, dim, cluster.KMeansOptions{K: 3}); !errors.Is(err, context.Canceled) {
		t.Errorf("k-means: got error %v", err)
	}
	if _, err := cluster.NewAssigner(ctx, vectors, dim, labels, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("assigner: got error %v", err)
	}
}
