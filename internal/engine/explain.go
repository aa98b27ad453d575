package engine

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/internal/keyword"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// wordsTold is how many shared words an explanation names.
const wordsTold = 5

// explain says for each result why it is there.
func (e *Engine) explain(ctx context.Context, sh shelf, w *wanted, ranked []scored, results []Result) error {
	asked, err := askedTexts(ctx, sh, w)
	if err != nil {
		return err
	}
	words, err := e.words(ctx)
	if err != nil {
		return err
	}
	terms := w.terms
	if terms == nil {
		terms = keyword.Terms(strings.Join(asked, " "))
	}
	var pairs *pairing
	var near *nearness
	if w.direction != nil {
		if pairs, err = e.pairing(ctx, asked); err != nil {
			return err
		}
		if near, err = e.distribution(ctx, w.in); err != nil {
			return err
		}
	}
	for i, s := range ranked {
		x := &Explanation{Dense: s.dense, Neighbourhood: s.neighbourhood}
		x.Words, x.Keyword = words.shared(terms, s)
		if w.Mode == modeHybrid && s.score > 0 {
			share := s.share
			x.Share = &share
		}
		if pairs != nil {
			sentences := sentencesIn(s.Fields.Text())
			vectors, err := pairs.encoded(ctx, sentences)
			if err != nil {
				return err
			}
			x.Pair = pairs.best(sentences, vectors)
			if s.hasSentence && len(vectors) > 0 {
				x.Sentence = nearestOf(w.direction, vectors)
			}
			x.Nearness = near.place(s.dense)
		}
		results[i].Explain = x
	}
	return nil
}

// askedTexts are the texts that results are compared with.
func askedTexts(ctx context.Context, sh shelf, w *wanted) ([]string, error) {
	var texts []string
	if text := paper.Clean(w.Text); text != "" {
		texts = append(texts, text)
	}
	ns := make([]uint32, len(w.like))
	for i, m := range w.like {
		ns[i] = m.N
	}
	papers, err := sh.Papers(ctx, ns)
	for _, p := range papers {
		texts = append(texts, p.Fields.Text())
	}
	return texts, err
}

// shared are the words of a query that a paper holds, as the paper writes them, and the
// paper's BM25: what all of them add up to.
func (x *wordIndex) shared(terms []string, s scored) (list []SharedWord, sum float64) {
	doc, ok := x.document(s.N)
	if !ok {
		return nil, 0
	}
	written := make(map[string]string)
	for _, word := range keyword.Words(s.Fields.Text()) {
		for _, term := range keyword.Terms(word) {
			if written[term] == "" {
				written[term] = word
			}
		}
	}
	for _, c := range x.ranker.Explain(terms, doc) {
		sum += c.Score
		if word := cmp.Or(written[c.Term], c.Term); len(list) < wordsTold && !isSign(word) {
			list = append(list, SharedWord{Word: word, Weight: c.Weight, Score: c.Score})
		}
	}
	return list, sum
}

// isSign reports whether a word is a single letter or digit, as of "p = 0.1": the papers
// that share one need have nothing in common. A single Chinese character is a word.
func isSign(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && (unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsNumber(r))
}

// pairing finds the sentences that match best.
type pairing struct {
	enc       embed.Encoder
	sentences []string
	vectors   []embed.Embedding
}

func (e *Engine) pairing(ctx context.Context, asked []string) (*pairing, error) {
	enc, err := e.queryModel(ctx)
	if err != nil {
		return nil, err
	}
	p := &pairing{enc: enc}
	for _, text := range asked {
		p.sentences = append(p.sentences, sentencesIn(text)...)
	}
	p.vectors, err = enc.Encode(ctx, p.sentences)
	if err != nil {
		return nil, fmt.Errorf("encoding the query's sentences: %w", err)
	}
	return p, nil
}

