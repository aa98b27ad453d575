// Package scopus reads the plain text export of Scopus.
package scopus
