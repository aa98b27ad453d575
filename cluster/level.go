package cluster

import (
	"cmp"
	"slices"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// representatives of a theme: the most central item and two that differ.
const representatives = 3

// number orders the themes of each division by size (copies counted), then by their
// first row.
func (f *finder) number(divisions []*division) {
	for _, d := range divisions {
		sizes := make([]int, d.k)
		for i, label := range d.labels {
			sizes[label] += int(f.c.copies[d.rows[i]])
		}
		first := make([]int, d.k)
		for i := len(d.labels) - 1; i >= 0; i-- {
			first[d.labels[i]] = i
		}
		order := make([]int, d.k)
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int {
			if c := cmp.Compare(sizes[b], sizes[a]); c != 0 {
				return c
			}
			return cmp.Compare(first[a], first[b])
		})
		rank := make([]int32, d.k)
		for r, old := range order {
			rank[old] = int32(r)
		}
		for i := range d.labels {
			d.labels[i] = rank[d.labels[i]]
			if d.next[i] >= 0 {
				d.next[i] = rank[d.next[i]]
			}
		}
	}
}

// level puts divisions together: the themes of each after those of the one before.
func (f *finder) level(divisions []*division) Level {
	lv := Level{Items: make([]Membership, len(f.c.rowOf))}
	byRow := make([]Membership, f.c.n)
	for at, d := range divisions {
		first := int32(len(lv.Themes))
		members := make([][]int32, d.k)
		for i, row := range d.rows {
			m := Membership{Theme: first + d.labels[i], Fit: d.fits[i], Next: -1}
			if d.next[i] >= 0 {
				m.Next = first + d.next[i]
			}
			byRow[row] = m
			members[d.labels[i]] = append(members[d.labels[i]], int32(i))
		}
		for _, list := range members {
			t := Theme{Parent: at, Representatives: f.represent(d, list)}
			if d.top {
				t.Parent = -1
			}
			fit := 0.0
			means := make([]float32, len(list))
			for at, i := range list {
				means[at] = f.close[d.rows[i]]
			}
			t.Reach = reachOf(means)
			for _, i := range list {
				copies := int(f.c.copies[d.rows[i]])
				t.Size += copies
				fit += float64(copies) * float64(d.fits[i])
			}
			t.Fit = float32(fit / float64(t.Size))
			lv.Themes = append(lv.Themes, t)
		}
	}
	for item, row := range f.c.rowOf {
		lv.Items[item] = byRow[row]
	}
	return lv
}

// represent chooses the representatives of a theme (members count within d.rows): the
// item with the largest vote share times cosine with the theme's centroid, then of the
// third that comes closest to that, twice the one farthest from those chosen.
func (f *finder) represent(d *division, members []int32) []uint32 {
	row := make([]float32, f.c.dim)
	centre := make([]float32, f.c.dim)
	for _, i := range members {
		f.c.row(row, int(d.rows[i]))
		vec.Add(centre, row)
	}
	normalise(centre)
	type central struct {
		row   int32
		value float32
	}
	list := make([]central, len(members))
	for at, i := range members {
		f.c.row(row, int(d.rows[i]))
		list[at] = central{d.rows[i], d.shares[i] * vec.Dot(centre, row)}
	}
	slices.SortFunc(list, func(a, b central) int {
		if c := cmp.Compare(b.value, a.value); c != 0 {
			return c
		}
		return cmp.Compare(a.row, b.row)
	})
	list = list[:min(len(list), max(representatives, len(list)/3))]
	nearest := make([]float32, len(list)) // largest cosine with one that is chosen
	for i := range nearest {
		nearest[i] = -2
	}
	latest := make([]float32, f.c.dim)
	var chosen []uint32
	for at := 0; len(chosen) < min(representatives, len(list)); {
		chosen = append(chosen, uint32(f.c.itemOf[list[at].row]))
		nearest[at] = 2
		f.c.row(latest, int(list[at].row))
		next := at
		for i, c := range list {
			f.c.row(row, int(c.row))
			nearest[i] = max(nearest[i], vec.Dot(row, latest))
			if nearest[i] < nearest[next] {
				next = i
			}
		}
		at = next
	}
	return chosen
}

// bySize returns the group numbers, largest first, equal ones by number.
func bySize(sizes []int) []int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	return order
}
