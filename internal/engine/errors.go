package engine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/internal/mapped"
	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/store"
)

// Error is what a person sees: what went wrong, and what to do next. Kind decides the
// exit code.
type Error struct {
	Kind Kind
	Err  error
	Hint string // a sentence; "" if there is nothing to advise
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Kind is the class of an error, in the order of the exit codes.
type Kind int

const (
	Failed   Kind = 1 // anything else
	Usage    Kind = 2 // the request makes no sense: a blank query, an ambiguous name
	NotFound Kind = 3 // nothing there: an unknown id, an empty library
	Damaged  Kind = 4 // the library is damaged, locked, or holds another model's vectors
)

// KindOf is the kind of the first Error in err's chain; Failed if there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Failed
}

// explain gives an error of the library its kind and its hint. An Error stays as it is.
func explain(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	if _, ok := errors.AsType[*store.LockedError](err); ok {
		return &Error{Kind: Damaged, Err: err, Hint: "wait until it is done, or stop it; what it has done is kept"}
	}
	for _, known := range []struct {
		sentinel error
		kind     Kind
		hint     string
	}{
		{store.ErrMoved, Damaged, "what was written went with it: do the same again, or name with --library where the library is now"},
		{store.ErrNewer, Damaged, "use the newer akin"},
		{store.ErrOtherModel, Damaged, "answer with the --engine and --precision that the library was made with, or name another folder with --library"},
		{store.ErrNoBackup, Failed, "akin backup FILE writes one; akin add FILE reads papers"},
		{store.ErrBadBackup, Damaged, "the library is untouched: restore another backup"},
		{store.ErrDamaged, Damaged, "akin restore BACKUP brings a backup back and keeps the damaged library beside it; without one, add the files again to another folder (--library)"},
		{mapped.ErrUnreadable, Damaged, "akin check --repair writes it again"},
		{store.ErrUnfinished, Damaged, "open it once where it can be written (akin stats is enough), or copy the folder"},
		{store.ErrNoFolder, Failed, "--library names a folder, which akin add makes"},
		{store.ErrNoAccess, Failed, "name another folder with --library"},
		{store.ErrBackupPlace, Failed, "name a file in a folder that is there and can be written"},
		{store.ErrReadOnly, Failed, "name a folder that can be written with --library"},
	} {
		if errors.Is(err, known.sentinel) {
			return &Error{Kind: known.kind, Err: err, Hint: known.hint}
		}
	}
	return err
}

func usagef(hint, format string, args ...any) error {
	return &Error{Kind: Usage, Err: fmt.Errorf(format, args...), Hint: hint}
}

// named says that a name means no paper, or several.
func named(name string, found []store.Match) error {
	if strings.TrimSpace(name) == "" {
		return usagef("name it by its id, the beginning of it, its key or a part of its title", "the name of a paper is blank")
	}
	name = cut(name, namedRunes)
	if len(found) == 0 {
		return &Error{Kind: NotFound, Err: fmt.Errorf("no paper is called %q", name), Hint: "akin list shows the ids; akin search finds papers by what they are about"}
	}
	const shown = 3
	lines := []string{"say which by its id, or by more of its title:"}
	for _, m := range found[:min(shown, len(found))] {
		lines = append(lines, m.ID+"  "+cut(strings.Join(strings.Fields(m.Title), " "), candidateRunes))
	}
	papers, more := number.Of(len(found), "paper"), ""
	if len(found) == store.MaxMatches {
		papers, more = papers+" or more", " or more"
	}
	if rest := len(found) - shown; rest > 0 {
		lines = append(lines, fmt.Sprintf("and %s%s", number.Of(rest, "other"), more))
	}
	return usagef(strings.Join(lines, "\n"), "%q may mean %s", name, papers)
}

// namedRunes of a name are repeated in a message: an abstract may have been pasted.
const namedRunes = 80

// candidateRunes of a title stand beside an id on one line.
const candidateRunes = 40

// checkConfig refuses choices that do not exist.
func checkConfig(cfg Config) error {
	switch cfg.Engine {
	case "", "akin", "cybertron":
	default:
		return usagef("--engine is akin or cybertron", "there is no engine %q", cfg.Engine)
	}
	if cfg.Precision == "" {
		return nil
	}
	if _, err := embed.ParsePrecision(cfg.Precision); err != nil {
		return usagef("--precision is int16 or fp32", "there is no precision %q", cfg.Precision)
	}
	if cfg.Engine == "cybertron" {
		return usagef("leave --precision out", "the engine cybertron has no choice of precision")
	}
	return nil
}
