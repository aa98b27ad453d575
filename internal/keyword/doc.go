// Package keyword ranks documents by the words of a query: BM25 over stemmed words, in
// postings that are read in place.
//
// A [Segment] is an immutable set of numbered documents, made by a [Builder] as bytes
// that can be stored and mapped; a [Ranker] searches one or several of them as one
// collection; its [Texts] are what exact phrases are found in. A document is a uint32 that the caller chose; what it stands for is not
// known here.
//
// Scores are sums of fixed-point numbers, so they do not depend on the order in which
// a search adds them up: the same document has the same score whatever else is asked.
package keyword
