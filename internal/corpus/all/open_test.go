package all_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/seed-9f29d379/akin/internal/corpus"
)

const packed = `{"title": "Packed", "abstract": "It was packed."}` + "\n"

// write puts a file into a fresh folder and gives its path.
func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// pack gives content as the packer writes it.
func pack(t *testing.T, content string, packer func(io.Writer) (io.WriteCloser, error)) []byte {
	t.Helper()
	var b bytes.Buffer
	w := must[io.WriteCloser](t)(packer(&b))
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t *testing.T, content string) []byte {
	return pack(t, content, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil })
}

// zipped makes a zip archive of pairs of names and contents.
func zipped(t *testing.T, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		member := must[io.Writer](t)(w.Create(members[i]))
		if _, err := io.WriteString(member, members[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarred(t *testing.T, name, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(content)), Mode: 0o600, Typeflag: tar.TypeReg}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPackedFilesAreReadThrough(t *testing.T) {
	const bzip2 = "QlpoOTFBWSZTWWtiFfQAABhfgAAQUAUAEAAgQAA+LFyKIAAxQAYjTTRoNTUZomNEM2oVEtbwmaQNrKkA23PwFQSGcJhFd5Mf6GPBdyRThQkGtiFfQA==" // the standard library only reads it
	zstdPacker := func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }
	xzPacker := func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) }
	tests := []struct {
		name    string
		content []byte
		file    string // in which the first record stands, behind the path
		records int
	}{
		{"gzip", gzipped(t, packed), "", 1},
		{"gzip of two members", append(gzipped(t, packed), gzipped(t, packed)...), "", 2},
		{"zstandard", pack(t, packed, zstdPacker), "", 1},
		{"xz", pack(t, packed, xzPacker), "", 1},
		{"bzip2", must[[]byte](t)(base64.StdEncoding.DecodeString(bzip2)), "", 1},
		{"zip", zipped(t, "a.jsonl", packed, "b/c.jsonl", packed), "/a.jsonl", 2},
		{"zip with a path out of it", zipped(t, "../../etc/passwd.jsonl", packed), "/etc/passwd.jsonl", 1},
		{"zip in a zip", zipped(t, "inner.zip", string(zipped(t, "a.jsonl", packed))), "/inner.zip/a.jsonl", 1},
		{"gzip in a zip", zipped(t, "a.jsonl.gz", string(gzipped(t, packed))), "/a.jsonl.gz", 1},
		{"tar in gzip", gzipped(t, string(tarred(t, "d/a.jsonl", packed))), "/d/a.jsonl", 1},
		{"zip with what is no list", zipped(t, "readme.txt", "Hi.", "__MACOSX/._a.jsonl", packed, "a.jsonl", packed), "/a.jsonl", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := write(t, "papers.dat", test.content)
			for _, options := range []corpus.Options{{}, {Stdin: bytes.NewReader(test.content)}} {
				name := path
				if options.Stdin != nil {
					path, name = "-", "stdin"
				}
				r := readAll(t, options, path)
				if len(r.faults) > 0 || len(r.records) != test.records {
					t.Fatalf("read %d records, want %d; faults %v, skipped %v", len(r.records), test.records, r.faults, r.skipped)
				}
				equal(t, "title", r.records[0].Paper.Title, "Packed")
				equal(t, "file", r.records[0].File, name+test.file)
			}
		})
	}
}

