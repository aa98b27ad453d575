package embed

import "context"

// Encoder turns texts into unit vectors. It is a contract that several engines
// meet, so it is declared here, where it is specified. An Encoder is safe for
// concurrent use.
type Encoder interface {
	// Encode returns one Embedding a text, in the order of texts. It returns the
	// context's error when ctx ends, within one text.
	Encode(ctx context.Context, texts []string) ([]Embedding, error)
	// Tokenize returns the ids of the tokens that the model sees, and the number of
	// tokens of the whole text; both count [CLS] and [SEP].
	Tokenize(text string) (ids []int32, tokens int)
	// Dim is the number of elements of a vector.
	Dim() int
	// Fingerprint names what made the vectors.
	Fingerprint() Fingerprint
}

// Embedding is one text's vector.
type Embedding struct {
	Vector    []float32 // [Dim], unit length, owned by the caller
	Tokens    int       // tokens of the whole text, with [CLS] and [SEP]
	Truncated bool      // the text was longer than the model reads
}

// Fingerprint is the identity of a vector space: model, engine and arithmetic
// class, as in "all-MiniLM-L6-v2/akin/fp32". Vectors of two fingerprints are never
// compared. fp32 and int16 share one (their vectors agree within 0.99999).
type Fingerprint string
