package cluster_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/cluster"
)

// invented makes n texts about each subject: sentences that say its phrases among
// phrases that all papers use.
func invented(n int, subjects ...[]string) (texts []string, labels []int32) {
	common := []string{
		"we propose a novel method and show significant results",
		"experiments demonstrate state-of-the-art performance on benchmark datasets",
		"the study suggests an important role of this approach",
		"code is available at https://example.org/code",
		"previous work has considered large amounts of data",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for theme, phrases := range subjects {
		for range n {
			var b strings.Builder
			for range 4 {
				fmt.Fprintf(&b, "In this paper the %s is considered. ", phrases[rng.IntN(len(phrases))])
				fmt.Fprintf(&b, "Here %s. ", common[rng.IntN(len(common))])
			}
			texts = append(texts, b.String())
			labels = append(labels, int32(theme))
		}
	}
	return texts, labels
}

var subjects = [][]string{
	{"graph neural network", "graph neural networks", "link prediction", "node embedding"},
	{"reinforcement learning (RL)", "RL", "policy gradient", "reward function"},
	{"protein folding", "amino acid sequence", "protein structure", "molecular dynamics"},
}

func TestNamesAreOfTheThemesOwnWords(t *testing.T) {
	texts, labels := invented(20, subjects...)
	names, err := cluster.Names(texts, labels, 3, cluster.NameOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for theme, want := range []string{"graph neural network", "reinforcement learning", "protein"} {
		if !strings.Contains(strings.Join(names[theme].Terms, ", "), want) {
			t.Errorf("theme %d: got the terms %q, want %q among them", theme, names[theme].Terms, want)
		}
	}
	for _, name := range names {
		if strings.Contains(name.Label, "code") {
			t.Errorf("got the label %q: code comes with any paper", name.Label)
		}
		for _, term := range append([]string{name.Label}, name.Terms...) {
			for _, bad := range []string{"propose", "novel", "state-of-the-art", "significant", "experiment", "paper", "http", "the ", " of", "approach"} {
				if strings.Contains(" "+term+" ", bad) {
					t.Errorf("got the term %q: %q is boilerplate", term, bad)
				}
			}
		}
	}
}

func TestAShortFormCountsForItsLongForm(t *testing.T) {
	texts, labels := invented(20, subjects...)
	names, err := cluster.Names(texts, labels, 3, cluster.NameOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, term := range names[1].Terms {
		if strings.Contains(term, "RL") {
			t.Errorf("got the term %q: want the long form only", term)
		}
	}
}

func TestNamesAreFreeOfOrder(t *testing.T) {
	texts, labels := invented(15, subjects...)
	want, err := cluster.Names(texts, labels, 3, cluster.NameOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(3) {
		order := rand.New(rand.NewPCG(seed, 3)).Perm(len(texts))
		otherTexts, otherLabels := make([]string, len(texts)), make([]int32, len(texts))
		for i, from := range order {
			otherTexts[i], otherLabels[i] = texts[from], labels[from]
		}
		got, err := cluster.Names(otherTexts, otherLabels, 3, cluster.NameOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("another order (-want +got):\n%s", diff)
		}
	}
}

func TestNoTermAndNoLabelTwice(t *testing.T) {
	texts, labels := invented(20, subjects...)
	for i := range labels { // themes that have nothing of their own
		labels[i] = int32(i % 5)
	}
	names, err := cluster.Names(texts, labels, 5, cluster.NameOptions{})
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for theme, name := range names {
		if name.Label == "" || seen[name.Label] {
			t.Errorf("theme %d: got the label %q: want one, and each once", theme, name.Label)
		}
		seen[name.Label] = true
		if slices.ContainsFunc(name.Terms, func(s string) bool { return seen["term "+s] }) {
			t.Errorf("theme %d shares a term of %q", theme, name.Terms)
		}
		for _, term := range name.Terms {
			seen["term "+term] = true
		}
	}
}

func TestNamesOfOddTexts(t *testing.T) {
	same := strings.Repeat("Copies of one text about tidal energy. ", 3)
	for name, test := range map[string]struct {
		texts  []string
		labels []int32
		k      int
	}{
		"no papers":              {nil, nil, 0},
		"a theme without papers": {[]string{"tidal energy"}, []int32{0}, 2},
		"one paper":              {[]string{"Tidal energy and its storage."}, []int32{0}, 1},
		"empty texts":            {make([]string, 6), []int32{0, 0, 0, 1, 1, 1}, 2},
		"copies in two themes":   {[]string{same, same, same, same}, []int32{0, 0, 1, 1}, 2},
		"papers of no theme":     {[]string{"tidal energy", "tidal energy"}, []int32{-1, -1}, 1},
		"not a word":             {[]string{"12 34 !!", "56 \xff\xfe 78"}, []int32{0, 1}, 2},
		"another script": {[]string{"量子コンピュータの誤り訂正", "量子アルゴリズムの研究", "Квантовые вычисления и коды", "Квантовые алгоритмы"},
			[]int32{0, 0, 1, 1}, 2},
		"another language": {[]string{
			"Die Untersuchung der Windenergie und der Speicher zeigt, dass Windenergie an der Küste wächst.",
			"Windenergie und Speicher an der Küste: eine Untersuchung.",
			"Der Einfluss der Ernährung auf den Schlaf von Kindern.",
			"Schlaf und Ernährung: eine Studie mit Kindern."}, []int32{0, 0, 1, 1}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			names, err := cluster.Names(test.texts, test.labels, test.k, cluster.NameOptions{})
			if err != nil {
				t.Fatal(err)
			}
			labels := make(map[string]bool)
			for theme, n := range names {
				if n.Label == "" || labels[n.Label] {
					t.Errorf("theme %d: got the label %q: want one, and each once", theme, n.Label)
				}
				labels[n.Label] = true
			}
		})
	}
}

func TestSubThemesAreToldFromTheirSiblings(t *testing.T) {
	texts, labels := invented(20,
		[]string{"neural network pruning", "sparse neural network"}, []string{"neural network training", "learning rate schedule"},
		[]string{"protein folding", "protein structure"}, []string{"gene regulation", "gene expression profile"})
	names, err := cluster.Names(texts, labels, 4, cluster.NameOptions{Parents: []int32{0, 0, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(names[0].Label, "pruning") || !strings.Contains(names[1].Label, "training") && !strings.Contains(names[1].Label, "learning rate") {
		t.Errorf("got %q and %q, want what tells one from the other", names[0].Label, names[1].Label)
	}
}

func TestAMixedThemeShowsTwoTermsOnly(t *testing.T) {
	texts, labels := invented(20, subjects...)
	names, err := cluster.Names(texts, labels, 3, cluster.NameOptions{Fits: []float32{0.1, 0.6, 0.6}})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(names[0].Label, ","); n > 1 {
		t.Errorf("got the label %q, want two terms at most", names[0].Label)
	}
}

func TestCoherenceAndDiversity(t *testing.T) {
	texts := []string{"alpha beta", "beta alpha", "gamma", "gamma delta"}
	for name, test := range map[string]struct {
		themes             [][]string
		coherence, diverse float64
	}{
		"always together": {[][]string{{"alpha", "beta"}}, 1, 1},
		"never together":  {[][]string{{"alpha", "gamma"}}, -1, 1},
		"repeated":        {[][]string{{"alpha", "beta"}, {"alpha", "beta"}}, 1, 0.5},
		"none":            {nil, 0, 1},
	} {
		if got := cluster.Coherence(texts, test.themes); got != test.coherence {
			t.Errorf("%s: got coherence %v, want %v", name, got, test.coherence)
		}
		if got := cluster.Diversity(test.themes); got != test.diverse {
			t.Errorf("%s: got diversity %v, want %v", name, got, test.diverse)
		}
	}
}

// near is a Nearness that finds the given terms near the theme and no others.
func near(k, theme int, terms ...string) func([]string) ([][]float64, error) {
	return func(asked []string) ([][]float64, error) {
		all := make([][]float64, len(asked))
		for i, term := range asked {
			all[i] = make([]float64, k)
			if slices.Contains(terms, term) {
				all[i][theme] = 0.5
			}
		}
		return all, nil
	}
}

func TestTermsNearInMeaningComeFirst(t *testing.T) {
	texts, labels := invented(20, subjects...)
	plain, err := cluster.Names(texts, labels, 3, cluster.NameOptions{})
	if err != nil {
		t.Fatal(err)
	}
	last := plain[2].Terms[len(plain[2].Terms)-1]
	weighed, err := cluster.Names(texts, labels, 3, cluster.NameOptions{Nearness: near(3, 2, last)})
	if err != nil {
		t.Fatal(err)
	}
	if got := weighed[2].Terms[0]; got != last {
		t.Errorf("got %q first, want %q, the only one near the theme (without nearness: %q)", got, last, plain[2].Terms)
	}
	if diff := cmp.Diff(plain[:2], weighed[:2]); diff != "" {
		t.Errorf("where no term is near, the names change (-want +got):\n%s", diff)
	}
}

func TestNearnessOfAnotherShapeIsRefused(t *testing.T) {
	texts, labels := invented(20, subjects...)
	broken := errors.New("the encoder is gone")
	for _, c := range []struct {
		name string
		near func([]string) ([][]float64, error)
		want string
	}{
		{"an error", func([]string) ([][]float64, error) { return nil, broken }, "the encoder is gone"},
		{"too few terms", func([]string) ([][]float64, error) { return nil, nil }, "nearness of"},
		{"too few themes", near(2, 0), "to 2 themes of 3"},
	} {
		_, err := cluster.Names(texts, labels, 3, cluster.NameOptions{Nearness: c.near})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got the error %v, want one with %q", c.name, err, c.want)
		}
	}
}

func TestOneThemeIsNamedByNearness(t *testing.T) {
	texts, labels := invented(20, subjects[0])
	names, err := cluster.Names(texts, labels, 1, cluster.NameOptions{Nearness: near(1, 0, "link prediction")})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(names[0].Label, "link prediction") {
		t.Errorf("got the label %q, want link prediction first", names[0].Label)
	}
}

func TestALabelSaysNothingTwice(t *testing.T) {
	for _, c := range []struct{ name, one, other string }{
		{"British and American", "tumour growth rate", "tumors in mice"},
		{"plural in -es", "virus load", "viruses in mice"},
		{"cut short", "microRNA in cells", "miRNA in mice"},
	} {
		texts, labels := invented(20, []string{c.one, c.other}, subjects[1])
		names, err := cluster.Names(texts, labels, 2, cluster.NameOptions{})
		if err != nil {
			t.Fatal(err)
		}
		first, second := strings.Fields(c.one)[0], strings.Fields(c.other)[0]
		if l := names[0].Label; strings.Contains(l, first) && strings.Contains(l, second) {
			t.Errorf("%s: got the label %q, which says it twice", c.name, l)
		}
	}
}

// about makes texts of the given sentences, each in as many papers as it says.
func about(sentences map[string]int) (texts []string) {
	for _, sentence := range slices.Sorted(maps.Keys(sentences)) {
		for i := range sentences[sentence] {
			texts = append(texts, fmt.Sprintf("%s. Sample %d of %d was %s.", sentence, i, i+1, []string{"warm", "cold", "wet"}[i%3]))
		}
	}
	return texts
}

// nameOf names a theme of the given texts beside one about protein folding.
func nameOf(t *testing.T, texts []string) cluster.Name {
	t.Helper()
	others, _ := invented(20, subjects[2])
	labels := make([]int32, len(texts)+len(others))
	for i := range others {
		labels[len(texts)+i] = 1
	}
	names, err := cluster.Names(append(texts, others...), labels, 2, cluster.NameOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return names[0]
}

func TestTermsAreWrittenAsTheThemesPapersWriteThem(t *testing.T) {
	for _, c := range []struct {
		name      string
		sentences map[string]int
		want      string
		never     string
	}{
		{"a short form that most write", map[string]int{
			"The human immunodeficiency virus (HIV) is treated": 2, "Here HIV is treated in the clinic": 10,
		}, "HIV", "human immunodeficiency virus"},
		{"a short form that stands for two things", map[string]int{
			"The glomerular basement membrane (GBM) is thick": 2, "The glioblastoma (GBM) grows": 6, "A GBM, in short, is seen": 6,
		}, "GBM", "glomerular"},
		{"a phrase that nobody writes", map[string]int{
			"The human immunodeficiency virus (HIV) is treated": 5, "The HIV epidemic is old": 6,
		}, "HIV epidemic", "human immunodeficiency virus epidemic"},
		{"in the number of most heads", map[string]int{
			"The star formation of the galaxy star catalogue is slow": 5, "We look at stars": 6,
		}, "stars", "star"},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := nameOf(t, about(c.sentences))
			if !slices.Contains(name.Terms, c.want) {
				t.Errorf("got the terms %q, want %q among them", name.Terms, c.want)
			}
			if slices.Contains(name.Terms, c.never) {
				t.Errorf("got the terms %q, want no %q", name.Terms, c.never)
			}
		})
	}
}

func TestAPhraseThatGoesOnIsNoTerm(t *testing.T) {
	name := nameOf(t, about(map[string]int{
		"An induced pluripotent stem cell is kept": 9, "The induced pluripotent stem is rare": 1, "A cell is kept": 4, "One cell divides": 3,
	}))
	if slices.Contains(name.Terms, "induced pluripotent stem") {
		t.Errorf("got the terms %q: the cell is missing", name.Terms)
	}
}

func TestTermsSayNothingTwice(t *testing.T) {
	name := nameOf(t, about(map[string]int{
		"Malaria is old": 8, "Malaria transmission is slow": 5, "The neurons fire": 6, "The neuron fires": 3, "A neuronal is odd": 3,
		"The T cells fire": 5, "The T-cell is odd": 3,
	}))
	for _, pair := range [][2]string{{"malaria", "malaria transmission"}, {"neurons", "neuronal"}, {"T cells", "T-cell"}} {
		if slices.Contains(name.Terms, pair[0]) && slices.Contains(name.Terms, pair[1]) {
			t.Errorf("got the terms %q: %q and %q say the same", name.Terms, pair[0], pair[1])
		}
	}
}

func TestALabelSpeaksForItsTheme(t *testing.T) {
	name := nameOf(t, about(map[string]int{
		"A malaria vaccine is tried": 40, "A mosquito net is hung": 30, "The parasite is seen": 20, "A discrete dipole approximation converges": 2,
	}))
	if strings.Contains(name.Label, "dipole") {
		t.Errorf("got the label %q: two of 92 papers are on dipoles", name.Label)
	}
	if got := strings.Split(name.Label, ", "); !slices.Equal(got, name.Terms[:len(got)]) {
		t.Errorf("got the label %q and the terms %q: want the label's first", got, name.Terms)
	}
}

// A text is read in its own language: words of grammar are no part of a name, and
// English ones that are words of grammar elsewhere may be.
func TestNamesInOtherLanguages(t *testing.T) {
	texts := []string{
		"Die Ermüdung der Rotorblätter in der Windkraftanlage. Wir zeigen, dass die Rotorblätter auf hoher See ermüden.",
		"Über die Rotorblätter und den Turm einer Windkraftanlage. Die Rotorblätter werden auf See durch die Wellen belastet.",
		"L'étude des abeilles et de la ruche. Nous montrons que les abeilles de la ruche vivent dans l'eau.",
		"Une analyse de la ruche et des abeilles. Les abeilles sont dans la ruche avec la reine.",
		"La subasta de primer precio en los mercados. Se muestra que la subasta es eficiente para los mercados.",
		"Los mercados y la subasta. El precio de la subasta en los mercados es más bajo.",
		"Cells die as the dose goes up. The die casting of cells is due to the dose.",
		"The dose at which cells die. A dose of the cells that die.",
	}
	names, err := cluster.Names(texts, []int32{0, 0, 1, 1, 2, 2, 3, 3}, 4, cluster.NameOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for theme, want := range []string{"Rotorblätter", "abeilles", "subasta", "dose"} {
		if !strings.Contains(strings.ToLower(names[theme].Label), strings.ToLower(want)) {
			t.Errorf("theme %d is called %q, want %q in it", theme, names[theme].Label, want)
		}
		for _, term := range append(names[theme].Terms, names[theme].Label) {
			for _, word := range strings.Fields(strings.ToLower(strings.ReplaceAll(term, ",", ""))) {
				if theme < 3 && slices.Contains([]string{"die", "der", "auf", "und", "l", "la", "les", "de", "dans", "l'étude", "el", "los", "en", "se", "es"}, word) {
					t.Errorf("theme %d: the term %q holds the word of grammar %q", theme, term, word)
				}
			}
		}
	}
}