func TestDamagedFilesKeepWhatWasReadBefore(t *testing.T) {
	long := strings.Repeat(packed, 2000) + "{\"title\": \"" // not to be cut at a record's end
	for i := range 500 {
		long += fmt.Sprintf("%d words that do not compress ", i*i*i)
	}
	whole := gzipped(t, long)
	r := readAll(t, corpus.Options{}, write(t, "a.jsonl.gz", whole[:len(whole)-200]))
	if len(r.records) != 2000 || len(r.faults) != 1 || !strings.Contains(r.faults[0].Error(), "unexpected end") || r.faults[0].Hint == "" {
		t.Errorf("read %d records, want 2000; faults %v, want an unexpected end with a hint", len(r.records), r.faults)
	}
	archive := zipped(t, "a.jsonl", packed, "b.jsonl", packed)
	r = readAll(t, corpus.Options{}, write(t, "a.zip", archive[:len(archive)-30]))
	if len(r.faults) != 1 {
		t.Errorf("a zip without its end: faults %v, want one", r.faults)
	}
	r = readAll(t, corpus.Options{}, write(t, "a.json", []byte(`[{"title": "One"}, {"title": "Two"}, {"ti`)))
	if len(r.records) != 2 || len(r.faults) != 1 {
		t.Errorf("an array without its end: %d records, faults %v, rejected %v; want 2 and a fault", len(r.records), r.faults, r.rejected)
	}
	r = readAll(t, corpus.Options{}, write(t, "a.jsonl", []byte(packed+`{"title": "cut in ha`)))
	if len(r.records) != 1 || len(r.rejected) != 1 || r.rejected[0].Line != 2 || r.rejected[0].Reason != "is cut short" {
		t.Errorf("a JSON line without its end: %d records, rejected %v", len(r.records), r.rejected)
	}
	r = readAll(t, corpus.Options{}, write(t, "a.jsonl", []byte(`{"title": "cut in ha`+"\n"+packed+`{"title": "no" "comma": 1}`+"\n"+packed)))
	if len(r.records) != 2 || len(r.rejected) != 2 || r.rejected[1].Line != 3 {
		t.Errorf("JSON lines that are broken: %d records, rejected %v", len(r.records), r.rejected)
	}
	r = readAll(t, corpus.Options{}, write(t, "a.xml", []byte("<records><record><title>One</title></record><record><title>Tw")))
	if len(r.records) != 1 || len(r.faults) != 1 {
		t.Errorf("XML without its end: %d records, faults %v", len(r.records), r.faults)
	}
}

func TestBombsAreRefused(t *testing.T) {
	zeros := strings.Repeat(`{"title": "`+strings.Repeat("a word ", 150_000)+"\"}\n", 80)
	inner := gzipped(t, zeros)
	for name, content := range map[string][]byte{"gzip": inner, "gzip in gzip": gzipped(t, string(inner)), "zip": zipped(t, "a.jsonl", zeros)} {
		r := readAll(t, corpus.Options{}, write(t, "bomb", content))
		if len(r.faults) != 1 || !strings.Contains(r.faults[0].Error(), "times its size") {
			t.Errorf("%s: faults %v, want a refusal", name, r.faults)
		}
	}
	nested := []byte(packed)
	for range 6 {
		nested = zipped(t, "a.zip", string(nested))
	}
	if r := readAll(t, corpus.Options{}, write(t, "nested.zip", nested)); len(r.faults) != 1 || !strings.Contains(r.faults[0].Error(), "packed more than") {
		t.Errorf("zip six times: faults %v, want a refusal", r.faults)
	}
}

func TestFolderIsWalkedInOrder(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"b.jsonl": packed, "a.bib": "@misc{a, title={A}}", "sub/c.ris": "TY  - JOUR\nTI  - C\nER  - \n", "sub/d.pdf": "%PDF-1.5", "e.PDF": "%PDF-1.5",
		".hidden.jsonl": packed, ".git/x.jsonl": packed, "logo.png": "\x89PNG\r\n\x1a\n\x00\x00\x00", "README.txt": "This folder holds what we have found so far.", "run.py": "import this and that and do it all again", "empty.txt": "", "page.html": "<html><body>Hi</body></html>",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := readAll(t, corpus.Options{}, dir)
	equal(t, "titles", each(r, title), []string{"A", "Packed", "C"})
	kinds := map[string]int{}
	for _, skipped := range r.skipped {
		kinds[skipped.Kind]++
	}
	equal(t, "skipped", kinds, map[string]int{"pdf": 2, "other": 5})
	if len(r.faults) > 0 {
		t.Errorf("faults %v, want none", r.faults)
	}
	if r := readAll(t, corpus.Options{}, t.TempDir()); len(r.faults) != 1 || !strings.Contains(r.faults[0].Error(), "the folder holds no files") {
		t.Errorf("an empty folder: faults %v", r.faults)
	}
}

