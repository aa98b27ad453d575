package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// engineOptions are the flags of the commands that encode.
type engineOptions struct {
	engine    string
	precision string
	exact     bool
}

func addEngineFlags(cmd *cobra.Command, o *engineOptions) {
	f := cmd.Flags()
	f.StringVar(&o.engine, "engine", "", "encode with the engine `NAME`: akin, by default, or cybertron")
	f.StringVar(&o.precision, "precision", "", "reckon in numbers of the `KIND`: int16 or fp32")
}

func addExactFlag(cmd *cobra.Command, o *engineOptions) {
	cmd.Flags().BoolVar(&o.exact, "exact", false, "compare with every paper, also in a large library")
}

// A once is the value of a flag that is a part of what is asked, so that of two values
// neither may be dropped.
type once struct {
	name  string
	text  *string
	given bool
	hint  string // what to do instead of giving it twice
}

func (o *once) String() string { return *o.text }

func (o *once) Type() string { return "string" }

func (o *once) Set(text string) error {
	if o.given && text != *o.text {
		return &repeated{*o, text}
	}
	*o.text, o.given = text, true
	return nil
}

// repeated is the error of a once that is given a second value.
type repeated struct {
	once
	second string
}

func (r *repeated) Error() string {
	return fmt.Sprintf("--%s takes one value, and is given two: %q and %q", r.name, shortened(*r.text), shortened(r.second))
}

// shortened is the beginning of a text, which may be long.
func shortened(text string) string { return fit(oneLine(text), 40) }

// addOnceFlag adds a flag that may be given once; hint says what to do instead of giving
// it again.
func addOnceFlag(cmd *cobra.Command, to *string, name, hint, usage string) {
	cmd.Flags().Var(&once{name: name, text: to, hint: hint}, name, usage)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		twice, ok := errors.AsType[*repeated](err)
		if !ok {
			return cmd.Root().FlagErrorFunc()(cmd, err)
		}
		return during(parsing, usagef(twice.hint, "%w", twice))
	})
}

// defaultResults is the number of papers in an answer.
const defaultResults = 10

func addAnswerFlags(cmd *cobra.Command, o *answerOptions) {
	cmd.Flags().IntVarP(&o.n, "limit", "n", defaultResults, "at most `N` papers")
	addFilterFlags(cmd, &o.filterOptions)
	cmd.Flags().Float64Var(&o.diversity, "diversity", 0, "how much the papers should differ from each other: an `AMOUNT` from 0 to 1")
	cmd.Flags().BoolVar(&o.explain, "explain", false, "why each paper is where it is")
	addToFlag(cmd, &o.to)
	addEngineFlags(cmd, &o.engineOptions)
	addExactFlag(cmd, &o.engineOptions)
}

// checkAnswer looks at what the flag parser cannot know.
func (s *session) checkAnswer(o answerOptions) error {
	if o.n < 1 {
		return usagef("-n is the number of papers wanted, at least 1", "-n %d asks for no paper", o.n)
	}
	if o.to != "" && s.global.json {
		return usagef("take one of them", "--json and --to each say how the papers are written")
	}
	if o.to != "" && o.explain {
		return usagef("take one of them", "--explain has no place in papers that --to writes for other programs")
	}
	if formats := engine.ExportFormats(); o.to != "" && !slices.Contains(formats, o.to) {
		return usagef("--to is one of "+strings.Join(formats, ", "), "papers cannot be written as %q", o.to)
	}
	return nil
}

// misusef is an error in the arguments of cmd.
func misusef(cmd *cobra.Command, format string, args ...any) error {
	return during(parsing, usagef(helpHint(cmd), format, args...))
}

// noArgs and needArgs are cobra's rules for arguments, with errors as of this project.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misusef(cmd, "%s takes no argument, but %q was given", cmd.Name(), args[0])
	}
	return nil
}

// checkPaths refuses a path that is blank, and one that is '-' where that is not the
// standard input: what takes paths says so in its usage.
func checkPaths(cmd *cobra.Command, args []string) error {
	var first error
	check := func(what, path string, takesStream bool) {
		switch {
		case first != nil:
		case path == "":
			first = misusef(cmd, "%s is blank, and should be a path", what)
		case path == "-" && !takesStream:
			first = misusef(cmd, "%s is '-', and should be a path: %s takes no stream", what, cmd.Name())
		}
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if what, usage := pflag.UnquoteUsage(f); what == "FILE" || what == "DIR" {
			check("--"+f.Name, f.Value.String(), strings.Contains(usage, "'-' is"))
		}
	})
	if _, what, _ := strings.Cut(cmd.Use, " "); what == "FILE" || what == "[PATH...]" || what == "[FOLDER]" {
		for _, path := range args {
			check("what "+cmd.Name()+" is given", path, strings.Contains(cmd.Long, "'-' is"))
		}
	}
	return first
}

func needArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return misusef(cmd, "%s needs %s", cmd.Name(), what)
		}
		return nil
	}
}
