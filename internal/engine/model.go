package engine

import (
	"context"
	"fmt"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/embed/cybertron"
	"github.com/seed-9f29d379/akin/internal/store"
	"github.com/seed-9f29d379/akin/internal/vec"
	"github.com/seed-9f29d379/akin/models"
)

// openEncoder opens the bundled model with the engine that cfg names.
func openEncoder(cfg Config) (embed.Encoder, error) {
	name, sections := models.Bundled()
	if cfg.Engine == "cybertron" {
		return cybertron.Open(name, sections)
	}
	var opts embed.Options
	if cfg.Precision != "" {
		p, err := embed.ParsePrecision(cfg.Precision)
		if err != nil {
			return nil, err
		}
		opts.Precision = p
	}
	opts.Workers = cfg.Workers
	return embed.Open(name, sections, opts)
}

// checkProcessor refuses to reckon where AKIN_CPU asks for what this processor lacks.
func checkProcessor() error {
	if _, err := vec.CPU(); err != nil {
		return &Error{Kind: Usage, Err: err, Hint: "set AKIN_CPU to one of them, or leave it out: the fastest is chosen"}
	}
	return nil
}

// model opens the encoder at its first use.
func (e *Engine) model() (embed.Encoder, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.modelLocked()
}

func (e *Engine) modelLocked() (embed.Encoder, error) {
	if e.encoder == nil {
		if err := checkProcessor(); err != nil {
			return nil, err
		}
		enc, err := openEncoder(e.cfg)
		if err != nil {
			return nil, fmt.Errorf("opening the model: %w", err)
		}
		e.encoder = enc
	}
	return e.encoder, nil
}

// queryModel is model, for texts that are compared with stored vectors: it refuses to
// compare vectors of two models. The seeds are encoded again where it is not theirs.
func (e *Engine) queryModel(ctx context.Context) (embed.Encoder, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	enc, err := e.modelLocked()
	if err != nil {
		return nil, err
	}
	m, err := e.vectorModel(ctx)
	if err != nil {
		return nil, err
	}
	want := string(enc.Fingerprint())
	if m.Fingerprint == want {
		return enc, nil
	}
	if s, ok := e.shelf.(*seedShelf); ok {
		again, err := s.encoded(ctx, enc)
		if err != nil {
			return nil, err
		}
		e.shelf, e.index, e.nearness = again, nil, nil
		return enc, nil
	}
	return nil, fmt.Errorf("%w: they are of %s, not of %s", store.ErrOtherModel, m.Fingerprint, want)
}
