// Package paper says what a paper is: its fields, its identity, which text of it is
// embedded, and how that text is cleaned of TeX, Markdown and mark-up.
package paper
