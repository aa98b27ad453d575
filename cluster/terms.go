package cluster

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// What may be a term.
const (
	longestTerm      = 4    // words
	fewestPapers     = 3    // that hold a term
	fewestPapersLow  = 2    // in a collection of less than smallCollection papers
	smallCollection  = 60   // papers; in them a term of one paper will do
	fewestTimes      = 3    // if that paper says it so many times
	papersPerTermMax = 2000 // one more paper must hold a term for so many papers
	phraseNPMI       = 0.15 // of a phrase's words, the weakest place to split it
	phraseShare      = 0.4  // or of the papers of its rarest word
	borderNPMI       = 0.35 // of a phrase that begins with a word of papers ("large language model")
	longerShare      = 0.75 // of a phrase's papers: a longer one with so many takes its place
	acronymFactor    = 3    // a short form so many times as common as its long form is kept
)

// gram is a sequence of one to four word numbers, each plus one; 0 is none.
type gram [longestTerm]int32

func (g gram) words() int {
	n := 0
	for n < longestTerm && g[n] != 0 {
		n++
	}
	return n
}

func gramOf(words []int32) gram {
	var g gram
	for i, w := range words {
		g[i] = w + 1
	}
	return g
}

// prefix and suffix of g: its first n and its other words.
func (g gram) split(n int) (gram, gram) {
	var a, b gram
	copy(a[:], g[:n])
	copy(b[:], g[n:])
	return a, b
}

// term is a word or phrase that may name a theme.
type term struct {
	gram     gram
	key      string    // the words' keys, a space between two
	papers   []int32   // that hold it, ascending
	weight   []float32 // how much each of them is about it, 0 to 1
	inRun    int       // how often it occurs
	atEnd    int       // how often it ends a run: a head, not an attribute
	plurals  int       // how often it is written in the plural
	singular int       // how often it ends a run in the singular
	led      int       // how often another word of its run stands before it
	own      int       // how often it is a part of a longer name in capitals
	share    float64   // of papers at large that hold it
	joined   bool      // put together of an attribute and a noun
	known    bool      // a phrase of papers at large, of fewer papers here than other terms
	part     bool      // of a longer phrase, for papers at large
	weak     bool      // one word that all fields use: too wide unless it marks a theme strongly
}

// vocabulary is a collection of texts in numbers.
type vocabulary struct {
	lexicon
	keys     []string
	grammar  []grammar // of each key
	number   map[string]int32
	surfaces []string
	surface  map[string]int32
	papers   []paperWordsIn
	short    map[int32]map[string]int // short form (key) -> long form (keys) -> papers that define it
	common   map[int32][]int32        // short form (key) -> the long form (keys) that the collection is of one mind about
	alias    map[int32]map[int32]bool // short form (key) -> the words (keys) before its definitions
}

// paperWordsIn are the words of one paper: numbers of keys with -1 between runs, and
// of surfaces.
type paperWordsIn struct {
	keys, surfaces []int32
	opening        int               // words and separators before the second sentence
	titled         bool              // they are a title in capitals
	defines        map[int32][]int32 // short form (surface) -> its long form here
}

// What stands between runs: betweenOpen where the last word may be an attribute.
const (
	between     = -1
	betweenOpen = -2
)

// Where a long form is put in the place of a short one, its first word has the surface
// shortForm - the short form's and its others have between.
const shortForm = -2

func readVocabulary(texts []string) *vocabulary {
	v := &vocabulary{lexicon: newLexicon(), number: make(map[string]int32), surface: make(map[string]int32),
		short: make(map[int32]map[string]int), alias: make(map[int32]map[int32]bool)}
	for _, text := range texts {
		var p paperWordsIn
		runs := v.runs(text)
		p.titled = titled(runs)
		for _, r := range runs {
			for i, w := range r.words {
				key := v.keyNumber(w.key)
				v.grammar[key].seen++
				if !p.titled || r.sentence > 0 {
					v.grammar[key].cased++
					if uncapital(w.surface) != w.surface {
						v.grammar[key].capital++
					}
				}
				if i == 0 && v.leads[r.before] {
					v.grammar[key].verb++
				}
				p.keys = append(p.keys, key)
				p.surfaces = append(p.surfaces, v.surfaceNumber(w.surface))
			}
			if r.sentence == 0 {
				p.opening = len(p.keys)
			}
			end := int32(between)
			if r.open {
				end = betweenOpen
			}
			p.keys, p.surfaces = append(p.keys, end), append(p.surfaces, between)
		}
		v.acronyms(text, func(short string, long, lettered []word) {
			keys := make([]string, len(long))
			numbers := make([]int32, len(long))
			for i, w := range long {
				keys[i], numbers[i] = w.key, v.keyNumber(w.key)
			}
			s := v.keyNumber(folded(strings.ToLower(short)))
			for _, w := range lettered {
				if v.alias[s] == nil {
					v.alias[s] = make(map[int32]bool)
				}
				v.alias[s][v.keyNumber(w.key)] = true
			}
			if v.short[s] == nil {
				v.short[s] = make(map[string]int)
			}
			if long == nil {
				v.short[s][""]++
				return
			}
			if p.defines == nil {
				p.defines = make(map[int32][]int32)
			}
			if _, again := p.defines[s]; again {
				return
			}
			p.defines[s] = numbers
			v.short[s][strings.Join(keys, " ")]++
		})
		v.papers = append(v.papers, p)
	}
	v.expand()
	return v
}

