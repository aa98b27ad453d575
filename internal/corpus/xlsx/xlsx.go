package xlsx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/xuri/excelize/v2"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/table"
)

// Format is Excel's XLSX. Every sheet with a row of headers is read.
func Format() corpus.Format {
	return corpus.Format{Name: "xlsx", Binary: "an Excel workbook", Maps: true, Detect: detect, Read: read}
}

// detect is asked with the start of the archive and the name of the workbook in it.
func detect(head []byte) int {
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) && bytes.Contains(head, []byte("xl/workbook.xml")) {
		return 95
	}
	return 0
}

const (
	// maxUnpacked bytes of a spreadsheet are read.
	maxUnpacked = 1 << 30
	// maxInMemory bytes of a sheet are unpacked in memory, what is larger on disk.
	maxInMemory = 32 << 20
)

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		book, err := open(src)
		if err != nil {
			yield(corpus.Record{}, fmt.Errorf("opening the spreadsheet: %w", err))
			return
		}
		defer book.Close()
		var headers error
		count := 0
		for _, sheet := range book.GetSheetList() {
			for record, err := range readSheet(ctx, src, book, sheet) {
				var unknown *table.HeadersError
				if errors.As(err, &unknown) {
					if headers == nil {
						headers = err
					}
					break
				}
				count++
				if !yield(record, err) {
					return
				}
			}
		}
		switch {
		case headers != nil && count == 0:
			yield(corpus.Record{}, headers)
		case headers != nil && src.Warn != nil:
			src.Warn(0, "a sheet is not read: "+headers.Error())
		}
	}
}

func open(src corpus.Source) (*excelize.File, error) {
	options := excelize.Options{UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxInMemory}
	if src.Path != "" {
		return excelize.OpenFile(src.Path, options)
	}
	return excelize.OpenReader(io.LimitReader(src.Body, maxUnpacked), options)
}

// readSheet yields the records of one sheet.
func readSheet(ctx context.Context, src corpus.Source, book *excelize.File, sheet string) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		rows, err := book.Rows(sheet)
		if err != nil {
			yield(corpus.Record{}, fmt.Errorf("reading sheet %q: %w", sheet, err))
			return
		}
		defer rows.Close()
		line := 0
		next := func() (table.Row, error) {
			if !rows.Next() {
				if err := rows.Error(); err != nil {
					return table.Row{}, err
				}
				return table.Row{}, io.EOF
			}
			line++
			cells, err := rows.Columns()
			return table.Row{Cells: cells, Line: line}, err
		}
		for record, err := range table.Read(ctx, src, next) {
			if !yield(record, err) {
				return
			}
		}
	}
}
