// Package models holds the model that the binary carries and the manifest of the
// models that akin knows: name, shape, licence, source, and the size and checksum of
// each section.
//
// A model is a set of named sections, the bytes of its files. The package does not
// read them: what they mean is the encoder's business.
package models
