package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func newCompletion(s *session) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write the completion script of a shell",
		Long: `Write the script that completes akin's commands and flags in a shell: bash, zsh, fish
or powershell. Where a shell looks for it is in the shell's manual; for the session
at hand, evaluate it.`,
		Example:   "  akin completion bash > akin.bash\n  source <(akin completion bash)",
		GroupID:   groupTools,
		ValidArgs: shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(shells, args[0]) {
				return misusef(cmd, "completion needs one of %s", strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(s.out, true)
			case "zsh":
				return root.GenZshCompletion(s.out)
			case "fish":
				return root.GenFishCompletion(s.out, true)
			default:
				return root.GenPowerShellCompletionWithDesc(s.out)
			}
		},
	}
}
