package cluster

import (
	"context"
	"math"
	"slices"
)

// How a consensus is made.
const (
	consensusRuns   = 60   // runs of k-means: 20 lose
	carefulRuns     = 240  // the same from chooseSmall to carefulRows rows
	carefulRows     = 6000 // 8,000 would take longer than 10,000 do with consensusRuns
	runRounds       = 25   // rounds of one run; most end earlier
	runStill        = 500  // a run ends when less than one row in so many moves
	subsetShare     = 0.8  // of the rows, from which one run learns its centroids
	runSample       = 8000 // rows that the runs of a large collection look at
	landmarkSample  = 4000 // rows between which co-association is counted
	rowsPerTheme    = 20   // of the first sample, for many themes (10 of the second)
	voteRounds      = 10
	smallestOfShare = 6 // a theme has at least n / 6k rows
	fewestRows      = 2 // and at least so many
)

// runsFor is the number of runs for n rows. Four times as many make themes more stable
// where two divisions are almost equally good; large collections cannot afford them.
func runsFor(n int) int {
	if n >= chooseSmall && n <= carefulRows {
		return carefulRuns
	}
	return consensusRuns
}

// votes are the labels that each of a number of runs gives to each row.
type votes struct {
	n, k, runs int
	labels     []uint16 // [n, runs]: all of a row's labels side by side
}

func (v votes) of(i int) []uint16 { return v.labels[i*v.runs : (i+1)*v.runs] }

// castVotes runs k-means runs times on the rows of x named by learn, each time on its
// own 80 % of them, and lets every row of x vote for its nearest centroid.
// Cost: O(runs · rounds · len(learn) · k · dim) + O(runs · n · k · dim).
func castVotes(ctx context.Context, x matrix, keys []uint64, learn []int32, p plan) (votes, error) {
	v := votes{n: x.n, k: p.k, runs: p.runs, labels: make([]uint16, x.n*p.runs)}
	base := x.pick(learn)
	baseKeys := make([]uint64, len(learn))
	for i, row := range learn {
		baseKeys[i] = keys[row]
	}
	err := each(ctx, p.workers, p.runs, func(r int) {
		defer p.meter.part()
		draws := stream(p.seed, drawStart, r, p.k)
		subset := make([]bool, base.n)
		for i, key := range baseKeys {
			subset[i] = uniform(key, stream(p.seed, drawSubset, r, 0)) < subsetShare
		}
		l := lloyd{x: base, keys: baseKeys, subset: subset, k: p.k, rounds: runRounds, still: base.n / runStill}
		s := l.run(ctx, draws)
		if base.n == x.n {
			for i, label := range s.labels {
				v.labels[i*v.runs+r] = uint16(label)
			}
			return
		}
		b := pack(s.centroids)
		dots := make([]float32, tileRows*p.k)
		for lo := 0; lo < x.n && ctx.Err() == nil; lo += tileRows {
			hi := min(lo+tileRows, x.n)
			b.products(dots, x, lo, hi)
			for i := lo; i < hi; i++ {
				label, _ := largest(dots[(i-lo)*p.k : (i-lo+1)*p.k])
				v.labels[i*v.runs+r] = uint16(label)
			}
		}
	})
	return v, err
}

// plan is what a consensus is asked for.
type plan struct {
	k, runs, workers int
	seed             uint64
	meter            *meter // told after each run, or nil
}

// coassociation counts for each two of the given rows in how many runs they are
// together: [len(rows), len(rows)]. (Fred and Jain, "Combining Multiple Clusterings
// Using Evidence Accumulation", PAMI 27, 2005.)
// Cost: O(runs · rows² / k) increments, memory 4 bytes a pair. A row is counted through
// before the next, so that its counts and the members of all themes stay in the cache.
func coassociation(v votes, rows []int32) []float32 {
	n := len(rows)
	together := make([]float32, n*n)
	members := make([][]int32, v.runs*v.k) // of each theme of each run
	for i, row := range rows {
		for r, c := range v.of(int(row)) {
			at := r*v.k + int(c)
			members[at] = append(members[at], int32(i))
		}
	}
	for i, row := range rows {
		line := together[i*n : (i+1)*n]
		for r, c := range v.of(int(row)) {
			for _, j := range members[r*v.k+int(c)] {
				line[j]++
			}
		}
	}
	return together
}

