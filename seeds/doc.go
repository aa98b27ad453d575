// Package seeds holds the papers that a binary without a library answers on: their
// text as it was found, and the vectors that the bundled model gives them, so that the
// first command need not encode them.
//
// The package does not read the text: which papers are in it, and which text of them
// is embedded, is for the reader of plain text and for package paper to say. A vector
// is found by the hash of that text.
package seeds

//go:generate go test -run ^TestVectorsAreTheModels$ . -update
