package engine

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/facet"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
)

// The texts of a paper that filters look at, each a column of a facet.Table.
const (
	venueField = iota
	authorField
	keywordField
	sourceField // the last
	fieldColumns
)

// fieldFlags are the filters of the columns, as a person writes them.
var fieldFlags = [fieldColumns]string{"--venue", "--author", "--keyword", "--source"}

// wantedIn are the values of a filter, of which one is enough.
func (f *Filters) wantedIn(column int) *[]string {
	return [fieldColumns]*[]string{&f.Venue, &f.Author, &f.Keyword, &f.Source}[column]
}

// none reports whether nothing is filtered.
func (f Filters) none() bool {
	return f.YearFrom == 0 && f.YearTo == 0 && len(f.Venue)+len(f.Author)+len(f.Keyword)+len(f.Theme)+len(f.Source) == 0
}

// flags are the filters as a person writes them, each with a space before it.
func (f Filters) flags() string {
	var b strings.Builder
	switch {
	case f.YearFrom != 0 && f.YearFrom == f.YearTo:
		fmt.Fprintf(&b, " --year %d", f.YearFrom)
	case f.YearFrom != 0 && f.YearTo != 0:
		fmt.Fprintf(&b, " --year %d..%d", f.YearFrom, f.YearTo)
	case f.YearFrom != 0:
		fmt.Fprintf(&b, " --year %d..", f.YearFrom)
	case f.YearTo != 0:
		fmt.Fprintf(&b, " --year ..%d", f.YearTo)
	}
	for column, flag := range fieldFlags {
		for _, value := range *f.wantedIn(column) {
			fmt.Fprintf(&b, " %s %q", flag, value)
		}
	}
	for _, value := range f.Theme {
		fmt.Fprintf(&b, " --theme %q", value)
	}
	return b.String()
}

// check refuses values that nothing could be compared with.
func (f Filters) check() error {
	for column, flag := range fieldFlags {
		for _, value := range *f.wantedIn(column) {
			if len(partsOf(column, value)) == 0 {
				return usagef("write a part of what it should hold", "%s %q has no letter or digit", flag, value)
			}
		}
	}
	return nil
}

// fieldTexts are what a paper has in a column.
func fieldTexts(p *store.Paper, column int) []string {
	switch column {
	case venueField:
		return []string{p.Fields.Venue}
	case authorField:
		return p.Fields.Authors
	case keywordField:
		return p.Fields.Keywords
	}
	names := make([]string, len(p.Records))
	for i, r := range p.Records {
		names[i] = r.Source
	}
	return names
}

// foldField is a text as filters compare it: without case, accents, punctuation and
// spaces.
func foldField(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			text = strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Mn, r) {
					return -1
				}
				return r
			}, norm.NFKD.String(text))
			break
		}
	}
	return paper.Fold(text)
}

// partsOf is what a text must hold to meet a filter's value, whatever the case, accents
// and punctuation: the value as a whole, and of an author each word, since "Ada
// Lovelace" is "Lovelace, Ada" elsewhere.
func partsOf(column int, value string) []string {
	words := []string{value}
	if column == authorField {
		words = strings.FieldsFunc(value, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' })
	}
	var parts []string
	for _, w := range words {
		if folded := foldField(w); folded != "" {
			parts = append(parts, folded)
		}
	}
	return parts
}

// fields are the years, venues, authors and keywords of papers, and their sources.
type fields struct{ work, sources *facet.Table }

func openFields(work, sources []byte) (*fields, error) {
	f := new(fields)
	var err error
	if f.work, err = facet.Open(work); err != nil {
		return nil, err
	}
	if f.sources, err = facet.Open(sources); err != nil {
		return nil, err
	}
	if f.work.Columns() != sourceField || f.sources.Columns() != 1 {
		return nil, fmt.Errorf("%w: fields with %d and %d columns", snapshot.ErrDamaged, f.work.Columns(), f.sources.Columns())
	}
	return f, nil
}

// column is where a column of a paper's texts is.
func (f *fields) column(column int) (*facet.Table, int) {
	if column == sourceField {
		return f.sources, 0
	}
	return f.work, column
}

// fieldsBuilder makes fields.
type fieldsBuilder struct{ work, sources *facet.Builder }

func newFieldsBuilder() *fieldsBuilder {
	return &fieldsBuilder{facet.NewBuilder(sourceField), facet.NewBuilder(1)}
}

// add appends a paper.
func (b *fieldsBuilder) add(p *store.Paper) {
	var columns [fieldColumns][]string
	for column := range columns {
		for _, text := range fieldTexts(p, column) {
			columns[column] = append(columns[column], foldField(text))
		}
	}
	b.work.Add(p.Fields.Year, columns[:sourceField]...)
	b.sources.Add(0, columns[sourceField])
}

func (b *fieldsBuilder) sections() (work, sources []byte) { return b.work.Bytes(), b.sources.Bytes() }

// filter says which papers meet all that is set in f. A text is met by a part of it,
// whatever the case; of several values of one filter one is enough.
func filter(f Filters) func(*store.Paper) bool {
	var wanted [fieldColumns][][]string
	for column := range wanted {
		for _, value := range *f.wantedIn(column) {
			wanted[column] = append(wanted[column], partsOf(column, value))
		}
	}
	return func(p *store.Paper) bool {
		if y := p.Fields.Year; f.YearFrom != 0 && y < f.YearFrom || f.YearTo != 0 && (y == 0 || y > f.YearTo) {
			return false
		}
		for column, values := range wanted {
			if len(values) > 0 && !slices.ContainsFunc(fieldTexts(p, column), func(text string) bool {
				text = foldField(text)
				return slices.ContainsFunc(values, func(parts []string) bool { return holdsAll(text, parts) })
			}) {
				return false
			}
		}
		return f.inThemes == nil || f.inThemes.Has(p.N)
	}
}

func holdsAll(text string, parts []string) bool {
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(text, p) })
}

// joined is a set of documents made of those of the snapshot and of those after them.
func (x *wordIndex) joined(of func(f *fields) facet.Rows) facet.Rows {
	docs := facet.NewRows(x.base.len() + len(x.fresh))
	if x.fields[0] != nil {
		copy(docs, of(x.fields[0]))
	}
	for row := range of(x.fields[1]).All {
		docs.Add(uint32(x.base.len()) + row)
	}
	return docs
}

// meeting is the present documents of the papers that meet the filters.
func (x *wordIndex) meeting(f Filters) facet.Rows {
	docs := slices.Clone(x.present)
	if f.YearFrom != 0 || f.YearTo != 0 {
		docs.Keep(x.joined(func(of *fields) facet.Rows { return of.work.Between(f.YearFrom, f.YearTo) }))
	}
	for column := range fieldColumns {
		if values := *f.wantedIn(column); len(values) > 0 {
			docs.Keep(x.having(column, values))
		}
	}
	if f.inThemes != nil {
		for doc := range slices.Clone(docs).All {
			if !f.inThemes.Has(x.number(doc)) {
				docs.Remove(doc)
			}
		}
	}
	return docs
}

// having is the documents that meet one of the values of a filter.
func (x *wordIndex) having(column int, values []string) facet.Rows {
	return x.joined(func(f *fields) facet.Rows {
		table, at := f.column(column)
		rows := facet.NewRows(table.Len())
		for _, value := range values {
			rows.Join(table.Holding(at, partsOf(column, value)))
		}
		return rows
	})
}

// papers are those that documents are.
func (x *wordIndex) papers(docs facet.Rows) *index.Set {
	set := new(index.Set)
	for doc := range docs.All {
		set.Add(x.number(doc))
	}
	return set
}