// merge joins two groups, named by one of their rows, at a mean similarity.
type merge struct {
	a, b       int32
	similarity float32
}

// averageLinkage joins n rows bottom up, always the two groups with the largest mean
// similarity, and returns the n-1 merges in that order. It follows chains of nearest
// neighbours (Murtagh, "A Survey of Recent Advances in Hierarchical Clustering
// Algorithms", Computer Journal 26, 1983), which needs O(n²) time. similarity is overwritten.
func averageLinkage(similarity []float32, n int) []merge {
	alive := make([]int32, n)
	size := make([]float32, n)
	for i := range alive {
		alive[i], size[i] = int32(i), 1
	}
	merges := make([]merge, 0, max(0, n-1))
	chain := make([]int32, 0, n)
	for len(alive) > 1 {
		if len(chain) == 0 {
			chain = append(chain, alive[0])
		}
		for {
			a := chain[len(chain)-1]
			previous := int32(-1)
			best := float32(math.Inf(-1))
			near := int32(-1)
			line := similarity[int(a)*n : (int(a)+1)*n]
			if len(chain) > 1 {
				previous = chain[len(chain)-2]
				best, near = line[previous], previous // of equal ones the one before: the chain ends
			}
			for _, j := range alive {
				if line[j] > best && j != a {
					best, near = line[j], j
				}
			}
			if near != previous {
				chain = append(chain, near)
				continue
			}
			chain = chain[:len(chain)-2]
			lo, hi := min(a, near), max(a, near)
			merges = append(merges, merge{lo, hi, best})
			join(similarity, size, alive, n, lo, hi)
			alive = slices.DeleteFunc(alive, func(j int32) bool { return j == hi })
			break
		}
	}
	slices.SortStableFunc(merges, func(x, y merge) int {
		switch {
		case x.similarity > y.similarity:
			return -1
		case x.similarity < y.similarity:
			return 1
		}
		return 0
	})
	return merges
}

// join makes group hi part of group lo: the similarity to each other group is the mean
// over all pairs of rows.
func join(similarity, size []float32, alive []int32, n int, lo, hi int32) {
	total := size[lo] + size[hi]
	wl, wh := size[lo]/total, size[hi]/total
	a, b := similarity[int(lo)*n:(int(lo)+1)*n], similarity[int(hi)*n:(int(hi)+1)*n]
	for _, j := range alive {
		if j == lo || j == hi {
			continue
		}
		s := float32(wl*a[j]) + float32(wh*b[j])
		a[j] = s
		similarity[int(j)*n+int(lo)] = s
	}
	size[lo] = total
}

// cut undoes the last merges of n rows until k groups have at least floor rows, and
// returns each row's group, 0 to k-1; rows of smaller groups get -1. Where no cut has k
// such groups the floor is lowered.
func cut(merges []merge, n, k, floor int) []int32 {
	for ; ; floor = max(1, floor/2) {
		undo := -1
		replay(merges, n, len(merges), func(done int, large int) {
			if large == k {
				undo = done
			}
		}, floor)
		if undo < 0 && floor > 1 {
			continue
		}
		if undo < 0 {
			undo = max(0, n-k)
		}
		root := replay(merges, n, undo, nil, floor)
		return nameGroups(root, floor)
	}
}

// replay does the first merges and tells after each how many groups have at least
// floor rows. It returns the group of each row, named by one of the rows.
func replay(merges []merge, n, count int, tell func(done, large int), floor int) []int32 {
	parent := make([]int32, n)
	size := make([]int, n)
	for i := range parent {
		parent[i], size[i] = int32(i), 1
	}
	find := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	large := 0
	if floor <= 1 {
		large = n
	}
	if tell != nil {
		tell(0, large)
	}
	for done, m := range merges[:count] {
		a, b := find(m.a), find(m.b)
		for _, s := range []int{size[a], size[b]} {
			if s >= floor {
				large--
			}
		}
		parent[b] = a
		size[a] += size[b]
		if size[a] >= floor {
			large++
		}
		if tell != nil {
			tell(done+1, large)
		}
	}
	for i := range parent {
		parent[i] = find(int32(i))
	}
	return parent
}

