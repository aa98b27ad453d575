package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-9f29d379/akin/internal/engine"
	"github.com/seed-9f29d379/akin/internal/store"
)

// topics are what planted papers are about; the last one is a stranger to the others.
var topics = [][]string{
	strings.Fields("graph neural network node edge message passing molecule link prediction"),
	strings.Fields("auction bidder revenue mechanism price market allocation welfare seller truthful"),
	strings.Fields("protein folding residue structure binding ligand pocket enzyme sequence mutation"),
	strings.Fields("turbine wind blade offshore fatigue wave load tower nacelle storm"),
	strings.Fields("vaccine antibody infection immune virus dose trial cohort serum variant"),
	strings.Fields("galaxy redshift telescope quasar halo star luminosity survey spectrum dust"),
	strings.Fields("bee honey hive pollen queen swarm nectar comb drone forager"),
}

const stranger = 6

// planted makes lines of papers from, … to-1, each of one of the first n topics.
func planted(from, to, n int) []string {
	var lines []string
	for i := from; i < to; i++ {
		lines = append(lines, about(i, i%n))
	}
	return lines
}

// about makes paper i of a topic.
func about(i, topic int) string {
	rng := rand.New(rand.NewPCG(uint64(i), 1))
	var words []string
	for range 14 {
		words = append(words, topics[topic][rng.IntN(len(topics[topic]))])
	}
	return fmt.Sprintf(`{"id":"k%d","title":"Paper %d","abstract":"%s","year":%d}`, i, i, strings.Join(words, " "), 2000+i%20)
}

// library opens a library of lines of papers.
func library(t *testing.T, lines ...string) (*engine.Engine, string) {
	t.Helper()
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "papers.jsonl", lines...))
	return e, dir
}

