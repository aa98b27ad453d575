package engine

import (
	"cmp"
	"math"
	"slices"
)

// Trend is what becomes of a theme's share of the papers, from the earlier half of them
// to the later.
type Trend string

const (
	Grows   Trend = "grows"
	Shrinks Trend = "shrinks"
	Steady  Trend = "steady"         // the shares differ no more than chance would have it
	TooFew  Trend = "too few to say" // the shares differ, or so small a theme could not show it, and the papers are too few to be sure
)

// sureTrend is how often, where no theme's share changes, one of them is said to change;
// and how often a theme alone is not said to be steady then, if it is not too small.
const sureTrend = 0.05

// judge compares each theme's shares of the earlier and the later half of the papers,
// which are what a person sees, by Fisher's exact test ("The Logic of Inductive
// Inference", Journal of the Royal Statistical Society 98, 1935), whatever comes and goes
// within a half. The p of the themes are adjusted by Holm's procedure ("A Simple
// Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6,
// 1979). Themes that are too small to be told from chance however their papers divide
// are set aside first, by their size alone (after Tarone, "A Modified Bonferroni Method
// for Discrete Data", Biometrics 46, 1990), so that they do not make the others unsure.
// What is not sure is steady only where the theme alone, which is not asked as one of
// many, differs no more than chance has it, and has papers enough to show more.
// Where all papers are of one year there is no trend. Cost: O(papers of the themes).
func (y *ThemeYears) judge() {
	for i := range y.Themes {
		y.Themes[i].P = 1
	}
	if len(y.Spans) < 2 {
		return
	}
	tests := make([]trendTest, len(y.Themes))
	for i := range y.Themes {
		t := &y.Themes[i]
		tests[i] = trendTest{theme: t, table: halvesTable{t.Spans[0].Papers, t.Spans[1].Papers, y.Spans[0].Papers, y.Spans[1].Papers}}
		tests[i].least = tests[i].table.leastP()
	}
	slices.SortStableFunc(tests, func(a, b trendTest) int { return cmp.Compare(a.least, b.least) })
	tested := len(tests)
	for tested > 0 && tests[tested-1].least > sureTrend/float64(tested) {
		tested--
		tests[tested].theme.Trend = TooFew
	}
	tests = tests[:tested]
	for i := range tests {
		tests[i].p = tests[i].table.p()
	}
	slices.SortStableFunc(tests, func(a, b trendTest) int { return cmp.Compare(a.p, b.p) })
	adjusted := 0.0
	for i, test := range tests {
		adjusted = min(1, max(adjusted, test.p*float64(tested-i)))
		test.theme.P = adjusted
		switch before, after := test.theme.Spans[0].Share, test.theme.Spans[1].Share; {
		case adjusted <= sureTrend && after > before:
			test.theme.Trend = Grows
		case adjusted <= sureTrend:
			test.theme.Trend = Shrinks
		case test.p <= sureTrend || test.table.extreme().p() > sureTrend/float64(tested):
			test.theme.Trend = TooFew
		default:
			test.theme.Trend = Steady
		}
	}
}

// trendTest is the test of a theme.
type trendTest struct {
	theme    *ThemeTrend
	table    halvesTable
	p, least float64 // of the table, and of the most uneven one with as many papers
}

// halvesTable counts the papers of the earlier and the later half: a theme's and all.
type halvesTable struct{ earlier, later, allEarlier, allLater int }

// sameChance is by how much the chances of two tables may differ that are the same but
// for rounding.
const sameChance = 1 + 1e-7

// p is the chance of all divisions of the theme's papers that are at most as likely as
// this one: that of Fisher's exact test, two-sided.
func (t halvesTable) p() float64 {
	lo, hi := t.bounds()
	p, own := 0.0, t.chance(t.earlier)*sameChance
	for x := lo; x <= hi; x++ {
		if c := t.chance(x); c <= own {
			p += c
		}
	}
	return min(1, p)
}

// leastP is the least p that as many papers can have.
func (t halvesTable) leastP() float64 {
	lo, hi := t.bounds()
	return min(t.with(lo).p(), t.with(hi).p())
}

// extreme has as many of the papers as can be in the half that has the larger share.
func (t halvesTable) extreme() halvesTable {
	lo, hi := t.bounds()
	if t.later*t.allEarlier > t.earlier*t.allLater {
		return t.with(lo)
	}
	return t.with(hi)
}

// with has x of the theme's papers in the earlier half.
func (t halvesTable) with(x int) halvesTable {
	return halvesTable{x, t.earlier + t.later - x, t.allEarlier, t.allLater}
}

// bounds are how few and how many of the theme's papers can be in the earlier half.
func (t halvesTable) bounds() (lo, hi int) {
	n := t.earlier + t.later
	return max(0, n-t.allLater), min(n, t.allEarlier)
}

// chance is that of x of the theme's papers being in the earlier half, where it is as
// any papers are (the hypergeometric distribution).
func (t halvesTable) chance(x int) float64 {
	n := t.earlier + t.later
	return math.Exp(logChoose(t.allEarlier, x) + logChoose(t.allLater, n-x) - logChoose(t.allEarlier+t.allLater, n))
}

// logChoose is the logarithm of the number of ways to choose k of n.
func logChoose(n, k int) float64 {
	logFactorial := func(n int) float64 {
		l, _ := math.Lgamma(float64(n) + 1)
		return l
	}
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}
