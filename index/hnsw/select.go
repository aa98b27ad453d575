package hnsw

import (
	"slices"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// selector chooses links. It serves one goroutine.
type selector struct {
	chosen []uint32 // rows
	scores []int32
	links  []entry
}

// choose returns at most most of the candidates, which are in descending order of
// their score with the node: a candidate is left out if one that was chosen is nearer
// to it than the node is (Malkov & Yashunin, algorithm 4). One that is just as near
// stays, so that a clump of equals does not lose its links to the rest. The result is
// valid until the next call. It costs at most len(candidates)·most products.
func (s *selector) choose(c *core, l *level, candidates []entry, most int) []entry {
	s.chosen, s.links = s.chosen[:0], s.links[:0]
	for _, e := range candidates {
		if len(s.links) == most {
			break
		}
		row := l.row(e.pos())
		if s.diverse(c, row, e.score()) {
			s.chosen = append(s.chosen, row)
			s.links = append(s.links, e)
		}
	}
	return s.links
}

// group is how many of the chosen are compared in one call: most candidates that are
// left out are so by one of the first.
const group = 8

func (s *selector) diverse(c *core, row uint32, score int32) bool {
	code := c.rows.Code(row)
	for rest := s.chosen; len(rest) > 0; rest = rest[min(group, len(rest)):] {
		rows := rest[:min(group, len(rest))]
		s.scores = slices.Grow(s.scores[:0], len(rows))[:len(rows)]
		vec.DotsI8At(s.scores, code, c.rows.Codes(), rows)
		for _, between := range s.scores {
			if between > score {
				return false
			}
		}
	}
	return true
}
