package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(s *session) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Say which akin this is",
		Example: "  akin version",
		GroupID: groupTools,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.global.json {
				return s.writeJSON(buildOf())
			}
			_, err := fmt.Fprintln(s.out, versionLine())
			return err
		},
	}
}

// build is the JSON shape of what this binary was built from.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"` // the tree held changes that no commit has
	Go       string `json:"go"`
}

func buildOf() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return build{Version: "unknown"}
	}
	b := build{Version: info.Main.Version, Go: info.GoVersion}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = setting.Value
		case "vcs.modified":
			b.Modified = setting.Value == "true"
		}
	}
	return b
}

func versionLine() string {
	b := buildOf()
	line := "akin " + b.Version
	if b.Commit != "" {
		line += ", commit " + b.Commit[:min(12, len(b.Commit))]
		if b.Modified {
			line += " with changes"
		}
	}
	return line + ", " + b.Go
}
