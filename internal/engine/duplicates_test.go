package engine_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// copied is a line for one text under a DOI of its own.
func copied(n, year int) string {
	return fmt.Sprintf(`{"id":"copy%04d","doi":"10.5555/copy.%04d","year":%d,"title":"Truthful auctions when bidders have hard budgets","abstract":"Nobody bids more than they have. Revenue is near the best."}`, n, n, year)
}

// libraryOfCopies has papers of one text under DOIs of their own, and others.
func libraryOfCopies(t *testing.T, copies, others, graphFrom int) *engine.Engine {
	t.Helper()
	dir := t.TempDir()
	var lines []string
	for i := range copies {
		lines = append(lines, copied(i, 2000+i%20))
	}
	for i := range others {
		lines = append(lines, fmt.Sprintf(`{"id":"other%04d","year":1990,"title":"Other auctions of kind %d","abstract":"Bidders of kind %d want item %d."}`, i, i, i%7, i))
	}
	e := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}, GraphFrom: graphFrom})
	add(t, e, write(t, dir, "papers.jsonl", lines...))
	return e
}

// told are all papers of an answer: those that were named, the results, and those that
// are told with a result.
func told(a *engine.Answer) int {
	n := len(a.Query.Like) + len(a.Query.Unlike)
	for _, r := range a.Results {
		n += 1 + r.DuplicateCount
		for _, d := range r.Duplicates {
			if slices.Contains(a.Query.Like, d.ID) {
				n--
			}
		}
	}
	return n
}

// TestNoPaperIsLeftOutUnsaid asks for all of a library: whatever is asked, each paper has
// a result or is named by one, and results are of different texts.
func TestNoPaperIsLeftOutUnsaid(t *testing.T) {
	const copies, others = 90, 5
	e := libraryOfCopies(t, copies, others, 0)
	all := copies + others
	similar := func(q engine.Query) (*engine.Answer, error) { return e.Similar(t.Context(), q) }
	search := func(q engine.Query) (*engine.Answer, error) { return e.Search(t.Context(), q) }
	const id = "doi:10.5555/copy.0007"
	for _, c := range []struct {
		name string
		ask  func(engine.Query) (*engine.Answer, error)
		q    engine.Query
		n    int // results
		want int // papers told
	}{
		{"similar", similar, engine.Query{Like: []string{id}}, others + 1, all},
		{"similar to two of them", similar, engine.Query{Like: []string{id, "copy0008"}}, others + 1, all},
		{"similar to another", similar, engine.Query{Like: []string{"other0001"}}, others, all},
		{"similar to a text", similar, engine.Query{Text: "truthful auctions"}, others + 1, all},
		{"similar to both", similar, engine.Query{Like: []string{id}, Text: "truthful auctions"}, others + 1, all},
		{"similar, by neighbourhood", similar, engine.Query{Like: []string{id}, Rerank: true}, others + 1, all},
		{"hybrid", search, engine.Query{Text: "auctions"}, others + 1, all},
		{"by meaning", search, engine.Query{Text: "auctions", Mode: "dense"}, others + 1, all},
		{"by words", search, engine.Query{Text: "auctions", Mode: "keyword"}, others + 1, all},
		{"diverse", search, engine.Query{Text: "auctions", Diversity: .5}, others + 1, all},
		{"with a filter that some of them meet", search, engine.Query{Text: "auctions", Filters: engine.Filters{YearFrom: 2010, YearTo: 2011}}, 1, copies},
		{"similar among them alone", similar, engine.Query{Like: []string{id}, Filters: engine.Filters{YearFrom: 2000}}, 1, copies},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.q.N = all
			a, err := c.ask(c.q)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Results) != c.n || told(a) != c.want {
				t.Errorf("%d results, %d papers told; want %d and %d\n%+v", len(a.Results), told(a), c.n, c.want, keys(a))
			}
		})
	}
	a, err := similar(engine.Query{Like: []string{id}, N: 1})
	if err != nil || len(a.Results) != 1 || a.Results[0].DuplicateCount != copies-1 || a.Results[0].Score < .999 {
		t.Fatalf("the most similar paper: %+v, %v; want a copy with %d others", a, err, copies-1)
	}
	if got := a.Results[0].Duplicates[0]; got.ID != id || !strings.HasPrefix(got.Reason, "same title and abstract") {
		t.Errorf("the first duplicate of a copy is %+v, want what was asked about", got)
	}
}

