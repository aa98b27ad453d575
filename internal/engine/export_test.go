package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/corpus/all"
	"github.com/seed-9f29d379/akin/internal/engine"
	"github.com/seed-9f29d379/akin/internal/shareddata"
)

func TestExportReadBackChangesNoPaper(t *testing.T) {
	for _, format := range all.Writable() {
		t.Run(format, func(t *testing.T) {
			dir := t.TempDir()
			e := open(t, filepath.Join(dir, "lib"))
			add(t, e, write(t, dir, "a.jsonl", graphs, auction, protein, only, short, more,
				`{"id":"x{1}","title":"Braces {and} \"quotes\", 50% of $x^2$ & \\LaTeX\\_y","abstract":"Lines\nof text; a, b; ö, ł and ∞ — ’s.","authors":["Müller, Jörg","The Sample Consortium"],"keywords":["a, b","c; d"],"year":1999,"venue":"A & B","url":"https://example.org/a?b=c&d=%20e"}`),
				filepath.Join("..", "corpus", "testdata", "awkward", "17-arxiv-versions.jsonl"))
			want := snapshotOf(t, e)
			var out bytes.Buffer
			n, err := e.Export(t.Context(), &out, engine.ExportRequest{To: format})
			if err != nil || n != len(want) {
				t.Fatalf("Export: %d papers, %v; want %d", n, err, len(want))
			}
			file := filepath.Join(dir, "export."+format)
			if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			r := add(t, e, file)
			if r.Added+r.Updated+r.RejectedCount != 0 {
				t.Errorf("read back: %+v", countsOf(r))
			}
			got := snapshotOf(t, e)
			for _, list := range [][]engine.Paper{want, got} {
				for i := range list {
					list[i].Sources = nil
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("after reading back (-want +got):\n%s", d)
			}

			other := open(t, filepath.Join(dir, "other"))
			if r := add(t, other, file); r.Added != len(want) {
				t.Errorf("read into an empty library: %+v, want %d added", countsOf(r), len(want))
			}
		})
	}
}

// awkward are papers that little tells from others, or that say much oddly.
var awkward = []string{
	`{"id":"p1","title":"Preface"}`,
	`{"title":"Editorial"}`,
	`{"id":"p2","title":"Preface","year":2001}`,
	`{"id":"p3","title":"Notes on X","authors":["O'Neil, Áine","van der Waals, J. D."]}`,
	`{"abstract":"Only an abstract; it has no title, and a {brace."}`,
	`{"id":"@odd key, {1}","title":"=SUM(A1) and \"quotes\" & <tags> 100%","abstract":"-1 first.\n\nSecond paragraph: $x_1^2$ \\cite{a}.","venue":"'Apostrophe, first"}`,
	`{"id":"many","title":"Several identifiers name this one","doi":"10.1000/Q_(1)<2>","arxiv":"2101.00001v3","pmid":"1234","openalex":"W77","s2":"0123456789abcdef0123456789abcdef01234567","openreview":"AbC_-123def"}`,
	`{"id":"ch1","doi":"10.1000/vol","title":"Growth of crystals in water","abstract":"Crystals grow slowly where the water is cold.","authors":["A B"]}`,
	`{"id":"ch2","doi":"10.1000/vol","title":"Voting within small parliaments","abstract":"People vote against what parties say.","authors":["C D"]}`,
	`{"id":"date","title":"Spring things","date":"Spring 1999","keywords":["a; b","c, d","{e}"],"url":"https://example.org/a b?c={d}"}`,
	`{"id":"中文","title":"关于图的研究","authors":["王, 伟"],"abstract":"我们研究图。"}`,
	`{"id":"doi:10.9/zz","title":"Key like a DOI","abstract":"Text of it."}`,
	`{"id":"N/A","title":"N/A is a title here, nearly","abstract":"null and void"}`,
	`{"id":"1","title":"Twice"}`, `{"id":"2","title":"Twice"}`,
}

// TestWhatWasExportedIsRecognised exports every kind of paper in every format and adds
// the file: all of it is known, and nothing changes.
func TestWhatWasExportedIsRecognised(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", append([]string{graphs, auction, protein, only, short}, awkward...)...))
	add(t, e, write(t, dir, "b.jsonl", more, `{"id":"zz","title":"Message passing on sparse graphs","abstract":"We study message passing on graphs with few edges.","venue":"Elsewhere","keywords":["graphs"]}`))
	if _, err := e.Merge(t.Context(), []string{"p1", "p3"}); err != nil {
		t.Fatal(err)
	}
	want := snapshotOf(t, e)
	for _, format := range all.Writable() {
		t.Run(format, func(t *testing.T) {
			var out bytes.Buffer
			if n, err := e.Export(t.Context(), &out, engine.ExportRequest{To: format}); err != nil || n != len(want) {
				t.Fatalf("Export: %d papers, %v; want %d", n, err, len(want))
			}
			file := filepath.Join(dir, "export."+format)
			if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, again := range []string{"once", "twice"} {
				if r := add(t, e, file); r.Unchanged != len(want) {
					t.Errorf("read back %s: %+v, want all %d unchanged", again, countsOf(r), len(want))
				}
				if d := cmp.Diff(want, snapshotOf(t, e)); d != "" {
					t.Fatalf("after reading back %s (-want +got):\n%s", again, d)
				}
			}
			other := open(t, filepath.Join(dir, "other-"+format))
			if r := add(t, other, file); r.Read != len(want) || r.Added+r.Merged != len(want) || r.Merged > 1 {
				t.Errorf("read into an empty library: %+v, want %d", countsOf(r), len(want))
			}
		})
	}
	sound(t, e)
}

// TestIDsSurviveAnExport exports a library in every format and adds the file to a new
// one: every paper has the id that it had, whatever stands in its address, and also where
// it learnt an identifier later.
func TestIDsSurviveAnExport(t *testing.T) {
	t.Run("made", func(t *testing.T) {
		dir := t.TempDir()
		testIDsSurvive(t, write(t, dir, "a.jsonl", graphs, auction, protein,
			`{"id":"k","title":"Some findings on a matter","abstract":"The text of the findings."}`,
			`{"url":"https://doi.org/10.9999/other","pmid":"222","title":"Address of another form","abstract":"One text.","doi":"10.1000/this"}`,
			`{"url":"https://arxiv.org/abs/2101.00009v2","title":"Address of a preprint","abstract":"Another text.","doi":"10.1000/published"}`),
			write(t, dir, "b.jsonl", `{"id":"l","title":"Some findings on a matter","abstract":"The text of the findings.","doi":"10.1000/learnt"}`))
	})
	t.Run("real", func(t *testing.T) {
		testIDsSurvive(t, shareddata.Path(t, "data/exports/RIS"), shareddata.Path(t, "data/exports/CSV"))
	})
}

func testIDsSurvive(t *testing.T, paths ...string) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, paths...)
	want := idsOf(t, e)
	for _, format := range all.Writable() {
		var out bytes.Buffer
		if _, err := e.Export(t.Context(), &out, engine.ExportRequest{To: format}); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "export."+format)
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		other := open(t, filepath.Join(dir, format))
		if r := add(t, other, file); r.Added != len(want) {
			t.Errorf("%s: %+v, want %d added", format, countsOf(r), len(want))
		}
		if d := cmp.Diff(want, idsOf(t, other)); d != "" {
			t.Errorf("%s (-want +got):\n%s", format, d)
		}
	}
}

