package xlsx_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

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

// frame are the parts that every spreadsheet has: one sheet, and shared strings.
var frame = [...][2]string{
	{"[Content_Types].xml", `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`},
	{"_rels/.rels", `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/workbook.xml", `<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Papers" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>`},
}

// packed writes an archive of a spreadsheet's parts, each as it is written by its
// function.
func packed(t testing.TB, parts map[string]func(io.Writer)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "packed.xlsx")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	archive := zip.NewWriter(file)
	for _, part := range frame {
		parts[part[0]] = func(w io.Writer) { _, _ = io.WriteString(w, part[1]) }
	}
	for name, content := range parts {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		content(w)
	}
	if err := errors.Join(archive.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// sheet writes a sheet whose rows are written by rows.
func sheet(rows func(io.Writer)) func(io.Writer) {
	return func(w io.Writer) {
		fmt.Fprint(w, `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`)
		rows(w)
		fmt.Fprint(w, `</sheetData></worksheet>`)
	}
}

// TestALargeSheetIsReadInBoundedMemory reads sheets of 40 MB, more than is unpacked in memory: the texts
// in the cells, and in the list of shared strings.
func TestALargeSheetIsReadInBoundedMemory(t *testing.T) {
	const (
		rows  = 5_000
		bound = 24 << 20 // measured: 8 MB for 96 MB of shared strings, 3 MB for as much in cells
	)
	long := strings.Repeat("words of an abstract ", 400)
	strings := func(w io.Writer) {
		fmt.Fprintf(w, `<?xml version="1.0"?><sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" count="%d" uniqueCount="%d"><si><t>Title</t></si><si><t>Abstract</t></si>`, 2*rows, rows+2)
		for i := range rows {
			fmt.Fprintf(w, "<si><t>%d %s</t></si>", i, long)
		}
		fmt.Fprint(w, "</sst>")
	}
	for name, parts := range map[string]map[string]func(io.Writer){
		"inline": {"xl/worksheets/sheet1.xml": sheet(func(w io.Writer) {
			fmt.Fprint(w, `<row r="1"><c r="A1" t="inlineStr"><is><t>Title</t></is></c><c r="B1" t="inlineStr"><is><t>Abstract</t></is></c></row>`)
			for i := range rows {
				fmt.Fprintf(w, `<row r="%d"><c r="A%d" t="inlineStr"><is><t>Paper %d</t></is></c><c r="B%d" t="inlineStr"><is><t>%s</t></is></c></row>`, i+2, i+2, i, i+2, long)
			}
		})},
		"shared": {"xl/sharedStrings.xml": strings, "xl/worksheets/sheet1.xml": sheet(func(w io.Writer) {
			fmt.Fprint(w, `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>`)
			for i := range rows {
				fmt.Fprintf(w, `<row r="%d"><c r="A%d"><v>%d</v></c><c r="B%d" t="s"><v>%d</v></c></row>`, i+2, i+2, i+7, i+2, i+2)
			}
		})},
	} {
		t.Run(name, func(t *testing.T) {
			path := packed(t, parts)
			runtime.GC()
			var before, now runtime.MemStats
			runtime.ReadMemStats(&before)
			peak, read := before.HeapAlloc, 0
			for record, err := range corpus.Read(context.Background(), []corpus.Format{xlsx.Format()}, []string{path}, corpus.Options{}) {
				if err != nil || len(record.Paper.Abstract) < len(long)-1 {
					t.Fatalf("record %d: %d bytes, %v", read, len(record.Paper.Abstract), err)
				}
				if read++; read%500 == 0 {
					runtime.ReadMemStats(&now)
					peak = max(peak, now.HeapAlloc)
				}
			}
			if read != rows {
				t.Errorf("read %d rows, want %d", read, rows)
			}
			t.Logf("%d MB of text, %d MB in use at most", rows*len(long)>>20, (peak-before.HeapAlloc)>>20)
			if peak-before.HeapAlloc > bound {
				t.Errorf("%d MB were in use at once", (peak-before.HeapAlloc)>>20)
			}
		})
	}
}

// TestRowsThatDoNotExist: a sheet says where its cells stand, and is not believed.
func TestRowsThatDoNotExist(t *testing.T) {
	for name, row := range map[string]string{
		"a row beyond the last":      `<row r="2000000000"><c r="A2000000000" t="inlineStr"><is><t>x</t></is></c></row>`,
		"a column beyond the last":   `<row r="2"><c r="ZZZZZZ2" t="inlineStr"><is><t>x</t></is></c></row>`,
		"a string that is not there": `<row r="2"><c r="A2" t="s"><v>99999999</v></c></row>`,
		"a negative string":          `<row r="2"><c r="A2" t="s"><v>-5</v></c></row>`,
		"rows that go back":          `<row r="9"><c r="A9" t="inlineStr"><is><t>y</t></is></c></row><row r="3"><c r="A3" t="inlineStr"><is><t>z</t></is></c></row>`,
	} {
		t.Run(name, func(t *testing.T) {
			path := packed(t, map[string]func(io.Writer){"xl/worksheets/sheet1.xml": sheet(func(w io.Writer) {
				fmt.Fprint(w, `<row r="1"><c r="A1" t="inlineStr"><is><t>Title</t></is></c><c r="B1" t="inlineStr"><is><t>Abstract</t></is></c></row>`, row)
			})})
			done := make(chan struct{})
			go func() {
				defer close(done)
				records, faults, _ := read(t, path)
				t.Logf("%d records, %v", len(records), faults)
			}()
			select {
			case <-done:
			case <-time.After(10 * time.Second):
				t.Fatal("it is still read after 10 s")
			}
		})
	}
}

// FuzzRead reads spreadsheets with any sheet and any shared strings: random bytes would
// hardly ever be an archive.
func FuzzRead(f *testing.F) {
	f.Add(`<row r="1"><c r="A1" t="inlineStr"><is><t>Title</t></is></c><c r="B1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><v>2020</v></c></row>`,
		`<si><t>Abstract</t></si><si><r><t>A </t></r><r><t>title</t></r></si>`)
	f.Add(`<row><c><v>1</v></c><c t="str"><f>A1</f><v>x</v></c></row><row r="9"><c r="C9" t="b"><v>1</v></c></row><mergeCell ref="A1:B2"/>`, `<si/><si><t xml:space="preserve"> a </t></si>`)
	f.Fuzz(func(t *testing.T, rows, texts string) {
		const head = `<row r="1"><c r="A1" t="inlineStr"><is><t>Title</t></is></c><c r="B1" t="inlineStr"><is><t>Abstract</t></is></c></row>`
		archive := spreadsheet(t, `<worksheet><sheetData>`+head+rows+`</sheetData></worksheet>`, `<sst>`+texts+`</sst>`)
		read := func() (got []string) {
			for record, err := range xlsx.Format().Read(context.Background(), corpus.Source{Body: bytes.NewReader(archive)}) {
				if err == nil && record.Paper.Empty() {
					t.Errorf("a record without a text is given: %+v", record)
				}
				got = append(got, fmt.Sprintf("%+v %v", record, err))
			}
			return got
		}
		first := read()
		if diff := cmp.Diff(read(), first); diff != "" {
			t.Errorf("read again, it gives something else (-got +want):\n%s", diff)
		}
	})
}

// spreadsheet is a small archive in memory.
func spreadsheet(t testing.TB, sheet, texts string) []byte {
	t.Helper()
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, part := range append([][2]string{{"xl/worksheets/sheet1.xml", sheet}, {"xl/sharedStrings.xml", texts}}, frame[:]...) {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: part[0], Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, part[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
