package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/facet"
	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// noneListed says that no paper meets the filters of a list that is empty, and the nearest
// filter that one would; nil where it is empty for another reason.
func (e *Engine) noneListed(ctx context.Context, sh shelf, f Filters) error {
	if f.none() {
		return nil
	}
	f, err := e.within(ctx, sh, f)
	if err != nil {
		return err
	}
	x, err := e.words(ctx)
	if err != nil || x.meeting(f).Len() > 0 {
		return err
	}
	return x.nothingMeets(ctx, sh, f)
}

// nothingMeets says that no paper meets the filters, and the nearest filter that one
// would: it is looked for in each of them while the others hold.
func (x *wordIndex) nothingMeets(ctx context.Context, sh shelf, f Filters) error {
	out := &Error{Kind: NotFound, Err: fmt.Errorf("no paper meets the filters"), Hint: "leave some of the filters out"}
	if f.YearFrom != 0 || f.YearTo != 0 {
		rest := f
		rest.YearFrom, rest.YearTo = 0, 0
		if from, to := x.years(x.meeting(rest)); from != 0 {
			which := "papers that meet the other filters"
			if x.meeting(rest).Len() == x.present.Len() {
				which = "the papers"
			}
			out.Hint = fmt.Sprintf("%s are of --year %d..%d", which, from, to)
			if from != to {
				out.Hint += fmt.Sprintf("; the nearest is of %d", x.nearestYear(x.meeting(rest), f))
			}
			out.Hint += x.withoutTheme(f)
			return out
		}
	}
	for column, flag := range fieldFlags {
		values := *f.wantedIn(column)
		if len(values) == 0 {
			continue
		}
		rest := f
		*rest.wantedIn(column) = nil
		docs := x.meeting(rest)
		if docs.Len() == 0 {
			continue
		}
		near, err := x.nearestTexts(ctx, sh, column, docs, values)
		if err != nil {
			return err
		}
		if len(near) > 0 {
			out.Hint = flag + " could be " + strings.Join(near, ", ") + x.withoutTheme(f)
			return out
		}
	}
	hints, err := x.nothingMeetsAlone(ctx, sh, f)
	if err != nil {
		return err
	}
	if len(hints) > 0 {
		out.Hint = strings.Join(hints, "; ")
	} else if without := x.withoutTheme(f); without != "" {
		out.Hint = strings.TrimPrefix(without, "; ")
	}
	return out
}

// withoutTheme tells how many papers meet the other filters outside of the themes.
func (x *wordIndex) withoutTheme(f Filters) string {
	if f.inThemes == nil {
		return ""
	}
	f.Theme, f.inThemes = nil, nil
	n := x.meeting(f).Len()
	if n == 0 || f.none() {
		return ""
	}
	return fmt.Sprintf("; without --theme the other filters are met, by %s of the papers", number.Grouped(n))
}

// nothingMeetsAlone is a hint for each of several filters that no paper meets, whatever
// the others are.
func (x *wordIndex) nothingMeetsAlone(ctx context.Context, sh shelf, f Filters) (hints []string, err error) {
	all := x.meeting(Filters{})
	years := Filters{YearFrom: f.YearFrom, YearTo: f.YearTo}
	if (years.YearFrom != 0 || years.YearTo != 0) && x.meeting(years).Len() == 0 {
		if from, to := x.years(all); from != 0 {
			hints = append(hints, fmt.Sprintf("the papers are of --year %d..%d", from, to))
		} else {
			hints = append(hints, "no paper has a year, leave --year out")
		}
	}
	for column, flag := range fieldFlags {
		values := *f.wantedIn(column)
		var alone Filters
		*alone.wantedIn(column) = values
		if len(values) == 0 || x.meeting(alone).Len() > 0 {
			continue
		}
		near, err := x.nearestTexts(ctx, sh, column, all, values)
		if err != nil {
			return hints, err
		}
		if len(near) > 0 {
			hints = append(hints, flag+" could be "+strings.Join(near, ", "))
		} else {
			hints = append(hints, "no paper has what "+flag+" asks for, leave it out")
		}
	}
	return hints, nil
}

// years is the first and the last year of documents; 0 where none has one.
func (x *wordIndex) years(docs facet.Rows) (from, to int) {
	for doc := range docs.All {
		if y := x.year(doc); y != 0 {
			if from == 0 {
				from = y
			}
			from, to = min(from, y), max(to, y)
		}
	}
	return from, to
}

