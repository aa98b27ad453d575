// Package indextest is the suite that every index passes: random sequences of
// operations against a simple model, what must hold between related searches, files,
// and bad input. It also makes the vectors that indexes are measured on.
package indextest
