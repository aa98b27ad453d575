package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
)

// encodeBatch is how many texts are encoded at a time: an interrupt loses no more, and
// it fills many workers.
const encodeBatch = 64

// encode gives a vector to every paper that has none.
func (a *adding) encode(ctx context.Context) error {
	if err := a.w.Commit(); err != nil { // what is pending is read from what is committed
		return err
	}
	total, err := a.w.CountPending(ctx)
	if err != nil || total == 0 {
		return err
	}
	enc, err := a.e.model()
	if err != nil {
		return err
	}
	if err := a.w.SetModel(ctx, store.Model{Fingerprint: string(enc.Fingerprint()), Dim: enc.Dim()}); err != nil {
		return err
	}
	done, after := 0, uint32(0)
	for {
		a.e.progress(Progress{Stage: "encoding", Done: done, Total: total, Unit: "papers"})
		pending, err := a.w.Pending(ctx, after, encodeBatch)
		if err != nil || len(pending) == 0 {
			return errors.Join(err, a.w.Commit())
		}
		after = pending[len(pending)-1].N
		if err := a.encodeSome(ctx, enc, pending); err != nil {
			return errors.Join(err, a.w.Commit())
		}
		done += len(pending)
		if time.Since(a.committed) >= commitAfter {
			if err := a.w.Commit(); err != nil {
				return err
			}
			a.committed = time.Now()
		}
	}
}

// reuse gives papers that lost their vector since change number seq one that is stored
// for their text, without the encoder.
func (e *Engine) reuse(ctx context.Context, w *store.Writer, seq int64) error {
	var ns []uint32
	_, err := w.Changes(ctx, seq, func(n uint32, v []float32) error {
		if v == nil {
			ns = append(ns, n)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for some := range slices.Chunk(ns, page) {
		papers, err := w.Papers(ctx, some)
		if err != nil {
			return err
		}
		for _, p := range papers {
			if text := p.Fields.Text(); text != "" {
				if _, err := w.Reuse(p.N, paper.Key(text)); err != nil {
					return err
				}
			}
		}
	}
	return w.Commit()
}

// encodeSome gives papers their vectors: stored ones where their text was encoded
// before, new ones for the rest.
func (a *adding) encodeSome(ctx context.Context, enc embed.Encoder, papers []*store.Paper) error {
	var todo []*store.Paper
	var texts []string
	for _, p := range papers {
		text := p.Fields.Text()
		if text == "" { // nothing is left of it for the model: found by words alone
			continue
		}
		known, err := a.w.Reuse(p.N, paper.Key(text))
		if err != nil {
			return err
		}
		if known {
			continue
		}
		todo, texts = append(todo, p), append(texts, text)
	}
	if len(texts) == 0 {
		return ctx.Err()
	}
	out, err := enc.Encode(ctx, texts)
	if err != nil {
		return fmt.Errorf("encoding papers: %w", err)
	}
	for i, p := range todo {
		if err := a.w.SetVector(p.N, paper.Key(texts[i]), out[i].Vector, out[i].Tokens); err != nil {
			return err
		}
		a.report.Embedded++
		if out[i].Truncated {
			a.report.Truncated++
		}
		if !english(texts[i]) {
			a.report.NotEnglish++
		}
	}
	return nil
}

// Encode gives the vectors of texts exactly as the model makes them: no clean-up.
func (e *Engine) Encode(ctx context.Context, texts []string) ([]Encoded, error) {
	enc, err := e.model()
	if err != nil {
		return nil, explain(err)
	}
	out, err := enc.Encode(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("encoding texts: %w", err)
	}
	list := make([]Encoded, len(out))
	for i, o := range out {
		ids, _ := enc.Tokenize(texts[i])
		list[i] = Encoded{Vector: o.Vector, Tokens: o.Tokens, Truncated: o.Truncated, IDs: ids}
	}
	return list, nil
}

// Encoded is one encoded text. Tokens counts the whole text with [CLS] and [SEP];
// IDs are the tokens that the model saw.
type Encoded struct {
	Vector    []float32
	Tokens    int
	Truncated bool
	IDs       []int32
}
