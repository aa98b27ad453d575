// Package plaintext reads papers from a text without any mark-up: one paper a
// paragraph, parted by blank lines, with or without a heading line in front.
package plaintext
