// Command index is this project's side of the comparison with other nearest-neighbour
// libraries: it makes the data, builds our graph, and answers one set of queries again
// and again for run.py, which asks all engines in turn.
//
//	index clustered N DIR        N clustered vectors, 1,000 queries and their true neighbours
//	index sentences FILES DIR    the same with vectors of the sentences of abstracts (a pattern of JSON Lines files)
//	index serve ENGINE DIR M EFC     builds or opens, then each line of stdin, an ef, gives a line of JSON
//	index self DIR M EFC STEP        the share of stored vectors, each STEP-th, that are not among their own ten
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-9f29d379/akin/index/hnsw"
)

func main() {
	log.SetFlags(0)
	args := os.Args[1:]
	switch {
	case len(args) == 3 && args[0] == "clustered":
		makeClustered(number(args[1]), args[2])
	case len(args) == 3 && args[0] == "sentences":
		makeSentences(args[1], args[2])
	case len(args) == 5 && args[0] == "serve":
		serve(args[1], args[2], hnsw.Options{M: number(args[3]), EfConstruction: number(args[4])})
	case len(args) == 5 && args[0] == "self":
		self(args[1], hnsw.Options{M: number(args[2]), EfConstruction: number(args[3])}, number(args[4]))
	default:
		log.Fatal("usage: index clustered N DIR | sentences FILES DIR | serve ENGINE DIR M EFC | self DIR M EFC STEP")
	}
}

// self searches for every step-th stored vector at a breadth of 64 and prints the share
// that is not among its own ten.
func self(dir string, shape hnsw.Options, step int) {
	all := load(dir)
	d := *all
	e, _ := open("akin", dir, shape, &d)
	missed, n := 0, 0
	for i := 0; i < len(all.vectors)/dim; i += step {
		n++
		if !slices.Contains(e.search(all.vectors[i*dim:(i+1)*dim], 64), uint32(i)) {
			missed++
		}
	}
	fmt.Printf("%d of %d stored vectors are not among their own ten at ef 64: %.5f\n", missed, n, float64(missed)/float64(n))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	check(err)
	return n
}

// serve answers lines of stdin, each a breadth: it runs all queries on one thread, twice,
// and tells of the second time: what another engine left in the caches does not count.
func serve(name, dir string, shape hnsw.Options) {
	d := load(dir)
	e, stats := open(name, dir, shape, d)
	out := json.NewEncoder(os.Stdout)
	check(out.Encode(stats))
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		fields := strings.Fields(in.Text())
		if len(fields) != 1 {
			log.Fatalf("line %q", in.Text())
		}
		ef, err := strconv.Atoi(fields[0])
		check(err)
		found := 0
		var spent time.Duration
		results := make([][]uint32, d.queries())
		for range 2 {
			start := cpuTime()
			for i := range results {
				results[i] = e.search(d.query(i), ef)
			}
			spent = cpuTime() - start
		}
		for i, ids := range results {
			found += d.found(i, ids)
		}
		check(out.Encode(map[string]float64{
			"recall": float64(found) / float64(10*d.queries()),
			"us":     float64(spent.Nanoseconds()) / 1e3 / float64(d.queries()),
			"rss":    float64(resident()),
		}))
	}
	if err := in.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
