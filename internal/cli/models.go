package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func newModels(s *session) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "models COMMAND",
		Short:   "List and verify the models",
		Long:    "List the models that turn texts into vectors, and verify the one in this binary.",
		Example: "  akin models list\n  akin models verify",
		GroupID: groupTools,
		Args:    cobra.ArbitraryArgs,
		RunE:    runGroup,
	}
	cmd.AddCommand(newModelsList(s), newModelsVerify(s))
	return cmd
}

func newModelsList(s *session) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the models",
		Long:    "List the models that akin knows; with --json one object a line.",
		Example: "  akin models list",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runModelsList(s)
		},
	}
}

func runModelsList(s *session) error {
	models := engine.Models()
	if s.global.json {
		for _, m := range models {
			if err := s.writeJSON(m); err != nil {
				return err
			}
		}
		return nil
	}
	renderModels(s.out, s.layout(), models)
	return nil
}

func renderModels(w io.Writer, l layout, models []engine.Model) {
	for i, m := range models {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, l.strong(oneLine(m.Name)))
		where := "not here"
		if m.Bundled {
			where = "in this binary"
		}
		renderFields(w, l, []field{
			{"vector", plural(m.Dim, "number")},
			{"reads", plural(m.MaxTokens, "token")},
			{"size", size(m.Bytes) + ", " + where},
			{"licence", m.Licence},
			{"source", m.Source},
		})
	}
}

type verifyOptions struct {
	engineOptions
	deep bool
}

func newModelsVerify(s *session) *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Verify the model in this binary",
		Long: `Compare every byte of the model in this binary with its checksums. With --deep, also
encode the seed papers on this machine and compare their vectors with the stored ones.
A difference ends with exit code 4.`,
		Example: "  akin models verify\n  akin models verify --deep",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("verifying the model", runModelsVerify(cmd.Context(), s, o))
		},
	}
	cmd.Flags().BoolVar(&o.deep, "deep", false, "also what this machine makes of it")
	addEngineFlags(cmd, &o.engineOptions)
	return cmd
}

func runModelsVerify(ctx context.Context, s *session, o verifyOptions) error {
	r, err := engine.VerifyModel(ctx)
	if err != nil {
		return err
	}
	if o.deep {
		if r.Encoding, err = verifyEncoding(ctx, s, o.engineOptions); err != nil {
			return err
		}
		r.OK = r.OK && r.Encoding.OK
	}
	if s.global.json {
		if err := s.writeJSON(r); err != nil {
			return err
		}
	} else {
		renderModelReport(s.out, s.layout(), r)
	}
	if !r.OK {
		return &engine.Error{Kind: engine.Damaged, Err: fmt.Errorf("%s is not as it was made", r.Model), Hint: "install akin again"}
	}
	return nil
}

func verifyEncoding(ctx context.Context, s *session, o engineOptions) (*engine.EncodingReport, error) {
	e, err := s.open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.VerifyEncoding(ctx)
}

func renderModelReport(w io.Writer, l layout, r *engine.ModelReport) {
	fmt.Fprintln(w, l.strong(oneLine(r.Model)))
	for _, f := range r.Sections {
		state := "as it was made"
		if f.Problem != "" {
			state = l.strong(oneLine(f.Problem))
		}
		fmt.Fprintf(w, "  %s  %10s  %s\n", pad(oneLine(f.Name), 26), count(f.Bytes), state)
	}
	if e := r.Encoding; e != nil {
		state := "as they were"
		if !e.OK {
			state = l.strong("not as they were")
		}
		fmt.Fprintf(w, "  %s encoded on this machine: %s (cosine at least %.7f)\n", plural(e.Texts, "text"), state, e.LeastCosine)
	}
}
