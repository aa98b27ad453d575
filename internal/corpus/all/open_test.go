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
