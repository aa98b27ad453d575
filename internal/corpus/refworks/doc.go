// Package refworks reads the tagged export of RefWorks.
package refworks
