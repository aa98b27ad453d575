package number

import (
	"strings"

	"github.com/dustin/go-humanize"
)

// Grouped writes a number with its thousands apart: "12,345".
func Grouped[T int | int64 | uint64](n T) string { return humanize.Comma(int64(n)) }

// Of is a number with its noun, which is given as one: "1 paper", "12,345 papers",
// "2 queries".
func Of(n int, noun string) string {
	switch stem, ends := strings.CutSuffix(noun, "y"); {
	case n == 1:
		return "1 " + noun
	case ends:
		return Grouped(n) + " " + stem + "ies"
	default:
		return Grouped(n) + " " + noun + "s"
	}
}

// Pick is the form of a word that goes with a number: Pick(n, "is", "are").
func Pick(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