func (v *vocabulary) keyNumber(key string) int32 {
	n := intern(&v.keys, v.number, key)
	if int(n) == len(v.grammar) {
		v.grammar = append(v.grammar, grammar{})
	}
	return n
}

func (v *vocabulary) surfaceNumber(s string) int32 { return intern(&v.surfaces, v.surface, s) }

func intern(list *[]string, number map[string]int32, s string) int32 {
	n, ok := number[s]
	if !ok {
		n = int32(len(*list))
		number[s] = n
		*list = append(*list, s)
	}
	return n
}

// expand writes the long form in the place of each short one: where the paper defines
// it, and elsewhere where the collection is of one mind about it.
func (v *vocabulary) expand() {
	v.common = make(map[int32][]int32)
	for short, longs := range v.short {
		total, best := 0, ""
		for long, papers := range longs {
			total += papers
			if long == "" {
				continue // it stands for something else, or for a word
			}
			if papers > longs[best] || papers == longs[best] && long < best {
				best = long
			}
		}
		if best == "" || 3*longs[best] < 2*total {
			continue
		}
		var numbers []int32
		for _, key := range strings.Fields(best) {
			numbers = append(numbers, v.number[key])
		}
		v.common[short] = numbers
	}
	for at := range v.papers {
		p := &v.papers[at]
		var keys, surfaces []int32
		opening := 0
		for i, key := range p.keys {
			if i == p.opening {
				opening = len(keys)
			}
			var long []int32
			if key >= 0 && isShortForm(v.surfaces[p.surfaces[i]]) {
				if long = p.defines[key]; long == nil {
					long = v.common[key]
				}
			}
			if long == nil {
				keys, surfaces = append(keys, key), append(surfaces, p.surfaces[i])
				continue
			}
			for at, l := range long {
				surface := int32(between)
				if at == 0 {
					surface = shortForm - p.surfaces[i]
				}
				keys, surfaces = append(keys, l), append(surfaces, surface)
			}
		}
		p.keys, p.surfaces, p.opening = keys, surfaces, opening
	}
}

// isShortForm: two capitals or more ("RL", "mRNA", "SAEs").
func isShortForm(surface string) bool {
	capitals := 0
	for _, r := range surface {
		if r >= 'A' && r <= 'Z' {
			capitals++
		}
	}
	return capitals >= 2
}

// ending is what follows a sequence of words: a further word, or the end of the run.
type ending int32

const inside ending = 0 // otherwise between or betweenOpen

// grams calls visit with every sequence of n words within the runs of paper p, the
// place where it begins, and what follows it.
func (v *vocabulary) grams(p, n int, visit func(words []int32, at int, end ending)) {
	keys := v.papers[p].keys
	start := 0
	for i, key := range keys {
		if key >= 0 {
			continue
		}
		for j := start; j+n <= i; j++ {
			end := inside
			if j+n == i {
				end = ending(key)
			}
			visit(keys[j:j+n], j, end)
		}
		start = i + 1
	}
}

// terms finds every word and phrase that may name a theme, with its papers.
func (v *vocabulary) terms(share func(string) float64, common func(string) bool) []*term {
	least, often := fewestPapers+len(v.papers)/papersPerTermMax, math.MaxInt32
	if len(v.papers) < smallCollection {
		least, often = fewestPapersLow, fewestTimes
	}
	frequent := make(map[gram]int32) // papers that hold it
	for n := 1; n <= longestTerm; n++ {
		for g, c := range v.count(n, frequent) {
			if int(c.papers) >= least || int(c.most) >= often {
				frequent[g] = c.papers
			}
		}
	}
	found := make(map[gram]*term)
	var all []*term
	for g := range frequent {
		if t := v.candidate(g, frequent, share, common); t != nil {
			found[g] = t
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b *term) int { return cmp.Compare(a.key, b.key) })
	v.tally(found)
	return dropParts(all, found, v)
}

// tally finds the papers of terms, and how they stand in them.
func (v *vocabulary) tally(found map[gram]*term) {
	for p := range v.papers {
		for n := 1; n <= longestTerm; n++ {
			v.grams(p, n, func(words []int32, at int, end ending) {
				t := found[gramOf(words)]
				if t == nil {
					return
				}
				switch {
				case v.plural(p, at+n-1):
					t.plurals++
					if end == betweenOpen {
						end = between
					}
				case end == between && v.papers[p].surfaces[at+n-1] >= 0:
					t.singular++
				}
				if at > 0 && v.papers[p].keys[at-1] >= 0 {
					t.led++
				}
				if v.inName(p, at, n) {
					t.own++
				}
				t.occurs(int32(p), at < v.papers[p].opening, end)
			})
		}
	}
	for _, t := range found {
		for i, times := range t.weight {
			t.weight[i] = times / (times + 1)
		}
	}
}

