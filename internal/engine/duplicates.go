package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/store"
)

// Papers that may be forms of one work have one result, of the best of them; the others
// are named with it (docs/decisions/0012-forms-of-one-work-are-told.md).

// duplicatesTold are named one by one, in an answer of any number.
const duplicatesTold = 100

// duplicates are the papers that may be the same work as a paper, by its number.
type duplicates map[uint32][]store.Twin

// duplicatesOf looks in the library for what may be the same work as papers, in the order
// of ids; passed is what else is known to be.
func duplicatesOf(ctx context.Context, sh shelf, papers []*store.Paper, passed duplicates) (duplicates, error) {
	d := make(duplicates)
	if lib, ok := sh.(*store.Library); ok {
		var err error
		if d, err = lib.Twins(ctx, papers); err != nil {
			return nil, err
		}
	}
	for n, list := range passed {
		known := make(map[uint32]bool, len(d[n]))
		for _, t := range d[n] {
			known[t.N] = true
		}
		for _, t := range list {
			if !known[t.N] {
				d[n] = append(d[n], t)
			}
		}
	}
	for _, list := range d {
		slices.SortFunc(list, func(a, b store.Twin) int { return strings.Compare(a.ID, b.ID) })
	}
	return d, nil
}

// first puts the papers that were asked about before the others.
func (d duplicates) first(asked []store.Match) {
	for _, list := range d {
		slices.SortStableFunc(list, func(a, b store.Twin) int {
			return cmp.Compare(isOneOf(b.N, asked), isOneOf(a.N, asked))
		})
	}
}

// isOneOf is 1 or 0.
func isOneOf(n uint32, list []store.Match) int {
	if slices.ContainsFunc(list, func(m store.Match) bool { return m.N == n }) {
		return 1
	}
	return 0
}

// of are the first of a paper's duplicates, and how many there are.
func (d duplicates) of(n uint32) ([]Duplicate, int) {
	var told []Duplicate
	for _, t := range d[n][:min(duplicatesTold, len(d[n]))] {
		told = append(told, Duplicate{ID: t.ID, Reason: t.Reason})
	}
	return told, len(d[n])
}

// tellAvoided says which papers are left out since they may be the same work as one to be
// avoided.
func (e *Engine) tellAvoided(ctx context.Context, sh shelf, avoided []*store.Paper) error {
	d, err := duplicatesOf(ctx, sh, avoided, nil)
	if err != nil {
		return err
	}
	own := make(map[uint32]bool)
	for _, p := range avoided {
		own[p.N] = true
	}
	var names []string
	for _, p := range avoided {
		for _, t := range d[p.N] {
			if !own[t.N] {
				own[t.N] = true
				names = append(names, t.ID)
			}
		}
	}
	if len(names) > 0 {
		e.warn("%s that may be the same work as one to be unlike %s left out with it: %s", number.Of(len(names), "paper"), number.Pick(len(names), "is", "are"), firstOf(names))
	}
	return nil
}

// firstOf names the first of a list, and counts the others.
func firstOf(names []string) string {
	const shown = 3
	if more := len(names) - shown; more > 0 {
		return strings.Join(names[:shown], ", ") + " and " + number.Of(more, "other")
	}
	return strings.Join(names, ", ")
}

// listDuplicates yields the papers that may be the same work as another, group by group.
// An order is that of a group's papers, and of the groups by their first.
func listDuplicates(ctx context.Context, lib *store.Library, keep func(*store.Paper) bool, order func(a, b listed) int, yield func(*Paper) error) error {
	groups, err := lib.Duplicates(ctx)
	if err != nil {
		return err
	}
	type member struct {
		store.Duplicate
		group *DuplicateGroup
	}
	of := make(map[uint32]member)
	var sorted [][]listed
	for _, group := range groups {
		g := &DuplicateGroup{ID: group[0].ID, Papers: len(group), Reason: reasons(group)}
		all := make([]listed, len(group))
		for i, d := range group {
			of[d.N] = member{d, g}
			all[i].n = d.N
		}
		sorted = append(sorted, all)
	}
	if order != nil {
		if err := sortGroups(ctx, lib, sorted, order); err != nil {
			return err
		}
	}
	for papers := range slices.Chunk(slices.Concat(sorted...), page) {
		read, err := lib.Papers(ctx, numbersOf(papers))
		if err != nil {
			return err
		}
		for _, p := range read {
			if !keep(p) {
				continue
			}
			out, m := shown(p), of[p.N]
			out.Group, out.Duplicates = m.group, []Duplicate{{ID: m.With, Reason: m.Reason}}
			if err := yield(out); err != nil {
				return unlessEnough(err)
			}
		}
	}
	return nil
}

// reasons are those of the papers of a group, each once.
func reasons(group []store.Duplicate) string {
	var all []string
	for _, d := range group {
		if !slices.Contains(all, d.Reason) {
			all = append(all, d.Reason)
		}
	}
	return firstOf(all)
}

// sortGroups orders the papers of groups, which are known by their numbers, and the groups.
func sortGroups(ctx context.Context, lib *store.Library, groups [][]listed, order func(a, b listed) int) error {
	known := make(map[uint32]listed)
	for papers := range slices.Chunk(slices.Concat(groups...), page) {
		read, err := lib.Papers(ctx, numbersOf(papers))
		if err != nil {
			return err
		}
		for _, p := range read {
			known[p.N] = listedOf(p)
		}
	}
	for _, group := range groups {
		for i := range group {
			if l, ok := known[group[i].n]; ok { // else it was removed meanwhile
				group[i] = l
			}
		}
		slices.SortFunc(group, order)
	}
	slices.SortStableFunc(groups, func(a, b []listed) int { return order(a[0], b[0]) })
	return nil
}

func numbersOf(list []listed) []uint32 {
	ns := make([]uint32, len(list))
	for i, l := range list {
		ns[i] = l.n
	}
	return ns
}
