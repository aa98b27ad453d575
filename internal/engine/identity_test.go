package engine_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// A step is one file that is added, and what becomes of its records.
type step struct {
	file  string
	lines []string
	want  counts
}

func TestIdentity(t *testing.T) {
	const text = "A long enough text about methods that people used in this study of many things and their use."
	tests := []struct {
		name   string
		steps  []step
		papers int
	}{
		{"one DOI from two sources", []step{
			{"a.jsonl", []string{`{"id":"x","doi":"10.1000/ab","title":"Some findings on a matter","abstract":"` + text + `"}`}, counts{Read: 1, Added: 1}},
			{"b.jsonl", []string{`{"id":"y","doi":"https://doi.org/10.1000/AB","title":"Some Findings on a Matter","year":2020}`}, counts{Read: 1, Merged: 1, WithoutAbstract: 1}},
		}, 1},
		{"the same text without any id", []step{
			{"a.jsonl", []string{`{"title":"Some findings on a matter","abstract":"` + text + `"}`}, counts{Read: 1, Added: 1}},
			{"b.jsonl", []string{`{"id":"k","title":"Some Findings On A Matter.","abstract":"` + text + `","doi":"10.1000/ab"}`}, counts{Read: 1, Merged: 1}},
			{"c.jsonl", []string{`{"id":"m","title":"Another title of the same","abstract":"` + text + ` More.","doi":"10.1000/ab"}`}, counts{Read: 1, Merged: 1}},
		}, 1},
		{"editorials are many works", []step{
			{"a.jsonl", []string{`{"title":"Editorial","year":2020}`, `{"title":"Editorial","year":2021}`, `{"title":"Preface","authors":["A B"]}`, `{"title":"Preface","authors":["C D"]}`}, counts{Read: 4, Added: 4, WithoutAbstract: 4}},
			{"b.jsonl", []string{`{"title":"Editorial","year":2022}`}, counts{Read: 1, Added: 1, WithoutAbstract: 1}},
		}, 5},
		{"the same key in two files proves nothing", []step{
			{"a.jsonl", []string{`{"id":"smith2020","title":"Growth of crystals in water","abstract":"Crystals grow."}`}, counts{Read: 1, Added: 1}},
			{"b.jsonl", []string{`{"id":"smith2020","title":"Voting in small parliaments","abstract":"People vote."}`}, counts{Read: 1, Added: 1}},
		}, 2},
		{"the same key twice in one file proves nothing", []step{
			{"a.jsonl", []string{`{"id":"smith2020","title":"Growth of crystals in water","abstract":"Crystals grow."}`, `{"id":"smith2020","title":"Voting in small parliaments","abstract":"People vote."}`}, counts{Read: 2, Added: 2}},
			{"a.jsonl", []string{`{"id":"smith2020","title":"Growth of crystals in water","abstract":"Crystals grow."}`, `{"id":"smith2020","title":"Voting in small parliaments","abstract":"People vote."}`}, counts{Read: 2, Unchanged: 2}},
		}, 2},
		{"the same key with other content is an update", []step{
			{"a.jsonl", []string{`{"id":"k1","title":"A draft","abstract":"First words."}`}, counts{Read: 1, Added: 1}},
			{"a.jsonl", []string{`{"id":"k1","title":"A draft, revised","abstract":"First words, and more words."}`}, counts{Read: 1, Updated: 1}},
		}, 1},
		{"a key that was given to another work is no update", []step{
			{"a.jsonl", []string{`{"id":"1","doi":"10.1000/a","title":"Growth of crystals in water","abstract":"Crystals grow."}`}, counts{Read: 1, Added: 1}},
			{"a.jsonl", []string{`{"id":"1","doi":"10.1000/b","title":"Voting in small parliaments","abstract":"People vote."}`}, counts{Read: 1, Added: 1}},
		}, 2},
		{"a volume's DOI on each chapter", []step{
			{"a.jsonl", []string{
				`{"id":"1","doi":"10.1000/vol","title":"Growth of crystals in water","abstract":"Crystals grow slowly where the water is cold.","authors":["A B"]}`,
				`{"id":"2","doi":"10.1000/vol","title":"Voting within small parliaments","abstract":"People vote against what parties say.","authors":["C D"]}`}, counts{Read: 2, Added: 2}},
		}, 2},
		{"two databases, the same title, year and first author", []step{
			{"a.jsonl", []string{`{"id":"1","doi":"10.1000/a","title":"Growth of crystals in cold water","year":2020,"authors":["Lee, Ann","B"],"abstract":"BACKGROUND: crystals. RESULTS: they grow."}`}, counts{Read: 1, Added: 1}},
			{"b.jsonl", []string{`{"id":"2","pmid":"123456","title":"Growth of Crystals in Cold Water.","year":2020,"authors":["Lee A"],"abstract":"Crystals. They grow."}`}, counts{Read: 1, Merged: 1}},
		}, 1},
		{"a preprint and what was published are told, not merged", []step{
			{"a.jsonl", []string{`{"id":"2102.00002v1","title":"A paper on sparse graphs","abstract":"` + text + `","year":2021}`}, counts{Read: 1, Added: 1}},
			{"b.jsonl", []string{`{"id":"z","doi":"10.5555/pub.77","title":"A Paper on Sparse Graphs.","abstract":"Published text.","year":2022}`}, counts{Read: 1, Added: 1}},
		}, 2},
		{"a record that names both joins them", []step{
			{"a.jsonl", []string{`{"id":"2102.00002v1","title":"A paper on sparse graphs","abstract":"` + text + `","year":2021}`}, counts{Read: 1, Added: 1}},
			{"b.jsonl", []string{`{"id":"z","doi":"10.5555/pub.77","title":"A Paper on Sparse Graphs.","abstract":"Published text.","year":2022}`}, counts{Read: 1, Added: 1}},
			{"c.jsonl", []string{`{"id":"arXiv:2102.00002","doi":"10.5555/pub.77","title":"A paper on sparse graphs","abstract":"` + text + `"}`}, counts{Read: 1, Merged: 1}},
		}, 1},
		{"a file under another name", []step{
			{"a.jsonl", []string{graphs, auction}, counts{Read: 2, Added: 2}},
			{"copy.jsonl", []string{graphs, auction}, counts{Read: 2, Merged: 2}},
		}, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			e := open(t, filepath.Join(dir, "lib"))
			for i, s := range test.steps {
				got := countsOf(add(t, e, write(t, dir, s.file, s.lines...)))
				got.Embedded = 0
				if d := cmp.Diff(s.want, got); d != "" {
					t.Errorf("step %d (-want +got):\n%s", i+1, d)
				}
			}
			if s := stats(t, e); s.Papers != test.papers || s.Vectors != test.papers {
				t.Errorf("%d papers with %d vectors, want %d", s.Papers, s.Vectors, test.papers)
			}
			sound(t, e)
		})
	}
}

