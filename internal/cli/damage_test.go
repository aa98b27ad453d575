package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestADamagedTextIsToldMendedAndReadAgain changes what is stored of a paper, as a disk
// does, and follows what the command says.
func TestADamagedTextIsToldMendedAndReadAgain(t *testing.T) {
	h := withLibrary(t)
	path := filepath.Join(h.folder(), "library.db")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(whole, []byte("truthful auctions"))
	if at < 0 {
		t.Fatal("the abstract is not in the database")
	}
	harm := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, append(append(bytes.Clone(whole[:at]), text...), whole[at+len(text):]...), 0o644); err != nil {
			t.Fatal(err)
		}
	}

	harm("vruthful") // one bit
	got := h.run("check")
	if got.code != 4 || !strings.Contains(got.stdout, "Auctions with budgets") || !strings.Contains(got.stdout, "papers.jsonl") {
		t.Errorf("check of a wrong bit: %+v, want exit code 4, the paper and its file", got)
	}
	if got := h.must("check", "--repair"); !strings.Contains(got.stderr, "one wrong bit was put back") {
		t.Errorf("check --repair of a wrong bit says %q", got.stderr)
	}
	if got := h.must("show", "b"); !strings.Contains(got.stdout, "truthful auctions") {
		t.Errorf("after the repair: %s", got.stdout)
	}

	harm("XXXXXXXX")
	for range 2 {
		if got := h.run("check", "--repair"); got.code != 4 || !strings.Contains(got.stdout, "akin add") {
			t.Errorf("check --repair of a wrong word: %+v, want exit code 4 and what to do", got)
		}
	}
	if got := h.must("add", "papers.jsonl"); !strings.Contains(got.stdout, "1 updated") {
		t.Errorf("adding the file again says %q, want the paper updated", got.stdout)
	}
	h.must("check")
	if got := h.must("show", "b"); !strings.Contains(got.stdout, "truthful auctions") {
		t.Errorf("after it was read again: %s", got.stdout)
	}
}

// TestWhatIsNoLibrary: a library whose database is cut or gone, and files that are no
// backup, are told as what they are, with what to do.
func TestWhatIsNoLibrary(t *testing.T) {
	h := withLibrary(t)
	h.must("backup", "good.backup")
	path := filepath.Join(h.folder(), "library.db")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h.write("notes.txt", "no backup")
	h.write("short.backup", string(whole[:5000]))
	for _, test := range []struct {
		file string
		code int
		want string
	}{
		{"notes.txt", 1, "the file is no backup of akin"},
		{"short.backup", 4, "the backup is damaged"},
		{"gone.backup", 1, "no such file"},
	} {
		got := h.run("restore", test.file, "--library", "fresh")
		if got.code != test.code || !strings.Contains(got.stderr, test.want) || strings.Contains(got.stderr, "the library is damaged") || !strings.Contains(got.stderr, "\nhint: ") {
			t.Errorf("restore %s: %+v, want exit code %d, %q, no word of a damaged library, and a hint", test.file, got, test.code, test.want)
		}
		wellFormed(t, got)
	}

	for name, harm := range map[string]func() error{
		"cut":  func() error { return os.Truncate(path, 3000) },
		"gone": func() error { return os.Remove(path) },
	} {
		if err := harm(); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"check"}, {"list"}, {"add", "papers.jsonl"}} {
			got := h.run(args...)
			if got.code != 4 || !strings.Contains(got.stderr, "akin restore") || strings.Contains(got.stderr, "akin check") {
				t.Errorf("akin %q where the database is %s: %+v, want exit code 4 and akin restore", args, name, got)
			}
			wellFormed(t, got)
		}
		h.must("restore", "good.backup")
		if got := h.must("list"); strings.Count(got.stdout, "\n") != 3 {
			t.Errorf("restored where the database was %s: %s", name, got.stdout)
		}
		h.must("check")
		for _, left := range []string{"good.backup"} { // the backup stays
			if _, err := os.Stat(filepath.Join(h.dir, left)); err != nil {
				t.Error(err)
			}
		}
	}
	h.write("afile", "x")
	if got := h.run("list", "--library", "afile"); got.code != 1 || !strings.Contains(got.stderr, "\nhint: --library names a folder") {
		t.Errorf("a library that is a file: %+v", got)
	}
	if got := h.run("eval", "--queries", "nofile", "--qrels", "nofile"); got.code != 1 || !strings.Contains(got.stderr, "\nhint: check the path") {
		t.Errorf("queries that are not there: %+v", got)
	}
}
