package cybertron

import (
	"fmt"

	"github.com/nlpodyssey/cybertron/pkg/models/bert"
	"github.com/nlpodyssey/spago/mat"
	"github.com/nlpodyssey/spago/nn"
	"github.com/nlpodyssey/spago/nn/embedding"
	"github.com/nlpodyssey/spago/nn/linear"
	"github.com/nlpodyssey/spago/nn/normalization/layernorm"

	"github.com/seed-9f29d379/akin/embed/internal/safetensors"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// build makes the library's model from the weights.
func build(c config, weights []byte) (*bert.Model, error) {
	file, err := safetensors.Parse(weights)
	if err != nil {
		return nil, err
	}
	// Every number of the configuration is held against the file before the library
	// allocates by it.
	b := builder{file: file, c: c}
	if err := b.checkSizes(); err != nil {
		return nil, err
	}
	b.model = bert.New[float32](c.Config)
	b.embeddings()
	for i := range c.NumHiddenLayers {
		b.layer(i)
	}
	if b.err != nil {
		return nil, b.err
	}
	return b.model, nil
}

// builder copies tensors into a model; the first error stands and ends the copying.
type builder struct {
	file  *safetensors.File
	c     config
	model *bert.Model
	err   error
}

func (b *builder) checkSizes() error {
	hidden, inner := b.c.HiddenSize, b.c.IntermediateSize
	if _, err := b.file.Shaped("embeddings.word_embeddings.weight", b.c.VocabSize, hidden); err != nil {
		return err
	}
	if _, err := b.file.Shaped("embeddings.position_embeddings.weight", b.c.MaxPositionEmbeddings, hidden); err != nil {
		return err
	}
	if _, err := b.file.Shaped("embeddings.token_type_embeddings.weight", b.c.TypeVocabSize, hidden); err != nil {
		return err
	}
	for i := range b.c.NumHiddenLayers {
		if _, err := b.file.Shaped(fmt.Sprintf("encoder.layer.%d.intermediate.dense.weight", i), inner, hidden); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) embeddings() {
	m := b.model.Embeddings
	b.rows(m.Tokens, "embeddings.word_embeddings.weight")
	b.rows(m.Positions, "embeddings.position_embeddings.weight")
	b.rows(m.TokenTypes, "embeddings.token_type_embeddings.weight")
	b.norm(m.Norm, "embeddings.LayerNorm")
}

func (b *builder) layer(i int) {
	prefix := fmt.Sprintf("encoder.layer.%d.", i)
	layer := b.model.Encoder.Layers[i]
	attention := layer.SelfAttention.Attention
	width := b.c.HiddenSize / b.c.NumAttentionHeads
	for _, part := range []struct {
		name string
		of   func(head int) *linear.Model
	}{
		{"query", func(h int) *linear.Model { return attention.Heads[h].Query }},
		{"key", func(h int) *linear.Model { return attention.Heads[h].Key }},
		{"value", func(h int) *linear.Model { return attention.Heads[h].Value }},
	} {
		// [hidden, hidden] and [hidden]: a head has width rows of each.
		w := b.read(prefix+"attention.self."+part.name+".weight", b.c.HiddenSize, b.c.HiddenSize)
		bias := b.read(prefix+"attention.self."+part.name+".bias", b.c.HiddenSize)
		if b.err != nil {
			return
		}
		size := width * b.c.HiddenSize
		for h := range b.c.NumAttentionHeads {
			b.set(part.of(h).W, w[h*size:(h+1)*size])
			b.set(part.of(h).B, bias[h*width:(h+1)*width])
		}
	}
	b.linear(attention.OutputMerge, prefix+"attention.output.dense")
	b.norm(layer.SelfAttention.Norm, prefix+"attention.output.LayerNorm")
	b.linear(layer.FF.MLP[0].(*linear.Model), prefix+"intermediate.dense")
	b.linear(layer.FF.MLP[2].(*linear.Model), prefix+"output.dense")
	b.norm(layer.FF.Norm, prefix+"output.LayerNorm")
}

// rows copies a table of embeddings.
func (b *builder) rows(m *embedding.Model, name string) {
	data := b.read(name, m.Size, m.Dim)
	if b.err != nil {
		return
	}
	for i, row := range m.Weights {
		b.set(row, data[i*m.Dim:(i+1)*m.Dim])
	}
}

func (b *builder) linear(m *linear.Model, name string) {
	b.copy(m.W, name+".weight", m.W.Shape()...)
	b.copy(m.B, name+".bias", m.B.Size())
}

// norm copies a LayerNorm, with the epsilon of the configuration in place of the
// library's fixed 1e-5.
func (b *builder) norm(m *layernorm.Model, name string) {
	b.copy(m.W, name+".weight", m.W.Size())
	b.copy(m.B, name+".bias", m.B.Size())
	m.Eps = nn.Buf(mat.Scalar(float32(b.c.LayerNormEps)))
}

func (b *builder) copy(p *nn.Param, name string, shape ...int) {
	if data := b.read(name, shape...); b.err == nil {
		b.set(p, data)
	}
}

// set gives a parameter its values and frees it from gradients, so that no graph of
// the forward pass is kept.
func (b *builder) set(p *nn.Param, data []float32) {
	mat.SetData[float32](p.Matrix, data)
	p.SetRequiresGrad(false)
}

// read returns the elements of a tensor of the given shape, all finite.
func (b *builder) read(name string, shape ...int) []float32 {
	if b.err != nil {
		return nil
	}
	t, err := b.file.Shaped(name, shape...)
	if err != nil {
		b.err = err
		return nil
	}
	values := make([]float32, t.Len())
	switch t.DType {
	case "F16":
		vec.Widen(values, vec.View[uint16](t.Data))
	case "F32":
		copy(values, vec.View[float32](t.Data))
	default:
		b.err = fmt.Errorf("reading tensor %q: dtype %s, expected F16 or F32", name, t.DType)
		return nil
	}
	for i, x := range values {
		if x-x != 0 { // NaN or infinite
			b.err = fmt.Errorf("reading tensor %q: element %d is %v", name, i, x)
			return nil
		}
	}
	return values
}
