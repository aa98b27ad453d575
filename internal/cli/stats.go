package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func newStats(s *session) *cobra.Command {
	var o engineOptions
	cmd := &cobra.Command{
		Use:     "stats",
		Short:   "Describe the library",
		Long:    "Describe the library: how many papers and vectors, of which model, how it is searched.",
		Example: "  akin stats",
		GroupID: groupLibrary,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("describing the library", runStats(cmd.Context(), s, o))
		},
	}
	addEngineFlags(cmd, &o)
	return cmd
}

func runStats(ctx context.Context, s *session, o engineOptions) error {
	e, err := s.openToRead(ctx, o)
	if err != nil {
		return err
	}
	defer e.Close()
	st, err := e.Stats(ctx)
	if err != nil {
		return err
	}
	if s.global.json {
		return s.writeJSON(st)
	}
	renderStats(s.out, s.layout(), st)
	return nil
}

func renderStats(w io.Writer, l layout, st *engine.Stats) {
	library := "none: the bundled seed papers"
	if st.Library != "" {
		library = fmt.Sprintf("%s (%s)", st.Library, size(st.Bytes))
	}
	search := "every paper compared"
	if st.Snapshot.Method == "hnsw" {
		search = fmt.Sprintf("graph, generation %s (%s)", count(st.Snapshot.Generation), size(st.Snapshot.Bytes))
	}
	renderFields(w, l, []field{
		{"library", library},
		{"papers", fmt.Sprintf("%s (%s with an abstract)", count(st.Papers), count(st.WithAbstract))},
		{"vectors", count(st.Vectors)},
		{"model", fmt.Sprintf("%s, %d numbers a vector", st.Model.Name, st.Model.Dim)},
		{"fingerprint", st.Model.Fingerprint},
		{"search", search},
	})
}
