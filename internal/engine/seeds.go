package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/plaintext"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
	"github.com/seed-9f29d379/akin/seeds"
)

// openSeeds reads the bundled papers. Their vectors are bundled too.
func openSeeds(ctx context.Context) (*seedShelf, error) {
	stored, err := seeds.Stored()
	if err != nil {
		return nil, err
	}
	s := &seedShelf{model: store.Model{Fingerprint: stored.Fingerprint, Dim: stored.Dim}}
	src := corpus.Source{Name: seeds.Name, Body: strings.NewReader(seeds.Papers())}
	for r, err := range plaintext.Format().Read(ctx, src) {
		if err != nil {
			return nil, fmt.Errorf("reading the seed papers: %w", err)
		}
		p := store.Prepare(r, nil).Alone(uint32(len(s.papers)+1), "seeds")
		v, ok := stored.Find(paper.Key(p.Fields.Text()))
		if !ok {
			return nil, fmt.Errorf("reading the seed papers: %s has no vector of its present text; run make generate", p.ID)
		}
		s.papers, s.vectors = append(s.papers, p), append(s.vectors, v)
	}
	return s, nil
}

// encoded is s with vectors of another model.
func (s *seedShelf) encoded(ctx context.Context, enc embed.Encoder) (*seedShelf, error) {
	texts := make([]string, len(s.papers))
	for i, p := range s.papers {
		texts[i] = p.Fields.Text()
	}
	out, err := enc.Encode(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("encoding the seed papers: %w", err)
	}
	again := &seedShelf{papers: s.papers, model: store.Model{Fingerprint: string(enc.Fingerprint()), Dim: enc.Dim()}}
	for _, o := range out {
		again.vectors = append(again.vectors, o.Vector)
	}
	return again, nil
}
