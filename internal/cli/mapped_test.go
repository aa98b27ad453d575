package cli_test

import (
	"archive/zip"
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// TestANameThatNoRecordHasIsTold: --map works for keys and elements as for headers, in any
// case, and a name that nothing has is not passed over.
func TestANameThatNoRecordHasIsTold(t *testing.T) {
	h := newHome(t)
	h.write("a.jsonl", `{"id":"1","Werk":"Markets for data","abstract":"Data are sold."}`+"\n"+`{"id":"2","Werk":"Auctions","Zeit":"1999","abstract":"Bids are made."}`+"\n")
	h.write("a.xml", "<list><record><Werk>Markets for data</Werk><abstract>Data are sold.</abstract></record></list>")
	h.write("a.csv", "Nr;Werk;abstract\n1;Markets for data;Data are sold.\n")
	h.write("a.bib", "@article{k, title={Markets for data}, abstract={Data are sold.}}\n")
	h.write("folder/a.bib", "@article{k, title={Markets for data}, abstract={Data are sold.}}\n")
	h.write("folder/a.jsonl", `{"id":"1","Werk":"Markets for data"}`+"\n")
	for _, test := range []struct{ file, mapped, want string }{
		{"a.jsonl", "title=werk", ""},
		{"a.jsonl", "title=Werk,year=zeit", ""},
		{"a.jsonl", "title=zzz", `akin: a.jsonl: no record has a "zzz", which --map names`},
		{"a.jsonl", "title=werk,year=y,doi=d", `akin: a.jsonl: no record has a "d" or a "y", which --map names`},
		{"a.xml", "title=werk", ""},
		{"a.xml", "title=zzz", `akin: a.xml: no record has a "zzz", which --map names`},
		{"a.csv", "title=werk", ""},
		{"a.bib", "title=werk", "akin: a.bib: --map changes nothing in it: bibtex has names of its own"},
		{"folder", "title=werk", ""},
	} {
		library := t.TempDir()
		got := h.must("add", test.file, "--map", test.mapped, "--no-embed", "--library", filepath.Join(library, "l"))
		if strings.TrimSpace(got.stderr) != test.want {
			t.Errorf("add %s --map %s says %q, want %q", test.file, test.mapped, got.stderr, test.want)
		}
		hasTitle := strings.Contains(h.must("list", "--library", filepath.Join(library, "l")).stdout, "Markets for data")
		if isMapped := !strings.Contains(test.mapped, "zzz"); hasTitle != isMapped {
			t.Errorf("add %s --map %s: the title is there: %t, want %t", test.file, test.mapped, hasTitle, isMapped)
		}
	}
	h.write("b.jsonl", `{"id":"1","Werk":"Markets for data"}`+"\n")
	if got := h.run("add", "b.jsonl", "--map", "title=zzz"); got.code != 1 || !strings.Contains(got.stderr, `b.jsonl: no record has a "zzz"`) || !strings.Contains(got.stderr, "none of 1 record can be used") {
		t.Errorf("add of a file of which nothing is usable: %+v", got)
	}
}

// TestAFormatThatAFileIsNot is told in words, whatever reads the format.
func TestAFormatThatAFileIsNot(t *testing.T) {
	h := newHome(t)
	h.write("a.jsonl", threePapers)
	h.write("a.sqlite", "SQLite format 3\x00"+strings.Repeat("\x00", 100))
	var book bytes.Buffer
	members := zip.NewWriter(&book)
	if _, err := members.Create("xl/workbook.xml"); err != nil {
		t.Fatal(err)
	}
	if err := members.Close(); err != nil {
		t.Fatal(err)
	}
	h.write("a.xlsx", book.String())
	for _, test := range []struct{ file, format, want string }{
		{"a.jsonl", "xlsx", "reading a.jsonl: this is text, not an Excel workbook"},
		{"a.jsonl", "zotero", "reading a.jsonl: this is text, not an SQLite database"},
		{"-", "xlsx", "reading stdin: this is text, not an Excel workbook"},
		{"a.sqlite", "xlsx", "this is an SQLite database, not an Excel workbook"},
		{"a.sqlite", "jsonl", "this is an SQLite database, not jsonl"},
		{"a.xlsx", "zotero", "this is an Excel workbook, not an SQLite database"},
		{"a.xlsx", "csv", "this is an Excel workbook, not csv"},
	} {
		got := h.runWith(threePapers, "add", test.file, "--format", test.format, "--no-embed")
		wellFormed(t, got)
		if got.code != 1 || !strings.Contains(got.stderr, test.want+"\n") || !strings.Contains(got.stderr, "\nhint: leave --format out: ") {
			t.Errorf("add %s --format %s: %+v, want %q and a hint", test.file, test.format, got, test.want)
		}
	}
}
