// Package mapped is files that are mapped into memory, and the faults of reading them.
//
// Where a mapped file was cut short by another program, or its disk or network folder
// fails, a read has no error to return: the system sends a signal, and the Go runtime ends
// the process, or, in a goroutine that asked for it, panics. [Guard] asks for it and makes
// the panic an error; a [Group] takes it from its goroutines to the one that waits. Only
// faults at addresses of files that [Map] has mapped are errors: every other panic stays
// what it is.
package mapped
