// Package paper says what a paper is: its fields, its identity, which text of it is
// embedded, and how that text is cleaned of TeX, Markdown and mark-up.
//
// Fields hold what was read. [Clean] gives the text for the encoder and the word
// index, [Display] the text for a person at a terminal; both are applied when a field
// is used, never in place, so that a better clean-up needs no new import.
package paper
