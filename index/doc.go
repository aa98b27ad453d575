// Package index finds the nearest neighbours of a vector among many.
//
// [Index] is the contract; [Flat] meets it by an exact scan and is the oracle, and
// package hnsw meets it with a graph. An item is a uint32 that the caller chose; what
// it stands for is not known here. Vectors have unit length, so that the inner
// product is the cosine.
package index
