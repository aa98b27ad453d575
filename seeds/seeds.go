package seeds

import (
	_ "embed"
	"sync"
)

// Name is the file name of the papers, for messages.
const Name = "icml2026-abstracts.txt"

//go:embed icml2026-abstracts.txt
var papers string

//go:embed vectors.bin
var vectors []byte

// Papers returns the text of the papers: a heading line, then one abstract a
// paragraph, separated by blank lines.
func Papers() string { return papers }

var parsed = sync.OnceValues(func() (*Vectors, error) { return ParseVectors(vectors) })

// Stored returns the vectors of the papers. All callers share them: they must not be
// written.
func Stored() (*Vectors, error) { return parsed() }
