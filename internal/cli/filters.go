package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// filterOptions are the flags that narrow what is searched or listed.
type filterOptions struct {
	year yearRange
	set  engine.Filters
}

func addFilterFlags(cmd *cobra.Command, o *filterOptions) {
	f := cmd.Flags()
	f.Var(&o.year, "year", "only of the `YEARS`: 2020, 2018..2022, 2018.., ..2022")
	f.StringArrayVar(&o.set.Venue, "venue", nil, "only of a venue with `TEXT` in its name; given again: any of them, as below")
	f.StringArrayVar(&o.set.Author, "author", nil, "only by an author with `TEXT` in the name")
	f.StringArrayVar(&o.set.Keyword, "keyword", nil, "only with a keyword that has `TEXT` in it")
	f.StringArrayVar(&o.set.Theme, "theme", nil, "only of a theme: its id, or `TEXT` in its name")
	f.StringArrayVar(&o.set.Source, "source", nil, "only from a file with `TEXT` in its path")
}

// filters are the engine's: of several values of one flag one is enough, and each flag
// that is given must hold.
func (o filterOptions) filters() engine.Filters {
	o.set.YearFrom, o.set.YearTo = o.year.from, o.year.to
	return o.set
}

// yearRange is the value of --year: "2020", "2018..2022", "2018..", "..2022".
type yearRange struct{ from, to int }

func (y *yearRange) String() string {
	switch {
	case *y == yearRange{}:
		return ""
	case y.from == y.to:
		return strconv.Itoa(y.from)
	}
	return fmt.Sprintf("%d..%d", y.from, y.to)
}

func (y *yearRange) Type() string { return "years" }

func (y *yearRange) Set(s string) error {
	from, to, isRange := strings.Cut(s, "..")
	if !isRange {
		to = from
	}
	var r yearRange
	for _, end := range []struct {
		text string
		year *int
	}{{from, &r.from}, {to, &r.to}} {
		if end.text == "" && isRange {
			continue
		}
		n, err := strconv.Atoi(end.text)
		if err != nil || n < 1 || n > 9999 {
			return fmt.Errorf("expected a year or FROM..TO, found %q", s)
		}
		*end.year = n
	}
	if r == (yearRange{}) {
		return fmt.Errorf("expected a year or FROM..TO, found %q", s)
	}
	if *y != (yearRange{}) { // other filters may be given again, so it would be surprising that the last one counts
		return errors.New("it is given twice: one range has all the years, as in 2018..2022")
	}
	if r.to != 0 && r.from > r.to {
		return fmt.Errorf("the years %s are backwards: write %d..%d", s, r.to, r.from)
	}
	*y = r
	return nil
}
