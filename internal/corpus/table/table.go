package table

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
)

// A Row is one row of a table and the line on which it begins.
type Row struct {
	Cells []string
	Line  int
}

// headerRows is how many rows at the top may come before the headers, as databases
// put the search there.
const headerRows = 50

// Read yields the records of a table, row by row; next gives the rows and io.EOF after
// the last.
func Read(ctx context.Context, src corpus.Source, next func() (Row, error)) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		columns, waiting, err := header(src, next)
		if err == io.EOF {
			return
		}
		for n := 0; err == nil; n++ {
			var row Row
			if len(waiting) > 0 {
				row, waiting = waiting[0], waiting[1:]
			} else {
				row, err = next()
			}
			if err == nil && n%1024 == 0 {
				err = ctx.Err()
			}
			if err != nil {
				break
			}
			if isBlank(row.Cells) {
				continue
			}
			if len(row.Cells) > len(columns) && !isBlank(row.Cells[len(columns):]) && src.Warn != nil {
				src.Warn(row.Line, fmt.Sprintf("the row has %d cells, the header %d; the rest is not read", len(row.Cells), len(columns)))
			}
			record := record(columns, row)
			if !yield(record, fields.Reject(record)) {
				return
			}
		}
		if err != io.EOF {
			yield(corpus.Record{}, err)
		}
	}
}

func record(columns []fields.Name, row Row) corpus.Record {
	var b fields.Builder
	for i, cell := range row.Cells {
		if i < len(columns) && columns[i].Field != fields.None {
			b.Add(columns[i], cell)
		}
	}
	b.Record.Line = row.Line
	return b.Record
}

// header finds the headers among the first rows and gives what each column holds, and
// the rows after them that were read already. It gives io.EOF for a table without rows.
func header(src corpus.Source, next func() (Row, error)) (columns []fields.Name, waiting []Row, err error) {
	var rows []Row
	for len(rows) < headerRows {
		row, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, row)
	}
	at := HeaderRow(rows, src.Columns)
	if at < 0 {
		for _, row := range rows {
			if !isBlank(row.Cells) {
				return nil, nil, &HeadersError{Headers: row.Cells, Columns: src.Columns}
			}
		}
		return nil, nil, io.EOF
	}
	for _, cell := range rows[at].Cells {
		src.Mapped(strings.TrimSpace(cell))
	}
	return columnsOf(rows[at].Cells, src.Columns), rows[at+1:], nil
}

// HeaderRow gives the row that holds the headers: the first that has the most names
// that are known, with a title or an abstract among them; -1 if none does.
func HeaderRow(rows []Row, mapped map[string]string) int {
	best, bestCount := -1, 0
	for i, row := range rows {
		if count := Known(row.Cells, mapped); count > bestCount {
			best, bestCount = i, count
		}
	}
	return best
}

// Known gives how many of the cells are names of columns that are known; 0 if neither
// a title nor an abstract is among them, or if a column of mapped is not.
func Known(cells []string, mapped map[string]string) int {
	count, hasText, found := 0, false, 0
	for _, name := range columnsOf(cells, mapped) {
		if name.Field != fields.None {
			count++
		}
		if name.Rank < 0 {
			found++
		}
		hasText = hasText || name.Field == fields.Title || name.Field == fields.Abstract
	}
	if !hasText || found < len(mapped) {
		return 0
	}
	return count
}

// maxHeader is longer than any header of a column.
const maxHeader = 100

func columnsOf(cells []string, mapped map[string]string) []fields.Name {
	columns := make([]fields.Name, len(cells))
	defer func() {
		if hasCell(cells, "PT") && hasCell(cells, "UT") { // tags of Web of Science, where ID are keywords
			for i, cell := range cells {
				if cell == "ID" {
					columns[i] = fields.Name{Field: fields.Keywords, Rank: 50}
				}
			}
		}
	}()
	for i, cell := range cells {
		if len(cell) > maxHeader {
			continue
		}
		cell = strings.TrimSpace(cell)
		columns[i] = fields.Of(cell)
		for field, header := range mapped {
			if strings.EqualFold(strings.TrimSpace(header), cell) {
				columns[i] = fields.Mapped(field)
			}
		}
	}
	return columns
}

func hasCell(cells []string, text string) bool {
	for _, cell := range cells {
		if strings.TrimPrefix(cell, "\ufeff") == text {
			return true
		}
	}
	return false
}

func isBlank(cells []string) bool {
	for _, cell := range cells {
		if strings.TrimSpace(cell) != "" {
			return false
		}
	}
	return true
}

// A HeadersError says that no column is known to hold a title or an abstract, or that
// a column named by --map is not there.
type HeadersError struct {
	Headers []string
	Columns map[string]string // as --map named them
}

func (e *HeadersError) Error() string {
	shown := make([]string, 0, len(e.Headers))
	for _, header := range e.Headers[:min(len(e.Headers), maxShown)] {
		if header = strings.TrimSpace(header); header != "" {
			shown = append(shown, fmt.Sprintf("%q", header[:min(len(header), maxHeader)]))
		}
	}
	what := "no column is known to hold a title or an abstract"
	if missing := e.missing(); len(missing) > 0 {
		what = "there is no column " + strings.Join(missing, " and no column ")
	}
	return fmt.Sprintf("%s; the headers are %s", what, strings.Join(shown, ", "))
}

// missing gives the columns that --map names and the table does not have, quoted.
func (e *HeadersError) missing() []string {
	var names []string
	for _, name := range e.Columns {
		name = strings.TrimSpace(name)
		if !slices.ContainsFunc(e.Headers, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) }) {
			names = append(names, fmt.Sprintf("%q", name))
		}
	}
	slices.Sort(names)
	return names
}

// maxShown is how many headers an error lists.
const maxShown = 60

// Is makes a table without papers what it is in a folder of others: passed over.
func (e *HeadersError) Is(target error) bool { return target == corpus.ErrForeign }

// Hint says how to name the columns.
func (e *HeadersError) Hint() string {
	return "say which column holds what, as in --map 'title=Titel,abstract=Zusammenfassung'"
}
