package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

type exportOptions struct {
	filterOptions
	names []string
	to    string
}

func newExport(s *session) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export [PAPER...] --to FORMAT",
		Short: "Write papers for other programs",
		Long: `Write papers to the standard output, as they were read, in a format that other programs
read: those that are named, or all that the filters let through, in the order of their ids:
the same papers are the same file, in whatever order they were added. (A paper of
several sources has its key in the first of them.) What is written for akin to read
changes nothing when it is added again.

` + listed("Formats", engine.ExportFormats()),
		Example: "  akin export --to bibtex > papers.bib\n  akin export --year 2020.. --to csv\n  akin export \"sparse autoencoders\" --to ris",
		GroupID: groupLibrary,
		Args: func(cmd *cobra.Command, _ []string) error {
			if o.to == "" {
				return misusef(cmd, "export needs --to with one of %s", strings.Join(engine.ExportFormats(), ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.names = args
			return during("exporting papers", runExport(cmd.Context(), s, o))
		},
	}
	addToFlag(cmd, &o.to)
	addFilterFlags(cmd, &o.filterOptions)
	return cmd
}

func addToFlag(cmd *cobra.Command, to *string) {
	addOnceFlag(cmd, to, "to", "ask once for each format", "write the papers as `FORMAT`: "+strings.Join(engine.ExportFormats(), ", "))
}

func runExport(ctx context.Context, s *session, o exportOptions) error {
	e, err := s.openToRead(ctx, engineOptions{})
	if err != nil {
		return err
	}
	defer e.Close()
	n, err := e.Export(ctx, s.out, engine.ExportRequest{Names: o.names, Filters: o.filters(), To: o.to})
	if err == nil && n == 0 {
		return &engine.Error{Kind: engine.NotFound, Err: errors.New("no paper found")}
	}
	if err == nil && s.global.json {
		s.notef("the papers are written as %s: --json changes nothing in an export", o.to)
	}
	return err
}
