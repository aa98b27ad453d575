package cluster

import "strings"

// writtenShare is the share of a term's papers that write it in full; with fewer it is
// shown as the others write it ("HIV").
const writtenShare = 0.5

// A term is shown in the plural that is written so often enough: as a share of its uses as
// a head in the singular, and of all uses.
const (
	pluralShare = 0.6
	pluralUses  = 0.1
)

// loudLetters is how long a phrase all in capitals may be; a longer one is a shouted title.
const loudLetters = 12

// writing counts the ways in which the papers of a theme write a term.
type writing struct {
	papers      int                       // that hold the term
	full        int                       // of them write it in full somewhere
	last        int32                     // paper counted in papers, and in full
	lastFull    int32                     //
	long, short map[string]int            // times of each form; at the end of a run, where a head has its number, ten times as much
	written     map[string]map[string]int // of each form: as written inside sentences, the times
}

// write finds how each term is written most often in the papers of its theme: "" where
// none of them writes it.
func (n *naming) write() {
	found := make(map[gram]int, len(n.terms))
	for t, term := range n.terms {
		if n.best[t] >= 0 {
			found[term.gram] = t
		}
	}
	written := make([]writing, len(n.terms))
	for p := range n.v.papers {
		for words := 1; words <= longestTerm; words++ {
			n.v.grams(p, words, func(keys []int32, at int, end ending) {
				t, ok := found[gramOf(keys)]
				if !ok || n.best[t] != int(n.theme[p]) {
					return
				}
				form, full := n.v.form(p, at, words)
				if form != "" {
					written[t].add(int32(p), form, full, end)
					written[t].as(form, n.v.written(p, at, words))
				}
			})
		}
	}
	n.display = make([]string, len(n.terms))
	for t, w := range written {
		forms := w.long
		if float64(w.full) < writtenShare*float64(w.papers) {
			forms = w.short
		}
		most := 0
		for s, c := range forms {
			if c > most || c == most && s < n.display[t] {
				n.display[t], most = s, c
			}
		}
	}
	plurals := n.v.plurals()
	for t := range n.display {
		n.display[t] = written[t].capitals(n.display[t])
		n.pluralize(t, plurals)
	}
	n.writeJoined(found)
}

// writeJoined writes the phrases that no paper writes without a word between.
func (n *naming) writeJoined(terms map[gram]int) {
	for t, term := range n.terms {
		if !term.joined || n.best[t] < 0 || n.display[t] != "" {
			continue
		}
		a, attribute := terms[gram{term.gram[0]}]
		b, noun := terms[gram{term.gram[1]}]
		if attribute && noun && n.display[a] != "" && n.display[b] != "" {
			n.display[t] = n.display[a] + " " + n.display[b]
		}
	}
}

func (w *writing) add(paper int32, form string, full bool, end ending) {
	if w.long == nil {
		w.long, w.short, w.last, w.lastFull = make(map[string]int), make(map[string]int), -1, -1
	}
	if w.last != paper {
		w.last = paper
		w.papers++
	}
	times := 1
	if end != inside {
		times = 10
	}
	if !full {
		w.short[form] += times
		return
	}
	w.long[form] += times
	if w.lastFull != paper {
		w.lastFull = paper
		w.full++
	}
}

// plurals is how the plural of each word is mostly written in small letters.
func (v *vocabulary) plurals() map[int32]string {
	counts := make(map[int32]map[string]int)
	for p, words := range v.papers {
		for i, key := range words.keys {
			if key < 0 || !v.plural(p, i) {
				continue
			}
			if counts[key] == nil {
				counts[key] = make(map[string]int)
			}
			counts[key][v.surfaces[words.surfaces[i]]]++
		}
	}
	most := make(map[int32]string, len(counts))
	for key, forms := range counts {
		for s, c := range forms {
			if best := forms[most[key]]; s == strings.ToLower(s) && (c > best || c == best && s < most[key]) {
				most[key] = s
			}
		}
	}
	return most
}

