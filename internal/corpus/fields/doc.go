// Package fields reads what every format writes in its own way: which field of a paper
// a column or key holds, names of authors, keywords, dates and identifiers.
package fields
