package engine

import "errors"

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