// nameGroups numbers the groups with at least floor rows by their first row.
func nameGroups(root []int32, floor int) []int32 {
	size := make(map[int32]int)
	for _, r := range root {
		size[r]++
	}
	number := make(map[int32]int32)
	labels := make([]int32, len(root))
	for i, r := range root {
		if size[r] < floor {
			labels[i] = -1
			continue
		}
		if _, ok := number[r]; !ok {
			number[r] = int32(len(number))
		}
		labels[i] = number[r]
	}
	return labels
}

// tally holds, for each theme, how many of its rows got each label in each run, so
// that the mean co-association of any row with any theme is a sum over the runs.
type tally struct {
	themes int
	runs   int
	labels int
	counts []int32 // [runs, labels, themes]
	sizes  []int32 // [themes]
}

func count(v votes, rows, labels []int32, themes int) *tally {
	t := &tally{themes: themes, runs: v.runs, labels: v.k, counts: make([]int32, v.runs*v.k*themes), sizes: make([]int32, themes)}
	for i, row := range rows {
		theme := labels[i]
		if theme < 0 {
			continue
		}
		t.sizes[theme]++
		for r, label := range v.of(int(row)) {
			t.counts[(r*t.labels+int(label))*themes+int(theme)]++
		}
	}
	return t
}

// shares fills dst ([themes]) with a row's mean co-association with each theme, 0 to 1.
// With own >= 0 the row is one of that theme's and is not counted with itself.
func (t *tally) shares(dst []float32, labels []uint16, own int32) {
	sums := make([]int32, t.themes)
	for r, label := range labels {
		for theme, c := range t.counts[(r*t.labels+int(label))*t.themes:][:t.themes] {
			sums[theme] += c
		}
	}
	for theme, sum := range sums {
		size := t.sizes[theme]
		if int32(theme) == own {
			sum -= int32(t.runs)
			size--
		}
		switch {
		case size > 0:
			dst[theme] = float32(sum) / (float32(t.runs) * float32(size))
		case int32(theme) == own:
			dst[theme] = 1 // alone in its theme
		default:
			dst[theme] = 0
		}
	}
}

// settle lets every row vote: it goes to the theme with which it was together most
// often, up to ten times, unless a theme would lose its last row.
func settle(v votes, rows, labels []int32, themes int) []int32 {
	shares := make([]float32, themes)
	for range voteRounds {
		t := count(v, rows, labels, themes)
		next := make([]int32, len(labels))
		sizes := make([]int, themes)
		for i, row := range rows {
			t.shares(shares, v.of(int(row)), labels[i])
			best, share := largest(shares)
			if own := labels[i]; own >= 0 && shares[own] >= share {
				best = own
			}
			next[i] = best
			sizes[best]++
		}
		if slices.Equal(next, labels) || slices.Contains(sizes, 0) {
			break
		}
		labels = next
	}
	for i, label := range labels { // only where the votes would have emptied a theme
		if label < 0 {
			labels[i] = 0
		}
	}
	return labels
}

// consensus groups the rows that v has labels for: themes and, of base (the rows that
// the runs learnt from), each row's theme.
func consensus(v votes, keys []uint64, base []int32, p plan) []int32 {
	marks := base
	if limit := max(landmarkSample, rowsPerTheme/2*p.k); len(base) > limit {
		baseKeys := make([]uint64, len(base))
		for i, row := range base {
			baseKeys[i] = keys[row]
		}
		marks = sample(baseKeys, limit, stream(p.seed, drawSample, 0, 0))
		for i, at := range marks {
			marks[i] = base[at]
		}
	}
	merges := averageLinkage(coassociation(v, marks), len(marks))
	floor := max(fewestRows, int(math.Ceil(float64(len(marks))/float64(smallestOfShare*p.k))))
	labels := settle(v, marks, cut(merges, len(marks), p.k, floor), p.k)
	if len(marks) == len(base) {
		return labels
	}
	t := count(v, marks, labels, p.k)
	all := make([]int32, len(base))
	shares := make([]float32, p.k)
	for i, row := range base {
		t.shares(shares, v.of(int(row)), -1)
		all[i], _ = largest(shares)
	}
	return settle(v, base, all, p.k)
}
