package keyword_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/keyword"
)

func writeTexts(t testing.TB, texts []string) []byte {
	t.Helper()
	b := keyword.NewBuilder(0)
	for _, text := range texts {
		b.Add(text)
	}
	var out bytes.Buffer
	if err := b.WriteTexts(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func openTexts(t testing.TB, data []byte) *keyword.Texts {
	t.Helper()
	x, err := keyword.OpenTexts(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Check(); err != nil {
		t.Fatal(err)
	}
	return x
}

// phrased are the documents, of the words of all or of those in among, that a look at every word finds.
func phrased(docs [][]string, phrase []string, among []uint64) []uint32 {
	var found []uint32
	for doc, words := range docs {
		for i := 0; i+len(phrase) <= len(words); i++ {
			if (among == nil || among[doc/64]>>(doc%64)&1 != 0) && slices.Equal(words[i:i+len(phrase)], phrase) {
				found = append(found, uint32(doc))
				break
			}
		}
	}
	return found
}

func TestPhraseEqualsALookAtEveryWord(t *testing.T) {
	docs := texts(6000, 11) // 5,000 words: codes of one and of two bytes
	for i := range docs {   // and of three
		if i%2 == 0 {
			docs[i] += strings.Join(texts(1, uint64(i)), " ") + " the end"
		}
		for k := range 4 {
			docs[i] += " own" + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676)) + string(rune('a'+k))
		}
	}
	x := openTexts(t, writeTexts(t, docs))
	of := make([][]string, len(docs))
	for i, text := range docs {
		of[i] = keyword.Words(text)
	}
	rng := rand.New(rand.NewPCG(5, 5))
	hits := 0
	for q := range 300 {
		var phrase []string
		for length := 1 + rng.IntN(4); len(phrase) < length; { // from a text, or of no text
			words := of[rng.IntN(len(of))]
			if q%10 == 9 && len(words) > 0 {
				phrase = append(phrase, words[rng.IntN(len(words))])
			} else if len(words) >= length {
				at := rng.IntN(len(words) - length + 1)
				phrase = words[at : at+length]
			}
		}
		var among []uint64
		if q%2 == 1 {
			among = make([]uint64, len(docs)/64+1)
			for i := range among {
				among[i] = rng.Uint64() & rng.Uint64()
			}
		}
		for _, workers := range []int{1, 3} {
			found := make([]uint64, len(docs)/64+1)
			x.Phrase(phrase, among, found, workers)
			var got []uint32
			for doc := range docs {
				if found[doc/64]>>(doc%64)&1 != 0 {
					got = append(got, uint32(doc))
				}
			}
			want := phrased(of, phrase, among)
			if !slices.Equal(got, want) {
				t.Fatalf("%q is in %d documents by %d workers, want %d", phrase, len(got), workers, len(want))
			}
			hits += len(want)
		}
	}
	if hits < 1000 {
		t.Errorf("the phrases are in %d documents in all: too few to compare", hits)
	}
}

func TestPhraseBorders(t *testing.T) {
	docs := []string{"Effects of the drug", "", "Of the: effects", "drug-effects", "the of"}
	x := openTexts(t, writeTexts(t, docs))
	for _, c := range []struct {
		phrase string
		want   uint64
	}{
		{"of the", 1<<0 | 1<<2},
		{"OF THE", 1<<0 | 1<<2},
		{"drug", 1<<0 | 1<<3},
		{"drugs", 0},
		{"drug effects", 1 << 3},
		{"effects drug", 0},
		{"effects of the drug", 1 << 0},
		{"effects of the drug and", 0},
		{"", 0},
		{"++", 0},
	} {
		found := make([]uint64, 1)
		x.Phrase(keyword.Words(c.phrase), nil, found, 1)
		if found[0] != c.want {
			t.Errorf("%q: %b, want %b", c.phrase, found[0], c.want)
		}
	}
	none := openTexts(t, writeTexts(t, nil))
	none.Phrase([]string{"of"}, nil, nil, 2) // must return
}

func TestDamageInTextsIsFoundAndHarmless(t *testing.T) {
	whole := writeTexts(t, texts(400, 5))
	rng := rand.New(rand.NewPCG(2, 2))
	for range 3000 {
		data := bytes.Clone(whole)
		data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		damaged, err := keyword.OpenTexts(data)
		if err != nil {
			continue
		}
		if damaged.Check() == nil {
			t.Fatal("a flipped bit was not found")
		}
		damaged.Phrase([]string{"w1x", "w2x"}, nil, make([]uint64, damaged.Len()/64+1), 2) // must return
	}
	for n := range len(whole) {
		if n > 200 && n%97 != 0 {
			continue
		}
		if d, err := keyword.OpenTexts(whole[:n]); err == nil && d.Check() == nil {
			t.Fatalf("texts cut at %d of %d bytes were accepted", n, len(whole))
		}
	}
}

func FuzzOpenTexts(f *testing.F) {
	f.Add(writeTexts(f, []string{"alpha beta beta", "gamma", "alpha"}))
	f.Add(writeTexts(f, texts(300, 1)))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := keyword.OpenTexts(data)
		if err != nil {
			return
		}
		_ = x.Check()
		x.Phrase([]string{"beta", "beta"}, nil, make([]uint64, x.Len()/64+1), 2)
	})
}
