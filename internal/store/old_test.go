package store_test

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
)

var update = flag.Bool("update", false, "write a library of the present schema, if there is none")

// TestLibrariesOfEveryVersionOpen opens a library of each schema that there ever was, and
// compares what they become with a new one. A version's file is written once and never
// changed.
func TestLibrariesOfEveryVersionOpen(t *testing.T) {
	if *update {
		writeOld(t)
	}
	files, err := filepath.Glob(filepath.Join("testdata", "library-v*.db"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no libraries in testdata: %v", err)
	}
	fresh := t.TempDir()
	writer(t, fresh).Close()
	want := schema(t, fresh)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "library.db"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		l, err := store.Open(t.Context(), dir)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if err := l.Check(t.Context(), func(f store.Fault) { t.Errorf("%s: %s", file, f.What) }); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		list := papers(t, l)
		c, err := l.Counts(t.Context())
		if err != nil || len(list) != 2 || c.Vectors != 1 || list[0].Fields.IDs.DOI != "10.1000/ab" {
			t.Errorf("%s: %d papers, %+v, %v", file, len(list), c, err)
		}
		themes, err := l.Themes(t.Context())
		if err != nil || !olderThanThemes[filepath.Base(file)] && (len(themes) != 1 || themes[0].Name != "Firsts") {
			t.Errorf("%s: themes %+v, %v", file, themes, err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, schema(t, dir)); d != "" {
			t.Errorf("%s: another schema than a new library's: a change needs a migration (-want +got):\n%s", file, d)
		}
	}
}

// olderThanThemes are the versions that kept none.
var olderThanThemes = map[string]bool{"library-v1.db": true, "library-v2.db": true}

func schema(t *testing.T, dir string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "library.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT coalesce(sql, name) FROM sqlite_master ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// writeOld writes the file of the present version.
func writeOld(t *testing.T) {
	dir := t.TempDir()
	w := writer(t, dir)
	r := record("1", "First of all", "Text one.")
	r.Paper.IDs.DOI = "10.1000/ab"
	put(t, w, "a.bib", r, record("2", "Second of all", "Text two."))
	if err := w.SetModel(t.Context(), store.Model{Fingerprint: "m/akin/fp32", Dim: 2}); err != nil {
		t.Fatal(err)
	}
	if err := w.SetVector(1, paper.Key("text"), []float32{0.6, 0.8}, 5); err != nil {
		t.Fatal(err)
	}
	if err := w.SetThemes(store.Division{Levels: 1, K: 1, ChosenBy: "size", Papers: 1, Next: 2}, []store.Theme{{N: 1, Level: 1, Label: "firsts", Name: "Firsts"}},
		[]store.Placement{{Paper: 1, Theme: 1, Vector: 1, Fit: 1, Rank: 1}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	var version int
	db, err := sql.Open("sqlite", filepath.Join(dir, "library.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", fmt.Sprintf("library-v%d.db", version))
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		return
	}
	if err := w.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
}
