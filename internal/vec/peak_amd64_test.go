package vec_test

import (
	"slices"
	"testing"
	"time"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// BenchmarkShareOfPeak is the matrix product of 256 rows beside the processor's own peak,
// in turn within one run: of-peak is the median of the one's operations a second by the
// other's. The columns are cut in pieces as the encoder's are, whose result stays in the
// second cache. Run it with GOMAXPROCS=1.
func BenchmarkShareOfPeak(b *testing.B) {
	const m, n, k, steps = 256, 384, 384, 5000
	for _, c := range []struct {
		name    string
		peak    func(int) int
		product func() func()
	}{
		{"F32", vec.PeakF32, func() func() {
			a, dst := random(m*k, 1), vec.NewArena(4*m*n).Floats(m*n)
			half, _ := halves(n*k, 2)
			p := vec.NewArena(vec.MatrixSize(n, k)).NewPackedHalf(n, k)
			p.SetHalf(0, half, k)
			return func() { vec.MatMulHalf(dst, a, p) }
		}},
		{"I16", vec.PeakI16, func() func() { return productI16(m, n, k) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			benchLevels(b, func(b *testing.B) {
				if l, _ := vec.CPU(); l == vec.Reference {
					b.Skip("plain Go has no peak of its own")
				}
				product := c.product()
				var peaks, shares []float64
				for b.Loop() {
					start := time.Now()
					product()
					middle := time.Now()
					operations := c.peak(steps)
					end := time.Now()
					peak := float64(operations) / end.Sub(middle).Seconds()
					peaks = append(peaks, peak/1e9)
					shares = append(shares, 2*m*n*k/middle.Sub(start).Seconds()/peak)
				}
				slices.Sort(peaks)
				slices.Sort(shares)
				b.ReportMetric(peaks[len(peaks)/2], "peak-GF/s")
				b.ReportMetric(shares[len(shares)/2], "of-peak")
			})
		})
	}
}