// TestCopiesDoNotCrowdOutOtherPapers: more copies of one text than candidates are looked
// at first, in a library that is walked by its graph.
func TestCopiesDoNotCrowdOutOtherPapers(t *testing.T) {
	const copies, others = 1500, 60
	e := libraryOfCopies(t, copies, others, 500)
	for name, ask := range map[string]func() (*engine.Answer, error){
		"similar": func() (*engine.Answer, error) {
			return e.Similar(t.Context(), engine.Query{Like: []string{"copy0003"}})
		},
		"hybrid": func() (*engine.Answer, error) {
			return e.Search(t.Context(), engine.Query{Text: "truthful auctions with budgets"})
		},
		"dense": func() (*engine.Answer, error) {
			return e.Search(t.Context(), engine.Query{Text: "truthful auctions with budgets", Mode: "dense"})
		},
		"keyword": func() (*engine.Answer, error) {
			return e.Search(t.Context(), engine.Query{Text: "truthful auctions with budgets", Mode: "keyword"})
		},
	} {
		a, err := ask()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name != "keyword" && a.Neighbours != "hnsw" {
			t.Errorf("%s: neighbours %q, want hnsw", name, a.Neighbours)
		}
		if len(a.Results) != 10 || a.Results[0].DuplicateCount != copies-1 || len(a.Results[0].Duplicates) != 100 {
			t.Errorf("%s: %d results, the first one with %d duplicates; want 10 and %d", name, len(a.Results), a.Results[0].DuplicateCount, copies-1)
		}
	}
}

// TestWhatIsAvoidedTakesItsCopiesAlong, and that is told.
func TestWhatIsAvoidedTakesItsCopiesAlong(t *testing.T) {
	var warned []string
	dir := t.TempDir()
	e := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}, Warn: func(m string) { warned = append(warned, m) }})
	add(t, e, write(t, dir, "a.jsonl", copied(1, 2001), copied(2, 2002), graphs, auction))
	a, err := e.Similar(t.Context(), engine.Query{Like: []string{"a"}, Unlike: []string{"copy0001"}})
	if err != nil || !slices.Equal(keys(a), []string{"b"}) {
		t.Errorf("%+v, %v; want b alone", a, err)
	}
	if want := "1 paper that may be the same work as one to be unlike is left out with it: doi:10.5555/copy.0002"; !slices.Contains(warned, want) {
		t.Errorf("told %q, want %q", warned, want)
	}
}

