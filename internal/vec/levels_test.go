package vec_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// eachLevel runs f at every level of this processor.
func eachLevel(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	before, _ := vec.CPU()
	for _, l := range vec.Levels() {
		t.Run(l.String(), func(t *testing.T) {
			if err := vec.Use(l); err != nil {
				t.Fatal(err)
			}
			f(t)
		})
	}
	if err := vec.Use(before); err != nil {
		t.Fatal(err)
	}
}

// sameBytes runs f at every level and compares: the assembly levels of one architecture
// give the same bytes, the reference is within tolerance of them, relative to the largest
// value of the result.
func sameBytes(t *testing.T, tolerance float64, f func() []float32) {
	t.Helper()
	before, _ := vec.CPU()
	defer vec.Use(before)
	var reference, first []float32
	var firstLevel vec.Level
	for _, l := range vec.Levels() {
		if err := vec.Use(l); err != nil {
			t.Fatal(err)
		}
		got := f()
		switch {
		case l == vec.Reference:
			reference = got
			continue
		case first == nil:
			first, firstLevel = got, l
		}
		for i := range got {
			if math.Float32bits(got[i]) != math.Float32bits(first[i]) && !(isNaN(got[i]) && isNaN(first[i])) {
				t.Errorf("%v: element %d is %v, at %v %v", l, i, got[i], firstLevel, first[i])
				return
			}
		}
		if i := differ(got, reference, tolerance); i >= 0 {
			t.Errorf("%v: element %d is %v, the reference %v", l, i, got[i], reference[i])
			return
		}
	}
}

// differ returns the first element that is further from want than tolerance times the
// largest finite value of want, or -1.
func differ(got, want []float32, tolerance float64) int {
	top := 0.0
	for _, v := range want {
		if !math.IsInf(float64(v), 0) && !isNaN(v) {
			top = max(top, math.Abs(float64(v)))
		}
	}
	for i := range got {
		g, w := float64(got[i]), float64(want[i])
		if math.IsNaN(g) && math.IsNaN(w) || g == w {
			continue
		}
		if !(math.Abs(g-w) <= tolerance*top) {
			return i
		}
	}
	return -1
}

func isNaN(v float32) bool { return v != v }

// roundings is the tolerance against the reference, which rounds after each product.
const roundings = 4e-6

// edges are lengths about which kernels go wrong.
var edges = []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 100, 127, 128, 129, 383, 384, 385, 1536}

func random(n int, seed uint64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

func randomBytes(n int, seed uint64) []int8 {
	rng := rand.New(rand.NewPCG(seed, 2))
	x := make([]int8, n)
	for i := range x {
		x[i] = int8(rng.IntN(256) - 128)
	}
	return x
}

// special is a vector with the values that break arithmetic, in turn.
func special(n int, values ...float32) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = values[i%len(values)]
	}
	return x
}

var inf = float32(math.Inf(1))

// perSecond runs f and reports how much of work it does in a second of this process's
// own time: the clock's is of little worth on a busy machine.
func perSecond(b *testing.B, work float64, unit string, f func()) {
	start := cpuTime(b)
	for b.Loop() {
		f()
	}
	b.ReportMetric(work*float64(b.N)/(cpuTime(b)-start).Seconds(), unit)
}
