package bert

import (
	"context"
	"errors"
	"math"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// Workspace is the memory of one forward pass. It grows to the most tokens that it has
// run, and is for one goroutine at a time.
type Workspace struct {
	x, sum  []float32 // [T, H]: the state, and what is added to it
	context []float32 // [T, H]: the attention's result
	qkv     []float32 // [3·heads, T, head]
	wide    []float32 // [T, F]
	rows    vec.RowsI16
	attend  vec.Attention
}

// ErrNotFinite says that a vector came out with a NaN or an infinity: the word embeddings
// of the model are damaged.
var ErrNotFinite = errors.New("the model gives a vector that is not finite")

// Encode writes the unit vector of each text, of H elements, into the vector beside it.
// Texts that are given together share their dense layers, which pays for short ones; the
// result is the same bytes as one by one. An id must be below Vocabulary, a text at most
// Positions long and not empty. It returns the context's error between two layers.
func (m *Model) Encode(ctx context.Context, w *Workspace, texts []Text) error {
	m.embed(w, texts)
	for i := range m.layers {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := &m.layers[min(i+1, len(m.layers)-1)].qkv
		m.layers[i].run(w, texts, next)
	}
	return m.pool(w, texts)
}

// Text is the ids of a text, and where its vector goes.
type Text struct {
	IDs    []int32
	Vector []float32 // [H]
}

// embed sets the state to the LayerNorm of word + position + type.
func (m *Model) embed(w *Workspace, texts []Text) {
	h, total := m.config.Hidden, 0
	for _, t := range texts {
		total += len(t.IDs)
	}
	w.resize(total, m.config)
	w.rows.Resize(total, h)
	i := 0
	for _, t := range texts {
		for position, id := range t.IDs {
			row := w.x[i*h : (i+1)*h]
			vec.Widen(row, m.words[int(id)*h:(int(id)+1)*h])
			s := m.norm.Add(row, m.positions[position*h:(position+1)*h])
			m.layers[0].qkv.feed(&w.rows, i, row, s)
			i++
		}
	}
}

// resize makes room for total tokens. All of it is one piece, so that large pages serve.
func (w *Workspace) resize(total int, c Config) {
	h, f := total*c.Hidden, total*c.FeedForward
	if cap(w.x) < h {
		memory := vec.NewArena(4 * (6*h + f))
		w.x, w.sum, w.context = memory.Floats(h), memory.Floats(h), memory.Floats(h)
		w.qkv, w.wide = memory.Floats(3*h), memory.Floats(f)
	}
	w.x, w.sum, w.context = w.x[:h], w.sum[:h], w.context[:h]
	w.qkv, w.wide = w.qkv[:3*h], w.wide[:f]
	w.attend.Heads, w.attend.Width = c.Heads, c.headWidth()
}

// run is one block: the state's rows have been fed to qkv, and are fed to next.
func (l *layer) run(w *Workspace, texts []Text, next *linear) {
	l.qkv.apply(w.qkv, w.x, &w.rows)
	from := 0
	for _, t := range texts {
		w.attend.Rows(w.context, w.qkv, from, from+len(t.IDs))
		from += len(t.IDs)
	}
	total := from
	h, f := len(w.x)/total, len(w.wide)/total
	for i := range total {
		row := w.context[i*h : (i+1)*h]
		l.project.feed(&w.rows, i, row, vec.Measure(row))
	}
	l.project.apply(w.sum, w.context, &w.rows)
	for i := range total {
		row := w.x[i*h : (i+1)*h]
		s := l.attended.Add(row, w.sum[i*h:(i+1)*h])
		l.up.feed(&w.rows, i, row, s)
	}
	l.up.apply(w.wide, w.x, &w.rows)
	w.rows.Resize(total, f)
	for i := range total {
		row := w.wide[i*f : (i+1)*f]
		s := vec.GELU(row)
		l.down.feed(&w.rows, i, row, s)
	}
	l.down.apply(w.sum, w.wide, &w.rows)
	w.rows.Resize(total, h)
	for i := range total {
		row := w.x[i*h : (i+1)*h]
		s := l.fed.Add(row, w.sum[i*h:(i+1)*h])
		next.feed(&w.rows, i, row, s)
	}
}

// pool sets each vector to the mean of its text's rows, divided by its length.
func (m *Model) pool(w *Workspace, texts []Text) error {
	h, i := m.config.Hidden, 0
	for _, t := range texts {
		clear(t.Vector)
		for range t.IDs {
			vec.Add(t.Vector, w.x[i*h:(i+1)*h])
			i++
		}
		vec.Scale(t.Vector, 1/float32(len(t.IDs)))
		length := float64(vec.Normalize(t.Vector))
		if math.IsNaN(length) || math.IsInf(length, 0) || length == 0 {
			return ErrNotFinite
		}
	}
	return nil
}
