// Package arxiv reads arXiv's metadata: the dump of JSON lines, and the Atom feed of
// its query service.
package arxiv
