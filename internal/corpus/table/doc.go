// Package table reads papers from tables of any origin: it finds the row of headers,
// understands the names that tools give to their columns, and makes a record of each
// row below.
package table
