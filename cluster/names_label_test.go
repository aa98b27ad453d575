package cluster_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/cluster"
)

// alike is a TermNearness that finds the given terms near each other and no others.
func alike(cosine float64, terms ...string) func([]string) ([][]float64, error) {
	return func(asked []string) ([][]float64, error) {
		all := make([][]float64, len(asked))
		for i, a := range asked {
			all[i] = make([]float64, len(asked))
			for j, b := range asked {
				switch {
				case i == j:
					all[i][j] = 1
				case slices.Contains(terms, a) && slices.Contains(terms, b):
					all[i][j] = cosine
				}
			}
		}
		return all, nil
	}
}

// What means the same does not stand twice in a label.
func TestALabelHasNoEcho(t *testing.T) {
	texts, labels := invented(20, []string{"tumour", "cancer", "metastasis"}, subjects[2])
	for _, c := range []struct {
		name   string
		cosine float64
		both   bool
	}{
		{"two words for one thing", .85, false},
		{"two things", .3, true},
	} {
		names, err := cluster.Names(texts, labels, 2, cluster.NameOptions{TermNearness: alike(c.cosine, "tumour", "cancer")})
		if err != nil {
			t.Fatal(err)
		}
		label := names[0].Label
		if got := strings.Contains(label, "tumour") && strings.Contains(label, "cancer"); got != c.both {
			t.Errorf("%s: got the label %q, both in it: %v, want %v", c.name, label, got, c.both)
		}
		if !strings.Contains(label, "metastasis") {
			t.Errorf("%s: got the label %q, want metastasis in it, which says something else", c.name, label)
		}
	}
}

func TestNearnessOfTermsOfAnotherShapeIsRefused(t *testing.T) {
	texts, labels := invented(20, subjects...)
	for name, near := range map[string]func([]string) ([][]float64, error){
		"too few terms": func([]string) ([][]float64, error) { return nil, nil },
		"too short a row": func(terms []string) ([][]float64, error) {
			return make([][]float64, len(terms)), nil
		},
	} {
		_, err := cluster.Names(texts, labels, 3, cluster.NameOptions{TermNearness: near})
		if err == nil || !strings.Contains(err.Error(), "nearness of") {
			t.Errorf("%s: got the error %v, want one with %q", name, err, "nearness of")
		}
	}
}

// A short form and the words before its definition are one part, though initials do not
// spell it; so are a word and its compound.
func TestALabelHasOneFormOfAThing(t *testing.T) {
	for name, c := range map[string]struct {
		sentences    map[string]int
		never, other string
	}{
		"short form": {map[string]int{"The glioblastoma (GBM) grows": 4, "A glioblastoma is seen": 9, "A GBM is seen": 10}, "GBM", "glioblastoma"},
		"compound":   {map[string]int{"The kinase binds": 10, "The 3-kinase binds": 10}, "3-kinase", "kinase"},
		"stem":       {map[string]int{"In hematopoiesis": 10, "The hematopoietic stem cells divide": 10}, "hematopoiesis", "hematopoietic stem cells"},
	} {
		label := nameOf(t, about(c.sentences)).Label
		if parts := strings.Split(label, ", "); slices.Contains(parts, c.never) && slices.Contains(parts, c.other) {
			t.Errorf("%s: got the label %q, which has %q and %q", name, label, c.never, c.other)
		}
	}
}

// Capitals are those of most uses inside sentences; a title in capitals says nothing of
// them, and the letter of a name keeps its own.
func TestCapitalsAreThoseInsideSentences(t *testing.T) {
	for want, sentences := range map[string]map[string]int{
		"Late Cretaceous":  {"We dig in the Late Cretaceous": 8, "It is late": 3},
		"gradient descent": {"Gradient Descent Under Constraints. We use it": 4, "We use gradient descent": 3},
		"vitamin D":        {"It is vitamin D": 8, "On day 5 d we rest": 9, "At 4 °C for 5 d in C": 3},
	} {
		if name := nameOf(t, about(sentences)); !slices.Contains(name.Terms, want) {
			t.Errorf("got the terms %q, want %q among them", name.Terms, want)
		}
	}
}

