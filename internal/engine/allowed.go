package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/internal/keyword"
	"github.com/seed-9f29d379/akin/internal/store"
)

// allowed returns the papers that may answer a query: those that meet its filters, hold
// its phrases and hold nothing that they must not. nil is all.
func (e *Engine) allowed(ctx context.Context, sh shelf, f Filters, o operated) (*index.Set, error) {
	var set *index.Set
	var err error
	if !f.none() {
		if f, err = e.within(ctx, sh, f); err != nil {
			return nil, err
		}
		if set, err = meeting(ctx, sh, f); err != nil {
			return nil, err
		}
		if set.Len() == 0 {
			return nil, nothingMeets(ctx, sh, f)
		}
	}
	if len(o.phrases)+len(o.without) == 0 {
		return set, nil
	}
	words, err := e.words(ctx)
	if err != nil {
		return nil, err
	}
	for _, phrase := range o.phrases {
		if set, err = holding(ctx, sh, words, phrase, set); err != nil {
			return nil, err
		}
	}
	if len(o.without) == 0 {
		return set, nil
	}
	gone := new(index.Set)
	for _, without := range o.without {
		words.holding(keyword.Terms(without), gone.Add)
	}
	left := new(index.Set)
	keep := func(n uint32) bool {
		if !gone.Has(n) {
			left.Add(n)
		}
		return true
	}
	if set != nil {
		set.All(keep)
		return left, nil
	}
	ns, err := numbersOf(ctx, sh)
	for _, n := range ns {
		keep(n)
	}
	return left, err
}

// holding returns the papers of set that hold a phrase: its words, side by side and in
// this order, whatever their case. nil is all papers.
func holding(ctx context.Context, sh shelf, words *wordIndex, phrase string, set *index.Set) (*index.Set, error) {
	wanted := keyword.Words(phrase)
	var ns []uint32
	words.holding(keyword.Terms(phrase), func(n uint32) {
		if set == nil || set.Has(n) {
			ns = append(ns, n)
		}
	})
	found := new(index.Set)
	for some := range slices.Chunk(ns, page) {
		papers, err := sh.Papers(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, p := range papers {
			if contains(keyword.Words(p.Fields.Text()), wanted) {
				found.Add(p.N)
			}
		}
	}
	return found, ctx.Err()
}

// contains reports whether part stands in whole.
func contains(whole, part []string) bool {
	for i := 0; i+len(part) <= len(whole); i++ {
		if slices.Equal(whole[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// none reports whether nothing is filtered.
func (f Filters) none() bool {
	return f.YearFrom == 0 && f.YearTo == 0 && len(f.Venue)+len(f.Author)+len(f.Keyword)+len(f.Theme)+len(f.Source) == 0
}

// meeting returns the papers that meet the filters.
func meeting(ctx context.Context, sh shelf, f Filters) (*index.Set, error) {
	set := new(index.Set)
	years := Filters{YearFrom: f.YearFrom, YearTo: f.YearTo}
	if lib, ok := sh.(*store.Library); ok && len(f.Venue)+len(f.Author)+len(f.Keyword)+len(f.Theme)+len(f.Source) == 0 {
		ns, err := lib.NumbersOfYears(ctx, years.YearFrom, years.YearTo)
		for _, n := range ns {
			set.Add(n)
		}
		return set, err
	}
	keep := filter(f)
	err := sh.Each(ctx, func(p *store.Paper) error {
		if keep(p) {
			set.Add(p.N)
		}
		return nil
	})
	return set, err
}

// numbersOf are all papers.
func numbersOf(ctx context.Context, sh shelf) ([]uint32, error) {
	if lib, ok := sh.(*store.Library); ok {
		return lib.NumbersAfter(ctx, 0)
	}
	var ns []uint32
	err := sh.Each(ctx, func(p *store.Paper) error {
		ns = append(ns, p.N)
		return nil
	})
	return ns, err
}

// nothingMeets says that no paper meets the filters, and what would be met: the years
// that there are, or the values of the filter that stands in the way.
func nothingMeets(ctx context.Context, sh shelf, f Filters) error {
	var from, to int
	counts := make(map[string]map[string]int) // a filter's values among papers that meet the others
	others := map[string]func(*store.Paper) bool{}
	for name, without := range map[string]func(*Filters){
		"year":    func(f *Filters) { f.YearFrom, f.YearTo = 0, 0 },
		"venue":   func(f *Filters) { f.Venue = nil },
		"author":  func(f *Filters) { f.Author = nil },
		"keyword": func(f *Filters) { f.Keyword = nil },
		"source":  func(f *Filters) { f.Source = nil },
	} {
		rest := f
		without(&rest)
		others[name] = filter(rest)
		counts[name] = make(map[string]int)
	}
	err := sh.Each(ctx, func(p *store.Paper) error {
		if y := p.Fields.Year; y != 0 && others["year"](p) {
			if from == 0 {
				from = y
			}
			from, to = min(from, y), max(to, y)
		}
		note := func(name string, values ...string) {
			if others[name](p) {
				for _, v := range values {
					if v != "" {
						counts[name][v]++
					}
				}
			}
		}
		note("venue", p.Fields.Venue)
		note("author", p.Fields.Authors...)
		note("keyword", p.Fields.Keywords...)
		for _, r := range p.Records {
			note("source", r.Source)
		}
		return nil
	})
	if err != nil {
		return err
	}
	out := &Error{Kind: NotFound, Err: fmt.Errorf("no paper meets the filters"), Hint: "leave some of the filters out"}
	switch {
	case (f.YearFrom != 0 || f.YearTo != 0) && from != 0:
		out.Hint = fmt.Sprintf("papers that meet the other filters are of --year %d..%d", from, to)
	case len(f.Venue) > 0 && len(counts["venue"]) > 0:
		out.Hint = "--venue could be " + frequent(counts["venue"])
	case len(f.Author) > 0 && len(counts["author"]) > 0:
		out.Hint = "--author could be " + frequent(counts["author"])
	case len(f.Keyword) > 0 && len(counts["keyword"]) > 0:
		out.Hint = "--keyword could be " + frequent(counts["keyword"])
	case len(f.Source) > 0 && len(counts["source"]) > 0:
		out.Hint = "--source could be " + frequent(counts["source"])
	}
	return out
}

// frequent names the most frequent values.
func frequent(counts map[string]int) string {
	const shown = 3
	values := make([]string, 0, len(counts))
	for v := range counts {
		values = append(values, v)
	}
	slices.SortFunc(values, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	for i, v := range values[:min(shown, len(values))] {
		values[i] = fmt.Sprintf("%q", v)
	}
	return strings.Join(values[:min(shown, len(values))], ", ")
}
