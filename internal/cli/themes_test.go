package cli_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// subjects are what the papers of a home withThemes are about.
var subjects = []string{
	"graph neural networks pass messages between the nodes of a molecule",
	"auctions with budgets pay the seller what the bidders value",
	"wind turbines offshore suffer from waves and fatigue of the blades",
}

// withThemes is a home with a library of papers on the subjects in turn, of the
// years 2000 to 2009.
func withThemes(t *testing.T, papers int) home {
	t.Helper()
	h := newHome(t)
	h.write("papers.jsonl", papersOn(0, papers))
	h.must("add", "papers.jsonl", "--no-sentences")
	return h
}

func papersOn(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, `{"id":"k%d","title":"Case %d","abstract":"In case %d %s.","year":%d}`+"\n", i, i, i, subjects[i%len(subjects)], 2000+i%10)
	}
	return b.String()
}

// themesAnswer is what of the contract these tests look at.
type themesAnswer struct{ Themes []themeAnswer }

type themeAnswer struct {
	ID, Label       string
	Size            int
	Representatives []string
	Papers          []struct{ ID string }
}

func TestThemesAreNamedShownAndFollowed(t *testing.T) {
	h := withThemes(t, 30)
	first := decode[themesAnswer](t, h.must("themes", "-k", "3", "--json").stdout)
	if len(first.Themes) != 3 {
		t.Fatalf("akin themes -k 3: %d themes", len(first.Themes))
	}
	id := first.Themes[0].ID
	h.must("themes", "rename", id, "What I read first")
	h.must("themes", "rename", id, "What I read now")
	again := decode[themesAnswer](t, h.must("themes", "--json").stdout)
	if got := again.Themes[0]; got.ID != id || got.Label != "What I read now" {
		t.Errorf("renamed twice, %s is called %q", got.ID, got.Label)
	}

	paper := again.Themes[0].Papers[0].ID
	shown := decode[struct{ Themes []struct{ ID, Label string } }](t, h.must("show", paper, "--json").stdout)
	if len(shown.Themes) != 1 || shown.Themes[0].ID != id || shown.Themes[0].Label != "What I read now" {
		t.Errorf("akin show tells the themes %v, want %s", shown.Themes, id)
	}
	if got := h.must("show", paper).stdout; !strings.Contains(got, id+" What I read now") {
		t.Errorf("akin show does not name the theme:\n%s", got)
	}
	if got := h.must("themes", "show", "i read now").stdout; !strings.Contains(got, "Case ") || strings.Contains(got, "read first") {
		t.Errorf("akin themes show:\n%s", got)
	}
	if got := h.must("search", "a case", "--theme", id, "-n", "30", "--json").stdout; strings.Count(got, `"rank"`) != again.Themes[0].Size {
		t.Errorf("%d results in a theme of %d papers", strings.Count(got, `"rank"`), again.Themes[0].Size)
	}
	years := h.must("themes", "--over", "year").stdout
	if !strings.Contains(years, "What I read now") || !strings.Contains(years, "2000") || !strings.Contains(years, "2009") {
		t.Errorf("akin themes --over year:\n%s", years)
	}

	h.write("more.jsonl", papersOn(30, 33))
	if got := h.must("add", "more.jsonl", "--no-sentences").stdout; !strings.Contains(got, "theme") {
		t.Errorf("akin add does not tell which themes the papers join:\n%s", got)
	}
	fresh := decode[themesAnswer](t, h.must("themes", "--fresh", "--json").stdout)
	if !slices.ContainsFunc(fresh.Themes, func(th themeAnswer) bool {
		return th.ID == id && th.Label == "What I read now" && th.Size == again.Themes[0].Size+1
	}) {
		t.Errorf("found again, no theme is %s by its name: %+v", id, fresh.Themes)
	}
}

func TestARepresentativeThatIsRemoved(t *testing.T) {
	h := withThemes(t, 30)
	before := decode[themesAnswer](t, h.must("themes", "-k", "3", "--json").stdout).Themes[0]
	h.must("remove", before.Representatives[0])
	after := decode[themesAnswer](t, h.must("themes", "--json").stdout).Themes
	for _, th := range after {
		if slices.Contains(th.Representatives, before.Representatives[0]) {
			t.Errorf("%s is represented by a removed paper", th.ID)
		}
		if th.ID == before.ID && (th.Size != before.Size-1 || len(th.Representatives) == 0) {
			t.Errorf("%s has %d papers, represented by %v", th.ID, th.Size, th.Representatives)
		}
	}
}

func TestInterruptedThemesLeaveThoseBefore(t *testing.T) {
	h := withThemes(t, 240)
	before := h.must("themes", "-k", "3", "--json").stdout
	cmd := h.process("themes", "--fresh", "-k", "7", "--levels", "2")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Skipf("no process can be interrupted here: %v", err)
	}
	if err := cmd.Wait(); err == nil {
		t.Skip("the themes were found before the interrupt")
	}
	if after := h.must("themes", "--json").stdout; after != before {
		t.Errorf("after an interrupt:\n%s\nbefore:\n%s", after, before)
	}
}

