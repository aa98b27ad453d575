// Command search measures searches in a library of generated papers, with everything
// but the encoding: the command line's own engine, on a library that it has made.
//
//	search make -library DIR -papers N     reads papers until there are N, and indexes them
//	search run -library DIR [-queries Q] [-kinds PART]
//	                                       asks Q queries of each kind, one after the other,
//	                                       or of those whose name has PART
//	search themes -library DIR [-k K]      finds its themes and keeps them in it
//
// With -cpuprofile FILE the time is profiled.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: search make|run|themes -library DIR ...")
	}
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	library := flags.String("library", "", "the library's folder")
	papers := flags.Int("papers", 1_000_000, "papers that it is to have")
	queries := flags.Int("queries", 200, "queries of each kind")
	some := flags.String("kinds", "", "only the kinds of queries whose name holds this")
	k := flags.Int("k", 0, "themes; 0: as many as the papers suggest")
	profile := flags.String("cpuprofile", "", "write a profile of the processor's time to this file")
	check(flags.Parse(os.Args[2:]))
	if *profile != "" {
		f, err := os.Create(*profile)
		check(err)
		check(pprof.StartCPUProfile(f))
		defer pprof.StopCPUProfile()
	}
	ctx := context.Background()
	e, err := engine.Open(ctx, engine.Config{Library: *library, Encoder: newEncoder(), Warn: func(m string) { log.Print(m) }})
	check(err)
	defer e.Close()
	switch os.Args[1] {
	case "make":
		fill(ctx, e, *library, *papers)
	case "run":
		run(ctx, e, *some, *queries)
	case "themes":
		themes(ctx, e, *k)
	default:
		log.Fatalf("there is no verb %q", os.Args[1])
	}
}

// themes finds the themes and prints what they took.
func themes(ctx context.Context, e *engine.Engine, k int) {
	start := time.Now()
	t, err := e.Themes(ctx, engine.ThemesRequest{K: k, Fresh: true})
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{"k": t.K, "reason": t.Reason, "stability": t.Stability, "seconds": time.Since(start).Seconds()}))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

var papersOf = collection{seed: 1}

// fill adds papers, which are written to a file first.
func fill(ctx context.Context, e *engine.Engine, library string, papers int) {
	have := 0
	if _, err := os.Stat(library); err == nil {
		s, err := e.Stats(ctx)
		check(err)
		have = s.Papers
	}
	if have < papers {
		path := filepath.Join(os.TempDir(), fmt.Sprintf("generated-%d-%d.jsonl", have, papers))
		f, err := os.Create(path)
		check(err)
		defer os.Remove(path)
		check(papersOf.write(f, have, papers))
		check(f.Close())
		start := time.Now()
		r, err := e.Add(ctx, engine.AddRequest{Paths: []string{path}, NoSentences: true})
		check(err)
		log.Printf("added %d papers, embedded %d, in %.0f s", r.Added, r.Embedded, time.Since(start).Seconds())
		return
	}
	r, err := e.Add(ctx, engine.AddRequest{NoSentences: true})
	check(err)
	log.Printf("embedded %d", r.Embedded)
}

// kind is one kind of query: a text of so many words, and filters; of no words and with
// no operators it asks for papers like one of the library.
type kind struct {
	name    string
	words   int
	mode    string
	filters func(i int) engine.Filters
	also    func(i int) string // operators after the text; nil: none
}

// ask asks query number of this kind, for what round i of a run names.
func (k kind) ask(ctx context.Context, e *engine.Engine, number, i int) (*engine.Answer, error) {
	if k.words == 0 && k.also == nil {
		return e.Similar(ctx, engine.Query{Like: []string{papersOf.paper(i * 4999).ID}, Rerank: k.mode == reranked})
	}
	q := engine.Query{Text: papersOf.query(number, k.words), Mode: k.mode, Filters: k.filters(i)}
	if k.also != nil {
		q.Text = strings.TrimSpace(q.Text + " " + k.also(i))
	}
	return e.Search(ctx, q)
}

// reranked, as a mode, is of the papers like one.
const reranked = "reranked"

