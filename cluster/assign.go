package cluster

import (
	"context"
	"fmt"
	"slices"
)

// How a new item finds its theme.
const (
	// Voters is how many of the items nearest to a new one vote on its theme.
	Voters        = 20
	closest       = 5    // so many of them say whether it is near enough
	strayShare    = 0.02 // of a theme's own items are farther off than an item that fits none
	membersPolled = 200  // of each theme, for that
)

// Assigner puts new items to the themes that a collection has. It is safe for
// concurrent use.
type Assigner struct {
	x       matrix // [n, dim]
	labels  []int32
	k       int
	reach   []float32 // of each theme, as in Theme
	workers int
}

// NewAssigner learns from the vectors of a collection ([n, dim]) and the theme of each
// (negative: none) how near to each other the items of each theme are. Both are copied.
// Cost: O(200 k n dim). workers is as in [Options].
func NewAssigner(ctx context.Context, vectors []float32, dim int, labels []int32, workers int) (*Assigner, error) {
	if dim <= 0 || len(vectors) != len(labels)*dim {
		return nil, fmt.Errorf("assigning to themes: %d numbers and %d labels with dimension %d: want a vector for each label", len(vectors), len(labels), dim)
	}
	a := &Assigner{labels: slices.Clone(labels), k: themesIn(labels), workers: workers}
	a.x = unit(vectors, dim)
	var polled []int32
	for _, members := range byTheme(labels, a.k) {
		keys := make([]uint64, len(members))
		for i, m := range members {
			keys[i] = hashRow(a.x.row(int(m)))
		}
		for _, i := range sample(keys, membersPolled, stream(0, drawSample, 5, 0)) {
			polled = append(polled, members[i])
		}
	}
	near, err := search(ctx, query{a.x.pick(polled), polled}, a.x, max(0, min(closest, a.x.n-1)), workers)
	if err != nil {
		return nil, err
	}
	means := make([][]float32, a.k)
	for i, item := range polled {
		if mean, ok := near.mean(i, closest); ok {
			means[labels[item]] = append(means[labels[item]], mean)
		}
	}
	a.reach = make([]float32, a.k)
	for theme, list := range means {
		a.reach[theme] = reachOf(list)
	}
	return a, nil
}

// Assign returns the theme of each of the given new vectors ([n, dim]), as [Vote] does,
// by its nearest items of the collection. Cost: O(new n dim).
func (a *Assigner) Assign(ctx context.Context, vectors []float32) ([]Membership, error) {
	if len(vectors)%max(a.x.dim, 1) != 0 {
		return nil, fmt.Errorf("assigning to themes: %d numbers do not divide into vectors of %d", len(vectors), a.x.dim)
	}
	q := unit(vectors, a.x.dim)
	near, err := search(ctx, query{q, slices.Repeat([]int32{-1}, q.n)}, a.x, min(Voters, a.x.n), a.workers)
	if err != nil {
		return nil, err
	}
	out := make([]Membership, q.n)
	for i := range out {
		voters := make([]Voter, len(near.of(i)))
		for j, item := range near.of(i) {
			voters[j] = Voter{Theme: a.labels[item], Cosine: near.scores[i*near.m+j]}
		}
		out[i] = Vote(voters, a.reach)
	}
	return out, nil
}

// Voter is an item near to a new one: its theme (negative: none), and the cosine of the two.
type Voter struct {
	Theme  int32
	Cosine float32
}

// Vote returns the theme of a new item by the votes of the nearest items of the
// collection ([Voters] of them, nearest first), each as heavy as its cosine; reach is
// [Theme].Reach of each theme. Fit is the margin of the votes, 0 to 1. Theme is -1 for
// an item that fits none: its five nearest are farther off than those of 98 in 100 items
// of the theme that it would have; Next is that theme then.
func Vote(near []Voter, reach []float32) Membership {
	votes := make([]float32, len(reach))
	total := float32(0)
	for _, v := range near {
		if v.Cosine > 0 && v.Theme >= 0 {
			votes[v.Theme] += v.Cosine
			total += v.Cosine
		}
	}
	if total == 0 {
		return Membership{Theme: -1, Next: -1}
	}
	theme, most := largest(votes)
	votes[theme] = -1
	next, second := largest(votes)
	sum := float32(0)
	for _, v := range near[:min(closest, len(near))] {
		sum += v.Cosine
	}
	if sum/float32(min(closest, len(near))) < reach[theme] {
		return Membership{Theme: -1, Next: theme}
	}
	m := Membership{Theme: theme, Fit: (most - max(0, second)) / total, Next: -1}
	if second > 0 {
		m.Next = next
	}
	return m
}

// reachOf is the reach of a theme whose items have the given mean cosines with their
// closest items, which are put in order.
func reachOf(means []float32) float32 {
	if len(means) == 0 {
		return 0
	}
	slices.Sort(means)
	return means[int(strayShare*float64(len(means)))]
}

// mean is the mean score of the first m neighbours of row i.
func (g nearest) mean(i, m int) (float32, bool) {
	n := min(m, len(g.of(i)))
	sum := float32(0)
	for _, s := range g.scores[i*g.m:][:n] {
		sum += s
	}
	return sum / float32(max(n, 1)), n > 0
}

func byTheme(labels []int32, k int) [][]int32 {
	members := make([][]int32, k)
	for i, label := range labels {
		if label >= 0 {
			members[label] = append(members[label], int32(i))
		}
	}
	return members
}

// unit copies vectors as rows of unit length.
func unit(vectors []float32, dim int) matrix {
	m := matrix{data: slices.Clone(vectors), n: len(vectors) / dim, dim: dim}
	for i := range m.n {
		normalise(m.row(i))
	}
	return m
}
