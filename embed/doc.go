// Package embed turns texts into unit vectors with a sentence-transformer model.
//
// An [Encoder] is made from a model bundle: named byte sections that are read in
// place and never written. The package knows nothing of papers or files; what text
// to encode is the caller's choice, and the text is given to the model as it is.
package embed
