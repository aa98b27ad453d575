// Package engine holds the verbs of akin: Add, Search, Similar, Themes, List, Check.
// It is the only place where the encoder, the indexes, the clustering and the library
// on disk meet. The faces (cli, server) turn words into its requests and its answers
// into text; the shapes of the answers are the JSON contract of the command line.
package engine