func themesOf(t *testing.T, e *engine.Engine, req engine.ThemesRequest) *engine.Themes {
	t.Helper()
	th, err := e.Themes(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// placesOf is each paper's theme, by its key.
func placesOf(th *engine.Themes) map[string]string {
	m := make(map[string]string)
	for _, theme := range th.Themes {
		for _, p := range theme.Papers {
			m[p.Keys[0]] = theme.ID
		}
	}
	return m
}

func themeIDs(th *engine.Themes) []string {
	var ids []string
	for _, theme := range th.Themes {
		ids = append(ids, theme.ID)
	}
	return ids
}

func TestThemesAreKept(t *testing.T) {
	e, dir := library(t, planted(0, 60, 3)...)
	first := themesOf(t, e, engine.ThemesRequest{K: 3})
	if len(first.Themes) != 3 || first.Changes != nil || first.ChosenBy != "user" {
		t.Fatalf("got %d themes chosen by %s, changes %+v", len(first.Themes), first.ChosenBy, first.Changes)
	}
	again := themesOf(t, e, engine.ThemesRequest{})
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("asked again (-first +again):\n%s", diff)
	}
	reopened := open(t, filepath.Join(dir, "lib"))
	if diff := cmp.Diff(first, themesOf(t, reopened, engine.ThemesRequest{K: 3})); diff != "" {
		t.Errorf("asked by another process (-first +again):\n%s", diff)
	}
}

func TestNewPapersJoinTheirTheme(t *testing.T) {
	e, dir := library(t, planted(0, 90, 3)...)
	before := placesOf(themesOf(t, e, engine.ThemesRequest{K: 3}))
	r := add(t, e, write(t, dir, "more.jsonl", append(planted(90, 96, 3), about(200, stranger), about(201, stranger))...))
	if r.Themes == nil || r.Themes.Joined != 6 || r.Themes.FitNone != 2 || r.Themes.Drifted {
		t.Fatalf("the report of the second import: %+v, want 6 joined and 2 that fit none", r.Themes)
	}
	th := themesOf(t, e, engine.ThemesRequest{})
	after := placesOf(th)
	for i := 90; i < 96; i++ {
		if key := fmt.Sprintf("k%d", i); after[key] != before[fmt.Sprintf("k%d", i-90)] {
			t.Errorf("paper %s is in %q, want %q", key, after[key], before[fmt.Sprintf("k%d", i-90)])
		}
	}
	if th.Changes != nil || len(th.FitNone) != 2 || th.FitNone[0].Between == "" {
		t.Errorf("changes %+v, papers that fit none %+v; want no changes, and two papers with the theme nearest to each", th.Changes, th.FitNone)
	}
	if r := add(t, e, write(t, dir, "more.jsonl", planted(90, 96, 3)...)); r.Themes != nil {
		t.Errorf("the same file again: %+v, want nothing joined", r.Themes)
	}
}

// The order in which papers are added must not decide which theme they join.
func TestPapersJoinInAnyOrder(t *testing.T) {
	places := func(parts ...[]string) map[string]string {
		e, dir := library(t, planted(0, 120, 4)...)
		themesOf(t, e, engine.ThemesRequest{K: 4})
		for i, part := range parts {
			add(t, e, write(t, dir, fmt.Sprintf("part%d.jsonl", i), part...))
		}
		return placesOf(themesOf(t, e, engine.ThemesRequest{}))
	}
	a, b := planted(120, 125, 4), planted(125, 130, 4)
	if diff := cmp.Diff(places(a, b), places(slices.Concat(b, a))); diff != "" {
		t.Errorf("two imports, and one in another order:\n%s", diff)
	}
}

func TestThemesThatAreTheSameKeepTheirIDsAndNames(t *testing.T) {
	e, dir := library(t, planted(0, 90, 3)...)
	first := themesOf(t, e, engine.ThemesRequest{K: 3})
	auctions := placesOf(first)["k1"]
	for _, name := range []string{"Markets", "Auctions and markets"} { // the second name counts
		if ref, err := e.RenameTheme(t.Context(), auctions, name); err != nil || ref.ID != auctions || ref.Label != name {
			t.Fatalf("naming %s: %+v, %v", auctions, ref, err)
		}
	}
	var fresh []string
	for i := 300; i < 330; i++ {
		fresh = append(fresh, about(i, stranger))
	}
	if r := add(t, e, write(t, dir, "bees.jsonl", fresh...)); r.Themes == nil || !r.Themes.Drifted {
		t.Errorf("a fourth of the papers are new: %+v, want that told", r.Themes)
	}
	th := themesOf(t, e, engine.ThemesRequest{K: 4})
	if th.Changes == nil || th.Changes.Kept != 3 || len(th.Changes.New) != 1 || len(th.Changes.Gone) != 0 {
		t.Fatalf("changes %+v, want %d themes kept and a new one", th.Changes, len(first.Themes))
	}
	before, after := placesOf(first), placesOf(th)
	for key, id := range before {
		if after[key] != id {
			t.Errorf("paper %s: %s before, %s now", key, id, after[key])
		}
	}
	if bees := after["k300"]; slices.Contains(themeIDs(first), bees) {
		t.Errorf("the new theme has the id %s of an old one", bees)
	}
	if got := labelOf(th, auctions); got != "Auctions and markets" {
		t.Errorf("%s is called %q, want the name that it was given", auctions, got)
	}
}

// Themes are found again where more than a tenth of the papers are others, and not before.
func TestThemesOfALibraryThatGrew(t *testing.T) {
	e, dir := library(t, planted(0, 90, 3)...)
	first := themesOf(t, e, engine.ThemesRequest{K: 3})
	add(t, e, write(t, dir, "little.jsonl", planted(90, 99, 3)...))
	if th := themesOf(t, e, engine.ThemesRequest{}); th.Changes != nil || len(placesOf(th)) != 99 {
		t.Errorf("nine papers more: changes %+v, %d papers in themes", th.Changes, len(placesOf(th)))
	}
	add(t, e, write(t, dir, "more.jsonl", planted(99, 105, 3)...))
	th := themesOf(t, e, engine.ThemesRequest{})
	want := &engine.ThemeChanges{Kept: 3, New: []engine.ThemeRef{}, Gone: []engine.ThemeRef{}}
	called := cmpopts.IgnoreFields(engine.ThemeChanges{}, "Renamed") // another test's
	if diff := cmp.Diff(want, th.Changes, called); diff != "" || len(placesOf(th)) != 105 {
		t.Errorf("fifteen more: %d papers in themes, changes (-want +got):\n%s", len(placesOf(th)), diff)
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(themeIDs(first))), slices.Sorted(slices.Values(themeIDs(th)))); diff != "" {
		t.Errorf("ids:\n%s", diff)
	}
}

