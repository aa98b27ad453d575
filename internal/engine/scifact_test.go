package engine_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/seed-9f29d379/akin/internal/engine"
	"github.com/seed-9f29d379/akin/internal/eval"
	"github.com/seed-9f29d379/akin/internal/shareddata"
)

// BenchmarkSearchSciFact asks the queries of SciFact dev of a library that holds the
// collection, kept by TestSciFactQuality: with
//
//	go test ./internal/engine -run '^$' -bench SearchSciFact -benchtime 300x -library DIR
//
// An op is one hybrid search, all of it. Beside the mean it reports the median, the 99th
// percentile, and the median of encoding the same queries alone, right after each search.
func BenchmarkSearchSciFact(b *testing.B) {
	if *kept == "" {
		b.Skip("-library names no library of SciFact")
	}
	f, err := os.Open(filepath.Join(shareddata.Path(b, "data/scifact"), "queries-dev.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	queries, err := eval.ReadQueries(f)
	if err != nil {
		b.Fatal(err)
	}
	e := openWith(b, engine.Config{Library: *kept})
	ask := func(i int) (search, encode time.Duration) {
		text := queries[i%len(queries)].Text
		start := time.Now()
		a, err := e.Search(b.Context(), engine.Query{Text: text, Plain: true})
		search = time.Since(start)
		if err != nil || a.Mode != "hybrid" || len(a.Results) != 10 {
			b.Fatalf("query %q: %+v, %v", text, a, err)
		}
		start = time.Now()
		if _, err := e.Encode(b.Context(), []string{text}); err != nil {
			b.Fatal(err)
		}
		return search, time.Since(start)
	}
	const warm = 20
	for i := range warm {
		ask(len(queries) - 1 - i)
	}
	var searches, encodings []time.Duration
	var sum time.Duration
	for i := range b.N {
		search, encode := ask(i)
		searches, encodings = append(searches, search), append(encodings, encode)
		sum += search
	}
	at := func(list []time.Duration, share float64) float64 {
		slices.Sort(list)
		return float64(list[min(len(list)-1, int(share*float64(len(list))))].Microseconds()) / 1000
	}
	b.ReportMetric(float64(sum.Nanoseconds())/float64(b.N), "ns/op")
	b.ReportMetric(at(searches, .5), "ms-median")
	b.ReportMetric(at(searches, .99), "ms-p99")
	b.ReportMetric(at(encodings, .5), "ms-encoding-median")
	b.ReportMetric(at(encodings, .99), "ms-encoding-p99")
}

// BenchmarkSimilarSciFact asks that library for papers like some of it, in both orders.
func BenchmarkSimilarSciFact(b *testing.B) {
	if *kept == "" {
		b.Skip("-library names no library of SciFact")
	}
	e := openWith(b, engine.Config{Library: *kept})
	var ids []string
	err := e.List(b.Context(), engine.ListRequest{N: 1000}, func(p *engine.Paper) error {
		ids = append(ids, p.ID)
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, rerank := range []bool{false, true} {
		b.Run(map[bool]string{false: "score", true: "neighbourhood"}[rerank], func(b *testing.B) {
			for i := range b.N {
				if _, err := e.Similar(b.Context(), engine.Query{Like: []string{ids[i%len(ids)]}, Rerank: rerank}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestSciFactGraph compares what similar answers by the graph with what it answers
// exactly, for papers of the library that -library names: of a copy of it, which gets a
// graph whatever its size.
func TestSciFactGraph(t *testing.T) {
	if *kept == "" {
		t.Skip("-library names no library of SciFact")
	}
	const samples, goal = 1000, .995
	library := filepath.Join(t.TempDir(), "lib")
	err := errors.Join(os.CopyFS(library, os.DirFS(*kept)), os.RemoveAll(filepath.Join(library, "index")))
	if err != nil {
		t.Fatal(err)
	}
	cfg := engine.Config{Library: library, GraphFrom: 1}
	walked := openWith(t, cfg)
	add(t, walked) // makes the graph
	cfg.Exact = true
	exact := openWith(t, cfg)
	var ids []string
	err = walked.List(t.Context(), engine.ListRequest{}, func(p *engine.Paper) error {
		ids = append(ids, p.ID)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ids)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(ids), func(i, k int) { ids[i], ids[k] = ids[k], ids[i] })
	common, of := 0, 0
	for _, id := range ids[:min(samples, len(ids))] {
		q := engine.Query{Like: []string{id}}
		got, errWalked := walked.Similar(t.Context(), q)
		want, errExact := exact.Similar(t.Context(), q)
		if err := errors.Join(errWalked, errExact); err != nil {
			t.Fatal(err)
		}
		if got.Neighbours != "hnsw" || want.Neighbours != "exact" {
			t.Fatalf("the neighbours of %s are found by %q and %q", id, got.Neighbours, want.Neighbours)
		}
		of += len(want.Results)
		for _, r := range want.Results {
			if slices.ContainsFunc(got.Results, func(g engine.Result) bool { return g.ID == r.ID }) {
				common++
			}
		}
	}
	share := float64(common) / float64(of)
	t.Logf("%d papers: the graph finds %.4f of the exact ten nearest", min(samples, len(ids)), share)
	if share < goal {
		t.Errorf("the graph finds %.4f of the exact ten nearest, the goal is %.3f", share, goal)
	}
}