func TestFaultsSayWhatIsWrong(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"nothing", "", "the file is empty"},
		{"blanks", " \n\t\n", "the file is empty"},
		{"an HTML page", "<!DOCTYPE html>\n<html><body><h1>403</h1></body></html>", "this is an HTML page, not a list of papers"},
		{"bytes of any kind", "\x01\x02\x00\x03\x1a\n\x00\x00\x00\x0d", "this is not text, and no format of papers that is known"},
		{"an old spreadsheet", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 100), "this is a file of an old Office (.xls, .doc), which is not read"},
		{"a Parquet file", "PAR1\x15\x04", "this is a Parquet file, which is not read"},
		{"a Word document", string(zipped(t, "[Content_Types].xml", "<x/>", "word/document.xml", "<x/>")), "this is a Word document, which is not read"},
		{"columns of pandas", `{"title": {"0": "A", "1": "B"}, "abstract": {"0": "a", "1": "b"}}`, "the file is a table written column by column, not a list of records"},
		{"a PDF", "%PDF-1.5\n%âãÏÓ\n", "this is a PDF, not a list of papers"},
		{"a table of unknown headers", "Spalte A;Spalte B;Spalte C\nx;y;z\nu;v;w\n", `no column is known to hold a title or an abstract; the headers are "Spalte A", "Spalte B", "Spalte C"`},
		{"another database", "SQLite format 3\x00" + strings.Repeat("\x00", 100), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := readAll(t, corpus.Options{}, write(t, "file", []byte(test.content)))
			if len(r.faults) != 1 || len(r.records) > 0 {
				t.Fatalf("faults %v, %d records; want one fault", r.faults, len(r.records))
			}
			if got := r.faults[0].Err.Error(); test.want != "" && got != test.want {
				t.Errorf("fault %q, want %q", got, test.want)
			}
			if test.want != "" && r.faults[0].Hint == "" {
				t.Error("the fault has no hint")
			}
		})
	}
	if r := readAll(t, corpus.Options{}, filepath.Join(t.TempDir(), "absent")); len(r.faults) != 1 {
		t.Errorf("an absent file: faults %v", r.faults)
	}
}

// TestAColumnThatIsNotThere is told by its name, with the headers as they are.
func TestAColumnThatIsNotThere(t *testing.T) {
	tests := []struct {
		content, column, want string
	}{
		{"Titel;Zusammenfassung\nx;\"y, of two\nlines\"\n", "Nope", `there is no column "Nope"; the headers are "Titel", "Zusammenfassung"`},
		{"Werk\tText\tOrt\nx\ty\tz\n", "Nope", `there is no column "Nope"; the headers are "Werk", "Text", "Ort"`},
		{"Werk;Text\nx;y;z\n", "Nope", `there is no column "Nope"; the headers are "Werk", "Text"`},
	}
	for _, test := range tests {
		r := readAll(t, corpus.Options{Columns: map[string]string{"title": test.column}}, write(t, "a.csv", []byte(test.content)))
		if len(r.records) > 0 || len(r.faults) != 1 || !strings.Contains(r.faults[0].Error(), test.want) || len(r.warnings) > 0 {
			t.Errorf("%q: %d records, faults %v, warnings %v; want %s", test.content, len(r.records), r.faults, r.warnings, test.want)
		}
	}
}

