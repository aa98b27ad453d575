// Package a64 encodes the AdvSIMD instructions of arm64 that the kernels of internal/vec
// use. Go's assembler takes only some of them (it has no vector FADD, FMUL, FMAX, FDIV,
// SCVTF, SDOT, SMLAL, and no FMLA by element), so the generator writes every vector
// instruction between registers as a WORD, with the text that it was made from as the
// comment beside it. Loads, stores, branches and integer code stay in Go's own syntax.
//
// The bits come from one table of forms, each the text of an instruction with the fields
// left open. Two things hold the table: a golden file of encodings that GNU as made,
// which every test run compares, and GNU as itself over every value of every field,
// where it is installed.
package a64
