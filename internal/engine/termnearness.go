package engine

import (
	"context"
	"math"

	"github.com/seed-9f29d379/akin/cluster"
	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// meaning is how near terms are in meaning, read as texts: to the groups of a level, to
// papers of one of them, and to each other; nil functions where the vectors are not of the
// model at hand, which then cannot read the terms.
type meaning struct {
	toGroups func(terms []string) ([][]float64, error)
	toPapers func(terms []string, papers []int32) ([][]float64, error)
	toTerms  func(terms []string) ([][]float64, error)
}

func (e *Engine) termNearness(ctx context.Context, c *themed, l cluster.Level) (meaning, error) {
	enc, err := e.model()
	if err != nil {
		return meaning{}, err
	}
	if c.fingerprint != string(enc.Fingerprint()) {
		return meaning{}, nil
	}
	encode := encodeOnce(ctx, enc)
	sums := c.sums(l)
	toGroups := func(terms []string) ([][]float64, error) {
		encoded, err := encode(terms)
		if err != nil {
			return nil, err
		}
		means := make([][]float64, len(sums))
		for theme, sum := range sums {
			means[theme] = unitOf(sum)
		}
		cosines := make([][]float64, len(terms))
		for i, term := range encoded {
			cosines[i] = make([]float64, len(means))
			for theme, mean := range means {
				cosines[i][theme] = dot(term, mean)
			}
		}
		return cosines, nil
	}
	toPapers := func(terms []string, papers []int32) ([][]float64, error) {
		encoded, err := encode(terms)
		if err != nil {
			return nil, err
		}
		others := c.meanOfOthers(l, sums, papers)
		nearer := make([][]float64, len(terms))
		for i, term := range encoded {
			usual := dot(term, others)
			nearer[i] = make([]float64, len(papers))
			for j, p := range papers {
				for d, x := range c.vectors[int(p)*c.dim:][:c.dim] {
					nearer[i][j] += float64(float64(term[d]) * float64(x))
				}
				nearer[i][j] -= usual
			}
		}
		return nearer, nil
	}
	toTerms := func(terms []string) ([][]float64, error) {
		encoded, err := encode(terms)
		if err != nil {
			return nil, err
		}
		cosines := make([][]float64, len(terms))
		for i, a := range encoded {
			cosines[i] = make([]float64, len(terms))
			for j, b := range encoded {
				cosines[i][j] = float64(vec.Dot(a, b))
			}
		}
		return cosines, nil
	}
	return meaning{toGroups, toPapers, toTerms}, nil
}

// encodeOnce gives the vectors of texts, each encoded the first time that it is asked for.
func encodeOnce(ctx context.Context, enc embed.Encoder) func(texts []string) ([][]float32, error) {
	known := make(map[string][]float32)
	return func(texts []string) ([][]float32, error) {
		var unknown []string
		for _, text := range texts {
			if _, ok := known[text]; !ok {
				known[text] = nil
				unknown = append(unknown, text)
			}
		}
		encoded, err := enc.Encode(ctx, unknown)
		if err != nil {
			return nil, err
		}
		for i, text := range unknown {
			known[text] = encoded[i].Vector
		}
		vectors := make([][]float32, len(texts))
		for i, text := range texts {
			vectors[i] = known[text]
		}
		return vectors, nil
	}
}

// sums are the sums of the vectors of each group of a level.
func (c *themed) sums(l cluster.Level) [][]float64 {
	sums := make([][]float64, len(l.Themes))
	for theme := range sums {
		sums[theme] = make([]float64, c.dim)
	}
	for item, m := range l.Items {
		for d, x := range c.vectors[item*c.dim:][:c.dim] {
			sums[m.Theme][d] += float64(x)
		}
	}
	return sums
}

// meanOfOthers is the mean vector of the papers that are in other groups than the given
// ones, which are of one; zero where there is no other.
func (c *themed) meanOfOthers(l cluster.Level, sums [][]float64, papers []int32) []float64 {
	mean := make([]float64, c.dim)
	if len(papers) == 0 {
		return mean
	}
	own := l.Items[papers[0]].Theme
	count := 0.0
	for _, m := range l.Items {
		if m.Theme != own {
			count++
		}
	}
	for theme, sum := range sums {
		for d, x := range sum {
			if int32(theme) != own {
				mean[d] += x / count
			}
		}
	}
	return mean
}

// unitOf is a vector scaled to length 1; one of zeros stays.
func unitOf(v []float64) []float64 {
	norm := 0.0
	for _, x := range v {
		norm += float64(x * x)
	}
	unit := make([]float64, len(v))
	for d, x := range v {
		if norm > 0 {
			unit[d] = x / math.Sqrt(norm)
		}
	}
	return unit
}

// dot is the scalar product of two vectors.
func dot(a []float32, b []float64) float64 {
	sum := 0.0
	for d, x := range a {
		sum += float64(float64(x) * b[d])
	}
	return sum
}
