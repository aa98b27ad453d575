// Package semanticscholar reads papers as Semantic Scholar gives them.
package semanticscholar
