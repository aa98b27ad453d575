package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	sqlite "modernc.org/sqlite"

	"github.com/seed-9f29d379/akin/internal/sentence"
)

// Every row that is not derived from others carries a checksum of what stands in it, so
// that a bit that changed on the disk is told and not answered with. SQLite computes it
// too, as rowsum(column, ...).

// summed are the tables with a column sum, and the columns that it is a checksum of.
var summed = []struct{ table, columns string }{
	{"papers", paperSummed},
	{"sources", "id, name"},
	{"records", recordSummed},
	{"models", "id, fingerprint, dim"},
	{"vectors", "model, tokens, key, vec"},
	{"sentences", "vector, codes"},
	{"imports", "n, what, started, state, read, added, updated, merged, unchanged, rejected, without_abstract"},
	{"rejections", "import, file, line, key, reason"},
	{"replaced", "record, import, before"},
	{"merges", "import, kept, gone, gone_id, added, records"},
	{"divisions", divisionSummed},
	{"themes", themeSummed},
	{"theme_papers", placementSummed},
}

const (
	paperSummed  = "n, id, mark, year, abstract, added, title, vector"
	recordSummed = "paper, source, import, hash, key, line, " + fieldColumns
)

// sqliteWithSums is SQLite with the functions rowsum and, for the migration that needs it,
// shorter; it is never changed once it is made.
var sqliteWithSums = sync.OnceValue(func() driver.Driver {
	d := &sqlite.Driver{}
	d.MustRegisterFunction("rowsum", &sqlite.FunctionImpl{
		NArgs: -1, Deterministic: true, VolatileArgs: true, // nothing of a value is kept
		Scalar: func(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
			return sumOf(values)
		},
	})
	d.MustRegisterFunction("shorter", &sqlite.FunctionImpl{NArgs: 2, Deterministic: true, Scalar: shorter})
	return d
})

// shorter makes the codes of sentences as they are now of those that have a byte an
// element, of so many elements; NULL where they cannot be such codes.
func shorter(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
	codes, isBytes := values[0].([]byte)
	dim, isNumber := values[1].(int64)
	if !isBytes || !isNumber || dim < 1 || dim > math.MaxInt32 {
		return nil, nil
	}
	if codes, ok := sentence.FromBytes(codes, int(dim)); ok {
		return codes, nil
	}
	return nil, nil
}

// connector opens connections to one database with rowsum.
type connector struct{ dsn string }

func (c connector) Connect(context.Context) (driver.Conn, error) { return sqliteWithSums().Open(c.dsn) }
func (c connector) Driver() driver.Driver                        { return sqliteWithSums() }

// columnsOf are the columns that the checksum of a table's rows is of.
func columnsOf(table string) string {
	for _, s := range summed {
		if s.table == table {
			return s.columns
		}
	}
	panic("store: rows of " + table + " have no checksum")
}

// seal writes the checksums of those rows of a table that meet a condition, once they
// were written as a whole.
func (w *Writer) seal(table, where string, args ...any) error {
	_, err := w.exec("UPDATE "+table+" SET sum = rowsum("+columnsOf(table)+") WHERE "+where, args...)
	return err
}

// rewrite gives the columns of those rows that meet a condition the first values; the
// condition has the others, as ?2 and so on. A row that was damaged before stays known
// as damaged.
func (w *Writer) rewrite(table, columns, where string, values ...any) (sql.Result, error) {
	changed := strings.Split(columns, ", ")
	now := strings.Split(columnsOf(table), ", ")
	var set strings.Builder
	for i, column := range changed {
		value := "?" + strconv.Itoa(i+1)
		set.WriteString(column + " = " + value + ", ")
		now[slices.Index(now, column)] = value
	}
	return w.exec("UPDATE "+table+" SET "+set.String()+"sum = CASE WHEN sum IS rowsum("+columnsOf(table)+") THEN rowsum("+
		strings.Join(now, ", ")+") ELSE sum END WHERE "+where, values...)
}

// sumOf is the CRC-32C of values as SQLite stores them: nothing, numbers, texts and
// blobs, each with its kind and length before it. Four bytes follow, so that no bit of a
// value changes a single bit of the sum: a sum that differs by one bit is itself damaged.
func sumOf[T any](values []T) (int64, error) {
	table := crc32.MakeTable(crc32.Castagnoli)
	var sum uint32
	var head [1 + binary.MaxVarintLen64]byte
	add := func(kind byte, n int64) {
		head[0] = kind
		sum = crc32.Update(sum, table, head[:1+binary.PutVarint(head[1:], n)])
	}
	for _, v := range values {
		switch v := any(v).(type) {
		case nil:
			add('n', 0)
		case int64:
			add('i', v)
		case int:
			add('i', int64(v))
		case bool:
			n := int64(0)
			if v {
				n = 1
			}
			add('i', n)
		case Source:
			add('i', int64(v))
		case float64:
			add('f', int64(math.Float64bits(v)))
		case string:
			add('t', int64(len(v)))
			sum = crc32.Update(sum, table, []byte(v))
		case text:
			add('t', int64(len(v)))
			sum = crc32.Update(sum, table, v)
		case []byte:
			add('b', int64(len(v)))
			sum = crc32.Update(sum, table, v)
		default:
			return 0, fmt.Errorf("summing a row: a value of type %T", v)
		}
	}
	return int64(crc32.Update(sum, table, []byte("akin"))), nil
}

// text is a text as bytes that can be changed.
type text []byte

// unlikeSum is the condition of rows of a table that are not what was written.
func unlikeSum(table string) string { return "sum IS NOT rowsum(" + columnsOf(table) + ")" }
