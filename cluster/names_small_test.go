package cluster_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/cluster"
)

// scenes are six papers, each of which says a phrase of its own three times and what all
// of them are about once; auctions are six others.
var scenes = []string{
	"Human pose estimation. Human pose estimation recovers joints. Human pose estimation helps robots in 3D indoor scenes.",
	"Protein pockets. Protein pockets bind ligands. Protein pockets are placed in 3D molecular scenes.",
	"Garment draping. Garment draping folds cloth. Garment draping is simulated in 3D scenes.",
	"Sonar mapping. Sonar mapping charts reefs. Sonar mapping draws 3D underwater scenes.",
	"Foliage rendering. Foliage rendering shades leaves. Foliage rendering fills 3D outdoor scenes.",
	"Surgical navigation. Surgical navigation guides scalpels. Surgical navigation shows 3D scenes.",
}

var auctions = []string{
	"Reserve prices. Reserve prices shield sellers. Reserve prices are set for auctions with bidders.",
	"Spectrum licences. Spectrum licences serve carriers. Spectrum licences are sold in auctions to bidders.",
	"Budget pacing. Budget pacing smooths spending. Budget pacing helps bidders of auctions.",
	"Collusion rings. Collusion rings share gains. Collusion rings are bidders in auctions.",
	"Fine wines. Fine wines keep value. Fine wines find bidders at auctions.",
	"Carbon permits. Carbon permits cap emissions. Carbon permits go to bidders by auctions.",
}

// The name of a small theme is of what its papers share, not of what one of them says
// most often.
func TestTheNameOfASmallThemeSpeaksForItsPapers(t *testing.T) {
	texts := append(append([]string{}, scenes...), auctions...)
	labels := []int32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}
	names, err := cluster.Names(texts, labels, 2, cluster.NameOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for theme, want := range []string{"3D scenes", "auctions"} {
		if !strings.Contains(names[theme].Label, want) {
			t.Errorf("theme %d is called %q, want %q in it", theme, names[theme].Label, want)
		}
		for _, part := range strings.Split(names[theme].Label, ", ") {
			held := 0
			for i, text := range texts {
				if labels[i] == int32(theme) && containsWords(text, part) {
					held++
				}
			}
			if held < 2 {
				t.Errorf("theme %d is called %q: %d of its papers speak of %q, want 2", theme, names[theme].Label, held, part)
			}
		}
	}
}

// containsWords says whether all words of a phrase stand in a text.
func containsWords(text, phrase string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(phrase)) {
		if !strings.Contains(strings.ToLower(text), word) {
			return false
		}
	}
	return true
}

// Where only one paper holds anything of its own, as in a theme of three that share
// nothing, a name is made of that.
func TestASmallThemeThatSharesNothingStillHasAName(t *testing.T) {
	texts := append([]string{scenes[0], auctions[0], "Coral bleaching. Coral bleaching follows warm water."}, auctions[1:]...)
	labels := []int32{0, 0, 0, 1, 1, 1, 1, 1}
	names, err := cluster.Names(texts, labels, 2, cluster.NameOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if names[0].Label == "" || names[0].Label == names[1].Label {
		t.Errorf("the themes are called %q and %q", names[0].Label, names[1].Label)
	}
}

// A term of most of a theme's papers may be in its name though another theme holds it
// more, where it is near in meaning; but no two themes have one name.
func TestALabelMayBorrowWhatMostOfItsPapersHold(t *testing.T) {
	for what, own := range map[string]float64{"beside its own": .8, "alone": .1} {
		t.Run(what, func(t *testing.T) { borrows(t, own) })
	}
}

// borrows looks at a theme of scenes and auctions beside one of auctions; own is how near
// scenes are to it.
func borrows(t *testing.T, own float64) {
	t.Helper()
	texts := append(append([]string{}, scenes...), auctions...)
	labels := []int32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}
	for i, text := range scenes {
		if i != 1 {
			texts[i] = text + " Auctions of it were held."
		}
	}
	near := func(terms []string) ([][]float64, error) {
		cosines := make([][]float64, len(terms))
		for i, term := range terms {
			cosines[i] = []float64{.1, .1}
			switch {
			case strings.Contains(term, "auction"):
				cosines[i] = []float64{.9, .3}
			case strings.Contains(term, "bidder"):
				cosines[i] = []float64{.1, .8}
			case strings.Contains(term, "3D"):
				cosines[i] = []float64{own, 0}
			}
		}
		return cosines, nil
	}
	names, err := cluster.Names(texts, labels, 2, cluster.NameOptions{Nearness: near})
	if err != nil {
		t.Fatal(err)
	}
	if names[0].Label == names[1].Label {
		t.Errorf("both themes are called %q", names[0].Label)
	}
	if both := strings.Contains(names[0].Label, "3D scenes") && strings.Contains(names[0].Label, "auctions"); own > .5 && !both {
		t.Errorf("the first theme is called %q, want it to borrow auctions", names[0].Label)
	}
	for _, term := range names[0].Terms[len(strings.Split(names[0].Label, ", ")):] {
		if term == "auctions" {
			t.Error("a borrowed term stands among those of the theme's own")
		}
	}
}

