package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// The exit codes. 1 to 4 are the kinds of the engine's errors.
const (
	exitOK          = 0
	exitInterrupted = 130 // as shells say it: 128 and the number of the interrupt
)

// exitHelp is the table of the exit codes in the help of the root command.
const exitHelp = `Exit codes:
  0    ok
  1    failed
  2    the command makes no sense: an unknown flag, an ambiguous name, a blank query
  3    nothing found: an unknown id, an empty library
  4    the library is busy, damaged, or holds another model's vectors
  130  interrupted
`

// exitCode is the exit code that tells of err, which is not nil.
func exitCode(err error) int { return int(engine.KindOf(err)) }

// usagef is an error in what a command was asked; hint says how to ask it.
func usagef(hint, format string, args ...any) error {
	return &engine.Error{Kind: engine.Usage, Err: fmt.Errorf(format, args...), Hint: hint}
}

// during says what was being done when err came up.
func during(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// parsing is what is being done until a command is understood.
const parsing = "reading the command line"

// report writes err as every command does: what was being done, what went wrong, and
// what to do next.
func (s *session) report(err error) {
	s.say("akin: " + oneLine(strings.ReplaceAll(err.Error(), "\n", "; ")))
	said := map[string]bool{"": true}
	for _, hint := range hints(err) {
		for line := range strings.SplitSeq(hint, "\n") {
			if line = oneLine(line); !said[line] {
				said[line] = true
				s.say("hint: " + line)
			}
		}
	}
}

// hints are the hints of an error, and of all that are joined in it.
func hints(err error) []string {
	switch e := err.(type) {
	case *engine.Error:
		return []string{e.Hint}
	case interface{ Unwrap() []error }:
		var all []string
		for _, one := range e.Unwrap() {
			all = append(all, hints(one)...)
		}
		return all
	}
	if inner := errors.Unwrap(err); inner != nil {
		return hints(inner)
	}
	return nil
}
