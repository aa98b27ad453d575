package engine

import (
	"context"
	"errors"
	"fmt"
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
	err = eachOf(ctx, w.Library, ns, func(p *store.Paper) (err error) {
		if text := p.Fields.Text(); text != "" {
			_, err = w.Reuse(p.N, paper.Key(text))
		}
		return err
	})
	if err != nil {
		return err
	}
	return w.Commit()
}

// encodeSome gives papers their vectors: stored ones where their text was encoded
// before, new ones for the rest, one for each text.
func (a *adding) encodeSome(ctx context.Context, enc embed.Encoder, papers []*store.Paper) error {
	sharing := make(map[store.TextKey][]uint32) // papers without a vector, by their text
	var texts []string
	for _, p := range papers {
		text := p.Fields.Text()
		if text == "" { // nothing is left of it for the model: found by words alone
			continue
		}
		key := paper.Key(text)
		if others, ok := sharing[key]; ok {
			sharing[key] = append(others, p.N)
			continue
		}
		known, err := a.w.Reuse(p.N, key)
		if err != nil {
			return err
		}
		if known {
			a.countEmbedded(key, text)
			continue
		}
		sharing[key] = []uint32{p.N}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return ctx.Err()
	}
	out, err := enc.Encode(ctx, texts)
	if err != nil {
		return fmt.Errorf("encoding papers: %w", err)
	}
	for i, text := range texts {
		key := paper.Key(text)
		if out[i].Truncated {
			a.truncated[key] = true
		}
		for _, n := range sharing[key] {
			if err := a.w.SetVector(n, key, out[i].Vector, out[i].Tokens); err != nil {
				return err
			}
			a.countEmbedded(key, text)
		}
	}
	return nil
}

// countEmbedded counts a paper that has got its vector.
func (a *adding) countEmbedded(key store.TextKey, text string) {
	a.report.Embedded++
	if a.truncated[key] {
		a.report.Truncated++
	}
	if !english(text) {
		a.report.NotEnglish++
	}
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
