package bert

import (
	"fmt"
	"math"

	"github.com/seed-9f29d379/akin/embed/internal/safetensors"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// Arithmetic is how the dense layers multiply. All else is 32-bit floats.
type Arithmetic int

// The arithmetics.
const (
	Int16   Arithmetic = iota // exact 16-bit integers, the same numbers on every processor
	Float32                   // 32-bit floats
)

// Model is a BERT encoder, ready to run. It is safe for concurrent use.
type Model struct {
	config    Config
	words     []uint16  // [Vocabulary, H], 16-bit floats in place
	positions []float32 // [Positions, H], the first token type added
	norm      vec.LayerNorm
	layers    []layer
}

// layer is one block of the encoder.
type layer struct {
	qkv      linear // H to 3·H; the part of Q is divided by the root of the head's width
	project  linear // H to H
	up, down linear // H to F to H
	attended vec.LayerNorm
	fed      vec.LayerNorm
}

// linear is a dense layer in one of the two arithmetics.
type linear struct {
	floats *vec.Packed
	ints   *vec.PackedI16
}

// Open checks and packs the weights of f; those of the word embeddings stay in place. An
// error names the tensor that is missing, of another shape or not finite. The cost is a
// pass over the dense layers' weights.
func Open(f *safetensors.File, c Config, a Arithmetic) (*Model, error) {
	l := loader{file: f, config: c, arithmetic: a}
	m := &Model{config: c}
	m.words = l.half("embeddings.word_embeddings.weight", c.Vocabulary, c.Hidden)
	m.positions = l.floats("embeddings.position_embeddings.weight", c.Positions, c.Hidden)
	types := l.floats("embeddings.token_type_embeddings.weight", c.TokenTypes, c.Hidden)
	m.norm = l.norm("embeddings.LayerNorm")
	if l.err == nil {
		for i := 0; i < len(m.positions); i += c.Hidden {
			vec.Add(m.positions[i:i+c.Hidden], types[:c.Hidden])
		}
	}
	for i := range c.Layers {
		m.layers = append(m.layers, l.layer(fmt.Sprintf("encoder.layer.%d.", i)))
	}
	if l.err != nil {
		return nil, fmt.Errorf("opening the model: %w", l.err)
	}
	return m, nil
}

// Config returns the model's shape.
func (m *Model) Config() Config { return m.config }

// loader reads tensors until the first one that is wrong.
type loader struct {
	file       *safetensors.File
	config     Config
	arithmetic Arithmetic
	err        error
}

// half returns the 16-bit floats of a tensor, in place.
func (l *loader) half(name string, shape ...int) []uint16 {
	if l.err != nil {
		return nil
	}
	t, err := l.file.Shaped(name, shape...)
	if err == nil && t.DType != "F16" {
		err = fmt.Errorf("reading tensor %q: its numbers are %s, expected F16", name, t.DType)
	}
	if err != nil {
		l.err = err
		return nil
	}
	return vec.View[uint16](t.Data)
}

// floats returns a copy of a tensor as 32-bit floats, all of them finite.
func (l *loader) floats(name string, shape ...int) []float32 {
	half := l.half(name, shape...)
	x := make([]float32, len(half))
	vec.Widen(x, half)
	l.finite(name, vec.Measure(x))
	return x
}

func (l *loader) finite(name string, s vec.Stats) {
	// A NaN or an infinity anywhere makes the sum of squares one.
	if v := float64(s.Squares); l.err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		l.err = fmt.Errorf("reading tensor %q: it holds a number that is not finite", name)
	}
}

func (l *loader) norm(name string) vec.LayerNorm {
	h := l.config.Hidden
	return vec.LayerNorm{Weight: l.floats(name+".weight", h), Bias: l.floats(name+".bias", h), Epsilon: l.config.LayerNormEps}
}

func (l *loader) layer(prefix string) layer {
	h, f := l.config.Hidden, l.config.FeedForward
	// Scores are divided by the root of the head's width: Q is, once and for all.
	scaled := float32(1 / math.Sqrt(float64(l.config.headWidth())))
	attention := prefix + "attention."
	return layer{
		qkv: l.linear(h, l.config.headWidth(),
			part{attention + "self.query", h, scaled},
			part{attention + "self.key", h, 1},
			part{attention + "self.value", h, 1}),
		project:  l.linear(h, 0, part{attention + "output.dense", h, 1}),
		attended: l.norm(attention + "output.LayerNorm"),
		up:       l.linear(h, 0, part{prefix + "intermediate.dense", f, 1}),
		down:     l.linear(f, 0, part{prefix + "output.dense", h, 1}),
		fed:      l.norm(prefix + "output.LayerNorm"),
	}
}

// part is a weight matrix and a bias of the file: out columns of a dense layer.
type part struct {
	name   string
	out    int
	factor float32
}

// linear packs parts side by side as one dense layer with in inputs; block splits its
// result as in [vec.Packed].
func (l *loader) linear(in, block int, parts ...part) linear {
	out := 0
	for _, p := range parts {
		out += p.out
	}
	bias := make([]float32, 0, out)
	var made linear
	if l.arithmetic == Int16 {
		made.ints = vec.NewPackedI16(out, in)
	} else {
		made.floats = vec.NewPacked(out, in)
	}
	for _, p := range parts {
		half := l.half(p.name+".weight", p.out, in)
		b := l.floats(p.name+".bias", p.out)
		if l.err != nil {
			return linear{}
		}
		vec.Scale(b, p.factor)
		var s vec.Stats
		if l.arithmetic == Int16 {
			s = made.ints.SetHalf(len(bias), half, p.factor)
		} else {
			s = made.floats.SetHalf(len(bias), half, p.factor)
		}
		l.finite(p.name+".weight", s)
		bias = append(bias, b...)
	}
	if l.arithmetic == Int16 {
		made.ints.Bias, made.ints.Block = bias, block
	} else {
		made.floats.Bias, made.floats.Block = bias, block
	}
	return made
}

// feed prepares row i of the layer's input where the arithmetic wants integers.
func (l *linear) feed(rows *vec.RowsI16, i int, x []float32, s vec.Stats) {
	if l.ints != nil {
		rows.Set(i, x, s, l.ints)
	}
}

// apply sets dst to the layer of x, all of whose rows have been fed.
func (l *linear) apply(dst, x []float32, rows *vec.RowsI16) {
	if l.ints != nil {
		vec.MatMulI16(dst, rows, l.ints)
		return
	}
	vec.MatMul(dst, x, l.floats)
}
