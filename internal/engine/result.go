package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
)

// result is a paper as an answer shows it.
func result(rank int, s scored, w *wanted) Result {
	f := &s.Fields
	r := Result{
		Rank: rank, ID: s.ID, Keys: s.Keys(), Title: f.Name(), Score: s.score, Year: f.Year, Venue: paper.Display(f.Venue),
		Authors: authors(f), URL: address(f), Snippet: snippet(s, w.Text),
	}
	return r
}

// shown is a paper as list and show give it.
func shown(p *store.Paper) *Paper {
	f := &p.Fields
	out := &Paper{
		ID: p.ID, Keys: p.Keys(), Aliases: p.Aliases(), Title: f.Name(), Abstract: paper.Display(f.Abstract), Authors: authors(f), Year: f.Year,
		Venue: paper.Display(f.Venue), URL: address(f), DOI: f.IDs.DOI, Embedded: p.Embedded,
	}
	for _, k := range f.Keywords {
		out.Keywords = append(out.Keywords, paper.Display(k))
	}
	seen := make(map[string]bool)
	for _, r := range p.Records {
		if !seen[r.Source] {
			seen[r.Source] = true
			out.Sources = append(out.Sources, r.Source)
		}
	}
	return out
}

func authors(p *paper.Paper) []string {
	list := make([]string, len(p.Authors))
	for i, a := range p.Authors {
		list[i] = paper.Display(a)
	}
	return list
}

// address is where p can be read: as its source says, else by its identifiers.
func address(p *paper.Paper) string {
	switch {
	case p.URL != "":
		return p.URL
	case p.IDs.DOI != "":
		return "https://doi.org/" + p.IDs.DOI
	case p.IDs.ArXiv != "":
		return "https://arxiv.org/abs/" + p.IDs.ArXiv
	case p.IDs.OpenReview != "":
		return "https://openreview.net/forum?id=" + p.IDs.OpenReview
	case p.IDs.PMID != "":
		return "https://pubmed.ncbi.nlm.nih.gov/" + p.IDs.PMID + "/"
	case p.IDs.OpenAlex != "":
		return "https://openalex.org/" + p.IDs.OpenAlex
	case p.IDs.S2 != "":
		return "https://www.semanticscholar.org/paper/" + p.IDs.S2
	}
	return ""
}

// snippetRunes is about three lines of a terminal.
const snippetRunes = 240

// snippet is the sentence that is nearest to the query where that is known, else the
// sentence of the abstract that shares most words with the text, the first one where
// none does; it goes on with what follows while there is room. The title, or the
// sentence that stands for it, is not repeated.
func snippet(s scored, text string) string {
	p := &s.Fields
	if s.hasSentence && s.sentenceAt > 0 {
		if all := sentencesIn(p.Text()); s.sentenceAt < len(all) && hasWord(all[s.sentenceAt]) {
			return run(all[s.sentenceAt:])
		}
	}
	sentences := paper.Sentences(paper.DisplayAbstract(p.Abstract))
	if len(sentences) > 1 && strings.TrimSpace(p.Title) == "" {
		sentences = sentences[1:]
	}
	sentences = slices.DeleteFunc(sentences, func(s string) bool { return !hasWord(s) })
	wanted := wordSet(text)
	best, most := 0, 0
	for i, s := range sentences {
		n := 0
		for w := range wordSet(s) {
			if wanted[w] {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return run(sentences[min(best, len(sentences)):])
}

// hasWord reports whether a text has a letter or a digit: a sentence may be a quotation
// mark that was left over.
func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// run is the first sentence, and those that follow while there is room.
func run(sentences []string) string {
	var b strings.Builder
	for _, s := range sentences {
		if b.Len() > 0 {
			if b.Len()+len(s) > snippetRunes {
				break
			}
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return cut(b.String(), snippetRunes)
}

// wordSet is the words of s in lower case, without the shortest, which say nothing.
func wordSet(s string) map[string]bool {
	const shortest = 4
	m := make(map[string]bool)
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		if len(w) >= shortest {
			m[strings.ToLower(w)] = true
		}
	}
	return m
}

// cut shortens s to limit runes at a word's end.
func cut(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	end, runes := 0, 0
	for i, r := range s {
		if runes++; runes >= limit {
			if end == 0 {
				end = i
			}
			break
		}
		if r == ' ' {
			end = i
		}
	}
	return s[:end] + "…"
}
