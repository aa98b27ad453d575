package main

import (
	"context"
	"math"
	"strings"
	"sync"

	"github.com/seed-9f29d379/akin/embed"
)

// encoder stands in for the model, whose time is measured elsewhere. Texts with the same
// rare words are near: a text is a point in a space of few dimensions, the sum of
// directions of its words, turned into the model's 384, and some noise of its own.
type encoder struct {
	words   sync.Map  // a word to its direction
	turning []float32 // [latent, dim]
}

const (
	dim    = 384
	latent = 48
	noise  = 0.25 // the length of a text's own part
)

func newEncoder() *encoder {
	e := &encoder{turning: make([]float32, latent*dim)}
	for i := range e.turning {
		e.turning[i] = gaussian(uint64(i)) / float32(math.Sqrt(dim))
	}
	return e
}

// gaussian is a number that looks drawn from a normal distribution.
func gaussian(x uint64) float32 {
	sum := float32(0)
	for range 4 {
		x = mix(x)
		sum += float32(x>>40) / (1 << 24)
	}
	return (sum - 2) * 1.7320508
}

func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// direction of a word; the longer, which are the rarer, weigh more.
func (e *encoder) direction(word string) []float32 {
	if v, ok := e.words.Load(word); ok {
		return v.([]float32)
	}
	v := make([]float32, latent)
	weight := float32(len(word) * len(word))
	for i := range v {
		v[i] = weight * gaussian(hash(word)+uint64(i)<<32)
	}
	e.words.Store(word, v)
	return v
}

// Encode implements embed.Encoder.
func (e *encoder) Encode(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	out := make([]embed.Embedding, len(texts))
	var group sync.WaitGroup
	const workers = 2
	for w := range workers {
		group.Go(func() {
			for i := w; i < len(texts) && ctx.Err() == nil; i += workers {
				out[i] = e.one(texts[i])
			}
		})
	}
	group.Wait()
	return out, ctx.Err()
}

func (e *encoder) one(text string) embed.Embedding {
	fields := strings.Fields(strings.ToLower(text))
	z := make([]float32, latent)
	for _, f := range fields {
		for i, x := range e.direction(strings.Trim(f, ".")) {
			z[i] += x
		}
	}
	unit(z)
	v := make([]float32, dim)
	for i, x := range z {
		for k, y := range e.turning[i*dim : (i+1)*dim] {
			v[k] += x * y
		}
	}
	unit(v)
	seed := hash(text)
	for k := range v {
		v[k] += noise * gaussian(seed+uint64(k)<<32) / float32(math.Sqrt(dim))
	}
	unit(v)
	return embed.Embedding{Vector: v, Tokens: len(fields) + 2}
}

func unit(v []float32) {
	sum := float32(1e-12)
	for _, x := range v {
		sum += x * x
	}
	scale := 1 / float32(math.Sqrt(float64(sum)))
	for i := range v {
		v[i] *= scale
	}
}

// Tokenize implements embed.Encoder.
func (e *encoder) Tokenize(text string) ([]int32, int) {
	n := len(strings.Fields(text)) + 2
	return make([]int32, n), n
}

// Dim implements embed.Encoder.
func (e *encoder) Dim() int { return dim }

// Fingerprint implements embed.Encoder.
func (e *encoder) Fingerprint() embed.Fingerprint { return "generated/bench/fp32" }
