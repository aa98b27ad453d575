// Package crossref reads works as Crossref gives them.
package crossref
