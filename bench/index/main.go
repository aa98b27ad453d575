// Command index is this project's side of the comparison with other nearest-neighbour
// libraries: it makes the data, builds our graph, and answers one set of queries again
// and again for run.py, which asks all engines in turn.
//
//	index clustered N DIR        N clustered vectors, 1,000 queries and their true neighbours
//	index sentences FILES DIR    the same with vectors of the sentences of abstracts (a pattern of JSON Lines files)
//	index serve ENGINE DIR [M]   builds or opens, then each line of stdin, an ef, gives a line of JSON
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	args := os.Args[1:]
	switch {
	case len(args) == 3 && args[0] == "clustered":
		n, err := strconv.Atoi(args[1])
		check(err)
		makeClustered(n, args[2])
	case len(args) == 3 && args[0] == "sentences":
		makeSentences(args[1], args[2])
	case len(args) >= 3 && args[0] == "serve":
		m := 0
		if len(args) == 4 {
			var err error
			m, err = strconv.Atoi(args[3])
			check(err)
		}
		serve(args[1], args[2], m)
	default:
		log.Fatal("usage: index clustered N DIR | sentences FILES DIR | serve ENGINE DIR [M]")
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// serve answers lines of stdin, each a breadth: it runs all queries once, on one thread.
func serve(name, dir string, m int) {
	d := load(dir)
	e, stats := open(name, dir, m, d)
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
		start := cpuTime()
		results := make([][]uint32, d.queries())
		for i := range results {
			results[i] = e.search(d.query(i), ef)
		}
		spent := cpuTime() - start
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