// sound checks the library, and that every name of every paper names one.
func sound(t testing.TB, e *engine.Engine) {
	t.Helper()
	for _, p := range snapshotOf(t, e) {
		if got := show(t, e, p.ID).ID; got != p.ID {
			t.Errorf("%s names %s", p.ID, got)
		}
		for _, name := range p.Aliases {
			show(t, e, name)
		}
	}
	r, err := e.Check(t.Context())
	if err != nil || !r.OK {
		t.Errorf("Check: %+v, %v", r, err)
	}
}

func TestArXivVersionsAreOnePaper(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	r := add(t, e, filepath.Join("..", "corpus", "testdata", "awkward", "17-arxiv-versions.jsonl"))
	if r.Added != 2 || r.Merged != 3 {
		t.Errorf("added %d, merged %d; want 2 and 3", r.Added, r.Merged)
	}
	p := show(t, e, "2102.00002")
	if p.ID != "arxiv:2102.00002" || p.Title != "A paper on sparse graphs" || p.Abstract != "Third, final text with more words." {
		t.Errorf("got %+v, want the newest version's text", p)
	}
}

func show(t testing.TB, e *engine.Engine, name string) *engine.Paper {
	t.Helper()
	p, err := e.Show(t.Context(), name)
	if err != nil {
		t.Fatalf("Show(%q): %v", name, err)
	}
	return p
}

