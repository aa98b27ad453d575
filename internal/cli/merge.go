package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func newMerge(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "merge PAPER PAPER...",
		Short: "Make one paper of several",
		Long: `Make one paper of several that are the same work. It has the id of the first; the ids
of the others name it, too. 'akin split' takes it apart again.`,
		Example: "  akin merge key-1 key-2",
		GroupID: groupLibrary,
		Args:    needArgs(2, "two papers or more"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("merging papers", runMerge(cmd.Context(), s, args))
		},
	}
}

func runMerge(ctx context.Context, s *session, names []string) error {
	e, err := s.open(ctx, engineOptions{})
	if err != nil {
		return err
	}
	defer e.Close()
	p, err := e.Merge(ctx, names)
	if err != nil {
		return err
	}
	return s.writePapers("one paper now:", p)
}

func newSplit(s *session) *cobra.Command {
	return &cobra.Command{
		Use:     "split PAPER",
		Short:   "Take apart what was merged",
		Long:    "Take a paper apart that was merged from several, by akin or by 'akin merge'.",
		Example: "  akin split key-1",
		GroupID: groupLibrary,
		Args:    needArgs(1, "a paper"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("splitting a paper", runSplit(cmd.Context(), s, args[0]))
		},
	}
}

func runSplit(ctx context.Context, s *session, name string) error {
	e, err := s.open(ctx, engineOptions{})
	if err != nil {
		return err
	}
	defer e.Close()
	papers, err := e.Split(ctx, name)
	if err != nil {
		return err
	}
	return s.writePapers(plural(len(papers), "paper")+" now:", papers...)
}

// writePapers writes papers as JSON, one a line, or as a list under a heading.
func (s *session) writePapers(heading string, papers ...*engine.Paper) error {
	if s.global.json {
		for _, p := range papers {
			if err := s.writeJSON(p); err != nil {
				return err
			}
		}
		return nil
	}
	fmt.Fprintln(s.out, heading)
	table := listTable{w: s.out, layout: s.layout()}
	for _, p := range papers {
		if err := table.add(p); err != nil {
			return err
		}
	}
	return table.flush()
}
