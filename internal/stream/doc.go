// Package stream opens and reads what may keep its reader waiting for ever: a pipe
// without a writer, a terminal at which nobody types. A context's end ends the waiting.
package stream
