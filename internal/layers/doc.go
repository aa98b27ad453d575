// Package layers holds the rules of the tree as tests: which package may import which
// (the table), where unsafe, assembly, the environment and process exit may stand, and
// that the paths named in the documents exist. Change the table only together with
// docs/architecture.md.
package layers