// A theme that is the same and is called otherwise now is told, but not one that a person named.
func TestFoundNamesThatChangeAreTold(t *testing.T) {
	e, dir := library(t, planted(0, 60, 3)...)
	first := themesOf(t, e, engine.ThemesRequest{K: 3})
	places := placesOf(first)
	if _, err := e.RenameTheme(t.Context(), places["k0"], "Mine"); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i := range 20 {
		lines = append(lines, fmt.Sprintf(`{"id":"s%d","title":"Sale %d","abstract":"auction bidder revenue price market spectrum licence spectrum"}`, i, i),
			fmt.Sprintf(`{"id":"n%d","title":"Net %d","abstract":"graph neural network node edge message passing transformer transformer"}`, i, i))
	}
	add(t, e, write(t, dir, "more.jsonl", lines...))
	th := themesOf(t, e, engine.ThemesRequest{})
	now := placesOf(th)
	if now["s0"] != places["k1"] || now["n0"] != places["k0"] || labelOf(th, now["n0"]) != "Mine" {
		t.Fatalf("sales are in %s, nets in %s (%s); want %s and %s", now["s0"], now["n0"], labelOf(th, now["n0"]), places["k1"], places["k0"])
	}
	var want []engine.RenamedTheme // the order of a label's parts may change with the papers of other themes
	for _, id := range themeIDs(first) {
		if was, is := labelOf(first, id), labelOf(th, id); id != now["n0"] && was != is {
			want = append(want, engine.RenamedTheme{ThemeRef: engine.ThemeRef{ID: id, Label: is}, Was: was})
		}
	}
	got := slices.SortedFunc(slices.Values(th.Changes.Renamed), func(a, b engine.RenamedTheme) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(want, func(a, b engine.RenamedTheme) int { return strings.Compare(a.ID, b.ID) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("renamed (-want +got):\n%s", diff)
	}
	if !slices.ContainsFunc(got, func(r engine.RenamedTheme) bool { return r.ID == now["s0"] }) {
		t.Errorf("renamed %+v, want the theme of the sales among them", got)
	}
}

func labelOf(th *engine.Themes, id string) string {
	for _, theme := range th.Themes {
		if theme.ID == id {
			return theme.Label
		}
	}
	return ""
}

// Looking at another number of themes must not cost a person the names.
func TestGivenNamesComeBack(t *testing.T) {
	e, _ := library(t, planted(0, 120, 6)...)
	first := themesOf(t, e, engine.ThemesRequest{K: 6})
	names := make(map[string]string)
	for i, id := range themeIDs(first) {
		names[id] = fmt.Sprintf("Name %d", i)
		if _, err := e.RenameTheme(t.Context(), id, names[id]); err != nil {
			t.Fatal(err)
		}
	}
	few := themesOf(t, e, engine.ThemesRequest{K: 2})
	if len(few.Changes.Gone) < 4 {
		t.Errorf("of six themes two are left: %+v", few.Changes)
	}
	gone := few.Changes.Gone[0].ID
	if _, err := e.Theme(t.Context(), gone); engine.KindOf(err) != engine.NotFound {
		t.Errorf("showing %s, which is gone: %v", gone, err)
	}
	again := themesOf(t, e, engine.ThemesRequest{K: 6})
	for id, name := range names {
		if got := labelOf(again, id); got != name {
			t.Errorf("%s is called %q, want %q", id, got, name)
		}
	}
	if diff := cmp.Diff(placesOf(first), placesOf(again)); diff != "" {
		t.Errorf("six themes, two, and six again:\n%s", diff)
	}
}

func TestThemeNamesThatAreRefused(t *testing.T) {
	e, _ := library(t, planted(0, 60, 3)...)
	if _, err := e.RenameTheme(t.Context(), "t1", "x"); engine.KindOf(err) != engine.NotFound {
		t.Errorf("before there are themes: %v", err)
	}
	themesOf(t, e, engine.ThemesRequest{K: 3})
	if _, err := e.RenameTheme(t.Context(), "t2", "Taken"); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		theme, name string
		want        engine.Kind
	}{
		"an unknown theme":           {"t9", "x", engine.NotFound},
		"a name that another has":    {"t1", "taken", engine.Usage},
		"a name of two lines":        {"t1", "a\nb", engine.Usage},
		"the id of another":          {"t1", "t2", engine.Usage},
		"an id that none has":        {"t1", "T77", engine.Usage},
		"a name of half a page":      {"t1", strings.Repeat("long ", 50), engine.Usage},
		"a part of a name of two":    {"e", "x", engine.Usage},
		"no paper, though a number":  {"1", "x", engine.NotFound},
		"a name that nobody gave it": {"beekeeping", "x", engine.NotFound},
	} {
		if _, err := e.RenameTheme(t.Context(), test.theme, test.name); engine.KindOf(err) != test.want || err == nil {
			t.Errorf("%s: %v, want kind %d", name, err, test.want)
		}
	}
	th := themesOf(t, e, engine.ThemesRequest{})
	if labelOf(th, "t2") != "Taken" || th.Themes[1].FoundLabel == "" {
		t.Errorf("t2 is %+v", th.Themes[1])
	}
	if ref, err := e.RenameTheme(t.Context(), "taken", ""); err != nil || ref.Label != th.Themes[1].FoundLabel {
		t.Errorf("the found name back: %+v, %v; want %q", ref, err, th.Themes[1].FoundLabel)
	}
}

func TestThemesAsAFilter(t *testing.T) {
	e, _ := library(t, planted(0, 60, 3)...)
	f := engine.Filters{Theme: []string{"t1"}}
	if _, err := e.Search(t.Context(), engine.Query{Text: "auction", Filters: f}); engine.KindOf(err) != engine.NotFound {
		t.Errorf("before there are themes: %v", err)
	}
	th := themesOf(t, e, engine.ThemesRequest{K: 3})
	for _, theme := range th.Themes {
		for _, name := range []string{theme.ID, theme.Label} {
			f := engine.Filters{Theme: []string{name}}
			want := make(map[string]bool)
			for _, p := range theme.Papers {
				want[p.ID] = true
			}
			a, err := e.Search(t.Context(), engine.Query{Text: "auction graph protein", N: 50, Filters: f})
			if err != nil || len(a.Results) != len(want) {
				t.Fatalf("a search in %s: %v, %d papers, want %d", name, err, len(a.Results), len(want))
			}
			for _, r := range a.Results {
				if !want[r.ID] {
					t.Errorf("a search in %s: %s is of another theme", name, r.ID)
				}
			}
			listed := 0
			err = e.List(t.Context(), engine.ListRequest{Filters: f, Sort: "year"}, func(p *engine.Paper) error {
				listed++
				if !want[p.ID] {
					t.Errorf("a list of %s: %s is of another theme", name, p.ID)
				}
				return nil
			})
			if err != nil || listed != len(want) {
				t.Errorf("a list of %s: %v, %d papers, want %d", name, err, listed, len(want))
			}
			if s, err := e.Similar(t.Context(), engine.Query{Like: []string{theme.Papers[0].ID}, N: 50, Filters: f}); err != nil || len(s.Results) != len(want)-1 {
				t.Errorf("similar papers in %s: %v", name, err)
			}
		}
	}
	if _, err := e.Search(t.Context(), engine.Query{Text: "auction", Filters: engine.Filters{Theme: []string{"beekeeping"}}}); engine.KindOf(err) != engine.NotFound {
		t.Errorf("an unknown theme: %v", err)
	}
}

func TestThemesAfterPapersWereRemovedMergedAndUndone(t *testing.T) {
	e, dir := library(t, planted(0, 90, 3)...)
	th := themesOf(t, e, engine.ThemesRequest{K: 3})
	first := th.Themes[0]
	gone := first.Representatives[0]
	if _, err := e.Remove(t.Context(), []string{gone}); err != nil {
		t.Fatal(err)
	}
	now := themesOf(t, e, engine.ThemesRequest{})
	if now.Themes[0].Size != first.Size-1 || slices.Contains(now.Themes[0].Representatives, gone) || len(now.Themes[0].Representatives) != 3 {
		t.Errorf("a representative was removed: size %d of %d, represented by %v", now.Themes[0].Size, first.Size, now.Themes[0].Representatives)
	}

	a, b := now.Themes[0].Papers[0].ID, now.Themes[1].Papers[0].ID
	if _, err := e.Merge(t.Context(), []string{a, b}); err != nil {
		t.Fatal(err)
	}
	merged := themesOf(t, e, engine.ThemesRequest{})
	if n := len(placesOf(merged)); n != 88 {
		t.Errorf("two of 89 papers were merged: %d are in themes", n)
	}
	if _, err := e.Split(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(placesOf(now), placesOf(themesOf(t, e, engine.ThemesRequest{}))); diff != "" {
		t.Errorf("merged and split:\n%s", diff)
	}

	add(t, e, write(t, dir, "more.jsonl", planted(90, 96, 3)...))
	list, err := e.Sources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Undo(t.Context(), list[len(list)-1].N); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(placesOf(now), placesOf(themesOf(t, e, engine.ThemesRequest{}))); diff != "" {
		t.Errorf("added and undone:\n%s", diff)
	}
	if c, err := e.Check(t.Context()); err != nil || !c.OK {
		t.Errorf("check: %+v, %v", c, err)
	}
}

func TestThemesAreInABackup(t *testing.T) {
	e, dir := library(t, planted(0, 60, 3)...)
	themesOf(t, e, engine.ThemesRequest{K: 3})
	if _, err := e.RenameTheme(t.Context(), "t1", "Mine"); err != nil {
		t.Fatal(err)
	}
	want := themesOf(t, e, engine.ThemesRequest{})
	file, other := filepath.Join(dir, "backup"), filepath.Join(dir, "other")
	if err := e.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if err := engine.Restore(t.Context(), engine.Config{Library: other}, file); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, themesOf(t, open(t, other), engine.ThemesRequest{})); diff != "" {
		t.Errorf("restored (-want +got):\n%s", diff)
	}
}

// An interrupt while themes are found leaves those that the library had.
func TestAnInterruptKeepsTheThemes(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cfg := engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}}
	e := openWith(t, cfg)
	add(t, e, write(t, dir, "papers.jsonl", planted(0, 120, 4)...))
	want := themesOf(t, e, engine.ThemesRequest{K: 4})
	cfg.Progress = func(p engine.Progress) {
		if p.Stage == "grouping" && p.Done > 5 {
			cancel()
		}
	}
	if _, err := openWith(t, cfg).Themes(ctx, engine.ThemesRequest{K: 3}); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if diff := cmp.Diff(want, themesOf(t, e, engine.ThemesRequest{})); diff != "" {
		t.Errorf("after the interrupt:\n%s", diff)
	}
}

// Themes are answered also where they cannot be kept.
func TestThemesWhileAnotherWrites(t *testing.T) {
	var told []string
	dir := t.TempDir()
	e := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}, Warn: func(m string) { told = append(told, m) }})
	add(t, e, write(t, dir, "papers.jsonl", planted(0, 60, 3)...))
	w, err := store.OpenWriter(t.Context(), filepath.Join(dir, "lib"), "add")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if th := themesOf(t, e, engine.ThemesRequest{K: 3}); len(th.Themes) != 3 {
		t.Errorf("got %d themes, want 3", len(th.Themes))
	}
	if !slices.ContainsFunc(told, func(m string) bool { return strings.Contains(m, "not kept") }) {
		t.Errorf("told %q, want that the themes are not kept", told)
	}
}