// groupsOf lists the duplicates of a library: a line a paper.
func groupsOf(t *testing.T, e *engine.Engine, req engine.ListRequest) []string {
	t.Helper()
	req.Duplicates = true
	var got []string
	err := e.List(t.Context(), req, func(p *engine.Paper) error {
		got = append(got, fmt.Sprintf("%s: %d of %s: with %s: %s", p.Keys[0], p.Group.Papers, p.Group.ID, p.Duplicates[0].ID, p.Duplicates[0].Reason))
		if len(p.Duplicates) != 1 {
			t.Errorf("%s has %d duplicates beside it, want 1", p.ID, len(p.Duplicates))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestDuplicatesAreGroups(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", copied(1, 2003), graphs, copied(2, 2002),
		`{"id":"chapter1","doi":"10.5555/volume","title":"On the growth of moss","abstract":"Moss grows where it is wet.","year":2010}`,
		copied(3, 2001),
		`{"id":"chapter2","doi":"10.5555/volume","title":"A history of glass","abstract":"Panes were blown, then drawn.","year":2010}`))
	const copies, volume = "3 of doi:10.5555/copy.0001: with doi:10.5555/copy.", "2 of doi:10.5555/volume: with "
	const same, shared = ": same title and abstract, other identifiers", ": same identifier (doi:10.5555/volume), other titles"
	first, second, third := "copy0001: "+copies+"0002"+same, "copy0002: "+copies+"0001"+same, "copy0003: "+copies+"0001"+same
	for _, c := range []struct {
		name string
		req  engine.ListRequest
		want []string
	}{
		{"in the order of adding", engine.ListRequest{}, []string{first, second, third, "chapter1: " + volume, "chapter2: " + volume}},
		{"by year", engine.ListRequest{Sort: "year"}, []string{"chapter2: " + volume, "chapter1: " + volume, first, second, third}},
		{"the first", engine.ListRequest{N: 1}, []string{first}},
		{"those of a year", engine.ListRequest{Filters: engine.Filters{YearFrom: 2001, YearTo: 2002}}, []string{second, third}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := groupsOf(t, e, c.req)
			for i, line := range got {
				if key, _, _ := strings.Cut(line, ":"); strings.HasPrefix(key, "chapter") && strings.HasSuffix(line, shared) {
					got[i] = key + ": " + volume
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestManyPapersOfOneTitleAreOneGroup, whatever their number, and titles that prove
// nothing are none.
func TestManyPapersOfOneTitleAreOneGroup(t *testing.T) {
	const n = 200
	var lines []string
	for i := range n {
		lines = append(lines, copied(i, 2000),
			fmt.Sprintf(`{"id":"editorial%d","doi":"10.5555/editorial.%d","title":"Editorial","abstract":"Words of issue number %d on topic%d."}`, i, i, i, i),
			fmt.Sprintf(`{"id":"report%d","doi":"10.5555/report.%d","title":"The annual report of the whole society","abstract":"Year%d brought member%d growth%d.","authors":["Author%c%c X"]}`, i, i, i, i, i, 'a'+i/26, 'a'+i%26))
	}
	lines = append(lines,
		`{"id":"twin1","doi":"10.5555/twin.1","title":"Editorial","abstract":"The very same words, twice."}`,
		`{"id":"twin2","doi":"10.5555/twin.2","title":"Editorial","abstract":"The very same words, twice."}`)
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", lines...))
	groups := map[string]int{}
	err := e.List(t.Context(), engine.ListRequest{Duplicates: true}, func(p *engine.Paper) error {
		groups[p.Group.ID]++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]int{"doi:10.5555/copy.0000": n, "doi:10.5555/twin.1": 2}, groups); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestShowTellsDuplicates(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", copied(1, 2001), copied(2, 2002), graphs))
	p, err := e.Show(t.Context(), "copy0001")
	if err != nil {
		t.Fatal(err)
	}
	want := []engine.Duplicate{{ID: "doi:10.5555/copy.0002", Reason: "same title and abstract, other identifiers"}}
	if d := cmp.Diff(want, p.Duplicates); d != "" || p.DuplicateCount != 1 {
		t.Errorf("%d duplicates (-want +got):\n%s", p.DuplicateCount, d)
	}
}

// TestJudgedCopiesCountEach: of a set of judged queries each document has its place, also
// where two of them may be one work.
func TestJudgedCopiesCountEach(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", copied(1, 2001), copied(2, 2002), graphs))
	r, err := e.Eval(t.Context(), engine.EvalRequest{
		Queries: strings.NewReader(`{"_id":"q","text":"truthful auctions"}`),
		Qrels:   strings.NewReader("q\tcopy0001\t1\nq\tcopy0002\t1\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	for mode, f := range r.Modes {
		if f.Recall10 != 1 || f.NDCG10 != 1 {
			t.Errorf("%s: recall@10 %g, nDCG@10 %g; want 1: both copies are found", mode, f.Recall10, f.NDCG10)
		}
	}
}

// TestCopiesDoNotAnswerForAHeldPaper: a library that has each paper twice is searched as
// well as one that has it once.
func TestCopiesDoNotAnswerForAHeldPaper(t *testing.T) {
	var once, twice []string
	for i := range 12 {
		line := func(doi int) string {
			return fmt.Sprintf(`{"doi":"10.5555/%d","title":"Paper of many plain words number%d","abstract":"First%d we look at thing%d and then at matter%d. Then%d there is more of it%d to be said here. Third%d comes what nobody%d has ever thought of. Last%d of all we end it with word%d now."}`,
				doi, i, i, i, i, i, i, i, i, i, i)
		}
		once, twice = append(once, line(1000+i)), append(twice, line(1000+i), line(2000+i))
	}
	figures := func(lines []string) *engine.EvalReport {
		dir := t.TempDir()
		e := open(t, filepath.Join(dir, "lib"))
		add(t, e, write(t, dir, "a.jsonl", lines...))
		r, err := e.Eval(t.Context(), engine.EvalRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, b := figures(once), figures(twice)
	for mode, f := range a.Modes {
		if got := b.Modes[mode]; got.MRR10 < f.MRR10-.1 {
			t.Errorf("%s: MRR@10 %g with copies, %g without", mode, got.MRR10, f.MRR10)
		}
	}
}
