package store

import (
	"database/sql"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// repairRows mends the rows that are not what was written, as far as that can be known:
// one wrong bit is put back; what is derived is derived again; of a record the text
// stays as it is, to be read again from its source.
func (w *Writer) repairRows(tell func(string)) error {
	for _, kind := range rowKinds {
		mended, err := w.mendBits(kind.table)
		if err != nil {
			return err
		}
		if mended > 0 {
			tell(fmt.Sprintf("%s of %s: one wrong bit was put back", number.Grouped(mended), kind.table))
		}
	}
	for _, repair := range []func(func(string)) error{w.repairPapers, w.rereadRecords, w.dropModels, w.dropUnreadable, w.repairThemes, w.acceptRows} {
		if err := repair(tell); err != nil {
			return err
		}
	}
	return nil
}

// mendBits finds, for each damaged row of a table, the one bit whose change explains its
// checksum, and puts it back. Two wrong bits stay damaged.
func (w *Writer) mendBits(table string) (int, error) {
	columns := strings.Split(columnsOf(table), ", ")
	type row struct {
		values []any // of the columns, then the stored sum
	}
	var damaged []row
	err := w.query(func(r *sql.Rows) error {
		values := make([]any, len(columns)+1)
		into := make([]any, len(values))
		for i := range values {
			into[i] = &values[i]
		}
		err := r.Scan(into...)
		damaged = append(damaged, row{values})
		return err
	}, "SELECT "+columnsOf(table)+", sum FROM "+table+" WHERE "+unlikeSum(table))
	if err != nil {
		return 0, err
	}
	mended := 0
	for _, d := range damaged {
		values, want := d.values[:len(columns)], d.values[len(columns)]
		stored, ok := want.(int64)
		if !ok {
			continue
		}
		var where []string
		for i, column := range columns {
			where = append(where, fmt.Sprintf("%s IS ?%d", column, i+2))
		}
		was := slices.Clone(values)
		set, value := "sum", any(nil)
		if have, err := sumOf(values); err != nil {
			return mended, err
		} else if bits.OnesCount64(uint64(have^stored)) == 1 {
			value = have
		} else if at := wrongBit(values, stored); at >= 0 {
			set, value = columns[at], values[at]
		} else {
			continue
		}
		if _, err := w.exec("UPDATE OR IGNORE "+table+" SET "+set+" = ?1 WHERE "+strings.Join(where, " AND "), append([]any{value}, was...)...); err != nil {
			return mended, err
		}
		mended++
	}
	return mended, nil
}

// longestMended is the size of a value, in bytes, up to which a wrong bit is looked for:
// the time grows with its square.
const longestMended = 32 << 10

// wrongBit puts the bit back whose change gives values the sum, and returns which value
// that was in; -1 if there is none.
func wrongBit(values []any, sum int64) int {
	matches := func() bool {
		have, err := sumOf(values)
		return err == nil && have == sum
	}
	for i, value := range values {
		switch v := value.(type) {
		case int64:
			for bit := range 64 {
				if values[i] = v ^ 1<<bit; matches() {
					return i
				}
			}
		case float64:
			for bit := range 64 {
				if values[i] = math.Float64frombits(math.Float64bits(v) ^ 1<<bit); matches() {
					return i
				}
			}
		case string:
			data := text(v)
			if values[i] = data; flipped(data, matches) {
				values[i] = string(data)
				return i
			}
		case []byte:
			data := slices.Clone(v)
			if values[i] = data; flipped(data, matches) {
				return i
			}
		}
		values[i] = value
	}
	return -1
}

// flipped changes the bit of data after which matches reports true, and reports whether
// there is one.
func flipped(data []byte, matches func() bool) bool {
	if len(data) > longestMended {
		return false
	}
	for i := range data {
		for bit := range 8 {
			if data[i] ^= 1 << bit; matches() {
				return true
			}
			data[i] ^= 1 << bit
		}
	}
	return false
}

// repairPapers derives damaged papers again from their records.
func (w *Writer) repairPapers(tell func(string)) error {
	bad, err := w.numbers("SELECT n FROM papers WHERE " + unlikeSum("papers"))
	if err != nil || len(bad) == 0 {
		return err
	}
	for _, n := range bad {
		if err := w.repairID(n); err != nil {
			return err
		}
		if err := w.refresh(n); err != nil {
			return err
		}
	}
	tell(fmt.Sprintf("%s %s derived again from %s records", number.Of(len(bad), "paper"), number.Pick(len(bad), "was", "were"), number.Pick(len(bad), "its", "their")))
	return nil
}

// repairID gives a paper whose id does not name it an id that does.
func (w *Writer) repairID(n int64) error {
	rows, err := w.rows(n)
	if err != nil || len(rows) == 0 {
		return err
	}
	_, err = w.exec(`UPDATE papers SET id = (SELECT a.name FROM names a WHERE a.paper = ?1 ORDER BY a.name = ?2 DESC, a.name LIMIT 1)
		WHERE n = ?1 AND EXISTS (SELECT 1 FROM names a WHERE a.paper = ?1)
		AND NOT EXISTS (SELECT 1 FROM names a WHERE a.paper = ?1 AND a.name = papers.id)`, n, paper.ID(&rows[0].fields))
	return err
}

// rereadRecords makes damaged records ready to be read again: their hash is that of no
// record, so that their source is not taken for unchanged. They stay known as damaged.
func (w *Writer) rereadRecords(tell func(string)) error {
	var names []string
	err := w.query(func(r *sql.Rows) error {
		var name string
		err := r.Scan(&name)
		names = append(names, name)
		return err
	}, "SELECT "+recordName+" FROM records WHERE "+unlikeSum("records"))
	if err != nil || len(names) == 0 {
		return err
	}
	for i, name := range names {
		if i == toldAtMost {
			tell(fmt.Sprintf("%s more damaged", number.Of(len(names)-i, "record")))
			break
		}
		tell("a record is kept as it is, damaged, until akin add reads its file again: " + name)
	}
	_, err = w.exec("UPDATE records SET hash = ?, sum = NULL WHERE "+unlikeSum("records"), make([]byte, hashBytes))
	return err
}

// dropModels forgets the vectors of a model whose name is damaged: the next add makes
// them again.
func (w *Writer) dropModels(tell func(string)) error {
	bad, err := w.numbers("SELECT id FROM models WHERE " + unlikeSum("models"))
	if err != nil {
		return err
	}
	for _, id := range bad {
		for _, query := range []string{
			"INSERT INTO changes (paper) SELECT p.n FROM papers p JOIN vectors v ON v.id = p.vector WHERE v.model = ?",
			"DELETE FROM vectors WHERE model = ?",
			"DELETE FROM meta WHERE name = 'model' AND value = ?",
			"DELETE FROM models WHERE id = ?",
		} {
			if _, err := w.exec(query, id); err != nil {
				return err
			}
		}
		tell("the vectors of a model whose name is damaged were dropped: akin add, without a path, makes them again")
	}
	return nil
}

// dropUnreadable drops damaged rows that would do harm if they were believed.
func (w *Writer) dropUnreadable(tell func(string)) error {
	for _, r := range []struct{ table, what string }{
		{"sentences", "damaged sentences were dropped: akin add, without a path, makes them again"},
		{"replaced", "damaged earlier versions of records were dropped: undo does not bring them back"},
		{"merges", "damaged entries of the list of merges were dropped: split parts those papers by their records"},
	} {
		if err := w.tellChanged(tell, r.what, "DELETE FROM "+r.table+" WHERE "+unlikeSum(r.table)); err != nil {
			return err
		}
	}
	return nil
}

// acceptRows keeps damaged rows that are only told to people as they are.
func (w *Writer) acceptRows(tell func(string)) error {
	for _, table := range []string{"sources", "imports", "rejections", "divisions", "themes"} {
		err := w.tellChanged(tell, table+" are damaged and kept as they read now", "UPDATE "+table+" SET sum = rowsum("+columnsOf(table)+") WHERE "+unlikeSum(table))
		if err != nil {
			return err
		}
	}
	return nil
}

// tellChanged runs a query and tells how many rows it changed, if any.
func (w *Writer) tellChanged(tell func(string), what, query string) error {
	res, err := w.exec(query)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err == nil && n > 0 {
		tell(number.Grouped(n) + " " + what)
	}
	return nil
}
