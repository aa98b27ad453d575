package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// snapshotOf is all papers as list gives them.
func snapshotOf(t testing.TB, e *engine.Engine) []engine.Paper {
	t.Helper()
	var all []engine.Paper
	err := e.List(t.Context(), engine.ListRequest{}, func(p *engine.Paper) error {
		all = append(all, *p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const (
	short = `{"id":"s","doi":"10.1000/ab","title":"Some findings on a matter","abstract":"The text."}`
	more  = `{"id":"m","doi":"10.1000/ab","pmid":"77","title":"Some findings on a matter","year":2020,"venue":"J. Ex."}`
)

func TestUndoTakesBackWhatAnImportDid(t *testing.T) {
	tests := []struct {
		name          string
		before, after []step // files before, and the one that is undone
	}{
		{"new papers", []step{{file: "a.jsonl", lines: []string{graphs}}}, []step{{file: "b.jsonl", lines: []string{auction, protein}}}},
		{"an update", []step{{file: "a.jsonl", lines: []string{short, graphs}}}, []step{{file: "a.jsonl", lines: []string{`{"id":"s","doi":"10.1000/ab","title":"Some findings on the matter","abstract":"Another text.","year":1999}`, graphs}}}},
		{"a merge into a paper", []step{{file: "a.jsonl", lines: []string{short}}}, []step{{file: "b.jsonl", lines: []string{more}}}},
		{"two papers that became one", []step{
			{file: "a.jsonl", lines: []string{`{"id":"x","doi":"10.1000/ab","title":"Some findings on a matter","abstract":"The text."}`}},
			{file: "b.jsonl", lines: []string{`{"id":"y","pmid":"77","title":"Findings on some matter","abstract":"A text."}`}},
		}, []step{{file: "c.jsonl", lines: []string{more}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			e := open(t, filepath.Join(dir, "lib"))
			for _, s := range test.before {
				add(t, e, write(t, dir, s.file, s.lines...))
			}
			want := snapshotOf(t, e)
			for _, s := range test.after {
				add(t, e, write(t, dir, s.file, s.lines...))
			}
			if cmp.Equal(want, snapshotOf(t, e)) {
				t.Fatal("the import changed nothing")
			}
			entries, err := e.Sources(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			last := entries[len(entries)-1]
			if last.State != "done" || last.Read == 0 {
				t.Errorf("the ledger's last entry: %+v", last)
			}
			if _, err := e.Undo(t.Context(), last.N); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, snapshotOf(t, e)); d != "" {
				t.Errorf("after undo (-want +got):\n%s", d)
			}
			sound(t, e)
			if _, err := e.Undo(t.Context(), last.N); engine.KindOf(err) != engine.Usage {
				t.Errorf("undoing twice: %v, want Usage", err)
			}
			add(t, e, filepath.Join(dir, test.after[0].file)) // and again
			sound(t, e)
		})
	}
}

func TestUndoLeavesWhatALaterImportChanged(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	for _, title := range []string{"First of all", "First and second", "First and third"} {
		add(t, e, write(t, dir, "a.jsonl", `{"id":"k","title":"`+title+`","abstract":"The same text throughout."}`))
	}
	if _, err := e.Undo(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if got := show(t, e, "k").Title; got != "First and third" {
		t.Errorf("title %q, want that of the later import", got)
	}
	if _, err := e.Undo(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	if got := show(t, e, "k").Title; got != "First of all" {
		t.Errorf("title %q, want the first: the second was undone", got)
	}
	sound(t, e)
}

func TestLedgerTellsWhatEachImportDid(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	file := write(t, dir, "a.jsonl", graphs, nothing)
	add(t, e, file)
	d, err := e.Source(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	want := engine.ImportDetail{
		Import: engine.Import{N: 1, Command: "add", What: "add " + file, Started: d.Started, State: "done", Read: 2, Added: 1, RejectedCount: 1},
		Files:  []engine.ImportedFile{{Name: file, Records: 1}}, Rejected: []engine.Rejected{{File: file, Line: 2, ID: "e", Reason: d.Rejected[0].Reason}},
	}
	if diff := cmp.Diff(want, *d); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := e.Source(t.Context(), 9); engine.KindOf(err) != engine.NotFound {
		t.Errorf("an import that never was: %v, want NotFound", err)
	}
}

func TestMergeAndSplit(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", graphs, auction, protein))
	want := snapshotOf(t, e)
	p, err := e.Merge(t.Context(), []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	if p.ID != want[0].ID || !slices.Equal(p.Keys, []string{"a", "b"}) || !slices.Contains(p.Aliases, want[1].ID) {
		t.Errorf("merged: %+v", p)
	}
	if got := show(t, e, want[1].ID).ID; got != want[0].ID {
		t.Errorf("the id of the merged paper names %s, want %s", got, want[0].ID)
	}
	if p, err = e.Merge(t.Context(), []string{"c", "a"}); err != nil || p.ID != want[2].ID {
		t.Fatalf("a merge of a merged paper: %+v, %v", p, err)
	}
	sound(t, e)
	for range 2 {
		if _, err := e.Split(t.Context(), "b"); err != nil {
			t.Fatal(err)
		}
		sound(t, e)
	}
	if d := cmp.Diff(want, snapshotOf(t, e)); d != "" {
		t.Errorf("after splitting (-want +got):\n%s", d)
	}
	if _, err := e.Split(t.Context(), "a"); engine.KindOf(err) != engine.Usage {
		t.Errorf("splitting what was never merged: %v, want Usage", err)
	}
	if s := stats(t, e); s.Vectors != 3 {
		t.Errorf("%d vectors, want 3 without encoding again", s.Vectors)
	}
}

func TestSplitPartsWhatAnImportMerged(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", short))
	add(t, e, write(t, dir, "b.jsonl", more))
	papers, err := e.Split(t.Context(), "m")
	if err != nil || len(papers) != 2 || papers[0].ID == papers[1].ID {
		t.Fatalf("Split: %+v, %v", papers, err)
	}
	sound(t, e)
	r := add(t, e, filepath.Join(dir, "b.jsonl"))
	if r.Unchanged != 1 || stats(t, e).Papers != 2 {
		t.Errorf("the next import: %+v, %d papers; want them to stay apart", countsOf(r), stats(t, e).Papers)
	}
}

func TestDuplicatesAreTold(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, filepath.Join("..", "corpus", "testdata", "awkward", "17-arxiv-versions.jsonl"), write(t, dir, "a.jsonl", graphs, `{"title":"Editorial"}`, `{"title":"Editorial","year":2020}`))
	var got []string
	err := e.List(t.Context(), engine.ListRequest{Duplicates: true}, func(p *engine.Paper) error {
		for _, d := range p.Duplicates {
			got = append(got, p.ID+" "+d.ID+": "+d.Reason)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"arxiv:2102.00002 doi:10.5555/pub.77: same title: a preprint and a published form",
		"doi:10.5555/pub.77 arxiv:2102.00002: same title: a preprint and a published form",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestTitlesThatProveNothing are told where nothing tells the papers apart, and not where
// something does.
func TestTitlesThatProveNothing(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", `{"id":"1","title":"Preface"}`, `{"id":"2","title":"Preface"}`, `{"id":"3","title":"Preface","year":1999}`, `{"id":"4","title":"Preface","authors":["A B"]}`))
	told := map[string]string{}
	err := e.List(t.Context(), engine.ListRequest{Duplicates: true}, func(p *engine.Paper) error {
		told[p.Keys[0]] = p.Duplicates[0].Reason
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]string{"1": "same title", "2": "same title"}, told); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestBackupAndRestore(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", graphs, auction, protein))
	if _, err := e.Merge(t.Context(), []string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	want := snapshotOf(t, e)
	file := filepath.Join(dir, "backup.akin")
	if err := e.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if err := e.Backup(t.Context(), file); engine.KindOf(err) != engine.Failed || err == nil {
		t.Errorf("a backup over another: %v, want Failed", err)
	}

	enc := &words{}
	cfg := engine.Config{Library: filepath.Join(dir, "other"), Encoder: enc}
	if err := engine.Restore(t.Context(), cfg, file); err != nil {
		t.Fatal(err)
	}
	other := openWith(t, cfg)
	if d := cmp.Diff(want, snapshotOf(t, other)); d != "" {
		t.Errorf("restored (-want +got):\n%s", d)
	}
	sound(t, other)
	if r := add(t, other, filepath.Join(dir, "a.jsonl")); r.Unchanged != 3 || enc.encoded.Load() != 0 {
		t.Errorf("adding the same again: %+v, %d encoded", countsOf(r), enc.encoded.Load())
	}
	if _, err := other.Split(t.Context(), "a"); err != nil {
		t.Errorf("what was merged cannot be split after a restore: %v", err)
	}
	if err := engine.Restore(t.Context(), cfg, file); engine.KindOf(err) != engine.Failed || err == nil {
		t.Errorf("a restore over papers: %v, want Failed", err)
	}
	if err := engine.Restore(t.Context(), engine.Config{Library: filepath.Join(dir, "third")}, write(t, dir, "junk", "this is no backup")); err == nil {
		t.Error("junk was restored")
	}
}

func TestRestoreSetsADamagedLibraryAside(t *testing.T) {
	dir := t.TempDir()
	lib := filepath.Join(dir, "lib")
	e := open(t, lib)
	add(t, e, write(t, dir, "a.jsonl", graphs))
	file := filepath.Join(dir, "backup.akin")
	if err := e.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(lib, "library.db"), make([]byte, 20_000), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Open(t.Context(), engine.Config{Library: lib}); engine.KindOf(err) != engine.Damaged {
		t.Fatalf("a library of zeros: %v, want Damaged", err)
	}
	if err := engine.Restore(context.Background(), engine.Config{Library: lib}, file); err != nil {
		t.Fatal(err)
	}
	again := open(t, lib)
	if s := stats(t, again); s.Papers != 1 {
		t.Errorf("%d papers, want 1", s.Papers)
	}
	if kept, err := filepath.Glob(filepath.Join(lib, "library.db.damaged-*")); err != nil || len(kept) != 1 {
		t.Errorf("the damaged file was not kept: %v, %v", kept, err)
	}
}
