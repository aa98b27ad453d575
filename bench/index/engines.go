package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	baseline "github.com/coder/hnsw"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/hnsw"
	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// engine is one library with its vectors in it.
type engine interface {
	search(q []float32, ef int) []uint32
}

type ours struct {
	x     index.Index
	exact bool
}

func (e ours) search(q []float32, ef int) []uint32 {
	hits, err := e.x.Search(q, index.SearchOptions{K: 10, Ef: ef, Exact: e.exact})
	check(err)
	ids := make([]uint32, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	return ids
}

// open builds an engine, or opens what was built before; stats says what it took.
func open(name, dir string, shape hnsw.Options, d *data) (engine, map[string]float64) {
	stats := map[string]float64{}
	n := len(d.vectors) / dim
	switch name {
	case "akin":
		return openOurs(dir, shape, d, stats), stats
	case "akin-flat", "akin-flat-f32":
		flat, err := index.NewFlat(dim, index.FlatOptions{Codes: name == "akin-flat"})
		check(err)
		for i := range n {
			check(flat.Add(uint32(i), d.vectors[i*dim:(i+1)*dim]))
		}
		stats["gigabytes_a_second"] = bandwidth(d.vectors)
		return ours{flat, name == "akin-flat-f32"}, stats
	case "coder":
		start := cpuTime()
		g := baseline.NewGraph[uint32]()
		g.Distance = baseline.CosineDistance
		g.Rng = rand.New(rand.NewSource(seed))
		for i := range n {
			g.Add(baseline.MakeNode(uint32(i), d.vectors[i*dim:(i+1)*dim]))
		}
		stats["build_cpu"] = (cpuTime() - start).Seconds()
		return coder{g}, stats
	}
	log.Fatalf("engine %q", name)
	return nil, nil
}

// bandwidth is how fast one thread reads memory, in GB/s: the best of some passes of a
// kernel that does little else.
func bandwidth(vectors []float32) float64 {
	sums := make([]float32, len(vectors)/dim)
	best := time.Duration(math.MaxInt64)
	for range 5 {
		start := time.Now()
		vec.Dots(sums, vectors[:dim], vectors)
		best = min(best, time.Since(start))
	}
	return float64(len(vectors)*4) / float64(best.Nanoseconds())
}

type coder struct{ g *baseline.Graph[uint32] }

func (e coder) search(q []float32, ef int) []uint32 {
	e.g.EfSearch = ef
	var ids []uint32
	for _, node := range e.g.Search(q, 10) {
		ids = append(ids, node.Key)
	}
	return ids
}

// openOurs builds with two workers and with one, up to 100,000 vectors twice (the less
// time counts), writes, and opens what it wrote.
func openOurs(dir string, shape hnsw.Options, d *data, stats map[string]float64) engine {
	name := fmt.Sprintf("%d-%d", shape.M, shape.EfConstruction)
	folder := filepath.Join(dir, "akin")
	generation := uint64(shape.M)<<32 + uint64(shape.EfConstruction)
	path := filepath.Join(folder, snapshot.Name(generation))
	if !exists(path) {
		items := func(yield func(uint32, []float32) bool) {
			for i := range len(d.vectors) / dim {
				if !yield(uint32(i), d.vectors[i*dim:(i+1)*dim]) {
					return
				}
			}
		}
		var g *hnsw.Graph
		makeRoom(3 * 4 * len(d.vectors))
		rounds := 2
		if n := len(d.vectors) / dim; n > 100_000 {
			rounds = 1
		}
		for turn := range 2 * rounds {
			workers := 2 - turn%2
			var err error
			g, err = hnsw.New(dim, shape)
			check(err)
			wall, cpu := time.Now(), cpuTime()
			runtime.GOMAXPROCS(workers)
			check(g.AddAll(context.Background(), items, hnsw.BuildOptions{Workers: workers}))
			spent := (cpuTime() - cpu).Seconds()
			keepLeast(stats, "build_wall_"+strconv.Itoa(workers), time.Since(wall).Seconds())
			keepLeast(stats, "build_cpu_"+strconv.Itoa(workers), spent)
		}
		makeDir(folder)
		w, err := snapshot.Create(snapshot.OS{}, folder, snapshot.Identity{Generation: generation, Dim: dim, Fingerprint: name})
		check(err)
		check(g.Write(w))
		_, err = w.Commit()
		check(err)
		writeStats(filepath.Join(folder, name+".json"), stats)
	}
	readStats(filepath.Join(folder, name+".json"), stats)
	n := len(d.vectors) / dim
	d.vectors = nil
	debug.FreeOSMemory()
	before, start := resident(), time.Now()
	f, err := snapshot.Open(path, snapshot.OpenOptions{})
	check(err)
	g, err := hnsw.Open(f)
	check(err)
	stats["open_ms"] = float64(time.Since(start).Microseconds()) / 1e3
	e := ours{x: g}
	e.search(d.query(0), 64)
	stats["first_answer_ms"] = float64(time.Since(start).Microseconds()) / 1e3
	stats["bytes_a_vector"] = sectionBytes(f) / float64(n)
	stats["rss_before"] = float64(before)
	return e
}

// makeRoom has the system hand out memory that the builds then take: the first of them
// is not to pay for all.
func makeRoom(bytes int) {
	room := make([]byte, bytes)
	for at := 0; at < len(room); at += os.Getpagesize() {
		room[at] = 1
	}
	runtime.KeepAlive(room)
	runtime.GC()
}

func keepLeast(stats map[string]float64, name string, value float64) {
	if old, ok := stats[name]; !ok || value < old {
		stats[name] = value
	}
}

// sectionBytes is what a walk keeps in memory: all sections but the vectors, of which it
// reads some twenty a query, and their codes of a byte, which only a scan reads.
func sectionBytes(f *snapshot.File) float64 {
	total := 0
	for _, name := range strings.Fields("items ids dead lookup graph twins codes-4bit steps-4bit links upper-rows upper-down upper-links") {
		b, _ := f.Section(name)
		total += len(b)
	}
	return float64(total)
}
