package cluster

import "fmt"

// A part of a label that means what another part means says nothing ("tumors, cancer,
// carcinoma"). By the cosine of two terms, read as texts, the second says all that is in
// its name up to echoFrom, less from there on, and nothing from echoFull on.
const (
	echoFrom = 0.5
	echoFull = 0.62
)

// echoes are the cosines of the terms that may be in one theme's label.
type echoes struct {
	at      map[int]int // term -> its place in cosines
	cosines [][]float64
}

// findEchoes asks how near the terms that may be in a label are to each other.
func (n *naming) findEchoes(all [][]candidate) error {
	n.echoes = make([]echoes, n.k)
	for theme, list := range all {
		e := echoes{at: make(map[int]int)}
		var names []string
		note := func(t int) {
			if _, again := e.at[t]; !again {
				e.at[t] = len(names)
				names = append(names, n.display[t])
			}
		}
		for _, c := range list[:min(len(list), consideredTerms)] {
			note(c.term)
		}
		if n.subjects != nil {
			for _, s := range n.subjects[theme] {
				note(s.term)
			}
		}
		if len(names) < 2 {
			continue
		}
		var err error
		if e.cosines, err = n.opts.TermNearness(names); err != nil {
			return err
		}
		if len(e.cosines) != len(names) {
			return fmt.Errorf("nearness of %d terms to each other for %d", len(e.cosines), len(names))
		}
		for i, row := range e.cosines {
			if len(row) != len(names) {
				return fmt.Errorf("nearness of %q to %d terms of %d", names[i], len(row), len(names))
			}
		}
		n.echoes[theme] = e
	}
	return nil
}

// unsaid is how much of what a term means the chosen ones leave unsaid, 0 to 1.
func (n *naming) unsaid(t, theme int, chosen []int) float64 {
	if n.echoes == nil || n.echoes[theme].cosines == nil {
		return 1
	}
	e := n.echoes[theme]
	nearest := 0.0
	for _, c := range chosen {
		nearest = max(nearest, e.cosines[e.at[t]][e.at[c]])
	}
	return max(0, min(1, (echoFull-nearest)/(echoFull-echoFrom)))
}