// pluralize shows a term that is counted often enough in the plural.
func (n *naming) pluralize(t int, plurals map[int32]string) {
	term, shown := n.terms[t], n.display[t]
	if term.gram.words() == 1 && (nominal(term.key) || strings.HasSuffix(term.key, "cy")) {
		return // "pregnancy"
	}
	kind := n.v.kinds[term.key]
	if often := float64(term.plurals); !kind && (often < pluralShare*float64(term.singular) || often < pluralUses*float64(term.atEnd+term.inRun)) {
		return
	}
	at := strings.LastIndexByte(shown, ' ') + 1
	key := term.gram[term.gram.words()-1] - 1
	plural := plurals[key]
	if plural == "" && kind {
		plural = n.v.keys[key] + "s"
	}
	if shown[at:] == n.v.keys[key] && plural != "" {
		n.display[t] = shown[:at] + plural
	}
}

// as notes that a form was written so; "" tells nothing.
func (w *writing) as(form, written string) {
	if written == "" {
		return
	}
	if w.written == nil {
		w.written = make(map[string]map[string]int)
	}
	if w.written[form] == nil {
		w.written[form] = make(map[string]int)
	}
	w.written[form][written]++
}

// capitals is a form with the capitals that it mostly has inside sentences ("Late
// Cretaceous"), where it is written so often enough.
func (w *writing) capitals(form string) string {
	total, best := 0, form
	for s, c := range w.written[form] {
		total += c
		if c > w.written[form][best] || c == w.written[form][best] && s < best {
			best = s
		}
	}
	if c := w.written[form][best]; c < properTimes || float64(c) < properShare*float64(total) {
		return form
	}
	return best
}

// written is how the n words at a place of paper p are written, inside a sentence; ""
// where a capital may be that of a title, or a short form stands.
func (v *vocabulary) written(p, at, n int) string {
	if v.papers[p].titled && at < v.papers[p].opening {
		return ""
	}
	var parts []string
	for _, s := range v.papers[p].surfaces[at : at+n] {
		if s < 0 {
			return ""
		}
		parts = append(parts, v.surfaces[s])
	}
	if s := strings.Join(parts, " "); n == 1 || len(s) <= loudLetters || strings.ToUpper(s) != s {
		return s
	}
	return ""
}

// form is how the n words at a place of paper p are written, and whether in full; ""
// where they are a part of what one short form stands for.
func (v *vocabulary) form(p, at, n int) (form string, full bool) {
	surfaces, keys := v.papers[p].surfaces, v.papers[p].keys
	if surfaces[at] == between {
		return "", false
	}
	full = true
	mixed := v.mixed(surfaces[at : at+n]) // "hidden Markov models": what has a capital there has it everywhere
	var parts []string
	for i := at; i < at+n; i++ {
		switch s := surfaces[i]; {
		case s == between: // goes on
		case s < between:
			parts, full = append(parts, v.surfaces[shortForm-s]), false
		case mixed:
			parts = append(parts, v.surfaces[s])
		default:
			parts = append(parts, v.cased(s, keys[i]))
		}
	}
	if next := at + n; next < len(keys) && keys[next] >= 0 && surfaces[next] == between {
		return "", false
	}
	form = strings.Join(parts, " ")
	if len(parts) > 1 && len(form) > loudLetters && strings.ToUpper(form) == form {
		form = strings.ToLower(form)
	}
	return form, full
}

// mixed says whether some words of a phrase have a capital and others do not; the first
// may have lost its own.
func (v *vocabulary) mixed(surfaces []int32) bool {
	capitals, others := 0, 0
	for i, s := range surfaces {
		switch {
		case s < 0:
		case uncapital(v.surfaces[s]) != v.surfaces[s]:
			capitals++
		case i > 0 && strings.ToLower(v.surfaces[s]) == v.surfaces[s]:
			others++
		}
	}
	return capitals > 0 && others > 0
}

// cased is a word as written, without the capital that it mostly does not have.
func (v *vocabulary) cased(surface, key int32) string {
	if v.name(key) {
		return v.surfaces[surface]
	}
	return uncapital(v.surfaces[surface])
}

// name: a word that mostly has a capital.
func (v *vocabulary) name(key int32) bool { return v.grammar[key].proper() }
