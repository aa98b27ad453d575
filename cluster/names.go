package cluster

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// NameOptions are the choices of [Names]; the zero value works.
type NameOptions struct {
	// Parents gives each theme's theme in the level above: its name then tells it from
	// its siblings as well as from everything. nil: there is no level above.
	Parents []int32
	// Above are the labels of the themes of the level above, by their number: what stands
	// there is not said again. nil: it may be.
	Above []string
	// Fits are the mean fits of the themes ([Theme.Fit]); a mixed theme gets two terms
	// only. nil: not known.
	Fits []float32
	// Background returns the share (0 to 1) of papers at large that hold a term: lower
	// case, plurals folded, a space between words. nil: the bundled table of computer
	// science and biomedicine.
	Background func(term string) float64
	// Nearness returns the cosine of each term, read as a text, with the mean vector of
	// each theme: [len(terms)][k]. It is asked once. nil: terms are judged by who holds
	// them alone.
	Nearness func(terms []string) ([][]float64, error)
	// TermNearness returns the cosine of each term with each other, both read as texts:
	// [len(terms)][len(terms)]. It is asked once for each theme; what means the same does
	// not stand twice in a label then. nil: labels are told by their words alone.
	TermNearness func(terms []string) ([][]float64, error)
	// PaperNearness returns how much nearer each term, read as a text, is to each of some
	// papers (their places in texts, all of one theme) than to those of other themes: the
	// cosine less the mean cosine with those, [len(terms)][len(papers)]. It is asked once
	// for each theme of up to 15 papers. nil: such a theme is named like a larger one.
	PaperNearness func(terms []string, papers []int32) ([][]float64, error)
}

// Name is what a theme is called.
type Name struct {
	Label string   // up to three terms, "graph neural networks, link prediction"; no two themes have the same
	Terms []string // up to ten, the most telling first; no two themes share one
}

// How names are made.
const (
	shownTerms       = 10
	consideredTerms  = 50 // of a theme, the best
	labelTerms       = 3
	labelTermsMixed  = 2
	mixedFit         = 0.25 // mean fit below which a theme is mixed
	leastShare       = 0.08 // of a theme's papers that hold a term
	leastSharePhrase = 0.04 // the same of a phrase
	leastLift        = 1.5  // how many times as common inside as outside a term is, at least
	fewPapers        = 8    // in a theme of no more, a term of one paper will do
	wordBonus        = 0.25 // of the score, for each word of a phrase after the first
	weakFactor       = 0.5  // of the score, for a word that all fields use, and for a model organism of less than half of the papers
	outsidePapers    = 30   // papers at large that are counted with those outside
	insidePapers     = 1    // and with those inside
	replaceShare     = 0.5  // of a term's papers: a phrase around it with so many takes its place
	labelReplace     = 0.5  // the same for a single word in a label
	labelScore       = 0.1  // of the best term's score
	leastHead        = 0.2  // how often a phrase ends its run, at least
	labelHead        = 0.05 // how often a word of a label ends its run, at least: adjectives hardly do
	labelUses        = 4    // of a word of more uses that ends a run once, has no plural and is no name, that is chance
	labelHeadMass    = 0.1  // and one that has no plural and is no name
	labelHeadPhrase  = 0.3  // and a phrase: "pre-trained language" goes on
	labelPhrase      = 1.15 // of a phrase's score in a label
	labelLift        = 3    // how many times as common inside as outside a word of all fields is, at least
	labelShare       = 0.1  // of a theme's papers that hold a part of its label
	labelHeld        = 3    // papers at least
	labelHeldFew     = 2    // in a theme of fewPapers
	smallTheme       = 15   // papers: the terms of its label are also near it in meaning
	labelNear        = 0.35 // of the nearest term's nearness
	labelFar         = 0.2  // the same, in a theme of any size: a further part is as near
	wideNear         = 0.8  // the same for a word of all fields
	borrowShare      = 0.7  // of a theme's papers: a term of so many may be in its label though it is another theme's
	borrowNear       = 0.7  // if it is so near
	labelTail        = 0.8  // how often a name that ends longer names has another word before it, at least
	labelFresh       = 0.6  // of a further term's score: as much as its papers are new to the label
	leastNearness    = 0.05 // of the nearest term's: a term farther away counts as that near
	coherence        = 3    // weight of the mean NPMI with the terms chosen so far
	properShare      = 0.7  // of its occurrences: a word with a capital in so many is a name
	properTimes      = 3    // and so many times
)

