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
	x, sum    []float32 // [T, H]: the state, and what is added to it
	context   []float32 // [T, H]: the attention's result
	head      []float32 // [3, T, head]: Q, K and V of a head
	wide      []float32 // [T, piece]: of the feed-forward layer
	rows      vec.RowsI16
	wideRows  vec.RowsI16
	attend    vec.Attention
	attendI16 vec.AttentionI16
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
		next := &m.layers[min(i+1, len(m.layers)-1)].qkv[0]
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
			m.norm.Add(row, m.positions[position*h:(position+1)*h])
			i++
		}
	}
	m.layers[0].qkv[0].feed(&w.rows, 0, w.x)
}

// resize makes room for total tokens. All of it is one piece, so that large pages serve.
func (w *Workspace) resize(total int, c Config) {
	h, head, wide := total*c.Hidden, 3*total*c.headWidth(), total*min(c.FeedForward, pieceWidth)
	if cap(w.x) < h {
		memory := vec.NewArena(4*(3*h+head+wide) + 5*64)
		w.x, w.sum, w.context = memory.Floats(h), memory.Floats(h), memory.Floats(h)
		w.head, w.wide = memory.Floats(head), memory.Floats(wide)
	}
	w.x, w.sum, w.context = w.x[:h], w.sum[:h], w.context[:h]
	w.head, w.wide = w.head[:head], w.wide[:wide]
	w.attend.Width, w.attend.Stride = c.headWidth(), c.Hidden
	w.attendI16.Width, w.attendI16.Stride = c.headWidth(), c.Hidden
}

// run is one block: the state's rows have been fed to qkv, and are fed to next.
func (l *layer) run(w *Workspace, texts []Text, next *linear) {
	l.attention(w, texts)
	l.project.feed(&w.rows, 0, w.context)
	l.project.apply(w.sum, w.context, &w.rows)
	w.addNorm(&l.attended, &l.up[0])
	for i := range l.up {
		l.feedForward(w, i)
	}
	w.addNorm(&l.fed, next)
}

// rowsAtATime is how many rows are rounded while they are in the nearest cache.
const rowsAtATime = 8

// addNorm sets the state to the LayerNorm of itself and sum, and feeds it to next.
func (w *Workspace) addNorm(n *vec.LayerNorm, next *linear) {
	h := len(n.Weight)
	for from := 0; from < len(w.x); from += rowsAtATime * h {
		to := min(from+rowsAtATime*h, len(w.x))
		n.Add(w.x[from:to], w.sum[from:to])
		next.feed(&w.rows, from/h, w.x[from:to])
	}
}

// attention sets the context, head by head.
func (l *layer) attention(w *Workspace, texts []Text) {
	width := w.attend.Width
	each := len(w.head) / 3
	for i := range l.qkv {
		l.qkv[i].apply(w.head, w.x, &w.rows)
		from := 0
		for _, t := range texts {
			to := from + len(t.IDs)
			dst := w.context[from*w.attend.Stride+i*width:]
			q, k, v := w.head[from*width:to*width], w.head[each+from*width:each+to*width], w.head[2*each+from*width:2*each+to*width]
			if l.qkv[i].ints != nil {
				w.attendI16.Head(dst, q, k, v)
			} else {
				w.attend.Head(dst, q, k, v)
			}
			from = to
		}
	}
}

// feedForward adds one piece of the layer to sum, which the first one sets.
func (l *layer) feedForward(w *Workspace, piece int) {
	up, down, total := &l.up[piece], &l.down[piece], w.rows.Len()
	n := up.out
	wide := w.wide[:total*n]
	up.apply(wide, w.x, &w.rows)
	w.wideRows.Resize(total, n)
	for from := 0; from < len(wide); from += rowsAtATime * n {
		rows := wide[from:min(from+rowsAtATime*n, len(wide))]
		vec.GELU(rows)
		down.feed(&w.wideRows, from/n, rows)
	}
	down.apply(w.sum, wide, &w.wideRows)
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