// plural says whether the word at a place of paper p is written in the plural: it is no
// attribute then.
func (v *vocabulary) plural(p, at int) bool {
	key, surface := v.papers[p].keys[at], v.papers[p].surfaces[at]
	return surface >= 0 && len(v.surfaces[surface]) > len(v.keys[key]) && strings.HasSuffix(v.surfaces[surface], "s")
}

// occurs notes that a paper holds t once more; in its opening (the title or the first
// sentence) that counts twice.
func (t *term) occurs(paper int32, opening bool, end ending) {
	switch end {
	case inside:
		t.inRun++
	case between:
		t.atEnd++
	}
	if len(t.papers) == 0 || t.papers[len(t.papers)-1] != paper {
		t.papers, t.weight = append(t.papers, paper), append(t.weight, 0)
	}
	times := float32(1)
	if opening {
		times = 2
	}
	t.weight[len(t.weight)-1] += times
}

// tallied is how many papers hold a sequence of words, and how often one does at most.
type tallied struct{ papers, last, times, most int32 }

// count tallies each sequence of n words whose parts are frequent.
func (v *vocabulary) count(n int, frequent map[gram]int32) map[gram]tallied {
	counts := make(map[gram]tallied)
	for p := range v.papers {
		v.grams(p, n, func(words []int32, _ int, _ ending) {
			if n > 1 {
				if _, ok := frequent[gramOf(words[1:])]; !ok {
					return
				}
				if _, ok := frequent[gramOf(words[:n-1])]; !ok {
					return
				}
			}
			g := gramOf(words)
			c := counts[g]
			if c.last != int32(p+1) {
				c.papers, c.last, c.times = c.papers+1, int32(p+1), 0
			}
			c.times++
			c.most = max(c.most, c.times)
			counts[g] = c
		})
	}
	return counts
}

// candidate makes a term of g, or nil where g cannot be one.
func (v *vocabulary) candidate(g gram, frequent map[gram]int32, share func(string) float64, common func(string) bool) *term {
	n := g.words()
	words := make([]string, n)
	for i := range words {
		words[i] = v.keys[g[i]-1]
	}
	if last := words[n-1]; v.paper[last] && !v.kinds[strings.Join(words, " ")] || !v.noun(last, v.grammar[g[n-1]-1]) {
		return nil
	}
	if n == 1 {
		if len([]rune(words[0])) < 2 {
			return nil
		}
		if frequent[g] == 1 && v.grammar[g[0]-1].capital == v.grammar[g[0]-1].seen {
			return nil // what one paper calls its own method
		}
		return &term{gram: g, key: words[0], share: share(words[0]), weak: common(words[0])}
	}
	seen := make(map[string]bool)
	rarest := int32(math.MaxInt32)
	for i, w := range words {
		if seen[w] {
			return nil
		}
		seen[w] = true
		rarest = min(rarest, frequent[gram{g[i]}])
	}
	npmi := v.association(g, n, frequent)
	if v.paper[words[0]] && npmi < borderNPMI {
		return nil
	}
	if npmi < phraseNPMI && float64(frequent[g]) < phraseShare*float64(rarest) {
		return nil
	}
	key := strings.Join(words, " ")
	return &term{gram: g, key: key, share: share(key)}
}

// association is the normalised pointwise mutual information of the two parts of a
// phrase (Bouma, "Normalized (Pointwise) Mutual Information in Collocation
// Extraction", GSCL 2009) at its weakest place to split.
func (v *vocabulary) association(g gram, n int, frequent map[gram]int32) float64 {
	weakest := 1.0
	total := float64(len(v.papers))
	for at := 1; at < n; at++ {
		a, b := g.split(at)
		weakest = min(weakest, npmi(float64(frequent[g])/total, float64(frequent[a])/total, float64(frequent[b])/total))
	}
	return weakest
}

// npmi of two events with the given chances, together and each: -1 to 1.
func npmi(both, a, b float64) float64 {
	if both <= 0 {
		return -1
	}
	if both >= 1 {
		return 1
	}
	return math.Log(both/(a*b)) / -math.Log(both)
}

// dropParts leaves out the phrases of which a longer one has nearly all papers
// ("adaptive person re" of "person re identification").
func dropParts(all []*term, found map[gram]*term, v *vocabulary) []*term {
	drop := make(map[gram]bool)
	for _, t := range all {
		n := t.gram.words()
		if n < 2 {
			continue
		}
		first, _ := t.gram.split(n - 1)
		_, second := t.gram.split(1)
		for _, part := range []gram{first, second} {
			if p := found[part]; p != nil && float64(len(t.papers)) >= longerShare*float64(len(p.papers)) {
				drop[part] = true
			}
		}
	}
	return slices.DeleteFunc(all, func(t *term) bool { return drop[t.gram] })
}