func kinds() []kind {
	none := func(int) engine.Filters { return engine.Filters{} }
	return []kind{
		{"3 words", 3, "hybrid", none, nil},
		{"8 words", 8, "hybrid", none, nil},
		{"30 words", 30, "hybrid", none, nil},
		{"100 words", 100, "hybrid", none, nil},
		{"8 words, by words alone", 8, "keyword", none, nil},
		{"100 words, by words alone", 100, "keyword", none, nil},
		{"8 words, one year (1/36)", 8, "hybrid", func(i int) engine.Filters { return engine.Filters{YearFrom: 1990 + i%36, YearTo: 1990 + i%36} }, nil},
		{"8 words, half of the years", 8, "hybrid", func(i int) engine.Filters { return engine.Filters{YearFrom: 1990 + i%18, YearTo: 2007 + i%18} }, nil},
		{"8 words, one venue", 8, "hybrid", func(i int) engine.Filters { return engine.Filters{Venue: []string{venue(uint64(i % venues))}} }, nil},
		{"8 words, one author", 8, "hybrid", func(i int) engine.Filters {
			return engine.Filters{Author: []string{papersOf.paper(i * 4999).Authors[0]}}
		}, nil},
		{"8 words, four letters of an author", 8, "hybrid", func(i int) engine.Filters {
			return engine.Filters{Author: []string{papersOf.paper(i * 4999).Authors[0][:4]}}
		}, nil},
		{"8 words, a keyword", 8, "hybrid", func(i int) engine.Filters {
			return engine.Filters{Keyword: []string{papersOf.paper(i * 4999).Keywords[0]}}
		}, nil},
		{"100 words, a venue and ten years", 100, "hybrid", func(i int) engine.Filters {
			return engine.Filters{Venue: []string{venue(uint64(i % 20))}, YearFrom: 1990 + i%26, YearTo: 1999 + i%26}
		}, nil},
		{"a phrase of a paper", 0, "hybrid", none, func(i int) string {
			words := strings.Fields(papersOf.paper(i * 4999).Abstract)
			at, length := i%40, 2+i%3
			return quoted(words[at : at+length]...)
		}},
		{"a phrase of two of the ten most frequent words", 0, "hybrid", none, func(i int) string { return quoted(frequent(i, 2)...) }},
		{"a phrase of four of them", 0, "hybrid", none, func(i int) string { return quoted(frequent(i, 4)...) }},
		{"8 words, without a phrase of two of them", 8, "hybrid", none, func(i int) string { return "-" + quoted(frequent(i, 2)...) }},
		{"8 words, without one of them", 8, "hybrid", none, func(i int) string { return "-" + frequent(i, 1)[0] }},
		{"similar papers", 0, "", none, nil},
		{"similar papers, re-ranked", 0, reranked, none, nil},
	}
}

func quoted(words ...string) string { return `"` + strings.Join(words, " ") + `"` }

// frequent are n different ones of the ten most frequent words.
func frequent(i, n int) []string {
	list := make([]string, n)
	for k, w := range rand.New(rand.NewPCG(1, uint64(i))).Perm(10)[:n] {
		list[k] = spell(uint64(w))
	}
	return list
}

// figures are of one kind of query, in milliseconds.
type figures struct {
	Kind    string  `json:"kind"`
	Queries int     `json:"queries"`
	Empty   int     `json:"empty"` // that found nothing
	Median  float64 `json:"median_ms"`
	P99     float64 `json:"p99_ms"`
	Most    float64 `json:"most_ms"`
}

// run asks all kinds in turn, so that a disturbance meets each of them. The first round
// warms up and is not counted.
func run(ctx context.Context, e *engine.Engine, some string, queries int) {
	all := kinds()
	times := make([][]float64, len(all))
	empty := make([]int, len(all))
	const warm = 20
	for i := -warm; i < queries; i++ {
		for k, kind := range all {
			if !strings.Contains(kind.name, some) {
				continue
			}
			start := time.Now()
			a, err := kind.ask(ctx, e, (i+warm)*len(all)+k, i+warm)
			spent := time.Since(start)
			if err != nil && engine.KindOf(err) != engine.NotFound {
				check(err)
			}
			if i >= 0 {
				times[k] = append(times[k], float64(spent.Microseconds())/1000)
				if a == nil || len(a.Results) == 0 {
					empty[k]++
				}
			}
		}
	}
	out := json.NewEncoder(os.Stdout)
	for k, kind := range all {
		if len(times[k]) == 0 {
			continue
		}
		slices.Sort(times[k])
		at := func(share float64) float64 { return times[k][min(len(times[k])-1, int(share*float64(len(times[k]))))] }
		check(out.Encode(figures{kind.name, queries, empty[k], at(.5), at(.99), at(1)}))
	}
}
