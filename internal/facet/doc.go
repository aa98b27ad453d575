// Package facet finds rows by what stands in their fields: a year, and texts in some
// columns, in a table that is read in place.
//
// A [Builder] makes the table's bytes, which can be stored and mapped; a [Table] answers
// with bitmaps of its rows. What a row or a column stands for is not known here. Texts
// are compared as they are given: the caller folds case and accents away.
package facet
