package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOperators(t *testing.T) {
	for _, c := range []struct {
		name, query string
		want        operated
	}{
		{"plain", "graph neural networks", operated{text: "graph neural networks"}},
		{"a phrase stays in the text", `robust "graph neural networks" now`, operated{text: `robust "graph neural networks" now`, phrases: []string{"graph neural networks"}}},
		{"curly quotes", "“policy gradient”", operated{text: `"policy gradient"`, phrases: []string{"policy gradient"}}},
		{"a lone quote is text", `5" wafers`, operated{text: `5" wafers`}},
		{"an open quote is text", `"policy gradient`, operated{text: `"policy gradient`}},
		{"without a word", "policy gradient -critic", operated{text: "policy gradient", without: []string{"critic"}}},
		{"without a phrase", `bandits -"multi armed"`, operated{text: "bandits", without: []string{"multi armed"}}},
		{"a dash alone is text", "policy - gradient", operated{text: "policy - gradient"}},
		{"a negative number is text", "below -1 degrees", operated{text: "below -1 degrees"}},
		{"a hyphen inside is text", "state-of-the-art", operated{text: "state-of-the-art"}},
		{"author", "auctions author:myerson", operated{text: "auctions", filters: Filters{Author: []string{"myerson"}}}},
		{"author in quotes", `Author:"roger myerson" auctions`, operated{text: "auctions", filters: Filters{Author: []string{"roger myerson"}}}},
		{"without an author", "auctions -author:myerson", operated{text: "auctions", withoutAuthors: []string{"myerson"}}},
		{"an author of symbols is text", "auctions author:???", operated{text: "auctions author:???", unmeant: []string{"author:???"}}},
		{"one year", "auctions year:2020", operated{text: "auctions", filters: Filters{YearFrom: 2020, YearTo: 2020}}},
		{"years", "year:2018..2022 auctions", operated{text: "auctions", filters: Filters{YearFrom: 2018, YearTo: 2022}}},
		{"open years", "auctions year:2018..", operated{text: "auctions", filters: Filters{YearFrom: 2018}}},
		{"no year", "auctions year:soon", operated{text: "auctions year:soon", unmeant: []string{"year:soon"}}},
		{"years the wrong way round", "auctions year:2022..2018", operated{text: "auctions year:2022..2018", unmeant: []string{"year:2022..2018"}}},
		{"an empty operator", "auctions author:", operated{text: "auctions author:", unmeant: []string{"author:"}}},
		{"a space behind an operator", "auctions author: myerson", operated{text: "auctions author: myerson", unmeant: []string{"author:"}}},
		{"years cannot be left out", "auctions -year:2020", operated{text: "auctions -year:2020", unmeant: []string{"-year:2020"}}},
		{"words of other languages", `AND NEAR( * OR title:x`, operated{text: "AND NEAR( * OR title:x"}},
		{"only an operator", "author:myerson", operated{filters: Filters{Author: []string{"myerson"}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := operators(Query{Text: c.query})
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(operated{}, Filters{})); diff != "" {
				t.Errorf("operators(%q) (-want +got):\n%s", c.query, diff)
			}
		})
	}
}

func TestOperatorsDoNotCountInPastedText(t *testing.T) {
	text := `We study "deep" networks -especially wide ones- on data from author:unknown corpora, and we show that they are ` +
		`wide and deep in the sense of the word, and that the result holds for all of them in all settings.`
	got := operators(Query{Text: text})
	if diff := cmp.Diff(operated{text: text}, got, cmp.AllowUnexported(operated{}, Filters{})); diff != "" {
		t.Error(diff)
	}
}

func TestOperatorsNarrowTheFilters(t *testing.T) {
	for _, c := range []struct {
		text             string
		from, to         int // of the filter
		wantFrom, wantTo int
	}{
		{"x year:2015..2025", 2018, 2020, 2018, 2020},
		{"x year:2019", 2018, 2020, 2019, 2019},
		{"x year:2019..", 0, 2020, 2019, 2020},
		{"x year:..2019", 2018, 0, 2018, 2019},
		{"x year:2025", 2018, 2020, 2025, 2020}, // no paper
	} {
		got := operators(Query{Text: c.text, Filters: Filters{YearFrom: c.from, YearTo: c.to}}).filters
		if got.YearFrom != c.wantFrom || got.YearTo != c.wantTo {
			t.Errorf("%q within %d..%d: %d..%d, want %d..%d", c.text, c.from, c.to, got.YearFrom, got.YearTo, c.wantFrom, c.wantTo)
		}
	}
}

func TestPlainTextHasNoOperators(t *testing.T) {
	const text = `"long covid" -vaccine author:smith year:2020`
	if got := operators(Query{Text: text, Plain: true}); got.text != text || !got.filters.none() || len(got.phrases)+len(got.without) > 0 {
		t.Errorf("got %+v", got)
	}
}

func FuzzOperators(f *testing.F) {
	f.Add(`robust "graph networks" -critic author:"a b" year:2018..2020`)
	f.Fuzz(func(t *testing.T, text string) { operators(Query{Text: text}) })
}
