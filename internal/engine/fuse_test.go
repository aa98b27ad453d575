package engine

import (
	"math"
	"slices"
	"testing"
)

func TestFuse(t *testing.T) {
	for _, c := range []struct {
		name string
		list []candidate
		want []uint32
		top  float64
	}{
		{"both halves agree", []candidate{{n: 1, dense: .2, keyword: 3}, {n: 2, dense: .8, keyword: 9}}, []uint32{2, 1}, 1},
		{"best of each half, equal", []candidate{{n: 7, dense: .8}, {n: 4, keyword: 9}}, []uint32{4, 7}, .5},
		{"no words met", []candidate{{n: 1, dense: .2}, {n: 2, dense: .4}}, []uint32{2, 1}, .5},
		{"no vectors", []candidate{{n: 1, keyword: 2}, {n: 2, keyword: 4}}, []uint32{2, 1}, .5},
		{"negative cosines count as none", []candidate{{n: 1, dense: -.2, keyword: 1}, {n: 2, dense: -.4, keyword: 2}}, []uint32{2, 1}, .5},
		{"nothing", nil, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			order(c.list, modeHybrid)
			var got []uint32
			for _, x := range c.list {
				got = append(got, x.n)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("order %v, want %v", got, c.want)
			}
			if len(c.list) > 0 && math.Abs(c.list[0].score-c.top) > 1e-12 {
				t.Errorf("best score %g, want %g", c.list[0].score, c.top)
			}
		})
	}
}

func TestDiversify(t *testing.T) {
	dot := func(a, b []float32) float32 { return a[0]*b[0] + a[1]*b[1] }
	vectors := [][]float32{{1, 0}, {1, 0}, {0, 1}, nil}
	scores := []float64{1, .9, .6, .5}
	for _, c := range []struct {
		diversity float64
		want      []int
	}{
		{0, []int{0, 1, 2, 3}},
		{.5, []int{0, 2, 3, 1}},
		{1, []int{0, 2, 3, 1}},
	} {
		if got := diversify(scores, vectors, c.diversity, dot); !slices.Equal(got, c.want) {
			t.Errorf("diversity %g: order %v, want %v", c.diversity, got, c.want)
		}
	}
}