// sessions are four papers without a word in common, each of which speaks of a subject of
// its field, and four others.
var sessions = []string{
	"Paying for bytes. Sellers of records compete, and a Nash equilibrium need not exist. Sellers gain from a Nash equilibrium.",
	"The ladder of why. Which formulas of causal models are satisfiable is hard to say.",
	"Fast fits. Qubits speed linear regression up, by states that are sampled.",
	"Lags. Few coefficients of Gaussian processes are not zero in such series.",
	"Teeth of sharks. Sharks lose teeth, and reefs keep teeth of sharks.",
	"Reefs and sharks. Sharks hunt at night near reefs.",
	"Sharks near coasts. Coasts with reefs have more sharks.",
	"Reefs of old. Old reefs had other sharks.",
}

// nearSessions is as an encoder might have it: the subjects of the first theme are each near the
// paper that speaks of it, and the first also near the third.
func nearSessions(terms []string, papers []int32) ([][]float64, error) {
	nearest := map[string]int32{"Nash equilibrium": 0, "causal models": 1, "linear regression": 2, "Gaussian processes": 3}
	near := make([][]float64, len(terms))
	for i, term := range terms {
		near[i] = make([]float64, len(papers))
		for j, p := range papers {
			at, known := nearest[term]
			switch {
			case known && at == p:
				near[i][j] = .4 - .06*float64(p)
			case known && at == 0 && p == 2:
				near[i][j] = .1
			case strings.Contains(term, "shark") && p >= 4:
				near[i][j] = .3
			}
		}
	}
	return near, nil
}

