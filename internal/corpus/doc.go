// Package corpus is the contract of the readers of papers' files: a [Format] says
// whether some bytes are its own and reads the records in them, one at a time, in
// memory that does not grow with the file. Each format is a package below this one;
// package all is the written list of them.
package corpus
