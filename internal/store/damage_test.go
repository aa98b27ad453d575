package store_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
)

// everyTable makes a library with rows in every table that has checksums, and returns
// its closed database.
func everyTable(t *testing.T) []byte {
	t.Helper()
	dir := t.TempDir()
	w := writer(t, dir)
	one, two := record("1", "Kernels of first things", "The first text is about kernels."), record("2", "Second of all", "Text two.")
	one.Paper.IDs.DOI, one.Paper.Authors, one.Paper.Venue = "10.1000/ab", []string{"Ada Lovelace", "Kurt Gödel"}, "A venue"
	put(t, w, "a.bib", one, two, record("3", "Third of all", "Text three."))
	two.Paper.Abstract = "Text two, in other words."
	put(t, w, "a.bib", two)
	n, err := w.Begin("merge 1 3", fixedTime)
	if err != nil {
		t.Fatal(err)
	}
	list := papers(t, w.Library)
	for _, err := range []error{
		w.Merge(n, []uint32{list[0].N, list[2].N}),
		w.Reject(n, store.Rejection{File: "b.ris", Line: 12, Key: "k", Reason: "has neither a title nor an abstract"}),
		w.SetModel(t.Context(), store.Model{Fingerprint: "m/akin/fp32", Dim: 2}),
		w.SetVector(list[0].N, paper.Key("one"), []float32{0.6, 0.8}, 5),
		w.SetVector(list[1].N, paper.Key("two"), []float32{0.8, 0.6}, 5),
		w.SetSentences(list[0].N, []byte("codes of sentences")),
		w.SetThemes(store.Division{Asked: 2, Levels: 1, Seed: 7, K: 2, ChosenBy: "user", Reason: "asked for two of them", Stability: 0.875, Clear: true, Papers: 2, Joined: 9, Next: 5},
			[]store.Theme{{N: 1, Level: 1, Label: "kernels, texts", Name: "A name of mine", Terms: []string{"kernels", "words"}, Reach: 0.625}, {N: 4, Level: 1, Label: "others"}},
			[]store.Placement{{Paper: list[0].N, Theme: 1, Vector: 1, Fit: 0.75, Next: 4, Rank: 1}, {Paper: list[1].N, Theme: 4, Vector: 2, Fit: 0.5, Rank: 1}}),
		w.Commit(),
		w.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "library.db"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// libraryOf puts a database into a folder of its own.
func libraryOf(t *testing.T, data []byte) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "library.db"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// told is what opening and checking a library says.
func told(t *testing.T, dir string) []string {
	t.Helper()
	l, err := store.Open(t.Context(), dir)
	if err != nil {
		return []string{err.Error()}
	}
	defer l.Close()
	var list []string
	if err := l.Check(t.Context(), func(f store.Fault) { list = append(list, f.What) }); err != nil {
		list = append(list, err.Error())
	}
	return list
}

// dump is everything that a library holds, but the log of changes.
func dump(t *testing.T, dir string) (string, error) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "library.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var b strings.Builder
	for _, table := range []string{"meta", "papers", "names", "sources", "records", "models", "vectors", "sentences", "imports", "rejections", "replaced", "merges", "divisions", "themes", "theme_papers"} {
		rows, err := db.Query("SELECT * FROM " + table)
		if err != nil {
			return "", err
		}
		columns, err := rows.Columns()
		if err != nil {
			return "", err
		}
		for rows.Next() {
			values := make([]any, len(columns))
			into := make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				return "", err
			}
			// The next number is at least what it must be; another identity makes derived files
			// stale, which is told where there are any.
			if table == "meta" && values[0] != "model" {
				values[1] = nil
			}
			if table != "meta" || values[0] != "next" {
				fmt.Fprintf(&b, "%s %q\n", table, values)
			}
		}
		if err := rows.Err(); err != nil {
			return "", err
		}
		rows.Close()
	}
	return b.String(), nil
}