func TestFieldsAreFilledAndNeverEmptied(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", `{"id":"x","doi":"10.1000/ab","title":"Some findings on a matter","abstract":"The text.","keywords":["one"]}`))
	add(t, e, write(t, dir, "b.jsonl", `{"id":"y","doi":"10.1000/ab","title":"Some findings on a matter","year":2020,"venue":"J. Ex.","authors":["Ann Lee"],"keywords":["One","two"]}`))
	add(t, e, write(t, dir, "a.jsonl", `{"id":"x","title":"Some findings on a matter, at last"}`))
	p := show(t, e, "doi:10.1000/ab")
	if p.Abstract != "The text." || p.Year != 2020 || p.Venue != "J. Ex." || len(p.Authors) != 1 || len(p.Keywords) != 2 || p.DOI != "10.1000/ab" {
		t.Errorf("a field was lost: %+v", p)
	}
	if !slices.Equal(p.Keys, []string{"x", "y"}) || len(p.Sources) != 2 {
		t.Errorf("keys %v, sources %v; want x and y, two files", p.Keys, p.Sources)
	}
}

func TestIDsNeverChange(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", `{"id":"x","title":"Some findings on a matter","abstract":"The text."}`))
	before := show(t, e, "x").ID
	add(t, e, write(t, dir, "b.jsonl", `{"id":"y","title":"Some findings on a matter","abstract":"The text.","doi":"10.1000/ab"}`))
	for _, name := range []string{before, "doi:10.1000/ab", "10.1000/AB", "https://doi.org/10.1000/ab", "x", "y", "findings on a matter"} {
		if got := show(t, e, name).ID; got != before {
			t.Errorf("%q is %s, want %s", name, got, before)
		}
	}
}

func TestNamesOfPapers(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl",
		`{"id":"2401.00001","title":"Deep networks for vision","abstract":"One."}`,
		`{"id":"2401.00002","title":"Deep networks for speech","abstract":"Two."}`,
		`{"id":"n3","abstract":"We look at rivers in winter. Then at lakes."}`))
	for name, want := range map[string]engine.Kind{
		"arxiv:2401.00001":          0,
		"2401.00001":                0,
		"2401.00001v3":              0,
		"DEEP networks, for vision": 0,
		"rivers in winter":          0,
		"n3":                        0,
		"2401.0000":                 engine.Usage,
		"arxiv:":                    engine.Usage,
		"arxiv":                     engine.Usage, // the beginning of an id may end before its colon
		"a":                         engine.Usage,
		"p:":                        0,
		"p":                         0,
		"q":                         engine.NotFound,
		"24":                        engine.NotFound, // of a part of an id three characters are wanted
		"deep networks":             engine.Usage,
		"no such paper":             engine.NotFound,
		"'; DROP TABLE papers; --":  engine.NotFound,
	} {
		_, err := e.Show(t.Context(), name)
		if want == 0 && err != nil || want != 0 && (err == nil || engine.KindOf(err) != want) {
			t.Errorf("Show(%q): %v, want kind %d", name, err, want)
		}
	}
}

// TestTooLittleOfAnIDChangesNoPaper: a key that is gone must not become the beginning of
// another paper's id.
func TestTooLittleOfAnIDChangesNoPaper(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", `{"id":"p","title":"Deep networks for vision","arxiv_id":"2401.00001"}`, graphs))
	if _, err := e.Remove(t.Context(), []string{"p"}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := e.Remove(t.Context(), []string{"p"}); engine.KindOf(err) != engine.Usage || err == nil {
			t.Errorf("removing p again: %v, want a usage error", err)
		}
	}
	if got := stats(t, e).Papers; got != 1 {
		t.Errorf("%d papers are left, want 1", got)
	}
}

func TestAnswersShowOneFormOfAWork(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl",
		`{"id":"2102.00002","title":"A paper on sparse graphs","abstract":"Sparse graphs are studied by us."}`,
		`{"id":"k","doi":"10.5555/1","title":"A paper on sparse graphs","abstract":"We publish about sparse graphs."}`, auction))
	a, err := e.Search(t.Context(), engine.Query{Text: "sparse graphs"})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Results) != 2 {
		t.Errorf("%d results, want 2: one form of the work, and the other paper", len(a.Results))
	}
	a, err = e.Similar(t.Context(), engine.Query{Like: []string{"k"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []engine.Duplicate{{ID: "doi:10.5555/1", Reason: "same title: a preprint and a published form"}}
	if got := keys(a); len(got) != 2 || got[0] != "2102.00002" || !slices.Equal(a.Results[0].Duplicates, want) {
		t.Errorf("similar to k: %v, %+v; want its other form, which says so, and the other paper", got, a.Results[0].Duplicates)
	}
}
