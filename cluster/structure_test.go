package cluster_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/cluster"
)

// fields draws n vectors of two fields that lie far apart, each in four groups.
func fields(n int, seed uint64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 3))
	draw := func(scale float64) []float64 {
		v := make([]float64, dim)
		for d := range v {
			v[d] = scale * rng.NormFloat64() / math.Sqrt(dim)
		}
		return v
	}
	var centres [][]float64
	for range 2 {
		field := draw(2)
		for range 4 {
			centre := draw(0.5)
			for d := range centre {
				centre[d] += field[d]
			}
			centres = append(centres, centre)
		}
	}
	var vectors []float32
	for i := range n {
		centre := centres[i%len(centres)]
		for d, v := range draw(1) {
			vectors = append(vectors, float32(centre[d]+v))
		}
	}
	return vectors
}

// What is said of the structure and what is said of the number of themes must agree.
func TestTheReasonAgreesWithTheStructure(t *testing.T) {
	noise := func(n int) []float32 {
		vectors, _ := planted(n, 1, 0, 4)
		return vectors
	}
	groups := func(n int) []float32 {
		vectors, _ := planted(n, 6, 0.5, 4)
		return vectors
	}
	three, _ := planted(60, 3, 0.55, 4)
	one, _ := planted(1, 1, 0, 4)
	alike := groups(300) // the same groups, each a trifle of what all have in common
	for i := range alike {
		alike[i] = 0.1*alike[i] + float32(1/math.Sqrt(dim))
	}
	for name, test := range map[string]struct {
		vectors []float32
		k       int
		clear   bool
		reason  string // its beginning
	}{
		"groups":                       {groups(300), 0, true, "of 5 to 20 themes, 6 are the most distinct"},
		"groups, few papers":           {groups(90), 0, true, "of 2 to 10 themes, 6 keep papers"},
		"three groups, few papers":     {three, 0, true, "of 2 to 10 themes, "},
		"groups, asked for":            {groups(300), 4, true, "4 asked for"},
		"groups, more than papers":     {groups(40), 50, true, "50 asked for, but there are only 40"},
		"groups, far more":             {groups(40), 5000, true, "5,000 asked for, but there are only 40 distinct papers"},
		"one paper, more asked for":    {one, 2, true, "2 asked for, but there is only 1 distinct paper"},
		"two fields far apart":         {fields(217, 1), 0, true, "of 5 to 14 themes, "},
		"nearly copies":                {alike, 0, false, "the papers have no clear structure: they are nearly copies of each other (mean cosine "},
		"nearly copies, asked for":     {alike, 4, false, "4 asked for; the papers have no clear structure"},
		"nearly copies, one theme":     {alike, 1, true, "1 asked for"},
		"noise":                        {noise(250), 0, false, "the papers have no clear structure: of 5 to 16 themes, "},
		"noise, few papers":            {noise(90), 0, false, "the papers have no clear structure: of 2 to 10 themes, "},
		"noise, asked for":             {noise(250), 5, false, "5 asked for; the papers have no clear structure"},
		"noise, one theme asked for":   {noise(250), 1, true, "1 asked for"},
		"too few to tell from noise":   {noise(19), 0, true, "of 2 to 6 themes, "},
		"too few to be divided at all": {noise(7), 0, true, "7 distinct papers are too few"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := cluster.Themes(t.Context(), test.vectors, dim, cluster.Options{K: test.k})
			if err != nil {
				t.Fatal(err)
			}
			if r.ClearStructure != test.clear || !strings.HasPrefix(r.Reason, test.reason) {
				t.Errorf("clear %v, %q; want %v, %q", r.ClearStructure, r.Reason, test.clear, test.reason)
			}
			if denied := strings.Contains(r.Reason, "no clear structure"); denied == r.ClearStructure {
				t.Errorf("clear %v, but %q", r.ClearStructure, r.Reason)
			}
			if !r.ClearStructure && (strings.Contains(r.Reason, "distinct and") || strings.Contains(r.Reason, "repeatable")) {
				t.Errorf("no clear structure is praised: %q", r.Reason)
			}
		})
	}
}
