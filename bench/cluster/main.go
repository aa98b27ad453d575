// Command cluster measures the cluster package on vectors drawn like a library's: topics
// within a common direction, subtopics within topics, small groups within those.
//
//	cluster vectors -n 10000 -out v.f32        draw and write them
//	cluster kmeans  -in v.f32 -k 50            k-means from the first k vectors, one thread
//	cluster themes  -in v.f32 [-k 12]          the whole method
//
// Each prints one JSON object; times are processor time of this process.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"syscall"
	"time"

	"github.com/seed-9f29d379/akin/cluster"
)

const dim = 384

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("want vectors, kmeans or themes")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	n := flags.Int("n", 10_000, "vectors to draw")
	in := flags.String("in", "", "file of vectors: little-endian float32")
	out := flags.String("out", "", "file to write")
	k := flags.Int("k", 0, "groups")
	rounds := flags.Int("rounds", 25, "rounds of k-means")
	workers := flags.Int("workers", 0, "goroutines")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if args[0] == "vectors" {
		return write(*out, draw(*n))
	}
	vectors, err := read(*in)
	if err != nil {
		return err
	}
	switch args[0] {
	case "kmeans":
		return kmeans(vectors, *k, *rounds)
	case "themes":
		return themes(vectors, *k, *workers)
	}
	return fmt.Errorf("%s: want vectors, kmeans or themes", args[0])
}

func print(result map[string]any) error { return json.NewEncoder(os.Stdout).Encode(result) }

// processorTime is the processor time that this process has used, in seconds.
func processorTime() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// peak is the largest resident size so far, in MB.
func peak() int64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Maxrss / 1024
}

// kmeans is timed like the peers: the best of three runs in one process.
func kmeans(vectors []float32, k, rounds int) error {
	var p *cluster.Partition
	best := math.Inf(1)
	for range 3 {
		before := processorTime()
		var err error
		p, err = cluster.KMeans(context.Background(), vectors, dim, cluster.KMeansOptions{
			K: k, Rounds: rounds, Workers: 1, Start: vectors[:k*dim],
		})
		if err != nil {
			return err
		}
		best = min(best, processorTime()-before)
	}
	return print(map[string]any{"engine": "akin", "cpu_seconds": best, "objective": p.Objective, "rounds": p.Rounds})
}

func themes(vectors []float32, k, workers int) error {
	before, start := processorTime(), time.Now()
	r, err := cluster.Themes(context.Background(), vectors, dim, cluster.Options{K: k, Workers: workers})
	if err != nil {
		return err
	}
	return print(map[string]any{"n": len(vectors) / dim, "k": r.K, "reason": r.Reason, "stability": r.Stability, "clear": r.ClearStructure,
		"cpu_seconds": processorTime() - before, "seconds": time.Since(start).Seconds(), "peak_mb": peak()})
}

// draw makes n vectors: unit(mean + one of 60 topics + one of 1,000 subtopics + one of
// n/40 groups of log-normal size + noise), each a Gaussian with a falling spectrum.
func draw(n int) []float32 {
	rng := rand.New(rand.NewPCG(1, 1))
	scale := make([]float64, dim)
	total := 0.0
	for d := range scale {
		scale[d] = 1 / math.Sqrt(float64(d)+12)
		total += scale[d] * scale[d]
	}
	vector := func() []float64 {
		v := make([]float64, dim)
		for d := range v {
			v[d] = rng.NormFloat64() * scale[d] / math.Sqrt(total)
		}
		return v
	}
	several := func(count int) [][]float64 {
		list := make([][]float64, count)
		for i := range list {
			list[i] = vector()
		}
		return list
	}
	mean, topics, subtopics, groups := vector(), several(60), several(1000), several(max(1, n/40))
	bounds := make([]float64, len(groups))
	sum := 0.0
	for g := range bounds {
		sum += math.Exp(rng.NormFloat64())
		bounds[g] = sum
	}
	out := make([]float32, 0, n*dim)
	for range n {
		at, g := rng.Float64()*sum, 0
		for g < len(bounds)-1 && bounds[g] < at {
			g++
		}
		topic := g % len(topics)
		subtopic := (topic + len(topics)*(g%16)) % len(subtopics)
		noise := vector()
		v := make([]float64, dim)
		norm := 0.0
		for d := range v {
			v[d] = .33*mean[d] + .36*topics[topic][d] + .36*subtopics[subtopic][d] + .42*groups[g][d] + .62*noise[d]
			norm += v[d] * v[d]
		}
		for _, x := range v {
			out = append(out, float32(x/math.Sqrt(norm)))
		}
	}
	return out
}

func write(name string, vectors []float32) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := binary.Write(f, binary.LittleEndian, vectors); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func read(name string) ([]float32, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	vectors := make([]float32, info.Size()/4/dim*dim)
	part := make([]byte, 4*dim)
	for i := 0; i < len(vectors); i += dim {
		if _, err := io.ReadFull(f, part); err != nil {
			return nil, err
		}
		for d := range dim {
			vectors[i+d] = math.Float32frombits(binary.LittleEndian.Uint32(part[4*d:]))
		}
	}
	return vectors, nil
}
