package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func runEvalThemes(ctx context.Context, s *session, o evalOptions) error {
	if o.queries != "" || o.qrels != "" {
		return usagef("leave out one of them", "themes are not measured by queries")
	}
	for _, k := range o.k {
		if k < 1 {
			return usagef("-k is a number of themes, at least 1", "-k %d asks for no theme", k)
		}
	}
	e, err := s.openToRead(ctx, o.engineOptions)
	if err != nil {
		return err
	}
	defer e.Close()
	r, err := e.EvalThemes(ctx, engine.ThemesEvalRequest{K: o.k, Seed: o.seed})
	if err != nil {
		return err
	}
	if s.global.json {
		return s.writeJSON(r)
	}
	renderEvalThemes(s.out, s.layout(), r)
	return nil
}

// renderEvalThemes sets the figures of each number of themes in a row.
func renderEvalThemes(w io.Writer, l layout, r *engine.ThemesEvalReport) {
	fmt.Fprintf(w, "%s, and %s random nine tenths of them\n", plural(r.Papers, "paper"), count(r.Subsets))
	fmt.Fprintln(w, l.faint("themes  stability  k-means  ids kept    NPMI  diversity  stop words  names twice"))
	for _, f := range r.Themes {
		fmt.Fprintf(w, "%s  %9.3f  %7.3f  %6.0f %%  %6.3f  %9.3f  %10d  %11d\n", l.strong(fmt.Sprintf("%6d", f.K)),
			f.Stability, f.StabilityKMeans, 100*f.IDsKept, f.NPMI, f.Diversity, f.StopWords, f.RepeatedNames)
	}
}
