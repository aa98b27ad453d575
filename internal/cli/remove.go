package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

func newRemove(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "remove PAPER...",
		Short: "Remove papers from the library",
		Long: `Remove papers from the library, named as for 'akin similar'. They are gone from every
answer at once. If one of the names is unknown or ambiguous, nothing is removed.`,
		Example: "  akin remove key-3",
		GroupID: groupLibrary,
		Args:    needArgs(1, "a paper"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("removing papers", runRemove(cmd.Context(), s, args))
		},
	}
}

// removed is the JSON shape of what remove did.
type removed struct {
	Removed []string `json:"removed"`
}

func runRemove(ctx context.Context, s *session, names []string) error {
	e, err := s.open(ctx, engineOptions{})
	if err != nil {
		return err
	}
	defer e.Close()
	ids, err := e.Remove(ctx, names)
	if err != nil {
		return err
	}
	if s.global.json {
		return s.writeJSON(removed{ids})
	}
	for _, id := range ids {
		if _, err := fmt.Fprintln(s.out, "removed "+oneLine(id)); err != nil {
			return err
		}
	}
	return nil
}
