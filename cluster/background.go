package cluster

import (
	_ "embed"
	"strconv"
	"strings"
)

// backgroundTable says in how many of 100,000 abstracts a term occurs, in two fields:
// term, computer science, biomedicine, with a header line; words and phrases of two or
// three words between stop words, lower case, plurals folded by dropping their s. It
// was counted for this project on 81,673 abstracts of computer science proceedings and
// 5,183 of biomedicine (SciFact); counts only, free to use with this project.
//
//go:embed background-df.tsv
var backgroundTable string

// field is an area of the bundled table.
type field int

const (
	computerScience field = iota
	biomedicine
	fields
)

const (
	abstractsCounted = 100_000
	// rareShare stands for terms that are too rare for the table; phrases are rarer yet.
	rareShare   = 2e-4
	rarePhrase  = 2e-5
	commonShare = 0.01 // from which a word is common in a field
)

// bundled is the table, read.
type bundled map[string][fields]float64

// readBundled reads the embedded table; its form is tested.
func readBundled() bundled {
	lines := strings.Split(strings.TrimSpace(backgroundTable), "\n")[1:]
	table := make(bundled, len(lines))
	for _, line := range lines {
		columns := strings.Split(line, "\t")
		var shares [fields]float64
		for f := range shares {
			n, _ := strconv.Atoi(columns[f+1])
			shares[f] = float64(n) / abstractsCounted
		}
		term := columns[0]
		if !strings.Contains(term, " ") {
			term = folded(term)
		}
		for f, share := range table[term] { // "tumour" and "tumor" are one word
			shares[f] += share
		}
		table[term] = shares
	}
	return table
}

// partShare is the share of a term's papers at large that hold a longer phrase around it:
// with so many it is a part of that ("care unit" of "intensive care unit").
const partShare = 0.75

// parts returns the terms that are parts of longer ones.
func (b bundled) parts() map[string]bool {
	parts := make(map[string]bool)
	for phrase, shares := range b {
		words := strings.Split(phrase, " ")
		held := shares[computerScience] + shares[biomedicine]
		for from := range words {
			for to := from + 1; to <= len(words) && to-from < len(words); to++ {
				part := strings.Join(words[from:to], " ")
				of := b[part]
				if total := of[computerScience] + of[biomedicine]; total > 0 && held >= partShare*total {
					parts[part] = true
				}
			}
		}
	}
	return parts
}

// common says whether a word is used in all fields: too wide to name a theme, unless
// it marks one strongly.
func (b bundled) common(word string) bool {
	shares, ok := b[word]
	return ok && shares[computerScience] >= commonShare && shares[biomedicine] >= commonShare
}

// background returns the share of papers that hold a term, the fields weighed by how
// many of the collection's words are theirs. papers gives for each word of the
// collection the share of its papers that hold it.
func (b bundled) background(papers map[string]float64) func(term string) float64 {
	weights := [fields]float64{1, 1}
	for word, shares := range b {
		if strings.Contains(word, " ") {
			continue
		}
		total := shares[computerScience] + shares[biomedicine]
		for f := range weights {
			weights[f] += papers[word] * shares[f] / total
		}
	}
	sum := weights[computerScience] + weights[biomedicine]
	return func(term string) float64 {
		shares := b[term]
		return max(rarest(term), (weights[computerScience]*shares[computerScience]+weights[biomedicine]*shares[biomedicine])/sum)
	}
}

// elsewhere returns the share of papers that hold a term in the field that says it least:
// what a collection that is not divided is told from where its own field says the same.
func (b bundled) elsewhere(term string) float64 {
	shares := b[term]
	return max(rarest(term), min(shares[computerScience], shares[biomedicine]))
}

// rarest is the share of a term that is too rare for the table.
func rarest(term string) float64 {
	if strings.Contains(term, " ") {
		return rarePhrase
	}
	return rareShare
}
