package csv

import (
	"bytes"
	"context"
	"io"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/lines"
	"github.com/seed-9f29d379/akin/internal/corpus/table"
)

// Format is CSV and its kin. The delimiter and the row of headers are found.
func Format() corpus.Format {
	return corpus.Format{Name: "csv", Maps: true, Detect: detect, Read: read}
}

// delimiters in the order in which they are believed.
const delimiters = ",;\t|"

// dialect finds the delimiter under which the first rows of a table make sense; known
// is the number of headers that are known with it.
func dialect(head string, mapped map[string]string) (delimiter byte, known int, rows []table.Row) {
	for i := range len(delimiters) {
		candidate := firstRows(head, delimiters[i])
		if at := table.HeaderRow(candidate, mapped); at >= 0 {
			if count := table.Known(candidate[at].Cells, mapped); count > known {
				delimiter, known, rows = delimiters[i], count, candidate[at:]
			}
		}
	}
	return delimiter, known, rows
}

// firstRows parses the rows that are whole in the first bytes of a file.
func firstRows(head string, delimiter byte) []table.Row {
	const enough = 50
	r := newReader(strings.NewReader(head), delimiter)
	var rows []table.Row
	for len(rows) < enough {
		row, err := r.next()
		if err != nil {
			return rows
		}
		rows = append(rows, row)
	}
	return rows
}

func detect(head []byte) int {
	if len(head) > 0 && (head[0] == '{' || head[0] == '<' || head[0] == '|') || bytes.Contains(head, []byte("\n|")) && bytes.Contains(head, []byte("--|")) {
		return 0 // JSON, XML, or a table in Markdown
	}
	_, known, rows := dialect(string(head), nil)
	switch {
	case known >= 3 && rows[0].Line == 1: // whatever the cells look like
		return 98
	case known >= 3:
		return 85
	case known == 2:
		return 75
	case known == 1 && len(rows[0].Cells) > 1, known == 1 && len(strings.TrimSpace(rows[0].Cells[0])) < 20:
		return 40
	case looksRegular(string(head)) != 0:
		return 8
	}
	return 0
}

// looksRegular gives the delimiter that parts the first rows into equally many short
// headers and cells, though none of the headers is known; 0 if none does.
func looksRegular(head string) byte {
	for i := range len(delimiters) {
		rows := firstRows(head, delimiters[i])
		if len(rows) < 2 || len(rows[0].Cells) < 2 || delimiters[i] == ',' && len(rows[0].Cells) < 3 {
			continue
		}
		regular := true
		for _, cell := range rows[0].Cells {
			regular = regular && len(cell) < 60 && !strings.HasSuffix(cell, ".")
		}
		for _, row := range rows[1:min(len(rows), 5)] {
			regular = regular && len(row.Cells) == len(rows[0].Cells)
		}
		if regular {
			return delimiters[i]
		}
	}
	return 0
}

// delimiterOf finds the delimiter of a table: the one under which most headers are
// known, be it without those of mapped, the one that parts it evenly, or the one that its first
// line has most of.
func delimiterOf(head string, mapped map[string]string) byte {
	if delimiter, _, _ := dialect(head, mapped); delimiter != 0 {
		return delimiter
	}
	if delimiter, _, _ := dialect(head, nil); delimiter != 0 {
		return delimiter
	}
	if delimiter := looksRegular(head); delimiter != 0 {
		return delimiter
	}
	first, _, _ := strings.Cut(head, "\n")
	delimiter := delimiters[0]
	for _, d := range []byte(delimiters[1:]) {
		if strings.Count(first, string(d)) > strings.Count(first, string(delimiter)) {
			delimiter = d
		}
	}
	return delimiter
}

// headBytes is how much is read to find the delimiter.
const headBytes = 64 << 10

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	head := make([]byte, headBytes)
	n, err := io.ReadFull(src.Body, head)
	body := io.MultiReader(strings.NewReader(string(head[:n])), src.Body)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		body = io.MultiReader(strings.NewReader(string(head[:n])), failing{err})
	}
	r := newReader(body, delimiterOf(string(head[:n]), src.Columns))
	r.warn = src.Warn
	return table.Read(ctx, src, r.next)
}

// failing gives its error, in the place where it came up.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

const (
	// maxLines and maxBytes of one row; a quotation mark that is open for longer was no
	// quotation mark.
	maxLines = 5000
	maxBytes = 8 << 20
)

// A reader parts a text into rows. It is RFC 4180 with what tools do to it: any line
// end, quotation marks inside of quoted cells, quotation marks that are never closed.
type reader struct {
	text      *lines.Reader
	delimiter byte
	warn      func(line int, message string)
	again     []lines.Line // lines of a row that did not end, to be read once more
	literal   bool         // quotation marks of the next line are text
	width     int          // cells of the row before
}

func newReader(body io.Reader, delimiter byte) *reader {
	return &reader{text: lines.NewReader(body), delimiter: delimiter}
}

