// Package stream opens and reads what may keep its reader waiting for ever: a pipe
// without a writer, a terminal at which nobody types. A context's end ends the waiting.
// [Unpacked] reads what may be packed by gzip, and says of what is cut short that it is.
package stream
