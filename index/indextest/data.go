package indextest

import (
	"math"
	"math/rand/v2"
)

// Clustered returns n unit vectors [n, dim] in the manner of sentence vectors: a mean,
// one of 60 topics, one of 1,000 subtopics, one of n/40 groups of log-normal size, and
// noise, each drawn from a Gaussian with the spectrum (i + 12)^-1/2 in a rotated basis.
// At 384 elements the tenth neighbour's cosine is about .61, that of a random pair
// about .12. The same n, dim and seed give the same vectors, whatever the processor.
//
// They come in random order; topics[i] is the topic of vector i.
func Clustered(n, dim int, seed uint64) (vectors []float32, topics []int) {
	rng := rand.New(rand.NewPCG(seed, 0x616b696e))
	g := &gaussian{rng: rng, dim: dim, spectrum: make([]float64, dim)}
	var sum float64
	for i := range g.spectrum {
		g.spectrum[i] = math.Pow(float64(i+12), -.5)
		sum += g.spectrum[i] * g.spectrum[i]
	}
	for i := range g.spectrum { // a draw has a length of about 1
		g.spectrum[i] /= math.Sqrt(sum)
	}
	g.rotate()

	const nTopics, nSubtopics = 60, 1000
	mean := g.draw(1, meanWeight)
	topic := g.draw(nTopics, topicWeight)
	subtopic := g.draw(nSubtopics, subtopicWeight)
	nGroups := max(1, n/40)
	group := g.draw(nGroups, groupWeight)
	groupSubtopic := make([]int, nGroups)
	cumulative := make([]float64, nGroups)
	total := 0.0
	for i := range nGroups {
		groupSubtopic[i] = rng.IntN(nSubtopics)
		total += math.Exp(rng.NormFloat64())
		cumulative[i] = total
	}
	subtopicTopic := make([]int, nSubtopics)
	for i := range subtopicTopic {
		subtopicTopic[i] = rng.IntN(nTopics)
	}

	vectors, topics = make([]float32, n*dim), make([]int, n)
	noise := make([]float64, dim)
	for i := range n {
		gr := search(cumulative, rng.Float64()*total)
		su := groupSubtopic[gr]
		to := subtopicTopic[su]
		topics[i] = to
		g.one(noise, noiseWeight)
		v := vectors[i*dim : (i+1)*dim]
		var norm float64
		for j := range noise {
			noise[j] += mean[j] + topic[to*dim+j] + subtopic[su*dim+j] + group[gr*dim+j]
			norm += noise[j] * noise[j]
		}
		for j := range v {
			v[j] = float32(noise[j] / math.Sqrt(norm))
		}
	}
	g.apply(vectors)
	return vectors, topics
}

// The weights of the parts of a vector.
const (
	meanWeight     = .33
	topicWeight    = .36
	subtopicWeight = .36
	groupWeight    = .42
	noiseWeight    = .62
)

// search is the first index whose cumulative weight exceeds x.
func search(cumulative []float64, x float64) int {
	lo, hi := 0, len(cumulative)-1
	for lo < hi {
		if mid := (lo + hi) / 2; cumulative[mid] <= x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// gaussian draws vectors of a decaying spectrum.
type gaussian struct {
	rng      *rand.Rand
	dim      int
	spectrum []float64
	mirrors  []float64 // [reflections, dim] unit vectors
}

// reflections is how many mirrors turn the axes of the spectrum into directions that
// have a share in every element.
const reflections = 8

func (g *gaussian) rotate() {
	g.mirrors = make([]float64, reflections*g.dim)
	for r := range reflections {
		m := g.mirrors[r*g.dim : (r+1)*g.dim]
		var norm float64
		for i := range m {
			m[i] = g.rng.NormFloat64()
			norm += m[i] * m[i]
		}
		for i := range m {
			m[i] /= math.Sqrt(norm)
		}
	}
}

// one fills v with a draw in the basis of the spectrum.
func (g *gaussian) one(v []float64, weight float64) {
	for i := range v {
		v[i] = weight * g.spectrum[i] * g.rng.NormFloat64()
	}
}

func (g *gaussian) draw(n int, weight float64) []float64 {
	v := make([]float64, n*g.dim)
	for i := range n {
		g.one(v[i*g.dim:(i+1)*g.dim], weight)
	}
	return v
}

// apply turns vectors [n, dim] by all mirrors: a rotation, so lengths and angles stay.
func (g *gaussian) apply(vectors []float32) {
	for ; len(vectors) > 0; vectors = vectors[g.dim:] {
		v := vectors[:g.dim]
		for r := range reflections {
			m := g.mirrors[r*g.dim : (r+1)*g.dim]
			var dot float64
			for i, x := range v {
				dot += float64(float64(x) * m[i])
			}
			for i := range v {
				v[i] = float32(float64(v[i]) - float64(2*dot*m[i]))
			}
		}
	}
}

// Unit returns n random unit vectors [n, dim] without any structure.
func Unit(n, dim int, rng *rand.Rand) []float32 {
	vectors := make([]float32, n*dim)
	for v := vectors; len(v) > 0; v = v[dim:] {
		var norm float64
		draw := make([]float64, dim)
		for i := range draw {
			draw[i] = rng.NormFloat64()
			norm += draw[i] * draw[i]
		}
		for i := range draw {
			v[i] = float32(draw[i] / math.Sqrt(norm))
		}
	}
	return vectors
}
