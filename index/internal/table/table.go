package table

import (
	"slices"

	"github.com/seed-9f29d379/akin/index/internal/quant"
	"github.com/seed-9f29d379/akin/index/internal/work"
)

// Table is the rows of an index. Its methods that change it need it for themselves.
type Table struct {
	dim    int
	stride int

	ids     []uint32  // [rows]
	base    []float32 // [rows in the snapshot, dim], never changed
	tail    []float32 // [rows since, dim]
	codes   []int8    // [rows, stride]; nil without codes
	scale   float32   // of the codes; 0 while there are none
	dead    []uint64  // [rows/64], a bit a row
	lookup  lookup
	alive   int
	mapped  bool // ids, codes, dead and lookup are the snapshot's
	noCodes bool
}

// New returns an empty table for vectors of dim elements.
func New(dim int) *Table { return &Table{dim: dim, stride: quant.Stride(dim)} }

// NewWithoutCodes returns an empty table that keeps no codes.
func NewWithoutCodes(dim int) *Table {
	t := New(dim)
	t.noCodes = true
	return t
}

// Build returns a table without dead rows: row i is the id and the vector that row(i)
// returns, i in [0, n), asked by workers side by side. The ids must differ. The codes' scale is chosen from all vectors
// and does not depend on their order. It keeps codes if t does.
func (t *Table) Build(n, workers int, row func(i int) (id uint32, v []float32)) *Table {
	fresh := &Table{dim: t.dim, stride: t.stride, noCodes: t.noCodes}
	fresh.Grow(n)
	if fresh.HasCodes() && n > 0 {
		fresh.scale = quant.Scale(quant.Vectors{N: n, Workers: workers, At: func(i int) []float32 {
			_, v := row(i)
			return v
		}})
	}
	fresh.ids, fresh.tail = fresh.ids[:n], fresh.tail[:n*t.dim]
	if fresh.HasCodes() {
		fresh.codes = fresh.codes[:n*t.stride]
	}
	work.Each(workers, n, func(i int) {
		id, v := row(i)
		fresh.ids[i] = id
		copy(fresh.tail[i*t.dim:], v)
		if fresh.HasCodes() {
			quant.Encode(fresh.Code(uint32(i)), v, fresh.scale)
		}
	})
	fresh.dead = make([]uint64, words(n))
	fresh.lookup = newLookup(fresh.ids)
	fresh.alive = n
	return fresh
}

// Dim is the number of elements of a vector.
func (t *Table) Dim() int { return t.dim }

// Stride is the number of bytes of a row of codes.
func (t *Table) Stride() int { return t.stride }

// Rows is the number of rows, dead ones too.
func (t *Table) Rows() int { return len(t.ids) }

// Alive is the number of rows that are not dead.
func (t *Table) Alive() int { return t.alive }

// HasCodes reports whether the table keeps codes.
func (t *Table) HasCodes() bool { return !t.noCodes }

// Codes is the codes of all rows [Rows, Stride], read in place.
func (t *Table) Codes() []int8 { return t.codes }

// Scale is what elements are multiplied by to give codes.
func (t *Table) Scale() float32 { return t.scale }

// ID is the id of a row.
func (t *Table) ID(row uint32) uint32 { return t.ids[row] }

// Vector is the vector of a row, read in place.
func (t *Table) Vector(row uint32) []float32 {
	at := int(row) * t.dim
	if at < len(t.base) {
		return t.base[at : at+t.dim : at+t.dim]
	}
	at -= len(t.base)
	return t.tail[at : at+t.dim : at+t.dim]
}

// Code is the codes of a row, read in place.
func (t *Table) Code(row uint32) []int8 {
	at := int(row) * t.stride
	return t.codes[at : at+t.stride : at+t.stride]
}

// Dead reports whether a row is not to be found any more.
func (t *Table) Dead(row uint32) bool { return t.dead[row>>6]>>(row&63)&1 != 0 }

// Row returns the row of an id that is alive.
func (t *Table) Row(id uint32) (uint32, bool) {
	row, ok := t.lookup.get(t.ids, id)
	return row, ok && !t.Dead(row)
}

// Grow makes room for n rows more.
func (t *Table) Grow(n int) {
	t.own()
	t.ids = slices.Grow(t.ids, n)
	t.tail = slices.Grow(t.tail, n*t.dim)
	if t.HasCodes() {
		t.codes = slices.Grow(t.codes, n*t.stride)
	}
}

// Append adds rows for ids and their vectors [len(ids), dim], which are copied; an id
// that is stored loses its old row. An id must not come twice.
func (t *Table) Append(ids []uint32, vectors []float32) {
	t.own()
	t.fit(vectors)
	for i, id := range ids {
		if row, ok := t.Row(id); ok {
			t.kill(row)
		}
		row := t.push(id, vectors[i*t.dim:(i+1)*t.dim])
		if int(row>>6) == len(t.dead) {
			t.dead = append(t.dead, 0)
		}
		t.lookup.set(t.ids, row)
		t.alive++
	}
}

// push adds a row's id, vector and codes.
func (t *Table) push(id uint32, v []float32) (row uint32) {
	row = uint32(len(t.ids))
	t.ids = append(t.ids, id)
	t.tail = append(t.tail, v...)
	if t.HasCodes() {
		t.codes = slices.Grow(t.codes, t.stride)[:len(t.codes)+t.stride]
		quant.Encode(t.Code(row), v, t.scale)
	}
	return row
}

// Delete makes the row of id dead and reports whether there was one.
func (t *Table) Delete(id uint32) bool {
	row, ok := t.Row(id)
	if ok {
		t.own()
		t.kill(row)
	}
	return ok
}

func (t *Table) kill(row uint32) {
	t.dead[row>>6] |= 1 << (row & 63)
	t.alive--
}

// widening is by how much more than needed the range of codes grows, so that a slow
// drift does not code all rows again and again.
const widening = 1.25

// fit chooses the scale for the first vectors, and for later ones that do not fit it
// codes all rows again. Links and rankings stay what they are: only the grain changes.
func (t *Table) fit(vectors []float32) {
	switch {
	case !t.HasCodes() || len(vectors) == 0:
		return
	case len(t.ids) == 0:
		t.scale = quant.Scale(t.all(vectors))
		return
	}
	for v := range slices.Chunk(vectors, t.dim) {
		if !quant.Fits(v, t.scale) {
			t.scale = min(t.scale/widening, quant.Scale(t.all(vectors)))
			for row := range t.ids {
				quant.Encode(t.Code(uint32(row)), t.Vector(uint32(row)), t.scale)
			}
			return
		}
	}
}

// all is the rows of vectors [n, dim].
func (t *Table) all(vectors []float32) quant.Vectors {
	return quant.Vectors{N: len(vectors) / t.dim, At: func(i int) []float32 { return vectors[i*t.dim : (i+1)*t.dim] }}
}

// own copies what the snapshot holds and this table is about to change.
func (t *Table) own() {
	if !t.mapped {
		return
	}
	t.ids = slices.Clone(t.ids)
	t.codes = slices.Clone(t.codes)
	t.dead = slices.Clone(t.dead)
	t.lookup.cells = slices.Clone(t.lookup.cells)
	t.mapped = false
}
