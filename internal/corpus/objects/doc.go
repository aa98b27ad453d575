// Package objects finds the objects of a JSON text that stand for records, wherever
// they stand: one a line, one after the other, in an array, under "results", "items"
// or another such key, or as the values of an object keyed by id. It streams: only the
// record at hand is in memory, and a record has a bounded size and depth.
//
// It reads what JSON's writers write, not only what the standard allows: NaN and
// Infinity are null, line breaks in strings are read, a record that is broken is
// told and the next one found. encoding/json offers none of this (docs/decisions).
package objects
