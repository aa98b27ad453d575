package cluster_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		old, new, want []int32
	}{
		"renumbered":         {[]int32{0, 0, 1, 1, 2}, []int32{2, 2, 0, 0, 1}, []int32{1, 2, 0}},
		"new items":          {[]int32{0, 0, 1, 1, -1, -1}, []int32{0, 0, 1, 1, 0, 2}, []int32{0, 1, -1}},
		"items gone":         {[]int32{0, 0, 1, 1}, []int32{0, 0, -1, -1}, []int32{0}},
		"split in two":       {[]int32{0, 0, 0, 0, 0}, []int32{0, 0, 0, 1, 1}, []int32{0, -1}},
		"joined":             {[]int32{0, 0, 0, 1, 1}, []int32{0, 0, 0, 0, 0}, []int32{0}},
		"scattered in three": {[]int32{0, 0, 0, 1, 1, 1, 2, 2, 2}, []int32{0, 1, 2, 0, 1, 2, 0, 1, 2}, []int32{-1, -1, -1}},
		"nothing":            {nil, nil, []int32{}},
	} {
		if diff := cmp.Diff(test.want, cluster.Match(test.old, test.new)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
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
