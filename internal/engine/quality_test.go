package engine_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
	"github.com/seed-9f29d379/akin/internal/shareddata"
)

var (
	quality = flag.Bool("quality", false, "measure all of SciFact dev: some minutes of encoding")
	kept    = flag.String("library", "", "with -quality: a `folder` for the library, which encodes nothing again the next time")
	update  = flag.Bool("update", false, "rewrite the golden files")
)

// qualityTolerance is how far a figure may be from the golden one: two processors may
// order a near tie otherwise, which moves one query of 300 by at most .003.
const qualityTolerance = 0.004

// golden is what is kept of a run on SciFact dev.
type golden struct {
	Papers  int                `json:"papers"`
	Queries int                `json:"queries"`
	Figures map[string]float64 `json:"figures"`
}

// goals are what all of SciFact dev is to reach at least; docs/benchmarks/search.md tells
// what was reached.
var goals = map[string]float64{"keyword ndcg@10": .690, "dense ndcg@10": .646, "hybrid ndcg@10": .740, "hybrid recall@100": .955}

// TestSciFactQuality holds the figures of akin eval on SciFact dev: on part of it in
// every run, on all of it with -quality. make golden rewrites them.
func TestSciFactQuality(t *testing.T) {
	if testing.Short() {
		t.Skip("it encodes papers for some seconds")
	}
	dir := shareddata.Path(t, "data/scifact")
	name, every, library := "scifact-part.json", 60, filepath.Join(t.TempDir(), "lib")
	if *quality {
		name, every, library = "scifact-dev.json", 1, cmp.Or(*kept, library)
	}
	queries, qrels, relevant := someQueries(t, dir, every)
	var files []string
	for _, part := range corpusParts(t, dir) {
		files = append(files, part)
		if !*quality {
			files[len(files)-1] = write(t, t.TempDir(), filepath.Base(part), somePapers(t, part, every, relevant)...)
		}
	}
	e := openWith(t, engine.Config{Library: library})
	if r := add(t, e, files...); r.Embedded < r.Added || r.Sentences < r.Added || r.RejectedCount > 0 {
		t.Fatalf("added %d papers, encoded %d and the sentences of %d, rejected %d", r.Added, r.Embedded, r.Sentences, r.RejectedCount)
	}
	r, err := e.Eval(t.Context(), engine.EvalRequest{Queries: strings.NewReader(queries), Qrels: strings.NewReader(qrels)})
	if err != nil {
		t.Fatal(err)
	}
	stats, err := e.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := golden{Papers: stats.Papers, Queries: r.Queries, Figures: make(map[string]float64)}
	for mode, f := range r.Modes {
		for figure, value := range map[string]float64{"ndcg@10": f.NDCG10, "recall@10": f.Recall10, "recall@100": f.Recall100, "mrr@10": f.MRR10} {
			got.Figures[mode+" "+figure] = math.Round(value*1e4) / 1e4
		}
	}
	if *quality {
		for figure, goal := range goals {
			if got.Figures[figure] < goal {
				t.Errorf("%s: %.4f, the goal is %.3f", figure, got.Figures[figure], goal)
			}
		}
	}
	path := filepath.Join("testdata", name)
	if *update {
		data, err := json.MarshalIndent(got, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want golden
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if got.Papers != want.Papers || got.Queries != want.Queries || len(got.Figures) != len(want.Figures) {
		t.Errorf("%d papers, %d queries, %d figures; want %d, %d, %d", got.Papers, got.Queries, len(got.Figures), want.Papers, want.Queries, len(want.Figures))
	}
	for figure, value := range want.Figures {
		if math.Abs(got.Figures[figure]-value) > qualityTolerance {
			t.Errorf("%s: %.4f, want %.4f", figure, got.Figures[figure], value)
		}
	}
}

// someQueries are every so many-th of the judged queries with their judgements, and the
// documents that are relevant to them.
func someQueries(t *testing.T, dir string, every int) (queries, qrels string, relevant map[string]bool) {
	t.Helper()
	chosen := make(map[string]bool)
	relevant = make(map[string]bool)
	for i, line := range fileLines(t, filepath.Join(dir, "queries-dev.jsonl")) {
		var q struct {
			ID  string `json:"id"`
			Old string `json:"_id"`
		}
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		if i%max(every/6, 1) == 0 {
			chosen[q.ID+q.Old] = true
			queries += line + "\n"
		}
	}
	for _, line := range fileLines(t, filepath.Join(dir, "qrels-dev.tsv")) {
		if f := strings.Split(line, "\t"); chosen[f[0]] {
			qrels += line + "\n"
			relevant[f[1]] = true
		}
	}
	return queries, qrels, relevant
}

func corpusParts(t *testing.T, dir string) []string {
	t.Helper()
	parts, err := filepath.Glob(filepath.Join(dir, "corpus-part*.jsonl"))
	if err != nil || len(parts) == 0 {
		t.Fatalf("there is no part of the corpus in %s: %v", dir, err)
	}
	return parts
}

// somePapers are every so many-th of the documents of a part, and the relevant ones.
func somePapers(t *testing.T, part string, every int, relevant map[string]bool) []string {
	t.Helper()
	var lines []string
	for i, line := range fileLines(t, part) {
		var doc struct{ ID string }
		if err := json.Unmarshal([]byte(line), &doc); err != nil {
			t.Fatal(err)
		}
		if i%every == 0 || relevant[doc.ID] {
			lines = append(lines, line)
		}
	}
	return lines
}

func fileLines(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}
