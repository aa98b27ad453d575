// Command encoder runs one Go engine for run.py, which talks to it in JSON lines (see
// worker.py): this project's own, cybertron or hugot.
//
//	encoder -engine akin|cybertron|hugot [-precision int16|fp32] [-models DIR]
//
// AKIN_CPU chooses the processor level, GOMAXPROCS the number of threads.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"time"
)

// engine encodes texts with all threads that it is given.
type engine func(ctx context.Context, texts []string) ([][]float32, error)

type request struct {
	Op    string   `json:"op"`
	Texts []string `json:"texts"`
	CPU   float64  `json:"cpu"`
}

func main() {
	log.SetFlags(0)
	name := flag.String("engine", "akin", "akin, cybertron or hugot")
	precision := flag.String("precision", "int16", "of akin: int16 or fp32")
	models := flag.String("models", "", "folder with hugot's model")
	flag.Parse()
	e, err := open(*name, *precision, *models)
	if err != nil {
		log.Fatal(err)
	}
	if err := serve(e, os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// serve answers requests until r ends.
func serve(e engine, r io.Reader, w io.Writer) error {
	in, out := json.NewDecoder(bufio.NewReader(r)), json.NewEncoder(w)
	for {
		var q request
		if err := in.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading a request: %w", err)
		}
		a, err := answer(e, q)
		if err != nil {
			return fmt.Errorf("answering %q: %w", q.Op, err)
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
}

func answer(e engine, q request) (map[string]any, error) {
	ctx := context.Background()
	switch q.Op {
	case "encode":
		vectors, err := e(ctx, q.Texts)
		return map[string]any{"vectors": vectors}, err
	case "time":
		return measure(ctx, e, q)
	case "all":
		if _, err := e(ctx, q.Texts[:20]); err != nil {
			return nil, err
		}
		start, cpu := time.Now(), cpuTime()
		_, err := e(ctx, q.Texts)
		return map[string]any{
			"seconds": map[string][2]float64{"a text a worker": {time.Since(start).Seconds(), (cpuTime() - cpu).Seconds()}},
			"peak_mb": peakMemory() / 1e6,
		}, err
	}
	return nil, fmt.Errorf("no such operation")
}

// measure encodes one text at a time, whole rounds of them, until q.CPU seconds of
// processor time are spent.
func measure(ctx context.Context, e engine, q request) (map[string]any, error) {
	if _, err := e(ctx, q.Texts[:1]); err != nil {
		return nil, err
	}
	start, n := cpuTime(), 0
	for {
		for i := range q.Texts {
			if _, err := e(ctx, q.Texts[i:i+1]); err != nil {
				return nil, err
			}
			n++
		}
		if spent := (cpuTime() - start).Seconds(); spent >= q.CPU {
			return map[string]any{"ms": spent / float64(n) * 1e3, "texts": n}, nil
		}
	}
}
