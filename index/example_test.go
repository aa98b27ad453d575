package index_test

import (
	"context"
	"fmt"
	"os"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/snapshot"
)

func Example() {
	x, err := index.NewFlat(3, index.FlatOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for id, v := range [][]float32{{1, 0, 0}, {.8, .6, 0}, {0, 0, 1}} {
		if err := x.Add(uint32(id), v); err != nil {
			fmt.Println(err)
			return
		}
	}
	allow := new(index.Set)
	allow.Add(0)
	allow.Add(2)
	for _, opts := range []index.SearchOptions{{K: 2}, {K: 2, Allow: allow}} {
		hits, err := x.Search([]float32{.6, .8, 0}, opts)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, h := range hits {
			fmt.Printf("%d %.2f\n", h.ID, h.Score)
		}
	}
	// Output:
	// 1 0.96
	// 0 0.60
	// 0 0.60
	// 2 0.00
}

// An index is written into a snapshot, and searched from it without being read into
// memory first.
func ExampleOpenFlat() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	x, err := index.NewFlat(2, index.FlatOptions{Codes: true})
	if err == nil {
		err = x.Add(7, []float32{.6, .8})
	}
	var w *snapshot.Writer
	if err == nil {
		w, err = snapshot.Create(snapshot.OS{}, dir, snapshot.Identity{Generation: 1, Dim: 2, Fingerprint: "my model"})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Abort()
	if err := x.Write(w); err != nil {
		fmt.Println(err)
		return
	}
	path, err := w.Commit()
	if err != nil {
		fmt.Println(err)
		return
	}

	f, err := snapshot.Open(path, snapshot.OpenOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	opened, err := index.OpenFlat(f)
	if err != nil {
		fmt.Println(err)
		return
	}
	hits, err := opened.Search([]float32{0, 1}, index.SearchOptions{K: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d %.2f\n", f.Identity().Fingerprint, hits[0].ID, hits[0].Score)
	fmt.Println(opened.Check(context.Background()))
	// Output:
	// my model: 7 0.80
	// <nil>
}
