// Package sentence keeps the vectors of a text's sentences in few bytes, and finds the one
// that is nearest to a query.
//
// A sentence takes half a byte an element and a scale: with 384 elements 196 bytes. On the
// judged queries of SciFact dev a search with these codes is as good as one with codes of a
// byte (docs/benchmarks/search.md).
package sentence