// What is counted is named in the plural, what is not in the singular.
func TestTheNumberOfATerm(t *testing.T) {
	for want, sentences := range map[string]map[string]int{
		"diffusion models": {"A diffusion model is trained": 6, "The diffusion models are trained": 5},
		"chromatin":        {"The chromatin opens": 14, "The chromatins open": 1},
	} {
		if name := nameOf(t, about(sentences)); !slices.Contains(name.Terms, want) {
			t.Errorf("got the terms %q, want %q among them", name.Terms, want)
		}
	}
}

// How a study is made does not name a theme, but a kind of paper may.
func TestTheFrameOfAStudyIsNoName(t *testing.T) {
	name := nameOf(t, about(map[string]int{
		"These are the inclusion criteria": 12, "A systematic review of malaria is at hand": 12, "It is malaria": 9, "It is in Cochrane databases": 7,
	}))
	for _, frame := range []string{"criteria", "Cochrane"} {
		if strings.Contains(name.Label, frame) {
			t.Errorf("got the label %q, want no %q in it", name.Label, frame)
		}
	}
	for _, want := range []string{"systematic reviews", "malaria"} {
		if !strings.Contains(name.Label, want) {
			t.Errorf("got the label %q, want %q in it", name.Label, want)
		}
	}
}

// A theme under another does not say again what that one is called, unless it holds that
// more than its siblings do.
func TestASubthemeDoesNotRepeatItsParent(t *testing.T) {
	texts, labels := invented(20, []string{"tumour", "melanoma"}, []string{"tumour", "chemotherapy"}, subjects[2], []string{"malaria", "mosquito"})
	opts := cluster.NameOptions{Parents: []int32{0, 0, 1, 1}, Above: []string{"tumours", "malaria, protein folding"}}
	names, err := cluster.Names(texts, labels, 4, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names[:2] {
		if strings.Contains(name.Label, "tumour") {
			t.Errorf("got the label %q under tumours", name.Label)
		}
	}
	if !strings.Contains(names[3].Label, "malaria") {
		t.Errorf("got the label %q, want malaria, which its siblings do not hold", names[3].Label)
	}
}

// The part that two labels share does not begin both.
func TestALabelBeginsWithWhatIsItsOwn(t *testing.T) {
	texts, labels := invented(20, []string{"dinosaur", "feather"}, []string{"dinosaur", "creationism"})
	near := func(terms []string) ([][]float64, error) {
		cosines := make([][]float64, len(terms))
		for i, term := range terms {
			cosines[i] = []float64{0.4, 0.1}
			switch {
			case strings.HasPrefix(term, "creationism"):
				cosines[i] = []float64{0.1, 0.4}
			case strings.HasPrefix(term, "dinosaur"):
				cosines[i] = []float64{0.5, 0.1}
			}
		}
		return cosines, nil
	}
	names, err := cluster.Names(texts, labels, 2, cluster.NameOptions{Nearness: near})
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(names[0].Label, ",")
	other, _, _ := strings.Cut(names[1].Label, ",")
	if first == other {
		t.Errorf("the themes are called %q and %q", names[0].Label, names[1].Label)
	}
}

// A subject that stands only in the name of one paper's own method is not what the paper
// is about.
func TestTheNameOfAMethodIsNoSubject(t *testing.T) {
	for _, c := range []struct {
		name, sentence string
		want           bool
	}{
		{"in a longer name", "A fix. We call it Doubly Averaged Gradient Descent.", false},
		{"in words", "A fix. We call it fast gradient descent.", true},
	} {
		texts := slices.Clone(sessions)
		texts[2] = c.sentence
		near := func(terms []string, papers []int32) ([][]float64, error) {
			near := make([][]float64, len(terms))
			for i, term := range terms {
				near[i] = make([]float64, len(papers))
				for j, p := range papers {
					if strings.EqualFold(term, "gradient descent") && p == 2 || p > 3 {
						near[i][j] = .4
					}
				}
			}
			return near, nil
		}
		names, err := cluster.Names(texts, []int32{0, 0, 0, 0, 1, 1, 1, 1}, 2, cluster.NameOptions{PaperNearness: near})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.ToLower(names[0].Label), "gradient descent"); got != c.want {
			t.Errorf("%s: got the label %q, gradient descent in it: %v, want %v", c.name, names[0].Label, got, c.want)
		}
	}
}

