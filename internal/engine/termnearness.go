package engine

import (
	"context"
	"math"

	"github.com/seed-9f29d379/akin/cluster"
)

// termNearness says how near terms are to the groups of a level in meaning; nil where
// the vectors are not of the model at hand, which then cannot read the terms.
func (e *Engine) termNearness(ctx context.Context, c *themed, l cluster.Level) (func(terms []string) ([][]float64, error), error) {
	enc, err := e.model()
	if err != nil {
		return nil, err
	}
	if c.fingerprint != string(enc.Fingerprint()) {
		return nil, nil
	}
	means := c.means(l)
	return func(terms []string) ([][]float64, error) {
		encoded, err := enc.Encode(ctx, terms)
		if err != nil {
			return nil, err
		}
		cosines := make([][]float64, len(terms))
		for i, term := range encoded {
			cosines[i] = make([]float64, len(means))
			for theme, mean := range means {
				for d, x := range term.Vector {
					cosines[i][theme] += float64(float64(x) * mean[d])
				}
			}
		}
		return cosines, nil
	}, nil
}

// means are the mean vectors of the groups of a level, of unit length.
func (c *themed) means(l cluster.Level) [][]float64 {
	means := make([][]float64, len(l.Themes))
	for theme := range means {
		means[theme] = make([]float64, c.dim)
	}
	for item, m := range l.Items {
		for d, x := range c.vectors[item*c.dim:][:c.dim] {
			means[m.Theme][d] += float64(x)
		}
	}
	for _, mean := range means {
		norm := 0.0
		for _, x := range mean {
			norm += float64(x * x)
		}
		if norm == 0 {
			continue
		}
		for d := range mean {
			mean[d] /= math.Sqrt(norm)
		}
	}
	return means
}
