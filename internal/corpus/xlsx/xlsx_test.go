package xlsx_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/table"
	"github.com/seed-9f29d379/akin/internal/corpus/xlsx"
)

// save writes a spreadsheet with the rows of each sheet and gives its path.
func save(t *testing.T, sheets map[string][][]any) string {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	for name, rows := range sheets {
		if name != "Sheet1" {
			if _, err := book.NewSheet(name); err != nil {
				t.Fatal(err)
			}
		}
		for i, row := range rows {
			cell, err := excelize.CoordinatesToCellName(1, i+1)
			if err != nil {
				t.Fatal(err)
			}
			if err := book.SetSheetRow(name, cell, &row); err != nil {
				t.Fatal(err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "papers.xlsx")
	if err := book.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// read gives the records through the opening of files, which finds the format.
func read(t *testing.T, path string) (records []corpus.Record, faults []error, warnings []string) {
	t.Helper()
	options := corpus.Options{Warn: func(_ string, _ int, message string) { warnings = append(warnings, message) }}
	for record, err := range corpus.Read(context.Background(), []corpus.Format{xlsx.Format()}, []string{path}, options) {
		if err != nil {
			faults = append(faults, err)
			continue
		}
		record.File = ""
		records = append(records, record)
	}
	return records, faults, warnings
}

func TestSheetsAreRead(t *testing.T) {
	path := save(t, map[string][][]any{
		"Sheet1": {{"Submissions of 2020"}, {}, {"No.", "Paper title", "Authors", "Year", "Abstract"}, {1, "A submission", "Doe, J.; Roe, R.", 2020, "Über \"alles\".\nZweite Zeile."}, {}, {2, "", "", 2019, ""}},
		"Notes":  {{"Room", "Chair"}, {"A1", "Pat"}},
	})
	records, faults, warnings := read(t, path)
	if len(records) != 1 {
		t.Fatalf("read %d records, want 1; faults %v", len(records), faults)
	}
	want := corpus.Record{Line: 4}
	want.Paper.Title, want.Paper.Abstract, want.Paper.Year = "A submission", "Über \"alles\".\nZweite Zeile.", 2020
	want.Paper.Authors = []string{"Doe, J.", "Roe, R."}
	if diff := cmp.Diff(records[0], want); diff != "" {
		t.Errorf("record (-got +want):\n%s", diff)
	}
	var rejected *corpus.Rejected
	if len(faults) != 1 || !errors.As(faults[0], &rejected) || rejected.Line != 6 {
		t.Errorf("faults %v, want row 6 rejected", faults)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], `"Room", "Chair"`) {
		t.Errorf("warnings %q, want the sheet that is not read", warnings)
	}
}

func TestUnknownHeadersAreListed(t *testing.T) {
	_, faults, _ := read(t, save(t, map[string][][]any{"Sheet1": {{"Werk", "Inhalt"}, {"x", "y"}}}))
	var headers *table.HeadersError
	if len(faults) != 1 || !errors.As(faults[0], &headers) {
		t.Fatalf("faults %v, want the headers", faults)
	}
}

func TestDamagedSpreadsheet(t *testing.T) {
	whole, err := os.ReadFile(save(t, map[string][][]any{"Sheet1": {{"Title", "Abstract"}, {"x", "y"}}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{len(whole) / 2, len(whole) - 10} {
		path := filepath.Join(t.TempDir(), "cut.xlsx")
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if records, faults, _ := read(t, path); len(faults) != 1 || len(records) > 0 {
			t.Errorf("cut at %d of %d: %d records, faults %v; want one fault", cut, len(whole), len(records), faults)
		}
	}
}

func FuzzRead(f *testing.F) {
	book := excelize.NewFile()
	if err := book.SetSheetRow("Sheet1", "A1", &[]any{"Title", "Abstract"}); err != nil {
		f.Fatal(err)
	}
	if err := book.SetSheetRow("Sheet1", "A2", &[]any{"x", "y"}); err != nil {
		f.Fatal(err)
	}
	buffer, err := book.WriteToBuffer()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(buffer.String())
	f.Fuzz(func(t *testing.T, text string) {
		for record, err := range xlsx.Format().Read(context.Background(), corpus.Source{Body: strings.NewReader(text)}) {
			if err == nil && record.Paper.Empty() {
				t.Errorf("a record without a text is given: %+v", record)
			}
		}
	})
}