// What was asked for stays; it must be said, and how to get the choice back.
func TestThemesSayWhatWasAskedForBefore(t *testing.T) {
	h := withThemes(t, 30)
	const again = "as asked for before"
	for _, step := range []struct {
		args   []string
		says   string // "": nothing of what was asked for
		reason string
	}{
		{[]string{"themes", "-k", "3"}, "", "3 asked for"},
		{[]string{"themes"}, "-k 3;", "3 asked for"},
		{[]string{"themes", "--levels", "2"}, "-k 3;", "no theme is large enough to be grouped again"},
		{[]string{"themes", "-k", "99999"}, "--levels 2;", "99,999 asked for, but there are only 30"},
		{[]string{"themes", "--fresh"}, "", "of 2 to 10 themes"},
		{[]string{"themes"}, "", "of 2 to 10 themes"},
	} {
		got := strings.Join(strings.Fields(h.must(step.args...).stdout), " ")
		if !strings.Contains(got, step.reason) || strings.Contains(got, again) != (step.says != "") || !strings.Contains(got, step.says) {
			t.Errorf("akin %s: %.300s\nwant %q and %q", strings.Join(step.args, " "), got, step.reason, step.says)
		}
		if step.says != "" && !strings.Contains(got, "akin themes --fresh") {
			t.Errorf("akin %s does not say how to get the choice back: %.300s", strings.Join(step.args, " "), got)
		}
	}
	h.must("themes", "-k", "99999")
	if got := decode[struct{ K, Asked, Levels int }](t, h.must("themes", "--json").stdout); got.K != 30 || got.Asked != 99999 || got.Levels != 1 {
		t.Errorf("akin themes --json: %+v", got)
	}
}

// Collections at the edge, through the command; each flag must be answered, not fail.
func TestThemesOfOddCollectionsAreShown(t *testing.T) {
	line := func(i int, title, abstract string) string {
		return fmt.Sprintf(`{"id":"k%d","title":"%s","abstract":"%s","doi":"10.1/%d"}`+"\n", i, title, abstract, i)
	}
	var equal, bare, german string
	for i := range 12 {
		equal += line(i, "Auctions with budgets", "One and the same text about auctions and budgets.")
		bare += line(i, fmt.Sprintf("%s, part %d", subjects[i%3][:30], i), "")
		german += line(i, fmt.Sprintf("Über die Rotorblätter %d", i), fmt.Sprintf("Wir zeigen, dass Windkraftanlagen und Bienen im Fall %d gut zusammen leben.", i))
	}
	for name, papers := range map[string]string{
		"one paper": papersOn(0, 1), "two papers": papersOn(0, 2), "all equal": equal,
		"all without abstract": bare, "another language": german,
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.write("papers.jsonl", papers)
			h.must("add", "papers.jsonl", "--no-sentences")
			for _, args := range [][]string{{"-k", "500"}, {"-k", "1", "--levels", "2", "-v"}, {"--fresh"}} {
				got := h.must(append([]string{"themes"}, args...)...).stdout
				if !strings.Contains(got, "theme") || !strings.Contains(got, "█") || strings.Contains(got, "%!") {
					t.Errorf("akin themes %s:\n%s", strings.Join(args, " "), got)
				}
			}
			th := decode[themesAnswer](t, h.must("themes", "--json").stdout).Themes
			if len(th) == 0 || th[0].Label == "" || len(th[0].Representatives) == 0 || !strings.Contains(h.must("themes", "show", th[0].ID).stdout, th[0].Label) {
				t.Errorf("themes %+v", th)
			}
		})
	}
}

func TestThemesOverOneYear(t *testing.T) {
	h := newHome(t)
	h.write("papers.jsonl", strings.ReplaceAll(papersOn(0, 10), `"year":200`, `"year":1999,"volume":1`))
	h.must("add", "papers.jsonl", "--no-sentences")
	got := h.must("themes", "-k", "2", "--over", "year").stdout
	if strings.Count(got, "1999") != 2 || strings.Count(got, "%") != 2 || !strings.Contains(got, "of 1999\n") {
		t.Errorf("one year in the head and over one column of shares:\n%s", got)
	}
}

// A theme is known by its papers: one that has some left comes back, one that has none
// does not, and each is told.
func TestAThemeWithoutPapersIsToldThatItCannotComeBack(t *testing.T) {
	h := withThemes(t, 30)
	found := decode[themesAnswer](t, h.must("themes", "-k", "3", "--json").stdout)
	id := found.Themes[0].ID
	h.must("themes", "rename", id, "Mine")
	h.must("themes", "-k", "1", "--json")
	resting := h.run("themes", "show", id)
	back := decode[themesAnswer](t, h.must("themes", "-k", "3", "--json").stdout)
	if resting.code != 3 || !strings.Contains(resting.stderr, "comes back when it is found again") || back.Themes[0].Label != "Mine" {
		t.Errorf("%s rested with %d, %q, and is called %q now", id, resting.code, resting.stderr, back.Themes[0].Label)
	}

	var all []string
	for i := range 30 {
		all = append(all, fmt.Sprintf("k%d", i))
	}
	h.must(append([]string{"remove"}, all...)...)
	h.must("add", "papers.jsonl", "--no-sentences")
	again := decode[themesAnswer](t, h.must("themes", "-k", "3", "--json").stdout)
	for _, verb := range [][]string{{"show", id}, {"rename", id, "Other"}} {
		r := h.run(append([]string{"themes"}, verb...)...)
		if r.code != 3 || strings.Contains(r.stderr, "comes back") || !strings.Contains(r.stderr, `akin themes rename THEME "Mine"`) {
			t.Errorf("akin themes %s: exit code %d\n%s\nwant 3, and how another theme gets the name", verb, r.code, r.stderr)
		}
	}
	h.must("themes", "rename", again.Themes[0].ID, "Mine")
	if got := h.must("themes", "show", "Mine").stdout; !strings.Contains(got, again.Themes[0].ID) {
		t.Errorf("the name did not go over:\n%s", got)
	}
}
