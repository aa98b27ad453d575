// Command gen writes the assembly of package vec.
//
// A kernel is written once, as a Go function over values of 16 float lanes (kernel.go
// has the words it may use): a machine turns each word into its own instructions,
// on one register (AVX-512), two (AVX2) or four (NEON). The levels therefore run one
// sequence of roundings an element, and give the same bytes. The tiles of the matrix
// product and the integer kernels are written for each architecture, beside its machine.
//
// Run it with go generate in internal/vec. It writes kernels_<arch>.s, the declarations
// and the choice between levels in kernels_<arch>.go.
package main
