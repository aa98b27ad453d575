package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// globalOptions are the flags of every command.
type globalOptions struct {
	library string
	json    bool
	quiet   bool
	noColor bool
}

// The groups of commands in the help.
const (
	groupFind    = "find"
	groupLibrary = "library"
	groupTools   = "tools"
)

const rootLong = `akin finds research papers that are akin: to one paper, to a set of papers, or to
a sentence; and groups a collection into themes. It runs on this machine alone,
with its model inside. Without a library of your own it answers on bundled seed
papers.`

const environmentHelp = `Environment:
  AKIN_LIBRARY  the library's folder, as --library; by default akin in the XDG data folder
  AKIN_ENGINE   the engine, as --engine
  AKIN_CPU      the processor level: reference, avx2, avx512, vnni or neon; by default the fastest
  NO_COLOR      no colours, as --no-color; so does TERM=dumb
  COLUMNS       the width of the lines, where the terminal does not say it
  XDG_DATA_HOME and XDG_CACHE_HOME, HOME or LOCALAPPDATA: where akin's folders are by default
  GOGC          how much memory may grow before it is collected, in percent
`

func newRoot(s *session) *cobra.Command {
	root := &cobra.Command{
		Use:     "akin COMMAND",
		Short:   "Find papers that are akin, and the themes of a collection",
		Long:    rootLong,
		Example: "  akin search \"policy gradient variance without a critic\"\n  akin themes",
		Args:    cobra.ArbitraryArgs,
		RunE:    runGroup,
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if err := checkPaths(cmd, args); err != nil {
				return err
			}
			s.begin(cmd.Context(), cmd.Name() == "add")
			return nil
		},
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       versionLine(),
	}
	root.SetIn(s.proc.Stdin)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpTemplate(helpTemplate)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		hint := helpHint(cmd)
		if cmd.Name() == "search" && strings.HasPrefix(err.Error(), "unknown shorthand flag: ") {
			hint = "a query that begins with '-' comes after '--', as in: akin search -- '-word other words'; " + hint
		}
		return during(parsing, usagef(hint, "%s", flagFault(err)))
	})
	root.CompletionOptions.DisableDefaultCmd = true

	f := root.PersistentFlags()
	f.SortFlags = false
	f.StringVar(&s.global.library, "library", "", "use the library in `DIR`")
	f.BoolVar(&s.global.json, "json", false, "write JSON, one object a line")
	f.BoolVarP(&s.global.quiet, "quiet", "q", false, "no notes and no progress")
	f.BoolVar(&s.global.noColor, "no-color", false, "no colours")
	f.BoolP("help", "h", false, "show how a command is used")
	root.Flags().Bool("version", false, "say which akin this is")

	root.AddGroup(
		&cobra.Group{ID: groupFind, Title: "Find:"},
		&cobra.Group{ID: groupLibrary, Title: "Library:"},
		&cobra.Group{ID: groupTools, Title: "Model and tools:"},
	)
	root.AddCommand(
		newSearch(s), newSimilar(s), newThemes(s),
		newAdd(s), newList(s), newShow(s), newRemove(s), newMerge(s), newSplit(s), newSources(s),
		newStats(s), newCheck(s), newExport(s), newBackup(s), newRestore(s),
		newEval(s), newEmbed(s), newModels(s), newCompletion(s), newVersion(s),
	)
	root.SetHelpCommand(newHelp())
	inWrittenOrder(root)
	return root
}

// inWrittenOrder has the help list the flags of cmd, and of all commands below it, in
// the order in which they are defined.
func inWrittenOrder(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	for _, sub := range cmd.Commands() {
		inWrittenOrder(sub)
	}
}

// runGroup runs a command that only has others below it: alone it shows its help.
func runGroup(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	return unknownCommand(cmd, args[0])
}

// unknownCommand is the error for a name that no command below cmd has; its hint is the
// nearest one.
func unknownCommand(cmd *cobra.Command, name string) error {
	hint := helpHint(cmd)
	cmd.SuggestionsMinimumDistance = 2 // letters apart
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		hint = "did you mean " + cmd.CommandPath() + " " + near[0] + "? All commands: " + cmd.CommandPath() + " --help"
	}
	return during(parsing, usagef(hint, "there is no command %q", cmd.CommandPath()+" "+name))
}

func helpHint(cmd *cobra.Command) string {
	return cmd.CommandPath() + " --help shows how it is used"
}

// flagFault is the flag parser's error in this project's words.
func flagFault(err error) error {
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return badValue(bad)
	}
	if of, ok := strings.CutPrefix(err.Error(), "unknown shorthand flag: "); ok {
		return errors.New("unknown flag: " + of)
	}
	return err
}

// badValue says what kind of value a flag takes.
func badValue(bad *pflag.InvalidValueError) error {
	flag := bad.GetFlag()
	name := "--" + flag.Name
	if flag.Shorthand != "" {
		name = "-" + flag.Shorthand
	}
	what := ""
	switch flag.Value.Type() {
	case "int", "int64":
		what = "a whole number"
	case "uint", "uint64":
		what = "a whole number, 0 or more"
	case "float64":
		what = "a number"
	case "bool":
		what = "true or false"
	case "intSlice":
		what = "whole numbers with commas between them"
	default: // our own, which say it themselves
		return fmt.Errorf("%s: %w", name, bad.Unwrap())
	}
	if errors.Is(bad.Unwrap(), strconv.ErrRange) {
		return fmt.Errorf("%s: %q is too large", name, bad.GetValue())
	}
	return fmt.Errorf("%s takes %s, not %q", name, what, bad.GetValue())
}

// newHelp is "akin help COMMAND", the same as "akin COMMAND --help".
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show how a command is used",
		Example: "  akin help search",
		GroupID: groupTools,
		RunE: func(cmd *cobra.Command, args []string) error {
			of, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(of, strings.Join(rest, " "))
			}
			return of.Help()
		},
	}
}

// helpTemplate lays out the help of every command: what it does, how it is used, an
// example, its flags.
const helpTemplate = `{{with or .Long .Short}}{{. | trimTrailingWhitespaces}}
{{end}}
Usage:
  {{.UseLine}}
{{if .HasExample}}
Examples:
{{.Example}}
{{end}}{{if .HasAvailableSubCommands}}{{$c := .}}{{if .Groups}}{{range .Groups}}
{{.Title}}
{{$g := .ID}}{{range $c.Commands}}{{if and .IsAvailableCommand (eq .GroupID $g)}}  {{rpad .Name .NamePadding}} {{.Short}}
{{end}}{{end}}{{end}}{{else}}
Commands:
{{range .Commands}}{{if .IsAvailableCommand}}  {{rpad .Name .NamePadding}} {{.Short}}
{{end}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableInheritedFlags}}
Flags of every command:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if not .HasParent}}
` + environmentHelp + "\n" + exitHelp + `{{end}}`
