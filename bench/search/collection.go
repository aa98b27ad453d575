package main

import (
	"bufio"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
)

// The shape of the generated papers. A paper is of one topic: about a third of its
// words are the topic's own, the others are drawn by Zipf's law from all words, as in
// abstracts without their stop words.
const (
	vocabulary  = 400_000
	topics      = 2_000
	topicWords  = 200
	topicShare  = 0.35
	authors     = 600_000
	venues      = 500
	firstYear   = 1990
	lastYear    = 2025
	zipfS       = 1.07 // of the words: the most frequent one is in half of the papers
	zipfV       = 20
	titleWords  = 8
	fewestWords = 60
	mostWords   = 140
)

// collection draws papers and queries. The same seed gives the same ones; paper i does
// not depend on how many are drawn.
type collection struct{ seed uint64 }

// drawing is the random numbers of one paper or query.
type drawing struct {
	*rand.Rand
	words, own, people, places *rand.Zipf
	topic                      int
}

func (c collection) draw(stream uint64) *drawing {
	r := rand.New(rand.NewPCG(c.seed, stream))
	return &drawing{
		Rand:   r,
		words:  rand.NewZipf(r, zipfS, zipfV, vocabulary-1),
		own:    rand.NewZipf(r, 1.1, 4, topicWords-1),
		people: rand.NewZipf(r, 1.05, 2000, authors-1),
		places: rand.NewZipf(r, 1.1, 5, venues-1),
		topic:  r.IntN(topics),
	}
}

// word is a number below vocabulary.
func (d *drawing) word() uint64 {
	if d.Float64() >= topicShare {
		return d.words.Uint64()
	}
	// A topic's words are any but the hundred most frequent of all.
	return 100 + mix(uint64(d.topic)<<20|d.own.Uint64())%(vocabulary/4)
}

// mix is the finaliser of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// spell writes a number as a word: syllables, and an end that no stemmer takes off.
func spell(n uint64) string {
	const consonants, vowels = "bcdfgklmnprtvz", "aeiou"
	var b strings.Builder
	for {
		b.WriteByte(consonants[n%14])
		n /= 14
		b.WriteByte(vowels[n%5])
		if n /= 5; n == 0 {
			b.WriteByte('x')
			return b.String()
		}
	}
}

func (d *drawing) text(words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = spell(d.word())
	}
	return strings.Join(list, " ")
}

func name(n uint64) string {
	family, given := spell(mix(n)%60_000), spell(mix(n+1<<40)%5_000)
	return strings.ToUpper(family[:1]) + family[1:] + ", " + strings.ToUpper(given[:1]) + given[1:]
}

func venue(n uint64) string { return "Proceedings of " + spell(1000+n) }

// record is a paper as a line of JSON.
type record struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Abstract string   `json:"abstract"`
	Authors  []string `json:"authors"`
	Year     int      `json:"year"`
	Venue    string   `json:"venue"`
	Keywords []string `json:"keywords"`
}

func (c collection) paper(i int) record {
	d := c.draw(uint64(i))
	r := record{
		ID: "g" + spell(uint64(i)) + "-" + spell(mix(uint64(i))%1000), Title: d.text(titleWords), Abstract: d.text(fewestWords + d.IntN(mostWords-fewestWords)),
		Year: firstYear + d.IntN(lastYear-firstYear+1), Venue: venue(d.places.Uint64()),
	}
	for range 1 + d.IntN(6) {
		r.Authors = append(r.Authors, name(d.people.Uint64()))
	}
	for range 3 {
		r.Keywords = append(r.Keywords, spell(d.word()))
	}
	return r
}

// write puts the papers [from, to) on w, one a line.
func (c collection) write(w io.Writer, from, to int) error {
	buffered := bufio.NewWriterSize(w, 1<<20)
	enc := json.NewEncoder(buffered)
	for i := from; i < to; i++ {
		if err := enc.Encode(c.paper(i)); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// query is text of so many words, of one topic like a paper.
func (c collection) query(i, words int) string { return c.draw(1<<40 + uint64(i)).text(words) }
