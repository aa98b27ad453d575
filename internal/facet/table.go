package facet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"sort"
	"strings"
)

// The parts of a table, little-endian throughout; docs/format.md draws it.
const (
	magic      = "akinft\x00\x01" // the last byte is the version
	headerSize = 16
	footerSize = 4
	columnSize = 24
	end        = "\n" // of a text
)

// castagnoli is read only.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Table is an immutable table, read in place from its bytes. It is safe for concurrent
// use.
type Table struct {
	data    []byte
	rows    int
	years   []byte // [rows] uint16; 0 is none
	columns []column
}

// column is the texts of one column in ascending order, each once, and their rows.
type column struct {
	values int
	starts []byte // [values+1] uint64: where each begins in text
	firsts []byte // [values+1] uint32: where its rows begin
	rows   []byte // uint32, ascending for each text
	text   []byte // each followed by end
}

// Open reads the header of data, which is kept and must not change. It looks at no row:
// that is Check's part, and a question is safe on damaged ones.
func Open(data []byte) (*Table, error) {
	if len(data) < headerSize+footerSize || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("opening a table of fields: not one, or of another version")
	}
	t := &Table{data: data, rows: int(binary.LittleEndian.Uint32(data[8:]))}
	columns := binary.LittleEndian.Uint32(data[12:])
	rest := data[headerSize : len(data)-footerSize]
	fits := true
	take := func(size uint64) []byte {
		if fits = fits && size <= uint64(len(rest)); !fits {
			return make([]byte, columnSize) // which is never kept
		}
		part := rest[:size:size]
		rest = rest[size:]
		return part
	}
	t.years = take(2 * uint64(t.rows))
	for i := uint32(0); i < columns && fits; i++ {
		header := take(columnSize)
		values, text, rows := binary.LittleEndian.Uint64(header), binary.LittleEndian.Uint64(header[8:]), binary.LittleEndian.Uint64(header[16:])
		if fits = fits && values < math.MaxUint32 && rows < math.MaxUint32; !fits {
			break
		}
		t.columns = append(t.columns, column{
			values: int(values), starts: take(8 * (values + 1)), firsts: take(4 * (values + 1)), rows: take(4 * rows), text: take(text),
		})
	}
	if !fits || len(rest) != 0 {
		return nil, fmt.Errorf("opening a table of fields: its parts do not fit its %d bytes", len(data))
	}
	return t, nil
}

// Len is the number of rows.
func (t *Table) Len() int { return t.rows }

// Columns is the number of columns of texts.
func (t *Table) Columns() int { return len(t.columns) }

// Check verifies the checksum, and that every text and row can be reached.
func (t *Table) Check() error {
	body := t.data[:len(t.data)-footerSize]
	if got, want := crc32.Checksum(body, castagnoli), binary.LittleEndian.Uint32(t.data[len(body):]); got != want {
		return fmt.Errorf("checking a table of fields: checksum %08x, want %08x", got, want)
	}
	for i := range t.columns {
		c := &t.columns[i]
		last := ""
		for v := range c.values {
			value := c.value(v)
			if value <= last || len(c.of(v)) == 0 {
				return fmt.Errorf("checking a table of fields: text %d of column %d is out of order, or of no row", v, i)
			}
			last = value
			for rows := c.of(v); len(rows) > 0; rows = rows[4:] {
				if row := binary.LittleEndian.Uint32(rows); int(row) >= t.rows {
					return fmt.Errorf("checking a table of fields: row %d of %d", row, t.rows)
				}
			}
		}
	}
	return nil
}

// Year is the year of a row; 0 if it has none.
func (t *Table) Year(row uint32) int { return int(binary.LittleEndian.Uint16(t.years[2*row:])) }

// Between returns the rows of the years from one to another; 0 leaves that end open. A
// row without a year is of none. O(rows).
func (t *Table) Between(from, to int) Rows {
	first, last := uint64(max(from, 1)), uint64(math.MaxUint16)
	if to != 0 {
		last = uint64(max(to, 0))
	}
	rows := NewRows(t.rows)
	if first > last {
		return rows
	}
	// Four years at a time, each in its lane of 16 bits. With its highest bit set a lane
	// can be compared by a subtraction that takes nothing from the next one.
	const highest = lanes << 15
	from4, to4 := lanes*min(first, 1<<15), lanes*min(last, 1<<15-1)|highest
	for w := range rows {
		years := t.years[128*w : min(128*w+128, len(t.years))]
		var word uint64
		for k := 0; k < len(years); k += 8 {
			four := uint64(0)
			if k+8 <= len(years) {
				four = binary.LittleEndian.Uint64(years[k:])
			} else {
				for i, b := range years[k:] {
					four |= uint64(b) << (8 * i)
				}
			}
			if four&highest != 0 { // beyond the year 32767
				word |= betweenEach(four, first, last) << (k / 2)
				continue
			}
			within := (four | highest - from4) & (to4 - four) & highest
			word |= within >> 15 * gather >> 48 & 15 << (k / 2)
		}
		rows[w] = word
	}
	return rows
}