// nearestYear is the year of documents that is nearest to those of a filter.
func (x *wordIndex) nearestYear(docs facet.Rows, f Filters) int {
	nearest, least := 0, 0
	for doc := range docs.All {
		y := x.year(doc)
		if y == 0 {
			continue
		}
		distance := max(f.YearFrom-y, y-f.YearTo)
		if f.YearTo == 0 {
			distance = f.YearFrom - y
		}
		if nearest == 0 || distance < least {
			nearest, least = y, distance
		}
	}
	return nearest
}

func (x *wordIndex) year(doc uint32) int {
	if i := int(doc) - x.base.len(); i >= 0 {
		return x.fields[1].work.Year(uint32(i))
	}
	return x.fields[0].work.Year(doc)
}

const (
	nearTextsShown = 3
	// alike is how alike two texts are that are more than the most frequent ones: from 0
	// to 1, by the pairs of letters that they share.
	alike = 0.4
)

// nearestTexts are what the documents have in a column and what is most like what was
// looked for there, as the papers write it; where nothing is, what is most frequent.
func (x *wordIndex) nearestTexts(ctx context.Context, sh shelf, column int, docs facet.Rows, values []string) ([]string, error) {
	type choice struct {
		text  string
		n     int
		alike float64
	}
	counts := make(map[string]int)
	count := func(f *fields, rows facet.Rows) {
		table, at := f.column(column)
		table.Each(at, rows, func(text string, n int) { counts[text] += n })
	}
	count(x.fields[1], x.after(docs))
	if x.fields[0] != nil {
		count(x.fields[0], docs)
	}
	var choices []choice
	for text, n := range counts {
		if n == 0 {
			continue
		}
		c := choice{text: text, n: n}
		for _, value := range values {
			if d := dice(text, strings.Join(partsOf(column, value), "")); d >= alike {
				c.alike = max(c.alike, d)
			}
		}
		choices = append(choices, c)
	}
	slices.SortFunc(choices, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.alike, a.alike), cmp.Compare(b.n, a.n), cmp.Compare(a.text, b.text))
	})
	var near []string
	for _, c := range choices[:min(nearTextsShown, len(choices))] {
		if len(near) > 0 && choices[0].alike > 0 && c.alike == 0 {
			break // they are not like it
		}
		written, err := x.written(ctx, sh, column, c.text)
		if err != nil {
			return nil, err
		}
		near = append(near, fmt.Sprintf("%q", written))
	}
	return near, nil
}

// after is the part of a set of documents that are not in the snapshot, as rows.
func (x *wordIndex) after(docs facet.Rows) facet.Rows {
	rows := facet.NewRows(len(x.fresh))
	for row := range uint32(len(x.fresh)) {
		if docs.Has(uint32(x.base.len()) + row) {
			rows.Add(row)
		}
	}
	return rows
}

// written is a text of a column as a paper has it.
func (x *wordIndex) written(ctx context.Context, sh shelf, column int, folded string) (string, error) {
	having := x.joined(func(f *fields) facet.Rows {
		table, at := f.column(column)
		return table.Having(at, folded)
	})
	for doc := range having.All {
		if !x.present.Has(doc) {
			continue
		}
		papers, err := sh.Papers(ctx, []uint32{x.number(doc)})
		if err != nil {
			return "", err
		}
		for _, p := range papers {
			for _, text := range fieldTexts(p, column) {
				if foldField(text) == folded {
					return paper.Display(text), nil
				}
			}
		}
		break
	}
	return folded, nil
}

// dice is how alike two texts are: twice the pairs of neighbouring letters that they
// share, over all of them (Dice, 1945).
func dice(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	if len(x) < 2 || len(y) < 2 {
		return 0
	}
	pairs := make(map[[2]rune]int, len(x))
	for i := range len(x) - 1 {
		pairs[[2]rune{x[i], x[i+1]}]++
	}
	shared := 0
	for i := range len(y) - 1 {
		if p := [2]rune{y[i], y[i+1]}; pairs[p] > 0 {
			pairs[p]--
			shared++
		}
	}
	return 2 * float64(shared) / float64(len(x)+len(y)-2)
}
