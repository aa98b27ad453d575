package cluster_test

import (
	"context"
	"fmt"

	"github.com/seed-9f29d379/akin/cluster"
)

func ExampleThemes() {
	vectors, _ := planted(300, 6, 0.6, 1) // any []float32, one vector of dim numbers after the other
	r, err := cluster.Themes(context.Background(), vectors, dim, cluster.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.K, "themes, chosen by", r.ChosenBy)
	fmt.Println("clear structure:", r.ClearStructure)
	first := r.Levels[0].Items[0]
	fmt.Printf("item 0 is in theme %d, fit above %v: %v\n", first.Theme, cluster.Between, first.Fit > cluster.Between)
	// Output:
	// 6 themes, chosen by structure
	// clear structure: true
	// item 0 is in theme 1, fit above 0.2: true
}

func ExampleNames() {
	texts := []string{
		"Graph neural networks for link prediction. Graph neural networks learn from links.",
		"Deep graph neural networks. We train graph neural networks on molecules.",
		"Wind turbines at sea. Offshore wind turbines meet waves.",
		"Fatigue of wind turbines. Wind turbines age in storms.",
	}
	names, err := cluster.Names(texts, []int32{0, 0, 1, 1}, 2, cluster.NameOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range names {
		fmt.Println(name.Label)
	}
	// Output:
	// graph neural networks
	// wind turbines
}

func ExampleKMeans() {
	vectors := []float32{1, 0, 0.9, 0.1, 0, 1, 0.1, 0.9, 0.2, 0.8}
	p, err := cluster.KMeans(context.Background(), vectors, 2, cluster.KMeansOptions{K: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Labels)
	// Output: [1 1 0 0 0]
}

func ExampleMatch() {
	before := [][]uint32{{0, 1, 2}, {3, 4}} // the papers of two themes
	after := [][]uint32{{3, 4, 5}, {0, 1, 2}}
	fmt.Println(cluster.Match(before, after)) // theme 0 is what was 1, theme 1 what was 0
	// Output: [1 0]
}
