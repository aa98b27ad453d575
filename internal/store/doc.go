// Package store is the library on disk: a folder with one SQLite database, which is the
// truth about papers, the records that they were read from, their names, their vectors
// and what every import did.
//
// A record is one paper as one source describes it, and is kept as it was read. A paper
// is one work: it owns one record or more, and its fields are the fold of them, so that
// whatever was merged can be taken apart again. A paper has a number (the item of an
// index; never used twice) and an id for people (never changed); every identifier of its
// records is a name of it.
//
// Any number of [Library] values may read while one [Writer], which holds the folder's
// lock, writes. A commit is a state that answers; what was committed survives a crash.
// A Library is safe for concurrent use, a Writer is not.
package store
