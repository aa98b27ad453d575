// Package number writes counts for people: with their thousands apart, and with their
// nouns.
package number
