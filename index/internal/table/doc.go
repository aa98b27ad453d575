// Package table is what an index stores of its items: for each row an id, the vector,
// its codes and whether it is dead; and the exact search over them.
//
// Rows are only appended. An id that is stored again gets a new row and its old one is
// dead. A table that was opened from a snapshot reads the file in place; what changes
// is copied first, but for the vectors, whose new rows are kept beside the file's.
// A Table is safe for concurrent reads.
package table
