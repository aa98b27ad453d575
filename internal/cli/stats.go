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
	vectors := count(st.Vectors)
	if st.NotEncoded > 0 {
		vectors += fmt.Sprintf(" (%s not encoded yet: akin add, without a path)", plural(st.NotEncoded, "paper"))
	}
	sentences := ""
	switch {
	case st.Library == "" || st.Vectors == 0:
	case st.NoSentences == 0:
		sentences = "of every paper"
	case st.NoSentences == st.Vectors:
		sentences = "not encoded"
	default:
		sentences = fmt.Sprintf("of %s of %s", count(st.Vectors-st.NoSentences), plural(st.Vectors, "paper"))
	}
	model := fmt.Sprintf("%s, %s a vector", st.Model.Name, plural(st.Model.Dim, "number"))
	if st.Vectors == 0 {
		vectors, model, search = "none yet: akin add, without a path, encodes the papers", "", "by words alone, until they are encoded"
	}
	if st.Papers == 0 {
		renderFields(w, l, []field{{"library", library}, {"papers", "none: akin add PATH adds some"}})
		return
	}
	renderFields(w, l, []field{
		{"library", library},
		{"papers", fmt.Sprintf("%s (%s with an abstract)", count(st.Papers), count(st.WithAbstract))},
		{"vectors", vectors},
		{"sentences", sentences},
		{"model", model},
		{"fingerprint", st.Model.Fingerprint},
		{"search", search},
	})
}
