// Package elements finds the elements of an XML text that stand for records and gives
// each as a small tree. It streams, in bounded memory, and forgives what makes parsers
// give up: illegal characters, HTML's entities, ends without a start. Entities of a
// document's own are never expanded, and nothing is ever fetched.
package elements
