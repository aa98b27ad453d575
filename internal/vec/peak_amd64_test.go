package vec_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/internal/vec"
)

func BenchmarkPeak(b *testing.B) {
	const steps = 10000
	for name, peak := range map[string]func(int) int{"F32": vec.PeakF32, "I16": vec.PeakI16} {
		b.Run(name, func(b *testing.B) {
			benchLevels(b, func(b *testing.B) {
				if l, _ := vec.CPU(); l == vec.Reference {
					b.Skip("plain Go has no peak of its own")
				}
				perSecond(b, float64(peak(steps))/1e9, "GF/s", func() { peak(steps) })
			})
		})
	}
}
