package main

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/indextest"
)

const (
	dim      = 384
	nQueries = 1000
	seed     = 1
)

// data is vectors [n, dim], queries [q, dim] and the ids of each query's true ten.
type data struct {
	vectors, qs []float32
	truth       []uint32
}

func (d *data) queries() int { return len(d.qs) / dim }

func (d *data) query(i int) []float32 { return d.qs[i*dim : (i+1)*dim] }

func (d *data) found(i int, ids []uint32) int {
	n := 0
	for _, id := range d.truth[i*10 : (i+1)*10] {
		if slices.Contains(ids, id) {
			n++
		}
	}
	return n
}

func makeClustered(n int, dir string) {
	all, _ := indextest.Clustered(n+nQueries, dim, seed)
	save(dir, all[:n*dim], all[n*dim:])
}

// save writes what load and worker.py read.
func save(dir string, vectors, qs []float32) {
	check(os.MkdirAll(dir, 0o755))
	flat, err := index.NewFlat(dim, index.FlatOptions{})
	check(err)
	for i := range len(vectors) / dim {
		check(flat.Add(uint32(i), vectors[i*dim:(i+1)*dim]))
	}
	var truth []uint32
	for i := range len(qs) / dim {
		hits, err := flat.Search(qs[i*dim:(i+1)*dim], index.SearchOptions{K: 10})
		check(err)
		for _, h := range hits {
			truth = append(truth, h.ID)
		}
	}
	writeFile(filepath.Join(dir, "vectors.f32"), vectors)
	writeFile(filepath.Join(dir, "queries.f32"), qs)
	writeFile(filepath.Join(dir, "truth.u32"), truth)
}

func load(dir string) *data {
	return &data{
		vectors: readFile[float32](filepath.Join(dir, "vectors.f32")),
		qs:      readFile[float32](filepath.Join(dir, "queries.f32")),
		truth:   readFile[uint32](filepath.Join(dir, "truth.u32")),
	}
}

func writeFile[T float32 | uint32](path string, values []T) {
	f, err := os.Create(path)
	check(err)
	check(binary.Write(f, binary.LittleEndian, values))
	check(f.Close())
}

// readFile reads numbers as they lie in memory: this program runs on little-endian
// processors only.
func readFile[T float32 | uint32](path string) []T {
	f, err := os.Open(path)
	check(err)
	defer f.Close()
	info, err := f.Stat()
	check(err)
	values := make([]T, info.Size()/4)
	_, err = io.ReadFull(f, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*4))
	check(err)
	return values
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resident is the bytes of this process that are in memory.
func resident() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	check(err)
	var size, pages int64
	for i, field := range [2]*int64{&size, &pages} {
		*field = parseField(string(b), i)
	}
	return pages * int64(os.Getpagesize())
}
