package store_test

import (
	"database/sql"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
)

// fixedTime is when everything in these tests happens.
var fixedTime = time.Unix(0, 0)

func record(key, title, abstract string) corpus.Record {
	return corpus.Record{Key: key, Line: 1, Paper: paper.Paper{Title: title, Abstract: abstract}}
}

// put writes records as one import from a source and commits.
func put(t testing.TB, w *store.Writer, source string, records ...corpus.Record) []store.Outcome {
	t.Helper()
	n, err := w.Begin("add "+source, fixedTime)
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.Source(source)
	if err != nil {
		t.Fatal(err)
	}
	var list []store.Prepared
	for _, r := range records {
		list = append(list, store.Prepare(r, nil))
	}
	out, err := w.Put(t.Context(), n, s, list)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	return out
}

func writer(t testing.TB, dir string) *store.Writer {
	t.Helper()
	w, err := store.OpenWriter(t.Context(), dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func papers(t testing.TB, l *store.Library) []*store.Paper {
	t.Helper()
	var list []*store.Paper
	if err := l.Each(t.Context(), func(p *store.Paper) error { list = append(list, p); return nil }); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestFoldersWithAnyName(t *testing.T) {
	for _, name := range []string{"plain", "with space", "100%", "what?", "a#b", "ö ł 中", "a&b=c;d", "-dash", "'quote\""} {
		dir := filepath.Join(t.TempDir(), name)
		w, err := store.OpenWriter(t.Context(), dir, "test")
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		put(t, w, "a", record("k", "A title", "A text."))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "library.db")); err != nil {
			t.Errorf("%q: the database is elsewhere: %v", name, err)
		}
		l, err := store.Open(t.Context(), dir)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if n := len(papers(t, l)); n != 1 {
			t.Errorf("%q: %d papers", name, n)
		}
		l.Close()
	}
}

func TestLockNamesItsHolder(t *testing.T) {
	dir := t.TempDir()
	w := writer(t, dir)
	_, err := store.OpenWriter(t.Context(), dir, "other")
	locked, ok := errors.AsType[*store.LockedError](err)
	if !ok || locked.Holder.Command != "test" || locked.Holder.PID != os.Getpid() || locked.Holder.Since.IsZero() {
		t.Fatalf("a second writer: %v (%+v)", err, locked)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := store.OpenWriter(t.Context(), dir, "other")
	if err != nil {
		t.Fatalf("after the first was closed: %v", err)
	}
	again.Close()
}

func TestDatabasesThatAreNotOurs(t *testing.T) {
	make := func(statements ...string) string {
		dir := t.TempDir()
		db, err := sql.Open("sqlite", filepath.Join(dir, "library.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, s := range statements {
			if _, err := db.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	emptied := t.TempDir()
	if err := writer(t, emptied).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(emptied, "library.db"), 0); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		dir  string
		want error
	}{
		"without a byte":          {emptied, store.ErrDamaged},
		"of a newer akin":         {make("CREATE TABLE papers (n)", "PRAGMA application_id = 1634429294", "PRAGMA user_version = 1000"), store.ErrNewer},
		"of another program":      {make("CREATE TABLE bookmarks (url)", "PRAGMA user_version = 1"), store.ErrDamaged},
		"a folder without one":    {t.TempDir(), store.ErrNoLibrary},
		"a folder that is gone":   {filepath.Join(t.TempDir(), "gone"), store.ErrNoLibrary},
		"of no version of akin's": {make("CREATE TABLE papers (n)", "PRAGMA application_id = 1634429294"), store.ErrDamaged},
	} {
		if _, err := store.Open(t.Context(), test.dir); !errors.Is(err, test.want) {
			t.Errorf("opening a database %s: %v, want %v", name, err, test.want)
		}
		if errors.Is(test.want, store.ErrNoLibrary) {
			continue
		}
		if _, err := store.OpenWriter(t.Context(), test.dir, "test"); !errors.Is(err, test.want) {
			t.Errorf("writing to a database %s: %v, want %v", name, err, test.want)
		}
	}
}

func TestNumbersAreNeverUsedTwice(t *testing.T) {
	dir := t.TempDir()
	w := writer(t, dir)
	put(t, w, "a", record("1", "First of all", "Text one."), record("2", "Second of all", "Text two."))
	last := papers(t, w.Library)[1].N
	if err := w.Remove([]uint32{last}); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = writer(t, dir)
	put(t, w, "a", record("3", "Third of all", "Text three."))
	if n := papers(t, w.Library)[1].N; n <= last {
		t.Errorf("the new paper has number %d, the removed one had %d", n, last)
	}
}

func TestWhatIsNotCommittedIsNotThere(t *testing.T) {
	dir := t.TempDir()
	w := writer(t, dir)
	put(t, w, "a", record("1", "First of all", "Text one."))
	n, err := w.Begin("add b", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.Source("b")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Put(t.Context(), n, s, []store.Prepared{store.Prepare(record("2", "Second", "Two."), nil)}); err != nil {
		t.Fatal(err)
	}
	if got := len(papers(t, w.Library)); got != 1 {
		t.Errorf("a reader sees %d papers before the commit", got)
	}
	if err := w.Rollback(); err != nil {
		t.Fatal(err)
	}
	put(t, w, "c", record("3", "Third", "Three."))
	if got := len(papers(t, w.Library)); got != 2 {
		t.Errorf("%d papers after a rollback and another put, want 2", got)
	}
}

func TestVectorsBelongToTexts(t *testing.T) {
	w := writer(t, t.TempDir())
	put(t, w, "a", record("1", "First of all", "Text one."), record("2", "Second of all", "Text two."))
	ctx := t.Context()
	m := store.Model{Fingerprint: "m/akin/fp32", Dim: 2}
	if err := w.SetModel(ctx, m); err != nil {
		t.Fatal(err)
	}
	if err := w.SetModel(ctx, store.Model{Fingerprint: "n/akin/fp32", Dim: 2}); !errors.Is(err, store.ErrOtherModel) {
		t.Errorf("another model: %v", err)
	}
	list := papers(t, w.Library)
	key := paper.Key("the same text")
	if err := w.SetVector(list[0].N, key, []float32{0.6, 0.8}, 5); err != nil {
		t.Fatal(err)
	}
	if ok, err := w.Reuse(list[1].N, key); err != nil || !ok {
		t.Errorf("Reuse: %v, %v", ok, err)
	}
	if ok, err := w.Reuse(list[1].N, paper.Key("another text")); err != nil || ok {
		t.Errorf("Reuse of an unknown text: %v, %v", ok, err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	var got [][]float32
	if err := w.Vectors(ctx, func(_ uint32, v []float32) error { got = append(got, slices.Clone(v)); return nil }); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]float32{{0.6, 0.8}, {0.6, 0.8}}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestChangesTellWhatASnapshotLacks(t *testing.T) {
	w := writer(t, t.TempDir())
	ctx := t.Context()
	put(t, w, "a", record("1", "First of all", "Text one."), record("2", "Second of all", "Text two."))
	if err := w.SetModel(ctx, store.Model{Fingerprint: "m/akin/fp32", Dim: 2}); err != nil {
		t.Fatal(err)
	}
	list := papers(t, w.Library)
	for i, p := range list {
		if err := w.SetVector(p.N, paper.Key(p.ID), []float32{float32(i), float32(1 - i)}, 5); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	seq, err := w.Seq(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Remove([]uint32{list[0].N}); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	told := map[uint32]bool{} // whether it has a vector
	last, err := w.Changes(ctx, seq, func(n uint32, v []float32) error { told[n] = v != nil; return nil })
	if err != nil || last <= seq {
		t.Fatalf("Changes: %d, %v", last, err)
	}
	if d := cmp.Diff(map[uint32]bool{list[0].N: false}, told); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestRepairLosesNoRecord(t *testing.T) {
	dir := t.TempDir()
	w := writer(t, dir)
	ctx := t.Context()
	put(t, w, "a", record("1", "First of all", "Text one."), record("2", "Second of all", "Text two."), record("3", "Third of all", "Text three."))
	if err := w.SetModel(ctx, store.Model{Fingerprint: "m/akin/fp32", Dim: 2}); err != nil {
		t.Fatal(err)
	}
	for _, p := range papers(t, w.Library) {
		if err := w.SetVector(p.N, paper.Key(p.ID), []float32{0.6, 0.8}, 5); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "library.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, harm := range []string{
		"DELETE FROM papers WHERE n = 1", "DELETE FROM names WHERE paper = 2", "DELETE FROM sources",
		"UPDATE vectors SET vec = x'00' WHERE id = 3", "INSERT INTO names VALUES ('doi:10.1/gone', 77)",
		"INSERT INTO papers (n, id, mark, abstract, added, title) VALUES (50, 'p:none', 0, 0, 1, '')",
	} {
		if _, err := db.Exec(harm); err != nil {
			t.Fatal(err)
		}
	}
	db.Close()
	check := func() (faults []string) {
		if err := w.Check(ctx, func(f store.Fault) { faults = append(faults, f.What) }); err != nil {
			t.Fatal(err)
		}
		return faults
	}
	if got := check(); len(got) < 6 {
		t.Errorf("Check found %d faults, want each of 6 kinds: %q", len(got), got)
	}
	var done []string
	if err := w.Repair(ctx, func(what string) { done = append(done, what) }); err != nil {
		t.Fatal(err)
	}
	if got := check(); len(got) != 0 {
		t.Errorf("after the repair (%q): %q", done, got)
	}
	var keys []string
	for _, p := range papers(t, w.Library) {
		keys = append(keys, p.Keys()...)
	}
	slices.Sort(keys)
	if d := cmp.Diff([]string{"1", "2", "3"}, keys); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestKeysAreData(t *testing.T) {
	w := writer(t, t.TempDir())
	odd := []string{"a'b", `"; DROP TABLE papers; --`, "\x1b[31mred", "tab\there", strings.Repeat("x", 10_000), "%_*?", "\x01content"}
	var records []corpus.Record
	for _, k := range odd {
		records = append(records, record(k, "Title of "+k, "Text of "+k))
	}
	put(t, w, "a", records...)
	for _, p := range papers(t, w.Library) {
		for _, k := range p.Keys() {
			if strings.ContainsFunc(k, func(r rune) bool { return r < ' ' }) {
				t.Errorf("key %q has a control character", k)
			}
			m, err := w.Find(t.Context(), k)
			if err != nil || len(m) != 1 || m[0].N != p.N {
				t.Errorf("Find(%.40q): %v, %v", k, m, err)
			}
		}
	}
	if out := put(t, w, "a", records...); slices.ContainsFunc(out, func(o store.Outcome) bool { return o != store.Unchanged }) {
		t.Errorf("read again: %v, want all unchanged", out)
	}
}

func FuzzParseVector(f *testing.F) {
	f.Add(store.AppendVector(nil, []float32{0.6, 0.8}), 2)
	f.Add([]byte{0, 0, 0xc0, 0x7f}, 1)
	f.Fuzz(func(t *testing.T, data []byte, dim int) {
		if dim < 0 || dim > 1<<12 {
			return
		}
		v := make([]float32, dim)
		if store.ParseVector(v, data) != nil {
			return
		}
		var sum float64
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if math.Abs(sum-1) > 0.01 {
			t.Errorf("a vector of squared length %g was accepted", sum)
		}
		if again := store.AppendVector(nil, v); string(again) != string(data) {
			t.Errorf("written again: %x, was %x", again, data)
		}
	})
}

func TestForgottenChangesAreToldFromNone(t *testing.T) {
	w := writer(t, t.TempDir())
	ctx := t.Context()
	put(t, w, "a", record("1", "First of all", "Text one."), record("2", "Second of all", "Text two."), record("3", "Third of all", "Text three."))
	if err := w.SetModel(ctx, store.Model{Fingerprint: "m/akin/fp32", Dim: 2}); err != nil {
		t.Fatal(err)
	}
	for _, p := range papers(t, w.Library) {
		if err := w.SetVector(p.N, paper.Key(p.ID), []float32{0.6, 0.8}, 5); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	seq, err := w.Seq(ctx)
	if err != nil || seq != 3 {
		t.Fatalf("Seq: %d, %v; want a change a paper", seq, err)
	}
	for _, upTo := range []int64{0, 2, 2, seq, seq + 5} { // the last one stays, so that numbers go on
		if err := w.Forget(upTo); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	if now, err := w.Seq(ctx); err != nil || now != seq {
		t.Errorf("Seq after forgetting: %d, %v; want %d", now, err, seq)
	}
	if n, err := w.CountChanges(ctx, 2); err != nil || n != 1 {
		t.Errorf("changes after what is forgotten: %d, %v; want 1", n, err)
	}
	for name, err := range map[string]error{
		"CountChanges": second(w.CountChanges(ctx, 1)),
		"ChangedSince": second(w.ChangedSince(ctx, 0)),
		"Changes":      second(w.Changes(ctx, 1, func(uint32, []float32) error { return nil })),
	} {
		if !errors.Is(err, store.ErrForgotten) {
			t.Errorf("%s: %v, want ErrForgotten", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