func (r *reader) line() (lines.Line, error) {
	if len(r.again) > 0 {
		line := r.again[0]
		r.again = r.again[1:]
		return line, nil
	}
	return r.text.Next()
}

// next gives the next row, io.EOF after the last.
func (r *reader) next() (table.Row, error) {
	row, err := r.row()
	r.width = len(row.Cells)
	return row, err
}

func (r *reader) row() (table.Row, error) {
	first, err := r.line()
	if err != nil {
		return table.Row{}, err
	}
	row := table.Row{Line: first.Number}
	if r.literal {
		r.literal = false
		row.Cells = strings.Split(first.Text, string(r.delimiter))
		r.unprotect(row.Cells)
		return row, nil
	}
	used := []lines.Line{first}
	size := 0
	var cell strings.Builder
	rest := first.Text
	for {
		if quoted := r.cells(&row, &cell, rest, size > 0); !quoted {
			r.unprotect(row.Cells)
			return row, nil
		}
		line, err := r.line()
		size += len(line.Text) + 1
		if err == io.EOF && r.isCut(used) {
			return table.Row{}, corpus.Cut("row", first.Number)
		}
		if err == io.EOF || err == nil && (len(used) >= maxLines || size > maxBytes) {
			return r.unclosed(used, line, err == nil)
		}
		if err != nil {
			return table.Row{}, err
		}
		used = append(used, line)
		cell.WriteByte('\n')
		rest = line.Text
	}
}

// unclosed reads the first line of a row again without believing its quotation marks,
// and leaves the others to be read as rows of their own.
func (r *reader) unclosed(used []lines.Line, last lines.Line, hasLast bool) (table.Row, error) {
	if hasLast {
		used = append(used, last)
	}
	r.again = append(used, r.again...)
	r.literal = true
	if r.warn != nil {
		r.warn(used[0].Number, "a quotation mark is never closed; the line is read as it stands")
	}
	return r.row()
}

// isCut reports whether the lines of a row whose quotation mark is open at the end of
// the file are the last row, cut short: neither are there whole rows among them, nor is
// the first one whole without its quotation marks.
func (r *reader) isCut(used []lines.Line) bool {
	if r.width == 0 {
		return false
	}
	for i, line := range used {
		var row table.Row
		var cell strings.Builder
		switch {
		case i > 0 && !r.cells(&row, &cell, line.Text, false) && len(row.Cells) == r.width:
			return false
		case len(used) == 1 && !line.Last && strings.Count(line.Text, string(r.delimiter))+1 >= r.width:
			return false
		}
	}
	return true
}

// cells parses the cells of one line into row. inQuotes says that the line goes on
// with a quoted cell, whose start is in cell; quoted reports whether the next one does.
func (r *reader) cells(row *table.Row, cell *strings.Builder, s string, inQuotes bool) (quoted bool) {
	for {
		if !inQuotes {
			trimmed := strings.TrimLeft(s, " ")
			if trimmed == "" || trimmed[0] != '"' {
				end := strings.IndexByte(s, r.delimiter)
				if end < 0 {
					row.Cells = append(row.Cells, s)
					return false
				}
				row.Cells = append(row.Cells, s[:end])
				s = s[end+1:]
				continue
			}
			s = trimmed[1:]
			cell.Reset()
			inQuotes = true
		}
		for inQuotes {
			quote := strings.IndexByte(s, '"')
			if quote < 0 {
				cell.WriteString(s)
				return true
			}
			cell.WriteString(s[:quote])
			s = s[quote+1:]
			after := strings.TrimLeft(s, " ")
			switch {
			case s != "" && s[0] == '"':
				cell.WriteByte('"')
				s = s[1:]
			case after == "":
				row.Cells = append(row.Cells, cell.String())
				return false
			case after[0] == r.delimiter:
				row.Cells = append(row.Cells, cell.String())
				s = after[1:]
				inQuotes = false
			default: // a quotation mark that was not doubled
				cell.WriteByte('"')
			}
		}
	}
}

// unprotect takes away what keeps a spreadsheet from taking a text for a formula:
// ="2020", or an apostrophe before it.
func (r *reader) unprotect(cells []string) {
	for i, cell := range cells {
		if len(cell) < 2 {
			continue
		}
		switch {
		case cell[0] == '=' && cell[1] == '"' && len(cell) > 2 && cell[len(cell)-1] == '"':
			cells[i] = cell[2 : len(cell)-1]
		case cell[0] == '\'' && isFormula(cell[1:]):
			cells[i] = cell[1:]
		}
	}
}

// isFormula reports whether a spreadsheet would take the text for a formula, were it
// not for any apostrophes before it.
func isFormula(s string) bool {
	s = strings.TrimLeft(s, "'")
	return s != "" && strings.IndexByte("=+-@\t\r", s[0]) >= 0
}
