// Package bibtex reads and writes BibTeX and BibLaTeX. Values are decoded from TeX:
// accents and commands become characters, braces go, mathematics stays.
package bibtex
