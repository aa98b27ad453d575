package table

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/seed-9f29d379/akin/index/internal/quant"
	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// The sections of a table.
const (
	sectionItems   = "items" // rows, alive, lookup cells used, scale, 1 with codes: 3 x uint64, float32, uint32
	sectionVectors = "vectors"
	sectionCodes   = "codes"
	sectionIDs     = "ids"
	sectionDead    = "dead"
	sectionLookup  = "lookup"

	itemsLen = 3*8 + 4 + 4
)

// Key is a hash of a vector's bits. What is sorted by key, and by id where keys are
// equal, lies as the vectors alone decide: neither arrival nor numbering shows.
func Key(v []float32) uint64 {
	h := uint64(len(v))
	for _, x := range v {
		// A step of FNV-1a with the golden ratio; the shift brings the high bits,
		// which the product mixes best, to the low ones.
		h = (h ^ uint64(math.Float32bits(x))) * 0x9E3779B97F4A7C15
		h ^= h >> 32
	}
	return h
}

// ByKey returns the rows that are alive in the order of their vectors' keys.
func (t *Table) ByKey() []uint32 {
	rows := make([]uint32, 0, t.alive)
	keys := make([]uint64, len(t.ids))
	for row := range uint32(len(t.ids)) {
		if !t.Dead(row) {
			rows = append(rows, row)
			keys[row] = Key(t.Vector(row))
		}
	}
	slices.SortFunc(rows, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(t.ids[a], t.ids[b]))
	})
	return rows
}

// Write writes all rows as they are.
func (t *Table) Write(w *snapshot.Writer) error {
	if id := w.Identity(); id.Dim != t.dim {
		return fmt.Errorf("snapshot of dimension %d, vectors of %d", id.Dim, t.dim)
	}
	le := binary.LittleEndian
	items := le.AppendUint64(nil, uint64(len(t.ids)))
	items = le.AppendUint64(items, uint64(t.alive))
	items = le.AppendUint64(items, uint64(t.lookup.used))
	items = le.AppendUint32(items, math.Float32bits(t.scale))
	items = le.AppendUint32(items, flag(t.HasCodes()))
	sections := []namedBytes{
		{sectionItems, [][]byte{items}},
		{sectionIDs, [][]byte{vec.Bytes(t.ids)}},
		{sectionDead, [][]byte{vec.Bytes(t.dead)}},
		{sectionLookup, [][]byte{vec.Bytes(t.lookup.cells)}},
		{sectionVectors, [][]byte{vec.Bytes(t.base), vec.Bytes(t.tail)}},
	}
	if t.HasCodes() {
		sections = append(sections, namedBytes{sectionCodes, [][]byte{vec.Bytes(t.codes)}})
	}
	for _, s := range sections {
		if err := WriteSection(w, s.name, s.parts...); err != nil {
			return err
		}
	}
	return nil
}

type namedBytes struct {
	name  string
	parts [][]byte
}

func flag(on bool) uint32 {
	if on {
		return 1
	}
	return 0
}

// WriteSection writes a whole section, its parts one after the other.
func WriteSection(w *snapshot.Writer, name string, parts ...[]byte) error {
	if err := w.Section(name); err != nil {
		return err
	}
	for _, p := range parts {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// Open reads the table of a snapshot in place: f must stay open as long as the table
// is used. Its cost does not depend on the number of rows.
func Open(f *snapshot.File) (*Table, error) {
	items, _ := f.Section(sectionItems)
	if len(items) != itemsLen {
		return nil, Damaged("section %q of %d bytes", sectionItems, len(items))
	}
	le := binary.LittleEndian
	rows, alive, used := le.Uint64(items), le.Uint64(items[8:]), le.Uint64(items[16:])
	t := New(f.Identity().Dim)
	t.mapped = true
	t.scale = math.Float32frombits(le.Uint32(items[24:]))
	t.noCodes = le.Uint32(items[28:]) == 0
	if rows > math.MaxInt32 || alive > rows || t.dim > MaxDim {
		return nil, Damaged("%d rows, %d of them alive, of dimension %d", rows, alive, t.dim)
	}
	n := int(rows)
	var err error
	if t.ids, err = Section[uint32](f, sectionIDs, n); err != nil {
		return nil, err
	}
	if t.dead, err = Section[uint64](f, sectionDead, words(n)); err != nil {
		return nil, err
	}
	if t.base, err = Section[float32](f, sectionVectors, n*t.dim); err != nil {
		return nil, err
	}
	if t.HasCodes() {
		if t.codes, err = Section[int8](f, sectionCodes, n*t.stride); err != nil {
			return nil, err
		}
		if n > 0 && !(t.scale > 0 && t.scale <= math.MaxFloat32) {
			return nil, Damaged("codes of scale %v", t.scale)
		}
	}
	cells, _ := f.Section(sectionLookup)
	t.lookup = lookup{cells: vec.View[uint32](cells), used: int(min(used, rows))}
	if len(t.lookup.cells) < t.lookup.used || n > 0 && len(t.lookup.cells) == 0 {
		return nil, Damaged("section %q of %d bytes for %d ids", sectionLookup, len(cells), used)
	}
	t.alive = int(alive)
	return t, nil
}

// MaxDim is the largest dimension of a vector: products of codes stay within 32 bits.
const MaxDim = 1 << 16

// Section views a section that must hold n values.
func Section[T vec.Element](f *snapshot.File, name string, n int) ([]T, error) {
	b, ok := f.Section(name)
	if !ok {
		return nil, Damaged("no section %q", name)
	}
	values := vec.View[T](b)
	if len(vec.Bytes(values)) != len(b) || len(values) != n {
		return nil, Damaged("section %q of %d bytes, want %d values", name, len(b), n)
	}
	return values, nil
}

// Damaged is an error for a file that contradicts itself.
func Damaged(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{snapshot.ErrDamaged}, args...)...)
}

// Check verifies every row. unit reports whether a vector may be stored.
func (t *Table) Check(ctx context.Context, valid func(v []float32, dim int) error) error {
	alive := 0
	codes := make([]int8, t.stride)
	for i := range t.ids {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row := uint32(i)
		if err := valid(t.Vector(row), t.dim); err != nil {
			return Damaged("row %d: %v", row, err)
		}
		if t.HasCodes() {
			if quant.Encode(codes, t.Vector(row), t.scale); !slices.Equal(codes, t.Code(row)) {
				return Damaged("codes of row %d are not those of its vector", row)
			}
		}
		if t.Dead(row) {
			continue
		}
		alive++
		if found, ok := t.Row(t.ids[row]); !ok || found != row {
			return Damaged("id %d of row %d is looked up as row %d, %v", t.ids[row], row, found, ok)
		}
	}
	if alive != t.alive {
		return Damaged("%d rows alive, %d counted", t.alive, alive)
	}
	return nil
}

// words is how many words hold a bit a row.
func words(rows int) int { return (rows + 63) / 64 }
