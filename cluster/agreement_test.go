package cluster_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/cluster"
)

func TestAdjustedRand(t *testing.T) {
	for name, test := range map[string]struct {
		a, b []int32
		want float64
	}{
		"the same":              {[]int32{0, 0, 1, 1}, []int32{0, 0, 1, 1}, 1},
		"other names":           {[]int32{0, 0, 1, 1}, []int32{1, 1, 0, 0}, 1},
		"one split":             {[]int32{0, 0, 1, 1}, []int32{0, 0, 1, 2}, 4.0 / 7},
		"across":                {[]int32{0, 0, 1, 1}, []int32{0, 1, 0, 1}, -0.5},
		"items without a theme": {[]int32{0, 0, 1, 1, -1, 2}, []int32{0, 0, 1, 1, 1, -1}, 1},
		"nothing":               {nil, nil, 1},
		"all in one":            {[]int32{0, 0}, []int32{0, 0}, 1},
	} {
		const rounding = 1e-12
		if got := cluster.AdjustedRand(test.a, test.b); math.Abs(got-test.want) > rounding {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}

func TestMatch(t *testing.T) {
	for name, test := range map[string]struct {
		old, new [][]uint32
		want     []int32
	}{
		"renumbered":         {[][]uint32{{0, 1}, {2, 3}, {4}}, [][]uint32{{2, 3}, {4}, {0, 1}}, []int32{1, 2, 0}},
		"new items":          {[][]uint32{{0, 1}, {2, 3}}, [][]uint32{{0, 1, 4, 5, 6, 7, 8}, {2, 3}, {9}}, []int32{0, 1, -1}},
		"items gone":         {[][]uint32{{0, 1, 5, 6, 7, 8}, {2, 3}}, [][]uint32{{0, 1}}, []int32{0}},
		"split in two":       {[][]uint32{{0, 1, 2, 3, 4}}, [][]uint32{{0, 1, 2}, {3, 4}}, []int32{0, -1}},
		"joined":             {[][]uint32{{0, 1, 2}, {3, 4}}, [][]uint32{{0, 1, 2, 3, 4}}, []int32{0}},
		"two in one":         {[][]uint32{{0, 1}, {2, 3}}, [][]uint32{{0, 1, 2, 3}}, []int32{-1}},
		"in halves":          {[][]uint32{{0, 1, 2, 3}}, [][]uint32{{0, 1}, {2, 3}}, []int32{-1, -1}},
		"all in one":         {[][]uint32{{0, 1, 2, 3}, {4, 5, 6}, {7, 8}}, [][]uint32{{0, 1, 2, 3, 4, 5, 6, 7, 8}}, []int32{-1}},
		"scattered in three": {[][]uint32{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}, [][]uint32{{0, 3, 6}, {1, 4, 7}, {2, 5, 8}}, []int32{-1, -1, -1}},
		"a division before":  {[][]uint32{{0, 1, 2}, {4, 5}, {2, 3}}, [][]uint32{{0, 1}, {2, 3}, {4, 5}}, []int32{0, 2, 1}},
		"nothing":            {nil, nil, []int32{}},
	} {
		if diff := gocmp.Diff(test.want, cluster.Match(test.old, test.new)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A theme's reach is that of the vectors as they came, whoever computes it.
func TestVotingByReachIsAssigning(t *testing.T) {
	all, _ := planted(400, 6, 0.55, 3)
	r, err := cluster.Themes(t.Context(), all[:300*dim], dim, cluster.Options{K: 6})
	if err != nil {
		t.Fatal(err)
	}
	labels, reach := labelsOf(r.Levels[0]), make([]float32, 6)
	for i, theme := range r.Levels[0].Themes {
		reach[i] = theme.Reach
	}
	a, err := cluster.NewAssigner(t.Context(), all[:300*dim], dim, labels, 0)
	if err != nil {
		t.Fatal(err)
	}
	want, err := a.Assign(t.Context(), all[300*dim:])
	if err != nil {
		t.Fatal(err)
	}
	differ := 0
	for i, m := range want {
		q := all[(300+i)*dim : (301+i)*dim]
		var near []cluster.Voter
		for j, label := range labels {
			near = append(near, cluster.Voter{Theme: label, Cosine: cosine(q, all[j*dim:(j+1)*dim])})
		}
		slices.SortFunc(near, func(a, b cluster.Voter) int { return cmp.Compare(b.Cosine, a.Cosine) })
		if got := cluster.Vote(near[:cluster.Voters], reach); got.Theme != m.Theme {
			differ++
		}
	}
	if differ > 3 { // the assigner measures two hundred items of a theme, and the themes all
		t.Errorf("%d of 100 items are voted into another theme than the assigner's", differ)
	}
}

func TestAssignKnowsThemesAndStrangers(t *testing.T) {
	all, labels := planted(400, 6, 0.55, 1)
	old, held := 300, 100
	a, err := cluster.NewAssigner(t.Context(), all[:old*dim], dim, labels[:old], 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := a.Assign(t.Context(), all[old*dim:])
	if err != nil {
		t.Fatal(err)
	}
	wrong, none := 0, 0
	for i, m := range got {
		switch m.Theme {
		case labels[old+i]:
		case -1:
			none++
		default:
			wrong++
		}
	}
	if wrong > 0 || none > held/10 {
		t.Errorf("of %d new items of known groups: %d in another theme, %d in none; want 0 and at most %d", held, wrong, none, held/10)
	}
	strangers, _ := planted(100, 3, 0.55, 99)
	got, err = a.Assign(t.Context(), strangers)
	if err != nil {
		t.Fatal(err)
	}
	none = 0
	for _, m := range got {
		if m.Theme < 0 {
			none++
		}
	}
	if none < 90 {
		t.Errorf("of 100 items of other groups %d fit none, want at least 90", none)
	}
}

func TestAssignToFewOrNoItems(t *testing.T) {
	vectors, _ := planted(3, 1, 0.5, 1)
	for _, labels := range [][]int32{nil, {0}, {-1, -1}, {0, 1, -1}} {
		a, err := cluster.NewAssigner(t.Context(), vectors[:len(labels)*dim], dim, labels, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Assign(t.Context(), vectors); err != nil {
			t.Errorf("labels %v: %v", labels, err)
		}
	}
}

func cosine(a, b []float32) float32 {
	var dot, aa, bb float64
	for i, x := range a {
		dot, aa, bb = dot+float64(x)*float64(b[i]), aa+float64(x)*float64(x), bb+float64(b[i])*float64(b[i])
	}
	return float32(dot / math.Sqrt(aa*bb))
}
