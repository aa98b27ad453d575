// Package webofscience reads the tagged export of Web of Science ("plain text").
package webofscience