// Names names k themes from the texts of their papers (cleaned of mark-up: title and
// abstract) and each paper's theme (0 to k-1; negative: none).
//
// A theme's terms are the words and phrases that many of its papers and few others
// hold: p ln(p / q) for shares p inside and q outside, the part of the
// Kullback-Leibler divergence that the term adds; with opts.Nearness also those that
// mean what the theme's papers mean. Texts of any order give the same names.
//
// Cost: O(words), of at most 20,000 papers or 300 a theme; which those are, [ToRead] tells.
func Names(texts []string, labels []int32, k int, opts NameOptions) ([]Name, error) {
	if len(texts) != len(labels) {
		return nil, fmt.Errorf("naming themes: %d texts and %d labels: want as many", len(texts), len(labels))
	}
	if opts.Parents != nil && len(opts.Parents) != k || opts.Fits != nil && len(opts.Fits) != k {
		return nil, fmt.Errorf("naming themes: %d parents and %d fits for %d themes", len(opts.Parents), len(opts.Fits), k)
	}
	for i, label := range labels {
		if int(label) >= k {
			return nil, fmt.Errorf("naming themes: paper %d is in theme %d of %d", i, label, k)
		}
	}
	n := newNaming(texts, labels, k, opts)
	n.assign()
	n.write()
	all := make([][]candidate, k)
	for theme := range all {
		all[theme] = n.candidates(theme)
	}
	if opts.Background == nil && n.ofItsField(all) {
		opts.Background = readBundled().elsewhere
		return Names(texts, labels, k, opts)
	}
	if opts.Nearness != nil {
		if err := n.weighNearness(all); err != nil {
			return nil, fmt.Errorf("naming themes: %w", err)
		}
	}
	if opts.PaperNearness != nil {
		if err := n.findSubjects(); err != nil {
			return nil, fmt.Errorf("naming themes: %w", err)
		}
	}
	if opts.TermNearness != nil {
		if err := n.findEchoes(all); err != nil {
			return nil, fmt.Errorf("naming themes: %w", err)
		}
	}
	return n.named(all), nil
}

// named chooses each theme's label and terms among its candidates.
func (n *naming) named(all [][]candidate) []Name {
	names := make([]Name, n.k)
	labels := make([][]int, n.k)
	n.above = n.partsAbove()
	used := make(map[string]int)
	for theme, list := range all {
		labels[theme] = n.label(theme, list)
		names[theme].Label = strings.Join(n.shown(labels[theme]), ", ")
		used[names[theme].Label]++
	}
	n.order(labels)
	for theme, list := range all {
		names[theme].Label = strings.Join(n.shown(labels[theme]), ", ")
		if used[names[theme].Label] > 1 { // what it borrowed does not tell it from the owner
			list = slices.DeleteFunc(list, func(c candidate) bool { return c.borrowed })
			if n.subjects != nil {
				n.subjects[theme] = slices.DeleteFunc(n.subjects[theme], func(s subject) bool { return s.borrowed })
			}
			labels[theme] = n.label(theme, list)
			names[theme].Label = strings.Join(n.shown(labels[theme]), ", ")
		}
		names[theme].Terms = n.shown(n.coherent(labels[theme], list))
	}
	n.spare(names)
	return names
}

// order puts the parts of labels last that stand in other labels too, of themes with the
// same parent: a name begins with what is its own.
func (n *naming) order(labels [][]int) {
	type part struct{ parent, term int }
	in := make(map[part]int)
	of := func(theme, t int) part {
		if n.opts.Parents == nil {
			return part{0, t}
		}
		return part{int(n.opts.Parents[theme]), t}
	}
	for theme, label := range labels {
		for _, t := range label {
			in[of(theme, t)]++
		}
	}
	for theme, label := range labels {
		slices.SortStableFunc(label, func(a, b int) int {
			return cmp.Compare(min(in[of(theme, a)], 2), min(in[of(theme, b)], 2))
		})
	}
}

// naming is the state of one call of Names.
type naming struct {
	v       *vocabulary
	opts    NameOptions
	k       int
	paper   []int32   // each paper read: its place in the texts
	theme   []int32   // of each paper read
	read    []float64 // papers read, by theme
	size    []float64 // papers, by theme
	terms   []*term
	counts  [][]int32   // of each term, by theme: papers read that hold it
	masses  [][]float64 // and the sum of their weights
	display []string
	best    []int     // the theme of each term, -1: none
	score   []float64 // of each term in that theme
	// subjects are the terms that may be in the label of each small theme; nil: not known.
	subjects [][]subject
	above    []map[string]bool // the parts of each theme's parent's label, by their keys
	// echoes tell which terms mean the same; nil: not known.
	echoes []echoes
}