// TestATableWhoseContentDoesNotShowIt has too few rows, columns or known headers to be
// told from a text.
func TestATableWhoseContentDoesNotShowIt(t *testing.T) {
	for _, content := range []string{
		"Werk,Jahr\nx,2020\ny,2021\n", "Werk\nx\ny\n", "Werk,Jahr", "Werk\tJahr\nx\t2020\n",
		"Werk,Jahr\nEin Werk von vielen Worten und einem Satz.,2020\n",
	} {
		for _, name := range []string{"a.csv", "A.TSV"} {
			path := write(t, name, []byte(content))
			r := readAll(t, corpus.Options{}, path)
			if len(r.records) > 0 || len(r.faults) != 1 || !strings.Contains(r.faults[0].Error(), `the headers are "Werk"`) || !strings.Contains(r.faults[0].Hint, "--map") {
				t.Errorf("%s with %q: %d records, faults %v; want one that lists the headers", name, content, len(r.records), r.faults)
			}
			folder := readAll(t, corpus.Options{}, filepath.Dir(path))
			if len(folder.records)+len(folder.faults) > 0 || len(folder.skipped) != 1 || !strings.Contains(folder.skipped[0].Reason, "--map") {
				t.Errorf("%s with %q in a folder: %d records, faults %v, skipped %v; want the hint to name the columns", name, content, len(folder.records), folder.faults, folder.skipped)
			}
		}
		if rows := strings.Count(content, "\n") - 1; rows > 0 {
			r := readAll(t, corpus.Options{Columns: map[string]string{"title": "Werk"}}, write(t, "a.txt", []byte(content)))
			if len(r.records) != rows || len(r.faults) > 0 {
				t.Errorf("%q with its title named: %d records, faults %v; want %d", content, len(r.records), r.faults, rows)
			}
		}
	}
}

func TestColumnsAreMapped(t *testing.T) {
	path := write(t, "a.csv", []byte("Werk;Inhalt;Wer;Nr\nEin Werk;Sein Inhalt;Müller, A.;7\n"))
	r := readAll(t, corpus.Options{Columns: map[string]string{"title": "Werk", "abstract": "inhalt", "authors": "Wer", "id": "Nr"}}, path)
	if len(r.records) != 1 {
		t.Fatalf("read %d records; faults %v", len(r.records), r.faults)
	}
	got := r.records[0]
	equal(t, "record", []string{got.Paper.Title, got.Paper.Abstract, got.Paper.Authors[0], got.Key}, []string{"Ein Werk", "Sein Inhalt", "Müller, A.", "7"})
	r = readAll(t, corpus.Options{Columns: map[string]string{"title": "Titel"}}, path)
	if len(r.faults) != 1 || !strings.Contains(r.faults[0].Error(), `"Werk", "Inhalt", "Wer", "Nr"`) {
		t.Errorf("a header that is not there: faults %v, want one that lists the headers", r.faults)
	}
}

func TestFormatIsChosen(t *testing.T) {
	path := write(t, "a", []byte("We have a paragraph.\n\n@misc{a, title={A.}}.\n"))
	r := readAll(t, corpus.Options{Format: "text"}, path)
	equal(t, "abstracts", each(r, abstract), []string{"We have a paragraph.", "@misc{a, title={A.}}."})
	r = readAll(t, corpus.Options{Format: "BibTeX"}, path)
	equal(t, "titles", each(r, title), []string{"A."})
}

func TestProgressEndsAtTheTotal(t *testing.T) {
	path := write(t, "a.jsonl", []byte(strings.Repeat(packed, 1000)))
	var read, total int64
	readAll(t, corpus.Options{Progress: func(r, all int64) { read, total = r, all }}, path)
	if want := int64(1000 * len(packed)); read != want || total != want {
		t.Errorf("read %d of %d, want %d", read, total, want)
	}
}

