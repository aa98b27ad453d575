package cluster

import "fmt"

// weighNearness weighs the score of the themes' terms, best first, by their meaning,
// and sorts them again: times how much nearer a term is to its theme than to the
// others, as a share of what the nearest one is. In a small collection two
// papers share many a word by chance; the vectors tell it from what the papers are
// about. (Terms near the text in the encoder's space are the keywords of KeyBERT,
// Grootendorst 2020; the difference to the other themes is what tells them apart.)
func (n *naming) weighNearness(all [][]candidate) error {
	var terms []string
	for theme, list := range all {
		all[theme] = list[:min(len(list), consideredTerms)]
		for _, c := range all[theme] {
			terms = append(terms, n.display[c.term])
		}
	}
	cosines, err := n.opts.Nearness(terms)
	if err != nil {
		return err
	}
	if len(cosines) != len(terms) {
		return fmt.Errorf("nearness of %d terms for %d", len(cosines), len(terms))
	}
	for theme, list := range all {
		nearer := make([]float64, len(list))
		most, mostShared := 0.0, 0.0 // of all, and of those that two papers hold
		for i := range list {
			if len(cosines[i]) != n.k {
				return fmt.Errorf("nearness of %q to %d themes of %d", terms[i], len(cosines[i]), n.k)
			}
			nearer[i] = tellsApart(cosines[i], theme)
			most = max(most, nearer[i])
			if n.counts[list[i].term][theme] > 1 {
				mostShared = max(mostShared, nearer[i])
			}
		}
		if mostShared > 0 {
			most = mostShared
		}
		cosines, terms = cosines[len(list):], terms[len(list):]
		if most <= 0 {
			continue // none is nearer to this theme than to the others
		}
		for i := range list {
			list[i].near = min(1, max(leastNearness, nearer[i]/most))
			list[i].score *= list[i].near
		}
		n.sort(list)
	}
	return nil
}

// tellsApart is a term's cosine with its theme less its mean cosine with the others.
func tellsApart(cosines []float64, theme int) float64 {
	if len(cosines) == 1 {
		return cosines[0]
	}
	others := -cosines[theme]
	for _, c := range cosines {
		others += c
	}
	return cosines[theme] - others/float64(len(cosines)-1)
}
