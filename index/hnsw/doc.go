// Package hnsw finds near neighbours by walking a graph of small worlds in levels
// (Malkov & Yashunin, arXiv 1603.09320), in flat slices that can be read from a
// memory-mapped file.
//
// A [Graph] meets the contract of package index. What it adds to the paper's algorithm:
//
//   - Searches walk over codes of 4 bits an element, the build over codes of a byte, and
//     what the codes leave open is ranked again in float32.
//   - The levels above 0 are searched with a beam of 8, in search and build.
//   - Items whose codes are equal are one node.
//   - Items are linked in rounds by any number of workers, with the same result; a
//     graph that is built fresh is a function of its items' vectors, not of their order
//     or numbers.
//   - The rows of a fresh build are then numbered so that neighbours lie together.
//   - A deleted item stays as a step for walks; a changed one is a new node. [Graph.AddAll]
//     builds the graph fresh when more than a third of it is deleted or new.
//   - A filter never empties an answer: where few items are allowed, these are compared
//     one by one, exactly.
//
// Memory of a search is the 4-bit codes (dim/2, dim rounded up to 128), 8·M bytes of
// links, and about 18 more for each item. Vectors in float32 (4·dim) are read only to
// rank, codes of a byte only by builds and exact scans; of an opened graph both stay in
// the file.
package hnsw
