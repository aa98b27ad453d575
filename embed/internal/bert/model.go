package bert

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-9f29d379/akin/embed/internal/safetensors"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// Arithmetic is how the dense layers and attention multiply. All else is 32-bit floats.
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

// layer is one block of the encoder. What a piece of the feed-forward layer or a head makes
// is used up before the next one runs, so that it stays in the second cache.
type layer struct {
	qkv      []linear // a head: H to its Q, K and V
	project  linear   // H to H
	up, down []linear // a piece: H to some of F, and back to H, where the pieces are added
	attended vec.LayerNorm
	fed      vec.LayerNorm
}

// pieceWidth is how wide a piece of the feed-forward layer is at most. Each has scales of
// its own, so that the vectors depend on it.
const pieceWidth = 384

// linear is a dense layer in one of the two arithmetics.
type linear struct {
	floats *vec.PackedHalf
	ints   *vec.PackedI16
	out    int  // columns of the result
	adds   bool // to its result, without a bias
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

// dense is a dense layer made of parts of the file's matrices, side by side.
type dense struct {
	parts []part
	block int // splits the result as in [vec.Packed]
}

// part is some rows and columns of a weight matrix [out, in]; the rows are columns of the
// dense layer.
type part struct {
	name          string
	out, in       int
	rows, columns span
}

type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// out is the number of columns of the result.
func (d dense) out() int {
	n := 0
	for _, p := range d.parts {
		n += p.rows.len()
	}
	return n
}

func (d dense) in() int { return d.parts[0].columns.len() }

// block is the dense layers of one block of the encoder, as in [layer].
type block struct {
	qkv      []dense
	project  dense
	up, down []dense
}

// block returns the dense layers of the block whose names have a prefix.
func (c Config) block(prefix string) block {
	h, f, head := c.Hidden, c.FeedForward, c.headWidth()
	all := span{0, h}
	b := block{project: dense{parts: []part{{prefix + "attention.output.dense", h, h, all, all}}}}
	for i := range c.Heads {
		rows := span{i * head, (i + 1) * head}
		b.qkv = append(b.qkv, dense{block: head, parts: []part{
			{prefix + "attention.self.query", h, h, rows, all},
			{prefix + "attention.self.key", h, h, rows, all},
			{prefix + "attention.self.value", h, h, rows, all},
		}})
	}
	for from := 0; from < f; from += pieceWidth {
		piece := span{from, min(from+pieceWidth, f)}
		b.up = append(b.up, dense{parts: []part{{prefix + "intermediate.dense", f, h, piece, all}}})
		b.down = append(b.down, dense{parts: []part{{prefix + "output.dense", h, f, all, piece}}})
	}
	return b
}

// inOrder lists the dense layers as the forward pass comes to them.
func (b block) inOrder() []dense {
	all := append(slices.Clone(b.qkv), b.project)
	for i := range b.up {
		all = append(all, b.up[i], b.down[i])
	}
	return all
}

func layerPrefix(i int) string { return fmt.Sprintf("encoder.layer.%d.", i) }

// reserve takes the memory of all packed matrices, once it is known that the file has
// them: what a config claims is not to be trusted with an allocation.
func (l *loader) reserve() {
	size := 0
	for i := range l.config.Layers {
		for _, d := range l.config.block(layerPrefix(i)).inOrder() {
			for _, p := range d.parts {
				l.half(p.name+".weight", p.out, p.in)
			}
			size += vec.MatrixSize(d.out(), d.in())
		}
	}
	if l.err == nil {
		l.memory = vec.NewArena(size)
	}
}

// layer packs the dense layers in the order in which they run: each fetches the next.
func (l *loader) layer(prefix string) layer {
	b := l.config.block(prefix)
	made := layer{
		attended: l.norm(prefix + "attention.output.LayerNorm"),
		fed:      l.norm(prefix + "output.LayerNorm"),
	}
	for _, d := range b.qkv {
		made.qkv = append(made.qkv, l.linear(d))
	}
	made.project = l.linear(b.project)
	for i := range b.up {
		made.up = append(made.up, l.linear(b.up[i]))
		made.down = append(made.down, l.linear(b.down[i]))
	}
	if l.err == nil && l.arithmetic == Int16 {
		shareRows(made.qkv)
		shareRows(made.up)
	}
	for i := 1; i < len(made.down); i++ {
		made.down[i].adds = true
	}
	return made
}

// shareRows makes rows that are fed to one of some layers fit all of them.
func shareRows(layers []linear) {
	ints := make([]*vec.PackedI16, len(layers))
	for i := range layers {
		ints[i] = layers[i].ints
	}
	vec.ShareRows(ints)
}

// linear packs the parts of d side by side.
func (l *loader) linear(d dense) linear {
	if l.err != nil {
		return linear{}
	}
	bias := make([]float32, 0, d.out())
	made := linear{out: d.out()}
	if l.arithmetic == Int16 {
		made.ints = l.memory.NewPackedI16(d.out(), d.in())
	} else {
		made.floats = l.memory.NewPackedHalf(d.out(), d.in())
	}
	for _, p := range d.parts {
		half := l.half(p.name+".weight", p.out, p.in)
		b := l.floats(p.name+".bias", p.out)
		if l.err != nil {
			return linear{}
		}
		rows := half[p.rows.from*p.in+p.columns.from : (p.rows.to-1)*p.in+p.columns.to]
		var s vec.Stats
		if l.arithmetic == Int16 {
			s = made.ints.SetHalf(len(bias), rows, p.in)
		} else {
			s = made.floats.SetHalf(len(bias), rows, p.in)
		}
		l.finite(p.name+".weight", s)
		bias = append(bias, b[p.rows.from:p.rows.to]...)
	}
	if l.arithmetic == Int16 {
		made.ints.Bias, made.ints.Block = bias, d.block
	} else {
		made.floats.Bias, made.floats.Block = bias, d.block
	}
	return made
}

// feed prepares rows of the layer's input, from first on, where the arithmetic wants integers.
func (l *linear) feed(rows *vec.RowsI16, first int, x []float32) {
	if l.ints != nil {
		rows.Set(first, x, l.ints)
	}
}

// apply sets dst to the layer of x, all of whose rows have been fed, or adds to dst.
func (l *linear) apply(dst, x []float32, rows *vec.RowsI16) {
	switch {
	case l.ints != nil && l.adds:
		vec.AddMatMulI16(dst, rows, l.ints)
	case l.ints != nil:
		vec.MatMulI16(dst, rows, l.ints)
	case l.adds:
		vec.AddMatMulHalf(dst, x, l.floats)
	default:
		vec.MatMulHalf(dst, x, l.floats)
	}
}
