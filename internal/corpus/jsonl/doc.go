// Package jsonl reads papers written as JSON objects by anyone: JSON Lines, arrays,
// objects one after the other, lists under a key, objects keyed by id. Services whose
// objects have a shape of their own have a package of their own.
package jsonl
