package engine

import "github.com/seed-9f29d379/akin/index"

// agreement measures what searches find of the true ten nearest. They walk a graph, or
// compare 8-bit codes first; the truth compares every vector in float32.
type agreement struct {
	samples    int
	common, of int // of the samples' neighbours
}

// measure searches for a stored vector, and returns its true neighbours.
func (a *agreement) measure(s *searched, v []float32) ([]index.Hit, error) {
	exact, err := s.nearest(v, index.SearchOptions{K: 10, Exact: true})
	if err != nil {
		return nil, err
	}
	found, err := s.nearest(v, index.SearchOptions{K: 10, Ef: denseBreadth})
	if err != nil {
		return nil, err
	}
	a.samples++
	a.of += len(exact)
	a.common += shared(exact, found)
	return exact, nil
}

// recall is the share of the true neighbours that is found; nil where none was asked for.
func (a *agreement) recall() *float64 {
	if a.of == 0 {
		return nil
	}
	r := float64(a.common) / float64(a.of)
	return &r
}

// shared counts the papers that are in both lists.
func shared(a, b []index.Hit) int {
	in := make(map[uint32]bool, len(a))
	for _, h := range a {
		in[h.ID] = true
	}
	n := 0
	for _, h := range b {
		if in[h.ID] {
			n++
		}
	}
	return n
}
