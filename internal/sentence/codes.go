package sentence

import (
	"encoding/binary"
	"math"

	"github.com/seed-9f29d379/akin/internal/vec"
)

const (
	scaleSize = 4
	// levels of an element; level c stands for (c − middle) steps.
	levels = 16
	middle = (levels - 1) / 2.
	// A step is tried at which the largest element is in the middle of the last level, and
	// smaller ones, at which larger elements are cut, down to half of it: of the elements of
	// texts, which are spread nearly as by a normal distribution, few are large.
	stepsTried = 11
	leastStep  = 0.5
)

// rowSize is the bytes of one sentence's levels: two in a byte, filled up with zeros to
// what a kernel of vec reads at a time.
func rowSize(dim int) int { return (dim + vec.Row4 - 1) / vec.Row4 * vec.Row4 / 2 }

// Codes returns the codes of sentences, vectors of one length: a little-endian float32
// scale for each, then the levels of each, as [vec.DotsI4At] takes them. Multiplied by the
// scale, levels have the inner product with their own vector that the vector has itself,
// so that none looks nearer for being coarse. No sentences are no bytes, and not nil.
func Codes(vectors [][]float32) []byte {
	if len(vectors) == 0 {
		return []byte{}
	}
	size := rowSize(len(vectors[0]))
	data := make([]byte, len(vectors)*(scaleSize+size))
	for i, v := range vectors {
		scale := levelsOf(data[len(vectors)*scaleSize+i*size:][:size], v)
		binary.LittleEndian.PutUint32(data[i*scaleSize:], math.Float32bits(scale))
	}
	return data
}

// levelsOf writes the levels of v, of all steps that are tried those that point nearest to
// it, and returns their scale. Products are rounded before they are added: the same vector
// has the same codes on every processor.
func levelsOf(row []byte, v []float32) (scale float32) {
	var top, square float64
	for _, x := range v {
		top = max(top, math.Abs(float64(x)))
		square += float64(float64(x) * float64(x))
	}
	if !(square > 0) || math.IsInf(square, 0) {
		return 0
	}
	var step, own, cosine float64
	for i := range stepsTried {
		s := top / middle * (1 - (1-leastStep)*float64(i)/(stepsTried-1))
		var inner, length float64 // of v with its levels, and of these
		for _, x := range v {
			level := levelOf(x, s) - middle
			inner += float64(float64(x) * level)
			length += level * level // halves: exact
		}
		if c := inner * inner / length; c > cosine {
			step, own, cosine = s, inner, c
		}
	}
	for i, x := range v {
		level := byte(levelOf(x, step))
		if i < len(row) {
			row[i] |= level
		} else {
			row[i-len(row)] |= level << 4
		}
	}
	return float32(square / own)
}

func levelOf(x float32, step float64) float64 {
	return min(max(math.Floor(float64(x)/step)+levels/2, 0), levels-1)
}

// Query is a direction that sentences are compared with. It is not safe for concurrent
// use.
type Query struct {
	codes  []int8 // filled up with zeros to two halves of a row
	scale  float64
	offset float64 // the inner product with the middle of all levels
	ids    []uint32
	dots   []int32
}

// NewQuery prepares a direction.
func NewQuery(direction []float32) *Query {
	q := &Query{codes: make([]int8, 2*rowSize(len(direction)))}
	q.scale = float64(vec.QuantizeRow(q.codes[:len(direction)], direction))
	for _, c := range q.codes {
		q.offset += float64(middle * float64(c))
	}
	return q
}

// Best returns the place and the cosine of the sentence nearest to the direction, the
// first of equals; ok is false where there are none, or data cannot be codes of sentences.
func (q *Query) Best(data []byte) (at int, cosine float64, ok bool) {
	size := scaleSize + len(q.codes)/2
	n := len(data) / size
	if n == 0 || n*size != len(data) {
		return 0, 0, false
	}
	for len(q.ids) < n {
		q.ids = append(q.ids, uint32(len(q.ids)))
		q.dots = append(q.dots, 0)
	}
	vec.DotsI4At(q.dots[:n], q.codes, data[n*scaleSize:], q.ids[:n])
	cosine = math.Inf(-1)
	for i, dot := range q.dots[:n] {
		scale := math.Float32frombits(binary.LittleEndian.Uint32(data[i*scaleSize:]))
		if c := float64(scale) * q.scale * (float64(dot) - q.offset); c > cosine {
			at, cosine = i, c
		}
	}
	return at, cosine, !math.IsNaN(cosine) && !math.IsInf(cosine, 0)
}

// FromBytes makes codes of those that libraries had up to the fourth version of their
// schema: for each sentence a scale and an element a byte. ok is false where data cannot
// be such codes.
func FromBytes(data []byte, dim int) (codes []byte, ok bool) {
	size := scaleSize + dim
	if dim < 1 || len(data)%size != 0 {
		return nil, false
	}
	vectors := make([][]float32, len(data)/size)
	for i := range vectors {
		one := data[i*size : (i+1)*size]
		scale := math.Float32frombits(binary.LittleEndian.Uint32(one))
		vectors[i] = make([]float32, dim)
		for k, c := range one[scaleSize:] {
			vectors[i][k] = scale * float32(int8(c))
		}
	}
	return Codes(vectors), true
}