// TestEveryWrongBitIsTold changes one bit of a database after another: either nothing
// that is stored reads otherwise, or it is told.
func TestEveryWrongBitIsTold(t *testing.T) {
	data := everyTable(t)
	dir := libraryOf(t, data)
	want, err := dump(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := told(t, dir); len(got) > 0 {
		t.Fatalf("of a library that is well: %q", got)
	}
	var used []int // bytes that hold something
	for i, c := range data {
		if c != 0 {
			used = append(used, i)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	changes := 250
	if testing.Short() {
		changes = 50
	}
	for range changes {
		at, bit := used[r.IntN(len(used))], r.IntN(8)
		harmed := bytes.Clone(data)
		harmed[at] ^= 1 << bit
		dir := libraryOf(t, harmed)
		if len(told(t, dir)) > 0 {
			continue
		}
		if got, err := dump(t, dir); err != nil || got != want {
			t.Errorf("byte %d, bit %d: check says nothing, and there is: %v\n%s", at, bit, err, cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
		}
	}
}

// TestWrongTextsAreToldAndMended changes what stands in the stored rows: a bit, which is
// put back, or a word, which is told until it is read again.
func TestWrongTextsAreToldAndMended(t *testing.T) {
	data := everyTable(t)
	want, err := dump(t, libraryOf(t, data))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		text string // somewhere in the database
		told string
	}{
		"an abstract":               {"about kernels", "10.1000/ab"},
		"a title":                   {"Third of all", "10.1000/ab"},
		"an author":                 {"Lovelace", "10.1000/ab"},
		"a venue":                   {"A venue", "10.1000/ab"},
		"a file's name":             {"a.bib", "source"},
		"a vector":                  {string(store.AppendVector(nil, []float32{0.6, 0.8}))[:4], "vector of a paper is not what was stored: doi:10.1000/ab"},
		"sentences":                 {"codes of", "sentences of a paper is"},
		"a reason in the ledger":    {"neither a title", "b.ris:12"},
		"a command in the ledger":   {"merge 1 3", "import in the ledger"},
		"an earlier version":        {`"Abstract":"Text two."`, "earlier version"},
		"the name of the model":     {"m/akin/fp32", "model"},
		"the list of merged papers": {"[3]", "list of merges"},
		"the name of a theme":       {"A name of mine", "theme is not what was stored: t1 (kernels, texts)"},
		"how themes were found":     {"asked for two", "how the themes were found"},
	} {
		t.Run(name, func(t *testing.T) {
			noticed := 0 // what was deleted stands in the database too, and may be harmed
			for at := bytes.Index(data, []byte(test.text)); at >= 0; {
				harmed := bytes.Clone(data)
				harmed[at] ^= 1
				dir := libraryOf(t, harmed)
				if len(told(t, dir)) > 0 {
					noticed++
				}
				w := writer(t, dir)
				var done []string
				if err := w.Repair(t.Context(), func(what string) { done = append(done, what) }); err != nil {
					t.Fatalf("repairing: %v", err)
				}
				w.Close()
				if again := told(t, dir); len(again) > 0 {
					t.Errorf("after the repair %q: %q", done, again)
				}
				if now, err := dump(t, dir); err != nil || now != want {
					t.Errorf("after the repair %q: %v\n%s", done, err, cmp.Diff(strings.Split(want, "\n"), strings.Split(now, "\n")))
				}
				next := bytes.Index(data[at+1:], []byte(test.text))
				if next < 0 {
					break
				}
				at += 1 + next
			}
			if noticed == 0 {
				t.Errorf("no wrong bit in %q is told", test.text)
			}
			harmed := bytes.ReplaceAll(data, []byte(test.text), bytes.Repeat([]byte("x"), len(test.text)))
			if got := strings.Join(told(t, libraryOf(t, harmed)), "\n"); !strings.Contains(got, test.told) {
				t.Errorf("a wrong word is told as %q, want %q in it", got, test.told)
			}
		})
	}
}

// TestADamagedRecordIsReadAgain follows the advice that check gives.
func TestADamagedRecordIsReadAgain(t *testing.T) {
	harmed := bytes.ReplaceAll(everyTable(t), []byte("about kernels"), []byte("xxxxx xxxxxxx"))
	dir := libraryOf(t, harmed)
	w := writer(t, dir)
	for range 2 { // a repair does not hide what it cannot mend
		if err := w.Repair(t.Context(), func(string) {}); err != nil {
			t.Fatal(err)
		}
		var list []string
		if err := w.Check(t.Context(), func(f store.Fault) { list = append(list, f.What) }); err != nil || len(list) != 1 {
			t.Fatalf("after the repair: %q, %v; want the record that is still damaged", list, err)
		}
	}
	one := record("1", "Kernels of first things", "The first text is about kernels.")
	one.Paper.IDs.DOI, one.Paper.Authors, one.Paper.Venue = "10.1000/ab", []string{"Ada Lovelace", "Kurt Gödel"}, "A venue"
	if out := put(t, w, "a.bib", one); !slices.Equal(out, []store.Outcome{store.Updated}) {
		t.Errorf("reading it again: %v, want updated", out)
	}
	w.Close()
	if got := told(t, dir); len(got) > 0 {
		t.Errorf("afterwards: %q", got)
	}
}
