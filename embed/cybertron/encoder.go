package cybertron

import (
	"context"
	"fmt"
	"math"

	"github.com/nlpodyssey/cybertron/pkg/models/bert"
	"github.com/nlpodyssey/spago/ag"
	"github.com/nlpodyssey/spago/mat"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/embed/internal/wordpiece"
)

// Encoder is an [embed.Encoder]. It is safe for concurrent use.
type Encoder struct {
	tokenizer   *wordpiece.Tokenizer
	model       *bert.Model
	maxTokens   int
	dim         int
	fingerprint embed.Fingerprint
}

var _ embed.Encoder = (*Encoder)(nil)

// Open makes an Encoder from a model bundle: name, and the sections
// "model.safetensors", "vocab.txt", "config.json" and "sentence_bert_config.json". The
// weights are copied into the library's own form (100 MB); the sections are not used
// after Open returns, but for "vocab.txt". It takes about half a second.
func Open(name string, sections map[string][]byte) (*Encoder, error) {
	e, err := open(sections)
	if err != nil {
		return nil, fmt.Errorf("opening %s with cybertron: %w", name, err)
	}
	e.fingerprint = embed.Fingerprint(name + "/cybertron/fp32")
	return e, nil
}

func open(sections map[string][]byte) (*Encoder, error) {
	c, err := readConfig(sections)
	if err != nil {
		return nil, err
	}
	tokenizer, err := wordpiece.New(sections[vocabSection])
	if err != nil {
		return nil, err
	}
	if tokenizer.Len() > c.VocabSize {
		return nil, fmt.Errorf("reading %s: %d pieces, the model has %d", vocabSection, tokenizer.Len(), c.VocabSize)
	}
	model, err := build(c, sections[weightsSection])
	if err != nil {
		return nil, err
	}
	return &Encoder{tokenizer: tokenizer, model: model, maxTokens: c.maxTokens, dim: c.HiddenSize}, nil
}

// Dim is the number of elements of a vector.
func (e *Encoder) Dim() int { return e.dim }

// Fingerprint names the model, this engine and its arithmetic.
func (e *Encoder) Fingerprint() embed.Fingerprint { return e.fingerprint }

// Tokenize returns the ids that the model sees and the number of tokens of the text.
func (e *Encoder) Tokenize(text string) (ids []int32, tokens int) {
	return e.tokenizer.Encode(nil, text, e.maxTokens)
}

// Encode encodes one text after the other: the library spreads the work of each over
// all cores by itself. It looks at ctx before each text.
func (e *Encoder) Encode(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	out := make([]embed.Embedding, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ids, tokens := e.Tokenize(text)
		v := make([]float32, e.dim)
		mean(v, e.hidden(ids))
		normalize(v)
		out[i] = embed.Embedding{Vector: v, Tokens: tokens, Truncated: tokens > len(ids)}
	}
	return out, nil
}

// hidden returns the last layer's state of each token, [len(ids)] of [dim]. The sum of
// the three embeddings is made here, because the library's own takes pieces as text.
func (e *Encoder) hidden(ids []int32) []mat.Tensor {
	m := e.model.Embeddings
	xs := make([]mat.Tensor, len(ids)) // [tokens][dim]
	for i, id := range ids {
		xs[i] = ag.Sum(m.Tokens.Weights[id], m.Positions.Weights[i], m.TokenTypes.Weights[0])
	}
	return e.model.Encoder.Encode(m.Norm.Forward(xs...))
}

// mean writes the mean of rows to v.
func mean(v []float32, rows []mat.Tensor) {
	for _, row := range rows {
		for j, x := range mat.Data[float32](row.Value().(mat.Matrix)) {
			v[j] += x
		}
	}
	for j := range v {
		v[j] /= float32(len(rows))
	}
}

// normalize scales v to unit length.
func normalize(v []float32) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	scale := float32(1 / math.Sqrt(sum))
	for j := range v {
		v[j] *= scale
	}
}
