package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func newSources(s *session) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sources [COMMAND]",
		Short: "List what was added when, and undo it",
		Long: `List every import: what was read, and what became of its records; and the papers that
were merged or split by hand. 'sources show' tells all of one, with each record that was
set aside; 'sources undo' takes an import or a merge back.`,
		Example: "  akin sources\n  akin sources show 1",
		GroupID: groupLibrary,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return during("listing the sources", runSources(cmd.Context(), s))
		},
	}
	cmd.AddCommand(newSourcesShow(s), newSourcesUndo(s))
	return cmd
}

func runSources(ctx context.Context, s *session) error {
	e, err := s.open(ctx, engineOptions{})
	if err != nil {
		return err
	}
	defer e.Close()
	list, err := e.Sources(ctx)
	if err != nil {
		return err
	}
	if s.global.json {
		for _, i := range list {
			if err := s.writeJSON(i); err != nil {
				return err
			}
		}
		return nil
	}
	renderImports(s.out, s.layout(), list)
	return nil
}

// renderImports sets each import's number, day and state beside what it did, and below
// it what became of the records that it read.
func renderImports(w io.Writer, l layout, list []engine.Import) {
	digits := 1
	for _, i := range list {
		digits = max(digits, len(strconv.FormatInt(i.N, 10)))
	}
	indent := strings.Repeat(" ", digits+4)
	for _, i := range list {
		for j, line := range wrap(oneLine(i.What), l.text()-len(indent), 2) {
			if j == 0 {
				fmt.Fprintf(w, "  %*d  %s\n", digits, i.N, l.strong(line))
			} else {
				fmt.Fprintf(w, "%s%s\n", indent, l.strong(line))
			}
		}
		day, _, _ := strings.Cut(i.Started, "T")
		fmt.Fprintf(w, "%s%s\n", indent, l.faint(oneLine(day+", "+stateWords(i.State))))
		if i.Command != "add" {
			continue // it read nothing
		}
		for _, line := range wrap(recordsLine(tally(i)), l.text()-len(indent), 0) {
			fmt.Fprintf(w, "%s%s\n", indent, line)
		}
	}
}

// stateWords says a state of an import to a person.
func stateWords(state string) string {
	switch state {
	case "partial":
		return "read in part"
	case "running":
		return "running, or ended by a crash"
	}
	return state
}

// tally is an import's counts in the form of a report.
func tally(i engine.Import) *engine.AddReport {
	return &engine.AddReport{Read: i.Read, Added: i.Added, Updated: i.Updated, Merged: i.Merged, Unchanged: i.Unchanged, RejectedCount: i.RejectedCount}
}

func newSourcesShow(s *session) *cobra.Command {
	return &cobra.Command{
		Use:     "show N",
		Short:   "Show one import whole",
		Long:    "Show one import whole: its files, and each record that was set aside, with the reason.",
		Example: "  akin sources show 1",
		Args:    needNumber,
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("showing an import", runSourcesShow(cmd.Context(), s, args[0]))
		},
	}
}

func runSourcesShow(ctx context.Context, s *session, number string) error {
	n, err := importNumber(number)
	if err != nil {
		return err
	}
	e, err := s.open(ctx, engineOptions{})
	if err != nil {
		return err
	}
	defer e.Close()
	d, err := e.Source(ctx, n)
	if err != nil {
		return err
	}
	if s.global.json {
		return s.writeJSON(d)
	}
	renderImports(s.out, s.layout(), []engine.Import{d.Import})
	renderImportFiles(s.out, s.layout(), d)
	return nil
}

func renderImportFiles(w io.Writer, l layout, d *engine.ImportDetail) {
	for _, f := range d.Files {
		fmt.Fprintf(w, "\n%s\n", oneLine(f.Name))
		fmt.Fprintf(w, "  %s in the library\n", plural(f.Records, "record"))
	}
	if len(d.Rejected) > 0 {
		fmt.Fprintln(w, "\nset aside:")
		for _, r := range d.Rejected {
			renderRejectedRecord(w, l, r)
		}
	}
}

func newSourcesUndo(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "undo N",
		Short: "Take back one import",
		Long: `Take back what one import did: papers that it alone brought are removed, what it
replaced comes back, and what it merged is taken apart.`,
		Example: "  akin sources undo 1",
		Args:    needNumber,
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("undoing an import", runSourcesUndo(cmd.Context(), s, args[0]))
		},
	}
}

func runSourcesUndo(ctx context.Context, s *session, number string) error {
	n, err := importNumber(number)
	if err != nil {
		return err
	}
	e, err := s.open(ctx, engineOptions{})
	if err != nil {
		return err
	}
	defer e.Close()
	u, err := e.Undo(ctx, n)
	if err != nil {
		return err
	}
	if s.global.json {
		return s.writeJSON(u)
	}
	withdrawn := ""
	if u.Withdrawn > 0 {
		withdrawn = plural(u.Withdrawn, "record") + " withdrawn from papers that stay, "
	}
	_, err = fmt.Fprintf(s.out, "import %d is undone: %s removed, %s%s restored, %s taken apart\n",
		u.N, plural(u.Removed, "paper"), withdrawn, plural(u.Restored, "record"), plural(u.Parted, "paper"))
	return err
}

func needNumber(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return misusef(cmd, "%s needs the number of an import", cmd.Name())
	}
	if _, err := importNumber(args[0]); err != nil {
		return misusef(cmd, "%v", err)
	}
	return nil
}

func importNumber(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 {
		return 0, errors.New("expected the number of an import, found " + strconv.Quote(s))
	}
	return n, nil
}
