package embed_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// BenchmarkEncode is one text on one worker. cpu-ms/op is the process's own time, which a
// busy machine disturbs less than the clock does; run it with GOMAXPROCS=1.
func BenchmarkEncode(b *testing.B) {
	before, _ := vec.CPU()
	defer vec.Use(before)
	for _, l := range vec.Levels()[1:] {
		for _, p := range []embed.Precision{embed.Int16, embed.FP32} {
			if err := vec.Use(l); err != nil {
				b.Fatal(err)
			}
			m := open(b, embed.Options{Precision: p, Workers: 1})
			for _, tokens := range []int{16, 64, 128, 256} {
				text := []string{strings.Repeat("graph ", tokens-2)}
				b.Run(fmt.Sprintf("%v/%v/%d", l, p, tokens), func(b *testing.B) {
					b.ReportAllocs()
					start := cpuTime(b)
					for b.Loop() {
						if _, err := m.Encode(context.Background(), text); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric((cpuTime(b)-start).Seconds()*1e3/float64(b.N), "cpu-ms/op")
				})
			}
		}
	}
}

// BenchmarkOpen is what a process pays before its first text.
func BenchmarkOpen(b *testing.B) {
	start := cpuTime(b)
	for b.Loop() {
		open(b, embed.Options{})
	}
	b.ReportMetric((cpuTime(b)-start).Seconds()*1e3/float64(b.N), "cpu-ms/op")
}

// BenchmarkEncodeQueries is 64 texts of ten tokens, which share their dense layers.
func BenchmarkEncodeQueries(b *testing.B) {
	m := open(b, embed.Options{Workers: 1})
	texts := make([]string, 64)
	for i := range texts {
		texts[i] = strings.Repeat("graph ", 8)
	}
	for name, size := range map[string]int{"together": len(texts), "one by one": 1} {
		b.Run(name, func(b *testing.B) {
			start := cpuTime(b)
			for b.Loop() {
				for i := 0; i < len(texts); i += size {
					if _, err := m.Encode(context.Background(), texts[i:i+size]); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric((cpuTime(b)-start).Seconds()*1e3/float64(b.N)/float64(len(texts)), "cpu-ms/text")
		})
	}
}

// BenchmarkEncodeWorkers is a hundred abstracts on one worker, and on two.
func BenchmarkEncodeWorkers(b *testing.B) {
	texts := make([]string, 100)
	for i := range texts {
		texts[i] = strings.Repeat("graph ", 237)
	}
	for _, workers := range []int{1, 2} {
		m := open(b, embed.Options{Workers: workers})
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Encode(context.Background(), texts); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
		})
	}
}