// TestAForeignIDIsNotTaken adds records that carry the id of a library's paper that they
// cannot be.
func TestAForeignIDIsNotTaken(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl",
		`{"akin":"doi:10.1000/other","title":"Growth of crystals in water","abstract":"Crystals grow."}`,
		`{"akin":"p:zz","title":"Voting in small parliaments","abstract":"People vote."}`,
		`{"akin":"pmid:5","pmid":"5","doi":"10.1000/x","title":"Ice on northern lakes","abstract":"It melts."}`,
		`{"akin":"p:00000000000000000001","title":"Sand in southern rivers","abstract":"Grains move slowly downstream."}`,
		`{"akin":"p:00000000000000000001","title":"Another work after a pattern","abstract":"Nothing of it is the same, in any of its words."}`))
	ids := idsOf(t, e)
	for id, want := range map[string]bool{"doi:10.1000/other": false, "p:zz": false, "pmid:5": true, "p:00000000000000000001": true} {
		if got := slices.Contains(ids, id); got != want {
			t.Errorf("%s is an id of %v: %v, want %v", id, ids, got, want)
		}
	}
	if len(ids) != 5 {
		t.Errorf("%d papers, want 5", len(ids))
	}
	sound(t, e)
}

func idsOf(t testing.TB, e *engine.Engine) []string {
	t.Helper()
	var ids []string
	for _, p := range snapshotOf(t, e) {
		ids = append(ids, p.ID)
	}
	slices.Sort(ids)
	return ids
}

// TestAnEditedExportIsAnEdit changes one field of an exported paper that only its id
// tells from others, and gives its id to another work.
func TestAnEditedExportIsAnEdit(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", `{"id":"p1","title":"Preface"}`, `{"id":"p2","title":"Preface"}`))
	var out bytes.Buffer
	if _, err := e.Export(t.Context(), &out, engine.ExportRequest{To: "bibtex"}); err != nil {
		t.Fatal(err)
	}
	before, p1, _ := strings.Cut(out.String(), "{p1,")
	edited := before + "{p1," + strings.Replace(p1, "  title = {{Preface}},\n", "  title = {{Preface}},\n  year = {1987},\n", 1)
	other := strings.ReplaceAll(edited, "{{Preface}}", "{{Quantum annealing of spin glasses}}")
	file := filepath.Join(dir, "edited.bib")
	for _, s := range []struct {
		content string
		want    counts
	}{
		{edited, counts{Read: 2, Merged: 1, Unchanged: 1, WithoutAbstract: 2}},
		{strings.ReplaceAll(edited, "1987", "1988"), counts{Read: 2, Updated: 1, Unchanged: 1, WithoutAbstract: 2}},
		{"% another work after a pattern\n" + strings.ReplaceAll(other, "{p1", "{p7"), counts{Read: 2, Added: 2, WithoutAbstract: 2}},
	} {
		if err := os.WriteFile(file, []byte(s.content), 0o644); err != nil {
			t.Fatal(err)
		}
		got := countsOf(add(t, e, file))
		got.Embedded = 0
		if d := cmp.Diff(s.want, got); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
	if p, err := e.Show(t.Context(), "p1"); err != nil || p.Year != 1988 {
		t.Errorf("the edited paper: %+v, %v; want 1988", p, err)
	}
}

func TestExportOfSome(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", graphs, auction, protein))
	var out bytes.Buffer
	if n, err := e.Export(t.Context(), &out, engine.ExportRequest{To: "jsonl", Names: []string{"c", "a"}}); err != nil || n != 2 {
		t.Errorf("two by name: %d, %v", n, err)
	}
	if n, err := e.Export(t.Context(), &out, engine.ExportRequest{To: "ris", Filters: engine.Filters{YearFrom: 2022}}); err != nil || n != 1 {
		t.Errorf("from 2022: %d, %v", n, err)
	}
	if _, err := e.Export(t.Context(), &out, engine.ExportRequest{To: "papyrus"}); engine.KindOf(err) != engine.Usage {
		t.Errorf("a format that is none: %v", err)
	}
}
