package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func newCheck(s *session) *cobra.Command {
	var o engineOptions
	cmd := &cobra.Command{
		Use:     "check",
		Short:   "Verify the library and the model",
		Long:    "Verify the library, what is derived from it, and the model. Damage ends with exit code 4.",
		Example: "  akin check",
		GroupID: groupLibrary,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("checking the library", runCheck(cmd.Context(), s, o))
		},
	}
	addEngineFlags(cmd, &o)
	return cmd
}

func runCheck(ctx context.Context, s *session, o engineOptions) error {
	e, err := s.openToRead(ctx, o)
	if err != nil {
		return err
	}
	defer e.Close()
	r, err := e.Check(ctx)
	if err != nil {
		return err
	}
	if s.global.json {
		if err := s.writeJSON(r); err != nil {
			return err
		}
	} else {
		renderCheck(s.out, s.layout(), r)
	}
	if !r.OK {
		return &engine.Error{Kind: engine.Damaged, Err: fmt.Errorf("%s found", plural(len(r.Problems), "problem"))}
	}
	return nil
}

func renderCheck(w io.Writer, l layout, r *engine.CheckReport) {
	for _, p := range r.Problems {
		fmt.Fprintf(w, "%s: %s\n", oneLine(p.Where), l.strong(oneLine(p.What)))
		if p.Hint != "" {
			fmt.Fprintf(w, "  %s\n", oneLine(p.Hint))
		}
	}
	if r.OK {
		fmt.Fprintf(w, "all is well: %s, %s", plural(r.Papers, "paper"), plural(r.Vectors, "vector"))
		if r.RecallSamples > 0 {
			fmt.Fprintf(w, ", recall@10 %.3f over %s", r.RecallAt10, plural(r.RecallSamples, "sample"))
		}
		fmt.Fprintln(w)
	}
}
