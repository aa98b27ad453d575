package sentence_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-9f29d379/akin/internal/sentence"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// some returns n vectors of unit length.
func some(rng *rand.Rand, n, dim int) [][]float32 {
	list := make([][]float32, n)
	for i := range list {
		v := make([]float32, dim)
		square := 0.
		for k := range v {
			v[k] = float32(rng.NormFloat64())
			square += float64(v[k] * v[k])
		}
		for k := range v {
			v[k] /= float32(math.Sqrt(square))
		}
		list[i] = v
	}
	return list
}

func TestBestIsNearTheCosineOfTheNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	// The error of a cosine is that of a code of 16 levels (.107 of its length, by Max) in the
	// direction of the query: 6 standard deviations.
	for _, c := range []struct {
		dim       int
		tolerance float64
	}{{8, .3}, {100, .07}, {128, .06}, {384, .035}, {1024, .022}} {
		for range 200 {
			list := some(rng, 1+rng.IntN(20), c.dim)
			q := some(rng, 1, c.dim)[0]
			place, nearest := 0, math.Inf(-1)
			for i, v := range list {
				if cos := float64(vec.Dot(q, v)); cos > nearest {
					place, nearest = i, cos
				}
			}
			at, cosine, ok := sentence.NewQuery(q).Best(sentence.Codes(list))
			if !ok || math.Abs(cosine-float64(vec.Dot(q, list[at]))) > c.tolerance || cosine < nearest-c.tolerance {
				t.Fatalf("%d elements: sentence %d with %.3f (%v), want %d with %.3f", c.dim, at, cosine, ok, place, nearest)
			}
		}
	}
}

// A sentence that is asked for in its own words has cosine 1 with itself.
func TestCodesDoNotShorten(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 100 {
		list := some(rng, 5, 384)
		at, cosine, ok := sentence.NewQuery(list[3]).Best(sentence.Codes(list))
		if !ok || at != 3 || math.Abs(cosine-1) > 2e-3 {
			t.Fatalf("sentence %d with %.4f (%v), want 3 with 1", at, cosine, ok)
		}
	}
}

// Vectors that are unlike those of texts: few elements carry all.
func TestCodesOfSparseVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 100 {
		list := make([][]float32, 6)
		for i := range list {
			list[i] = make([]float32, 256)
			for range 4 {
				list[i][rng.IntN(256)] = .5
			}
		}
		q := list[rng.IntN(len(list))]
		var square float64
		for _, x := range q {
			square += float64(x * x)
		}
		at, cosine, ok := sentence.NewQuery(q).Best(sentence.Codes(list))
		if want := float64(vec.Dot(q, list[at])); !ok || math.Abs(want-square) > 1e-6 || math.Abs(cosine-square) > .06 {
			t.Fatalf("sentence %d with %.3f (%v), want itself with %.3f", at, cosine, ok, square)
		}
	}
}

func TestCodesTakeHalfAByteAnElement(t *testing.T) {
	list := some(rand.New(rand.NewPCG(3, 3)), 10, 384)
	if got := len(sentence.Codes(list)); got != 10*196 {
		t.Errorf("ten sentences take %d bytes, want 1,960", got)
	}
	if got := sentence.Codes(nil); got == nil || len(got) != 0 {
		t.Errorf("no sentences are %v, want no bytes that are not nil", got)
	}
}

func TestWhatCannotBeCodesIsNotCompared(t *testing.T) {
	list := some(rand.New(rand.NewPCG(4, 4)), 3, 384)
	data, q := sentence.Codes(list), sentence.NewQuery(list[0])
	for name, bad := range map[string][]byte{"nothing": nil, "one byte less": data[:len(data)-1], "one more": append(bytes.Clone(data), 0), "half a sentence": data[:98]} {
		if at, cosine, ok := q.Best(bad); ok {
			t.Errorf("%s: sentence %d with %g, want none", name, at, cosine)
		}
	}
	for _, scale := range []float64{math.NaN(), math.Inf(1)} {
		bad := bytes.Clone(data[:196])
		binary.LittleEndian.PutUint32(bad, math.Float32bits(float32(scale)))
		if _, cosine, ok := sentence.NewQuery(list[0]).Best(bad); ok {
			t.Errorf("a scale of %g: %g, want none", scale, cosine)
		}
	}
	for _, v := range [][]float32{make([]float32, 384), some(rand.New(rand.NewPCG(5, 5)), 1, 384)[0]} {
		if v[0] != 0 {
			v[0] = float32(math.NaN())
		}
		if _, cosine, ok := q.Best(sentence.Codes([][]float32{v})); !ok || cosine != 0 {
			t.Errorf("a vector of length 0 or NaN has cosine %g (%v), want 0", cosine, ok)
		}
	}
}

// byBytes makes codes as libraries had them up to version 4.
func byBytes(list [][]float32) []byte {
	var data []byte
	for _, v := range list {
		codes := make([]int8, len(v))
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(vec.QuantizeRow(codes, v)))
		for _, c := range codes {
			data = append(data, byte(c))
		}
	}
	return data
}

func TestFromBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	list := some(rng, 12, 384)
	codes, ok := sentence.FromBytes(byBytes(list), 384)
	if !ok || len(codes) != 12*196 {
		t.Fatalf("%d bytes (%v), want 2,352", len(codes), ok)
	}
	for range 50 {
		q := some(rng, 1, 384)[0]
		at, cosine, _ := sentence.NewQuery(q).Best(codes)
		if want := float64(vec.Dot(q, list[at])); math.Abs(cosine-want) > .035 {
			t.Errorf("sentence %d has cosine %.3f, want %.3f", at, cosine, want)
		}
	}
	for _, bad := range []struct {
		size, dim int
	}{{387, 384}, {389, 384}, {10, 0}, {10, -4}} {
		if _, ok := sentence.FromBytes(make([]byte, bad.size), bad.dim); ok {
			t.Errorf("%d bytes of %d elements were taken", bad.size, bad.dim)
		}
	}
}

func FuzzBest(f *testing.F) {
	rng := rand.New(rand.NewPCG(7, 7))
	list := some(rng, 3, 8)
	f.Add(sentence.Codes(list))
	f.Add(byBytes(list))
	f.Fuzz(func(t *testing.T, data []byte) {
		q := sentence.NewQuery(list[0])
		if _, cosine, ok := q.Best(data); ok && (math.IsNaN(cosine) || math.IsInf(cosine, 0)) {
			t.Errorf("cosine %g", cosine)
		}
		if codes, ok := sentence.FromBytes(data, 8); ok {
			q.Best(codes)
		}
	})
}
