// Package snapshot is the file that an index is searched from: named sections in one
// file that is memory-mapped, never changed, and checked.
//
// A [Writer] writes a new file aside, syncs it, and renames it to the name of its own
// generation, so that a file that is mapped is never written over. [Open] verifies
// what tells the file's shape (head, section table, footer) and maps the rest;
// [File.Check] verifies every block. Together they notice every single-bit change.
// docs/format.md draws the layout.
package snapshot
