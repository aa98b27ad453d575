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
	qkv      linear // H to 3·H
	project  linear // H to H
	up, down linear // H to F to H
	attended vec.LayerNorm
	fed      vec.LayerNorm
}

// linear is a dense layer in one of the two arithmetics.
type linear struct {
	floats *vec.PackedHalf
	ints   *vec.PackedI16
}

// Open checks and packs the weights of f; those of the word embeddings stay in place. An
// error names the tensor that is missing, of another shape or not finite. The cost is a
// pass over the dense layers' weights.
func Open(f *safetensors.File, c Config, a Arithmetic) (*Model, error) {
	l := loader{file: f, config: c, arithmetic: a}
	l.reserve()
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
		m.layers = append(m.layers, l.layer(layerPrefix(i)))
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
	memory     *vec.Arena
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

// dense is a dense layer of the file, perhaps of several parts side by side.
type dense struct {
	in    int
	parts []part
	block int // splits the result as in [vec.Packed]
}

// out is the number of columns.
func (d dense) out() int {
	n := 0
	for _, p := range d.parts {
		n += p.out
	}
	return n
}

// dense lists the dense layers of the block whose names have a prefix: QKV, the
// attention's output, and the two of the feed-forward layer.
func (c Config) dense(prefix string) [4]dense {
	h, f := c.Hidden, c.FeedForward
	return [4]dense{
		{in: h, block: c.headWidth(), parts: []part{
			{prefix + "attention.self.query", h},
			{prefix + "attention.self.key", h},
			{prefix + "attention.self.value", h},
		}},
		{in: h, parts: []part{{prefix + "attention.output.dense", h}}},
		{in: h, parts: []part{{prefix + "intermediate.dense", f}}},
		{in: f, parts: []part{{prefix + "output.dense", h}}},
	}
}

func layerPrefix(i int) string { return fmt.Sprintf("encoder.layer.%d.", i) }

// reserve takes the memory of all packed matrices, once it is known that the file has
// them: what a config claims is not to be trusted with an allocation.
func (l *loader) reserve() {
	size := 0
	for i := range l.config.Layers {
		for _, d := range l.config.dense(layerPrefix(i)) {
			for _, p := range d.parts {
				l.half(p.name+".weight", p.out, d.in)
			}
			size += vec.MatrixSize(d.out(), d.in)
		}
	}
	if l.err == nil {
		l.memory = vec.NewArena(size)
	}
}

func (l *loader) layer(prefix string) layer {
	d := l.config.dense(prefix)
	return layer{
		qkv:      l.linear(d[0]),
		project:  l.linear(d[1]),
		attended: l.norm(prefix + "attention.output.LayerNorm"),
		up:       l.linear(d[2]),
		down:     l.linear(d[3]),
		fed:      l.norm(prefix + "output.LayerNorm"),
	}
}

// part is a weight matrix and a bias of the file: out columns of a dense layer.
type part struct {
	name string
	out  int
}

// linear packs the parts of d side by side.
func (l *loader) linear(d dense) linear {
	if l.err != nil {
		return linear{}
	}
	bias := make([]float32, 0, d.out())
	var made linear
	if l.arithmetic == Int16 {
		made.ints = l.memory.NewPackedI16(d.out(), d.in)
	} else {
		made.floats = l.memory.NewPackedHalf(d.out(), d.in)
	}
	for _, p := range d.parts {
		half := l.half(p.name+".weight", p.out, d.in)
		b := l.floats(p.name+".bias", p.out)
		if l.err != nil {
			return linear{}
		}
		var s vec.Stats
		if l.arithmetic == Int16 {
			s = made.ints.SetHalf(len(bias), half)
		} else {
			s = made.floats.SetHalf(len(bias), half)
		}
		l.finite(p.name+".weight", s)
		bias = append(bias, b...)
	}
	if l.arithmetic == Int16 {
		made.ints.Bias, made.ints.Block = bias, d.block
	} else {
		made.floats.Bias, made.floats.Block = bias, d.block
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
	vec.MatMulHalf(dst, x, l.floats)
}
