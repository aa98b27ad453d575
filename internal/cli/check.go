package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

type checkOptions struct {
	engineOptions
	repair bool
}

func newCheck(s *session) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Verify the library and the model",
		Long: `Verify the library, what is derived from it, and the model. What is found ends with
exit code 4. With --repair, what can be mended is mended, told, and checked again.`,
		Example: "  akin check\n  akin check --repair",
		GroupID: groupLibrary,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("checking the library", runCheck(cmd.Context(), s, o))
		},
	}
	cmd.Flags().BoolVar(&o.repair, "repair", false, "mend what can be mended")
	addEngineFlags(cmd, &o.engineOptions)
	return cmd
}

func runCheck(ctx context.Context, s *session, o checkOptions) error {
	e, err := s.openToRead(ctx, o.engineOptions)
	if err != nil {
		return err
	}
	defer e.Close()
	check := e.Check
	if o.repair {
		check = e.Repair
	}
	r, err := check(ctx)
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
	if r.OK && r.Papers == 0 {
		fmt.Fprintln(w, "all is well: the library has no papers")
		return
	}
	if r.OK {
		found := "all is well"
		if r.NotEncoded > 0 {
			found = "nothing is damaged"
		}
		recall := "recall@10 is not measured"
		if r.RecallAt10 != nil {
			recall = fmt.Sprintf("recall@10 %.3f over %s", *r.RecallAt10, plural(r.RecallSamples, "sample"))
		}
		fmt.Fprintf(w, "%s: %s, %s; %s\n", found, plural(r.Papers, "paper"), plural(r.Vectors, "vector"), recall)
	}
	if r.NotEncoded > 0 {
		fmt.Fprintf(w, "not encoded yet: %s (akin add, without a path, encodes them)\n", plural(r.NotEncoded, "paper"))
	}
}
