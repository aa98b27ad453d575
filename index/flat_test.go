package index_test

import (
	"testing"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/indextest"
	"github.com/seed-9f29d379/akin/index/snapshot"
)

func TestFlatMeetsTheContract(t *testing.T) {
	for _, c := range []struct {
		name string
		opts index.FlatOptions
	}{
		{"in float32", index.FlatOptions{}},
		{"with codes", index.FlatOptions{Codes: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			indextest.Run(t, indextest.Suite{
				New:    func(dim int) (index.Index, error) { return index.NewFlat(dim, c.opts) },
				Open:   func(f *snapshot.File) (index.Index, error) { return index.OpenFlat(f) },
				Recall: 1,
			})
		})
	}
}
