package facet

import (
	"encoding/binary"
	"hash/crc32"
	"maps"
	"math"
	"slices"
	"strings"
)

// Builder makes a Table from its rows, in their order. It is not safe for concurrent use.
type Builder struct {
	years   []uint16
	columns []map[string][]uint32 // a text to the rows that have it
}

// NewBuilder begins a table with so many columns of texts.
func NewBuilder(columns int) *Builder {
	b := &Builder{columns: make([]map[string][]uint32, columns)}
	for i := range b.columns {
		b.columns[i] = make(map[string][]uint32)
	}
	return b
}

// Add appends a row: its year, 0 where there is none, and the texts of each column, of
// which blank ones do not count.
func (b *Builder) Add(year int, columns ...[]string) {
	row := uint32(len(b.years))
	b.years = append(b.years, uint16(min(max(year, 0), math.MaxUint16)))
	for i, texts := range columns {
		for _, text := range texts {
			text = strings.ReplaceAll(text, end, "")
			rows := b.columns[i][text]
			if text != "" && (len(rows) == 0 || rows[len(rows)-1] != row) {
				b.columns[i][text] = append(rows, row)
			}
		}
	}
}

// Bytes returns the table's bytes: the same for the same rows.
func (b *Builder) Bytes() []byte {
	out := append([]byte(magic), make([]byte, headerSize-len(magic))...)
	binary.LittleEndian.PutUint32(out[8:], uint32(len(b.years)))
	binary.LittleEndian.PutUint32(out[12:], uint32(len(b.columns)))
	for _, y := range b.years {
		out = binary.LittleEndian.AppendUint16(out, y)
	}
	for _, column := range b.columns {
		out = appendColumn(out, column)
	}
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
}

func appendColumn(out []byte, column map[string][]uint32) []byte {
	var text, starts, firsts, rows []byte
	entry := func() {
		starts = binary.LittleEndian.AppendUint64(starts, uint64(len(text)))
		firsts = binary.LittleEndian.AppendUint32(firsts, uint32(len(rows)/4))
	}
	for _, value := range slices.Sorted(maps.Keys(column)) {
		entry()
		text = append(append(text, value...), end...)
		for _, row := range column[value] {
			rows = binary.LittleEndian.AppendUint32(rows, row)
		}
	}
	entry()
	out = binary.LittleEndian.AppendUint64(out, uint64(len(column)))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(text)))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(rows)/4))
	return append(append(append(append(out, starts...), firsts...), rows...), text...)
}
