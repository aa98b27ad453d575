package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func newBackup(s *session) *cobra.Command {
	return &cobra.Command{
		Use:     "backup FILE",
		Short:   "Write the whole library into one file",
		Long:    "Write everything that the library holds into one new file, which 'akin restore' reads.",
		Example: "  akin backup library.backup",
		GroupID: groupLibrary,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("backing up the library", runBackup(cmd.Context(), s, args[0]))
		},
	}
}

// fileDone is the JSON shape of what backup and restore did.
type fileDone struct {
	File    string `json:"file"`
	Library string `json:"library"`
	Papers  int    `json:"papers"`
}

func runBackup(ctx context.Context, s *session, file string) error {
	e, err := s.open(ctx, engineOptions{})
	if err != nil {
		return err
	}
	defer e.Close()
	if err := e.Backup(ctx, file); err != nil {
		return err
	}
	return s.writeFileDone(ctx, e, file, "%s backed up as %s\n")
}

func newRestore(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "Make a library of a backup",
		Long: `Make the library of a file that 'akin backup' wrote. A library that holds papers is
never replaced: name another folder with --library, or move the old one away.`,
		Example: "  akin restore library.backup --library restored",
		GroupID: groupLibrary,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("restoring the library", runRestore(cmd.Context(), s, args[0]))
		},
	}
}

func runRestore(ctx context.Context, s *session, file string) error {
	if err := engine.Restore(ctx, s.config(engineOptions{}), file); err != nil {
		return err
	}
	e, err := s.open(ctx, engineOptions{})
	if err != nil {
		return err
	}
	defer e.Close()
	return s.writeFileDone(ctx, e, file, "%s restored from %s\n")
}

func (s *session) writeFileDone(ctx context.Context, e *engine.Engine, file, format string) error {
	stats, err := e.Stats(ctx)
	if err != nil {
		return err
	}
	if s.global.json {
		return s.writeJSON(fileDone{file, stats.Library, stats.Papers})
	}
	_, err = fmt.Fprintf(s.out, format, plural(stats.Papers, "paper"), oneLine(file))
	return err
}

func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return misusef(cmd, "%s needs a file", cmd.Name())
	}
	return nil
}
