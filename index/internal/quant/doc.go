// Package quant codes unit vectors in one signed byte an element, so that an index
// can compare four times as many of them for the same memory traffic.
//
// All vectors of an index share one scale: the product of two codes is then a cosine
// up to a constant, and a code needs no number of its own beside it. What the codes
// rank, the caller ranks again in float32.
package quant
