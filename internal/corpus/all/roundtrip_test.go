package all_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/all"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/shareddata"
)

// TestWrittenIsReadBack writes every record of every file in every format, and reads
// it back with no option.
func TestWrittenIsReadBack(t *testing.T) {
	var records []corpus.Record
	for _, dir := range []string{awkward, "../testdata/formats"} {
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if name := file.Name(); name != "INDEX.md" && name != "expected.tsv" && filepath.Ext(name) != ".golden" {
				records = append(records, readAll(t, corpus.Options{}, filepath.Join(dir, name)).records...)
			}
		}
	}
	records = append(records, hardRecords()...)
	testRoundTrip(t, records)
}

func TestRealExportsAreReadBack(t *testing.T) {
	testRoundTrip(t, readAll(t, corpus.Options{}, shareddata.Path(t, "data/exports"), shareddata.Path(t, "data/arxiv-sample.jsonl")).records)
}

// hardRecords are texts that look like mark-up of the formats that they are written in.
func hardRecords() []corpus.Record {
	var records []corpus.Record
	for _, text := range []string{
		"=HYPERLINK(\"x\")", "'=1+1", "-5 degrees", "@mention and #tag", "a {b} \\{c\\} }{", "100% of $5 & $6", "$x_1$ costs \\$5, $\\{$ open", "`` '' -- --- ~ ^ _",
		"one\ntwo\n\nthree\nER  - \nTY  - JOUR\nTI  - no", "@article{x,\ntitle = {y}}", "quoted \"text\", with; marks | and 'more'", "back\\slash \\textbf{x} \\\\ $$y$$", "<b>bold</b> &amp; a < b", "ümlaut ﬁ Ø 中文 \u2028 x",
	} {
		record := corpus.Record{Key: "k", Paper: paper.Paper{Title: strings.ReplaceAll(text, "\n", " "), Abstract: "Text: " + text, Venue: strings.ReplaceAll(text, "\n", " ")}}
		record.Paper.Authors = []string{"Doe, Jane", "Center for A and B", "others", "Smith; Jones"}
		record.Paper.Keywords = []string{"trees, balanced", "a; b", "\"quoted\"", "c|d"}
		record.Paper.Year, record.Paper.Date = 2020, "Spring 2020"
		record.Paper.URL = "https://example.org/a_b;c?d=%20&e#f~g"
		record.Paper.IDs = paper.Identifiers{DOI: "10.1000/a_b(c)<d>", ArXiv: "cs/0701188", Version: 2, OpenReview: "abc_-DEF123", PMID: "123", OpenAlex: "W1", S2: "corpusid:5"}
		records = append(records, record)
	}
	single := records[0]
	single.Paper.Authors, single.Paper.Keywords, single.Key = []string{"Center for A and B"}, []string{"trees, balanced"}, "a key, {odd}"
	return append(records, single, corpus.Record{Paper: paper.Paper{Title: "No key"}}, corpus.Record{Paper: paper.Paper{Abstract: "No title."}})
}

func testRoundTrip(t *testing.T, records []corpus.Record) {
	if len(records) == 0 {
		t.Fatal("there are no records")
	}
	first := reread(t, "jsonl", records) // in canonical form
	for _, name := range all.Writable() {
		t.Run(name, func(t *testing.T) {
			got := reread(t, name, first)
			for i := range min(len(got), len(first)) {
				equal(t, "record of "+first[i].Paper.Name(), got[i], first[i])
			}
			if len(got) != len(first) {
				t.Errorf("read %d records back, want %d", len(got), len(first))
			}
		})
	}
}

// reread writes records and reads them.
func reread(t *testing.T, name string, records []corpus.Record) []corpus.Record {
	t.Helper()
	var b bytes.Buffer
	w, err := all.NewWriter(name, &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records {
		if err := w.Write(record); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var again []corpus.Record
	for record, err := range corpus.Read(context.Background(), all.Formats(), []string{"-"}, corpus.Options{Stdin: &b}) {
		var rejected *corpus.Rejected
		if errors.As(err, &rejected) {
			t.Errorf("rejected: %v", rejected)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		record.File, record.Line = "", 0
		again = append(again, record)
	}
	return again
}