const (
	// lanes is 1 in each of four lanes of 16 bits.
	lanes = 1<<48 | 1<<32 | 1<<16 | 1
	// gather moves the lowest bits of the lanes to bits 48 to 51, by multiplication.
	gather = 1<<48 | 1<<33 | 1<<18 | 1<<3
)

// betweenEach is Between for the lanes of four years, one by one.
func betweenEach(four, first, last uint64) (word uint64) {
	for i := range 4 {
		if year := four >> (16 * i) & math.MaxUint16; first <= year && year <= last {
			word |= 1 << i
		}
	}
	return word
}

// Holding returns the rows that have in a column a text which holds all of parts. It
// reads all different texts of the column once, and the rows of those that are met.
func (t *Table) Holding(column int, parts []string) Rows {
	rows := NewRows(t.rows)
	c := &t.columns[column]
	c.holding(parts, func(v int) { c.add(rows, v, t.rows) })
	return rows
}

// Having returns the rows that have a text in a column.
func (t *Table) Having(column int, text string) Rows {
	rows := NewRows(t.rows)
	c := &t.columns[column]
	v := sort.Search(c.values, func(v int) bool { return c.value(v) >= text })
	if v < c.values && c.value(v) == text {
		c.add(rows, v, t.rows)
	}
	return rows
}

// Each yields the texts of a column in ascending order, and how many of the rows that
// are in a set have each.
func (t *Table) Each(column int, in Rows, yield func(text string, n int)) {
	c := &t.columns[column]
	for v := range c.values {
		n := 0
		for list := c.of(v); len(list) > 0; list = list[4:] {
			if in.Has(binary.LittleEndian.Uint32(list)) {
				n++
			}
		}
		yield(c.value(v), n)
	}
}

// holding calls yield with the texts that hold all of parts. The longest part is looked
// for in all texts at once: they stand one after the other.
func (c *column) holding(parts []string, yield func(v int)) {
	longest := ""
	for _, p := range parts {
		if len(p) > len(longest) {
			longest = p
		}
	}
	if longest == "" || strings.Contains(longest, end) {
		return
	}
	wanted := []byte(longest)
	for at, v := 0, 0; ; v++ {
		i := bytes.Index(c.text[at:], wanted)
		if i < 0 {
			return
		}
		if v = c.at(at+i, v); v >= c.values {
			return
		}
		if len(parts) == 1 || holdsAll(c.value(v), parts) {
			yield(v)
		}
		next := c.start(v + 1)
		if next <= at+i || next > len(c.text) { // damaged
			return
		}
		at = next
	}
}

func holdsAll(text string, parts []string) bool {
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}

// at is the text that place i of all is in; it is not before text v.
func (c *column) at(i, v int) int {
	step := 1
	for v+step <= c.values && c.start(v+step) <= i {
		v += step
		step *= 2
	}
	if step == 1 {
		return v
	}
	return v + sort.Search(min(step, c.values-v), func(k int) bool { return c.start(v+k+1) > i })
}

// add puts the rows of the v-th text, which are below n, into a set.
func (c *column) add(to Rows, v, n int) {
	for list := c.of(v); len(list) > 0; list = list[4:] {
		if row := binary.LittleEndian.Uint32(list); int(row) < n {
			to.Add(row)
		}
	}
}

func (c *column) start(v int) int {
	return int(min(binary.LittleEndian.Uint64(c.starts[8*v:]), math.MaxInt))
}

// value is the v-th text; "" where the entry is damaged.
func (c *column) value(v int) string {
	from, to := c.start(v), c.start(v+1)-len(end)
	if from > to || to > len(c.text) {
		return ""
	}
	return string(c.text[from:to])
}

// of is the rows of the v-th text; none where the entry is damaged.
func (c *column) of(v int) []byte {
	from, to := uint64(binary.LittleEndian.Uint32(c.firsts[4*v:])), uint64(binary.LittleEndian.Uint32(c.firsts[4*v+4:]))
	if from > to || 4*to > uint64(len(c.rows)) {
		return nil
	}
	return c.rows[4*from : 4*to]
}