// encoded are the vectors of the sentences of a paper: an explanation is of few papers, and
// the codes that are stored are too coarse to be shown.
func (p *pairing) encoded(ctx context.Context, sentences []string) ([]embed.Embedding, error) {
	vectors, err := p.enc.Encode(ctx, sentences)
	if err != nil {
		return nil, fmt.Errorf("encoding a paper's sentences: %w", err)
	}
	return vectors, nil
}

// nearestOf is the cosine of a direction with the nearest of some vectors.
func nearestOf(direction []float32, vectors []embed.Embedding) float64 {
	top := math.Inf(-1)
	for _, v := range vectors {
		top = max(top, float64(vec.Dot(direction, v.Vector)))
	}
	return top
}

// best is the nearest pair of a sentence that is asked with and one of a paper.
func (p *pairing) best(sentences []string, vectors []embed.Embedding) *SentencePair {
	if len(p.sentences) == 0 || len(sentences) == 0 {
		return nil
	}
	top := SentencePair{Cosine: math.Inf(-1)}
	for i, a := range p.vectors {
		for j, b := range vectors {
			if c := float64(vec.Dot(a.Vector, b.Vector)); c > top.Cosine {
				top = SentencePair{Asked: p.sentences[i], Paper: sentences[j], Cosine: c}
			}
		}
	}
	return &top
}

// nearness is how near papers of a library are: the cosines of pairs of a sample, and
// of the papers of the sample with their nearest neighbours, both ascending.
type nearness struct {
	pairs      []float64
	neighbours []float64
	seq        int64 // of the library
}

// nearnessSample papers are compared: the standard error of a percentile among their
// neighbours is then 3.5 at most.
const nearnessSample = 200

// distribution measures the library's cosines once. The sample is chosen by a hash of
// the vectors, so that it does not depend on the order in which papers were added.
func (e *Engine) distribution(ctx context.Context, in *searched) (*nearness, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.nearness != nil && e.nearness.seq == in.seq {
		return e.nearness, nil
	}
	type choice struct {
		hash uint64
		v    []float32
	}
	var sample []choice
	order := func(a, b choice) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), slices.Compare(a.v, b.v))
	}
	err := e.shelf.Vectors(ctx, func(_ uint32, v []float32) error {
		sample = append(sample, choice{vectorHash(v), slices.Clone(v)})
		if len(sample) == 4*nearnessSample { // keep memory small
			slices.SortFunc(sample, order)
			sample = sample[:nearnessSample]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(sample, order)
	sample = sample[:min(len(sample), nearnessSample)]
	n := &nearness{seq: in.seq}
	for i, a := range sample {
		for _, b := range sample[:i] {
			n.pairs = append(n.pairs, float64(vec.Dot(a.v, b.v)))
		}
		hits, err := in.nearest(a.v, index.SearchOptions{K: 2})
		if err != nil {
			return nil, err
		}
		if len(hits) == 2 {
			n.neighbours = append(n.neighbours, float64(hits[1].Score))
		}
	}
	slices.Sort(n.pairs)
	slices.Sort(n.neighbours)
	e.nearness = n
	return n, nil
}

// vectorHash is FNV-1a over the elements of v.
func vectorHash(v []float32) uint64 {
	var b [4]byte
	h := uint64(14695981039346656037)
	for _, x := range v {
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(x))
		for _, c := range b {
			h = (h ^ uint64(c)) * 1099511628211
		}
	}
	return h
}

// place says how many of the pairs and of the neighbours are less near than a cosine.
func (n *nearness) place(cosine float64) *Nearness {
	if len(n.pairs) == 0 {
		return nil
	}
	below := func(sorted []float64) float64 {
		if len(sorted) == 0 {
			return 0
		}
		at, _ := slices.BinarySearch(sorted, cosine)
		return math.Round(1000*float64(at)/float64(len(sorted))) / 10
	}
	return &Nearness{RandomPairs: below(n.pairs), Neighbours: below(n.neighbours)}
}