// What is a part of a longer phrase, for papers at large, stays one, though here the
// longer phrase is rare.
func TestAPartOfALongerPhraseIsNoTerm(t *testing.T) {
	name := nameOf(t, about(map[string]int{"The care unit is full": 9, "An intensive care unit is full": 3, "The marrow is red": 9}))
	for _, part := range []string{"care unit", "care units", "marrow"} {
		if slices.Contains(name.Terms, part) {
			t.Errorf("got the terms %q: %q is a part of a name", name.Terms, part)
		}
	}
}

// A model organism of few of a theme's papers does not come before what they study.
func TestAModelOrganismCountsHalf(t *testing.T) {
	sentences := map[string]int{"The ribosomes of yeast are seen": 8, "The ribosomes are seen": 3, "A telomere is seen": 8}
	name := nameOf(t, about(sentences))
	yeast, ribosome := slices.Index(name.Terms, "yeast"), slices.Index(name.Terms, "ribosomes")
	if ribosome < 0 || yeast >= 0 && yeast < ribosome {
		t.Errorf("got the terms %q, want ribosomes before yeast", name.Terms)
	}
}

// The attribute of a noun says it again.
func TestANounAndItsAttributeAreOnePart(t *testing.T) {
	label := nameOf(t, about(map[string]int{"A virus is seen": 9, "The viral replication is slow": 9, "A vaccine is given": 9})).Label
	if strings.Contains(label, "virus") && strings.Contains(label, "viral") {
		t.Errorf("got the label %q, which has virus and viral", label)
	}
}

// A word that mostly stands in the middle of longer terms is no part of a label.
func TestAWordInTheMiddleIsNoPart(t *testing.T) {
	texts := about(map[string]int{"The red sandstone bed is thick": 4, "The old sandstone bed is thin": 4, "The grey sandstone cliff is high": 4, "A fossil is dug": 8})
	if label := nameOf(t, texts).Label; slices.Contains(strings.Split(label, ", "), "sandstone") {
		t.Errorf("got the label %q, want no sandstone alone in it", label)
	}
}

// Attributes are no parts of a label; a short form that mostly stands before other words
// is one.
func TestHeadsOfLabels(t *testing.T) {
	for name, c := range map[string]struct {
		sentences map[string]int
		part      string
		want      bool
	}{
		"of four letters": {map[string]int{"We care for the aged": 9, "A hospice is built": 9}, "aged", false},
		"at an end once":  {map[string]int{"The compact manifold is seen": 9, "It is compact": 1, "A fibration is built": 9}, "compact", false},
		"a short form":    {map[string]int{"An mRNA vaccine": 3, "An mRNA pool": 3, "An mRNA array": 3, "It is mRNA": 1, "A fibration is built": 5}, "mRNA", true},
	} {
		label := nameOf(t, about(c.sentences)).Label
		if got := slices.Contains(strings.Split(label, ", "), c.part); got != c.want {
			t.Errorf("%s: got the label %q, %q in it: %v, want %v", name, label, c.part, got, c.want)
		}
	}
}

// A further part that is far from the theme in meaning is left out.
func TestAFarPartIsLeftOut(t *testing.T) {
	texts, labels := invented(20, []string{"antibiotic", "Salmonella", "particle"}, subjects[2])
	for far, want := range map[float64]bool{.02: false, .4: true} {
		near := func(terms []string) ([][]float64, error) {
			cosines := make([][]float64, len(terms))
			for i, term := range terms {
				cosines[i] = []float64{.5, 0}
				if strings.HasPrefix(term, "particle") {
					cosines[i][0] = far
				}
			}
			return cosines, nil
		}
		names, err := cluster.Names(texts, labels, 2, cluster.NameOptions{Nearness: near})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(names[0].Label, "particle"); got != want {
			t.Errorf("at %.2f: got the label %q, particle in it: %v, want %v", far, names[0].Label, got, want)
		}
	}
}

// A short form is the term that it stands for, also where coherence is measured.
func TestCoherenceKnowsShortForms(t *testing.T) {
	texts := about(map[string]int{
		"The human immunodeficiency virus (HIV) spreads in Africa": 4, "In Africa HIV spreads": 5, "Rain falls": 5,
	})
	short := cluster.Coherence(texts, [][]string{{"HIV", "Africa"}})
	long := cluster.Coherence(texts, [][]string{{"human immunodeficiency virus", "Africa"}})
	if short != long || short < .9 {
		t.Errorf("got %.3f with the short form, %.3f with the long one, want the same, near 1", short, long)
	}
}
