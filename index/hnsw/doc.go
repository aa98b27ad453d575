// Package hnsw finds near neighbours by walking a graph of small worlds in levels
// (Malkov & Yashunin, arXiv 1603.09320), in flat slices that can be read from a
// memory-mapped file.
//
// A [Graph] meets the contract of package index. What it adds to the paper's algorithm:
//
//   - Walks compare codes of one byte an element, and the last few candidates are
//     ranked again in float32.
//   - The levels above 0 are searched with a beam of 8, in search and build.
//   - Items whose codes are equal are one node.
//   - Items are linked in rounds by any number of workers, with the same result; a
//     graph that is built fresh is a function of its items' vectors, not of their order
//     or numbers.
//   - A deleted item stays as a step for walks; a changed one is a new node. [Graph.AddAll]
//     builds the graph fresh when more than a third of it is deleted or new.
//   - A filter never empties an answer: where few items are allowed, these are compared
//     one by one, exactly.
//
// Memory is the codes (dim rounded up to 64 bytes), 8·M bytes of links, and about 14
// more for each item; vectors in float32 (4·dim) are read only to rank, and stay in the
// file of an opened graph.
package hnsw