func newNaming(texts []string, labels []int32, k int, opts NameOptions) *naming {
	n := &naming{opts: opts, k: k, read: make([]float64, k), size: make([]float64, k)}
	var chosen []string
	for _, i := range toRead(texts, labels, k) {
		chosen = append(chosen, texts[i])
		n.paper = append(n.paper, i)
		n.theme = append(n.theme, labels[i])
		n.read[labels[i]]++
	}
	for _, label := range labels {
		if label >= 0 {
			n.size[label]++
		}
	}
	n.v = readVocabulary(chosen)
	table := readBundled()
	share := opts.Background
	if share == nil {
		share = table.background(n.v.shares())
	}
	n.terms = n.v.terms(share, table.common)
	n.join(share)
	if opts.PaperNearness != nil {
		n.knownPhrases(share)
	}
	parts := table.parts()
	for _, t := range n.terms {
		t.part = parts[t.key]
	}
	n.counts, n.masses = make([][]int32, len(n.terms)), make([][]float64, len(n.terms))
	for t, term := range n.terms {
		n.counts[t], n.masses[t] = make([]int32, k), make([]float64, k)
		for i, p := range term.papers {
			n.counts[t][n.theme[p]]++
			n.masses[t][n.theme[p]] += float64(term.weight[i])
		}
	}
	return n
}

// ofItsField says whether a collection is not divided and papers at large tell too little
// from it, since they are of its own field.
func (n *naming) ofItsField(all [][]candidate) bool {
	themes, terms := 0, 0
	for theme, papers := range n.read {
		if papers > 0 {
			themes, terms = themes+1, terms+len(all[theme])
		}
	}
	return themes == 1 && terms < labelTerms
}

// shares is, for each word of the collection, the share of the papers that hold it.
func (v *vocabulary) shares() map[string]float64 {
	counts := v.count(1, nil)
	shares := make(map[string]float64, len(counts))
	for g, c := range counts {
		shares[v.keys[g[0]-1]] = float64(c.papers) / float64(len(v.papers))
	}
	return shares
}

// inside is the share of a theme's papers that hold a term, a little drawn towards the
// share of papers at large: half of a theme of two says less than half of a hundred.
func (n *naming) inside(t, theme int) float64 {
	b := n.terms[t].share
	return (n.masses[t][theme] + insidePapers*b) / (n.read[theme] + insidePapers)
}

// outside is the share of the other papers that hold a term, those at large included;
// with siblings only of the themes with the same parent.
func (n *naming) outside(t, theme int, siblings bool) float64 {
	held, papers := 0.0, 0.0
	for other := range n.k {
		if other == theme || n.read[other] == 0 || siblings && n.opts.Parents[other] != n.opts.Parents[theme] {
			continue
		}
		held += n.masses[t][other] * n.size[other] / n.read[other]
		papers += n.size[other]
	}
	return (held + 0.5 + outsidePapers*n.terms[t].share) / (papers + 1 + outsidePapers)
}

// value is the score of a term in a theme; 0: it does not tell the theme.
func (n *naming) value(t, theme int) float64 {
	term := n.terms[t]
	p := n.inside(t, theme)
	least := leastShare
	if term.gram.words() > 1 {
		least = leastSharePhrase
	}
	if held := float64(n.counts[t][theme]); held < least*n.read[theme] || held < 2 && n.read[theme] > fewPapers {
		return 0
	}
	q := n.outside(t, theme, false)
	if p < leastLift*q {
		return 0
	}
	s := p * math.Log(p/q)
	if s > 0 && n.opts.Parents != nil {
		near := p * math.Log(p/n.outside(t, theme, true))
		s = math.Sqrt(s * max(0, near))
	}
	if s <= 0 {
		return 0
	}
	if term.weak {
		s *= weakFactor
	}
	if n.v.species[term.key] && 2*float64(n.counts[t][theme]) < n.read[theme] {
		s *= weakFactor
	}
	if len(term.papers) == 1 {
		return s // a phrase of one paper is not known to be one
	}
	return s * (1 + wordBonus*float64(term.gram.words()-1))
}

// assign gives each term to the theme where it scores highest.
func (n *naming) assign() {
	n.best, n.score = make([]int, len(n.terms)), make([]float64, len(n.terms))
	for t := range n.terms {
		n.best[t] = -1
		for theme := range n.k {
			if s := n.value(t, theme); s > n.score[t] {
				n.best[t], n.score[t] = theme, s
			}
		}
		if n.terms[t].known { // it speaks in labels only
			n.best[t], n.score[t] = n.mostHeld(t), 0
		}
	}
}

// mostHeld is the theme with the most papers that hold a term.
func (n *naming) mostHeld(t int) int {
	best := 0
	for theme, held := range n.counts[t] {
		if held > n.counts[t][best] {
			best = theme
		}
	}
	return best
}

// shown is how terms are written.
func (n *naming) shown(terms []int) []string {
	if len(terms) == 0 {
		return nil
	}
	names := make([]string, len(terms))
	for i, t := range terms {
		names[i] = n.display[t]
	}
	return names
}

// shared is what two ascending lists share.
func shared(a, b []int32) []int32 {
	var both []int32
	j := 0
	for _, x := range a {
		for j < len(b) && b[j] < x {
			j++
		}
		if j < len(b) && b[j] == x {
			both = append(both, x)
		}
	}
	return both
}
