package main

import (
	"bufio"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/models"
)

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func makeDir(path string) { check(os.MkdirAll(path, 0o755)) }

func writeStats(path string, stats map[string]float64) {
	b, err := json.Marshal(stats)
	check(err)
	check(os.WriteFile(path, b, 0o644))
}

func readStats(path string, stats map[string]float64) {
	b, err := os.ReadFile(path)
	check(err)
	check(json.Unmarshal(b, &stats))
}

func parseField(line string, i int) int64 {
	n, err := strconv.ParseInt(strings.Fields(line)[i], 10, 64)
	check(err)
	return n
}

// makeSentences encodes the sentences of abstracts, files of JSON Lines, with this
// project's encoder. A thousand of them, chosen by a fixed shuffle, are the queries.
func makeSentences(files, dir string) {
	var texts []string
	paths, err := filepath.Glob(files)
	check(err)
	for _, path := range paths {
		f, err := os.Open(path)
		check(err)
		in := bufio.NewScanner(f)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			var paper struct{ Abstract string }
			check(json.Unmarshal(in.Bytes(), &paper))
			texts = append(texts, sentences(paper.Abstract)...)
		}
		check(in.Err())
		check(f.Close())
	}
	rand.New(rand.NewPCG(seed, seed)).Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	name, bundle := models.Bundled()
	model, err := embed.Open(name, bundle, embed.Options{})
	check(err)
	encoded, err := model.Encode(context.Background(), texts)
	check(err)
	var vectors []float32
	for _, e := range encoded {
		vectors = append(vectors, e.Vector...)
	}
	save(dir, vectors[nQueries*dim:], vectors[:nQueries*dim])
}

// end is where a sentence ends: a mark, a space, a capital.
var end = regexp.MustCompile(`[.?!] +[A-Z]`)

// sentences splits a text; parts of under 20 bytes are left out.
func sentences(text string) []string {
	var out []string
	for text != "" {
		cut := len(text)
		if at := end.FindStringIndex(text); at != nil {
			cut = at[0] + 1
		}
		if s := strings.TrimSpace(text[:cut]); len(s) >= 20 {
			out = append(out, s)
		}
		text = text[cut:]
	}
	return out
}
