package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/pipelines"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/embed/cybertron"
	"github.com/seed-9f29d379/akin/models"
)

func open(name, precision, dir string) (engine, error) {
	switch name {
	case "akin":
		p, err := embed.ParsePrecision(precision)
		if err != nil {
			return nil, err
		}
		model, sections := models.Bundled()
		return ours(embed.Open(model, sections, embed.Options{Precision: p}))
	case "cybertron":
		return ours(cybertron.Open(models.Bundled()))
	case "hugot":
		return openHugot(filepath.Join(dir, "hugot"))
	}
	return nil, fmt.Errorf("no engine %q", name)
}

func ours(e embed.Encoder, err error) (engine, error) {
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, texts []string) ([][]float32, error) {
		out, err := e.Encode(ctx, texts)
		vectors := make([][]float32, len(out))
		for i, o := range out {
			vectors[i] = o.Vector
		}
		return vectors, err
	}, nil
}

// openHugot opens hugot's pure-Go backend; it gives one text at a time, so that none is
// padded.
func openHugot(dir string) (engine, error) {
	session, err := hugot.NewGoSession()
	if err != nil {
		return nil, err
	}
	pipeline, err := hugot.NewPipeline(session, hugot.FeatureExtractionConfig{
		ModelPath: dir,
		Name:      "sentence",
		Options:   []hugot.FeatureExtractionOption{pipelines.WithNormalization()},
	})
	if err != nil {
		return nil, err
	}
	return func(_ context.Context, texts []string) ([][]float32, error) {
		var vectors [][]float32
		for _, text := range texts {
			out, err := pipeline.RunPipeline([]string{text})
			if err != nil {
				return nil, err
			}
			vectors = append(vectors, out.Embeddings...)
		}
		return vectors, nil
	}, nil
}