// Papers that share no word are named by the subjects of their field that together are
// nearest to them, though each is in one paper; a word of one paper that no field has is
// none.
func TestPapersThatShareNothingAreNamedBySubjectsOfTheirField(t *testing.T) {
	opts := cluster.NameOptions{PaperNearness: nearSessions}
	names, err := cluster.Names(sessions, []int32{0, 0, 0, 0, 1, 1, 1, 1}, 2, opts)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names[0].Label, "Nash equilibrium, causal models, linear regression"; got != want {
		t.Errorf("the mixed theme is called %q, want %q", got, want)
	}
	if got := names[1].Label; !strings.Contains(got, "sharks") {
		t.Errorf("the other theme is called %q, want sharks in it", got)
	}
	for i, label := range strings.Split(names[0].Label, ", ") {
		if i >= len(names[0].Terms) || names[0].Terms[i] != label {
			t.Errorf("part %q of the label is not among the first terms %q", label, names[0].Terms)
		}
	}
	reversed := make([]string, len(sessions))
	for i, text := range sessions {
		reversed[len(sessions)-1-i] = text
	}
	again, err := cluster.Names(reversed, []int32{1, 1, 1, 1, 0, 0, 0, 0}, 2, cluster.NameOptions{
		PaperNearness: func(terms []string, papers []int32) ([][]float64, error) {
			places := make([]int32, len(papers))
			for i, p := range papers {
				places[i] = int32(len(sessions)) - 1 - p
			}
			return nearSessions(terms, places)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if again[0].Label != names[0].Label || again[1].Label != names[1].Label {
		t.Errorf("in another order the themes are called %q and %q, want %q and %q", again[0].Label, again[1].Label, names[0].Label, names[1].Label)
	}
}

// A name of more than one word keeps the capitals it has beside small letters, and a
// shouted title is not a name.
func TestCapitalsOfAPhraseOfOnePaper(t *testing.T) {
	texts := slices.Clone(sessions)
	texts[0] = "HIDDEN UNITS. What hidden Markov models say, hidden Markov models say twice."
	texts[1] = "ELECTRON MICROSCOPY of glass."
	near := func(terms []string, papers []int32) ([][]float64, error) {
		near := make([][]float64, len(terms))
		for i, term := range terms {
			near[i] = make([]float64, len(papers))
			for j, p := range papers {
				if strings.Contains(strings.ToLower(term), []string{"markov", "microscopy", "-", "-", "-", "-", "-", "-"}[p]) {
					near[i][j] = .3
				}
			}
		}
		return near, nil
	}
	names, err := cluster.Names(texts, []int32{0, 0, 0, 0, 1, 1, 1, 1}, 2, cluster.NameOptions{PaperNearness: near})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names[0].Label, "electron microscopy, hidden Markov models"; got != want {
		t.Errorf("the theme is called %q, want %q", got, want)
	}
}

// A theme that nothing tells from others, since there are none or they say the same, has
// terms like any other: what its papers say more than papers at large, or just say.
func TestNoThemeIsWithoutTerms(t *testing.T) {
	var field []string // as many of its papers hold these words as of all papers of biomedicine
	for i := range 60 {
		words := []string{"cells", "patients", "disease", "proteins"}
		field = append(field, fmt.Sprintf("We study %s. They are of interest. So are %s.", words[i%4], words[i*7%11%4]))
	}
	same := slices.Repeat([]string{"One text of auctions, bidders and budgets."}, 12)
	some, labels := invented(20, subjects...)
	for _, test := range []struct {
		name   string
		texts  []string
		labels []int32
		k      int
	}{
		{"one theme", some, make([]int32, len(some)), 1},
		{"one theme of what its field says", field, make([]int32, len(field)), 1},
		{"one theme that has papers", some, make([]int32, len(some)), 3},
		{"one text", same, make([]int32, len(same)), 1},
		{"one text, in three themes", same, []int32{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}, 3},
		{"a theme of each text", some[:20], labels[:20], 1},
		{"papers dealt out", some, dealt(len(some), 4), 4},
	} {
		names, err := cluster.Names(test.texts, test.labels, test.k, cluster.NameOptions{})
		if err != nil {
			t.Fatal(err)
		}
		seen := make(map[string]bool)
		terms := 0
		for theme, name := range names {
			parts := strings.Split(name.Label, ", ")
			if name.Label == "" || seen[name.Label] || len(parts) == 2 && strings.TrimSuffix(parts[0], "s") == strings.TrimSuffix(parts[1], "s") {
				t.Errorf("%s: theme %d is called %q", test.name, theme, name.Label)
			}
			seen[name.Label] = true
			terms += len(name.Terms)
			for _, term := range name.Terms {
				if seen["term "+term] {
					t.Errorf("%s: %q is a term of two themes", test.name, term)
				}
				seen["term "+term] = true
			}
		}
		if terms == 0 {
			t.Errorf("%s: no terms for %q", test.name, test.texts[0])
		}
		if test.k == 1 && len(names[0].Terms) < 3 {
			t.Errorf("%s: the terms %q, want more", test.name, names[0].Terms)
		}
	}
}

// dealt gives n papers one of k themes each, in turn.
func dealt(n, k int) []int32 {
	labels := make([]int32, n)
	for i := range labels {
		labels[i] = int32(i % k)
	}
	return labels
}
