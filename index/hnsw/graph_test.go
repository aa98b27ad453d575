package hnsw_test

import (
	"context"
	"testing"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/hnsw"
	"github.com/seed-9f29d379/akin/index/indextest"
	"github.com/seed-9f29d379/akin/index/snapshot"
)

func TestGraphMeetsTheContract(t *testing.T) {
	indextest.Run(t, indextest.Suite{
		New:  func(dim int) (index.Index, error) { return hnsw.New(dim, hnsw.Options{}) },
		Open: func(f *snapshot.File) (index.Index, error) { return hnsw.Open(f) },
		Settle: func(x index.Index) error {
			return x.(*hnsw.Graph).Rebuild(context.Background(), hnsw.BuildOptions{})
		},
		Recall: .99,
	})
}
