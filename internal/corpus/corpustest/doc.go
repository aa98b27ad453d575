// Package corpustest holds the checks that every reader of a format passes, whatever
// bytes it is given.
package corpustest
