package embed

import (
	"context"
	"fmt"
	"math"
)

// Golden is a text with the vector that the reference gives for it.
type Golden struct {
	Text   string
	Vector []float32 // [Dim]
}

// Agreement is how near the vectors of an engine are to the reference's.
type Agreement struct {
	Worst, Mean float64 // cosines
	WorstText   string
}

// Parity encodes the texts of golden, at least one, and compares.
func Parity(ctx context.Context, e Encoder, golden []Golden) (Agreement, error) {
	if len(golden) == 0 {
		return Agreement{}, fmt.Errorf("comparing with the reference: no texts")
	}
	texts := make([]string, len(golden))
	for i, g := range golden {
		if len(g.Vector) != e.Dim() {
			return Agreement{}, fmt.Errorf("comparing with the reference: text %d has %d numbers, the engine %d", i, len(g.Vector), e.Dim())
		}
		texts[i] = g.Text
	}
	out, err := e.Encode(ctx, texts)
	if err != nil {
		return Agreement{}, err
	}
	a := Agreement{Worst: 2}
	for i, g := range golden {
		cos := cosine(out[i].Vector, g.Vector)
		a.Mean += cos / float64(len(golden))
		if !(cos >= a.Worst) {
			a.Worst, a.WorstText = cos, g.Text
		}
	}
	return a, nil
}

// cosine is in 64 bits: the differences of interest are below what a sum of 32-bit
// products can show.
func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab += x * y
		aa += x * x
		bb += y * y
	}
	return ab / math.Sqrt(aa*bb)
}