// TestProseInAFolderIsPassedOver walks a folder of odds and ends: only what surely is a
// list of papers is read, the rest is told with what to do; a file that is asked for by
// name is read.
func TestProseInAFolderIsPassedOver(t *testing.T) {
	abstract := func(what string) string {
		return "Many " + what + " are hard to compute at scale, and what is known of them in practice is little. " +
			"In this paper we study " + what + " of large graphs under noise, and we show that a simple estimator is nearly as good as any other. " +
			"Experiments on three public collections of graphs support the bounds that we prove, and the code is open."
	}
	files := map[string]struct {
		content string
		papers  int // in a folder
		named   int // asked for by name; -1 for any number
	}{
		"README.md":     {"# tool\n\nA tool for people. See joss#1443 and (2019).\n\n## Features\n- **Fast start** of everything, since v2.1\n- **Small memory** in all cases\n- [Documentation](https://tool.example.org/docs)\n- [Issue joss#1443](https://github.com/openjournals/joss-reviews/issues/1443)\n\n## Install\n1. [Download](https://tool.example.org/get) it\n2. **Run** the thing\n", 0, -1},
		"options.md":    {"| name | description | default |\n|---|---|---|\n| verbose | say more of what is done | no |\n| level | how deep it goes | 3 |\n| out | where the output goes | - |\n", 0, -1},
		"toc.md":        {"- [Introduction to the field](#introduction-to-the-field)\n- [What comes next in it](#what-comes-next)\n- [The end of the story](#the-end)\n", 0, -1},
		"notes.md":      {"Met Ann on Tuesday.\n\n- ask about **the grant** in 2024\n- read [the blog](https://blog.example.org/post)\n", 0, -1},
		"prose.txt":     {"The day began slowly, and when the rain came we went inside and looked at what we had found in the drawer of the old desk by the window, which was not much: a key, two letters without a stamp, and a coin.\n\nNobody could say whose they had been. My aunt thought of her brother, who had gone to sea when she was young and never wrote a word to anyone for the rest of his life, so far as we were told.\n", 0, 2},
		"reading.md":    {"# Reading list\n\n- [Growth of sparse graphs](https://arxiv.org/abs/2101.00001), Ann Lee, 2021\n- [Auctions for markets](https://doi.org/10.1000/xyz) (2020)\n- Some [code](https://github.com/x/y)\n", 2, -1},
		"cited.md":      {"- Lee, A. (2019). **Folding of small proteins**. *Journal of Folding*.\n- Roe, R. (2020). **Voting in parliaments**. *Politics*.\n", 2, 2},
		"abstracts.txt": {"Abstracts of the workshop\n\n" + abstract("cuts") + "\n\n" + abstract("paths") + "\n\n" + abstract("flows") + "\n", 3, 3},
		"page.txt":      {"<!DOCTYPE html><html><body><p>" + abstract("pages") + "</p></body></html>", 0, 0},
	}
	dir := t.TempDir()
	for name, f := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(f.content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]int{}
	r := readAll(t, corpus.Options{}, dir)
	for _, record := range r.records {
		got[filepath.Base(record.File)]++
	}
	skipped := map[string]string{}
	for _, s := range r.skipped {
		skipped[filepath.Base(s.File)] = s.Reason
	}
	for name, f := range files {
		if got[name] != f.papers {
			t.Errorf("%s in a folder: %d papers, want %d", name, got[name], f.papers)
		}
		if reason, ok := skipped[name]; f.papers == 0 && name != "page.txt" && (!ok || !strings.Contains(reason, "--format ")) {
			t.Errorf("%s in a folder is passed over with %q, want how to read it", name, reason)
		}
		if f.named >= 0 {
			if n := len(readAll(t, corpus.Options{}, filepath.Join(dir, name)).records); n != f.named {
				t.Errorf("%s by its name: %d papers, want %d", name, n, f.named)
			}
		}
	}
	if skipped["page.txt"] != "this is an HTML page, not a list of papers" {
		t.Errorf("an HTML page: %q", skipped["page.txt"])
	}
	if n := len(readAll(t, corpus.Options{Format: "text"}, dir).records); n < 10 {
		t.Errorf("with --format text the folder gives %d papers, want all of its paragraphs", n)
	}
}
