package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// A paper's own vector is of its whole text, and of no more than the model reads. The
// vectors of its sentences cover all of it: a hybrid search takes half of the meaning's
// score from the best of them.
//
// They are stored in 8-bit codes, one after the other: a float32 scale and one code an
// element, little-endian. A text of one sentence has none: it is its own.

// sentencesUpTo is the size of a library up to which sentences are encoded: with 100,000
// papers they take about 460 MB, and as long again as the papers themselves.
const sentencesUpTo = 100_000

// mostSentences bounds the sentences of one paper: an appendix pasted into an abstract
// fills no library.
const mostSentences = 64

// sentences encodes the sentences of papers that have a vector: a second pass, which an
// interrupt leaves half done and the next add finishes. Searches work before it ends.
func (a *adding) sentences(ctx context.Context) error {
	total, err := a.w.CountPendingSentences(ctx)
	if err != nil || total == 0 {
		return err
	}
	c, err := a.w.Counts(ctx)
	if err != nil {
		return err
	}
	if c.Vectors > sentencesUpTo {
		a.e.warn("sentences are left out: the library has more than %d papers, and they would take about %d MB", sentencesUpTo, c.Vectors*7/2000)
		return nil
	}
	enc, err := a.e.model()
	if err != nil {
		return err
	}
	done, after := 0, uint32(0)
	for {
		a.e.progress(Progress{Stage: "encoding sentences", Done: done, Total: total, Unit: "papers"})
		papers, err := a.w.PendingSentences(ctx, after, encodeBatch)
		if err != nil || len(papers) == 0 {
			return errors.Join(err, a.w.Commit())
		}
		after = papers[len(papers)-1].N
		if err := a.sentencesOf(ctx, enc, papers); err != nil {
			return errors.Join(err, a.w.Commit())
		}
		done += len(papers)
		if time.Since(a.committed) >= commitAfter {
			if err := a.w.Commit(); err != nil {
				return err
			}
			a.committed = time.Now()
		}
	}
}

func (a *adding) sentencesOf(ctx context.Context, enc embed.Encoder, papers []*store.Paper) error {
	var texts []string
	ends := make([]int, len(papers)) // of each paper's sentences in texts
	for i, p := range papers {
		if all := sentencesIn(p.Fields.Text()); len(all) > 1 {
			texts = append(texts, all...)
		}
		ends[i] = len(texts)
	}
	out, err := enc.Encode(ctx, texts)
	if err != nil {
		return fmt.Errorf("encoding sentences: %w", err)
	}
	from := 0
	for i, p := range papers {
		if err := a.w.SetSentences(p.N, sentenceCodes(out[from:ends[i]])); err != nil {
			return err
		}
		from = ends[i]
		a.report.Sentences++
	}
	return nil
}

// sentencesIn parts a cleaned text into what is encoded on its own.
func sentencesIn(text string) []string {
	all := paper.Sentences(text)
	return all[:min(len(all), mostSentences)]
}

func sentenceCodes(list []embed.Embedding) []byte {
	data := []byte{} // of a text of one sentence: known, and none
	for _, s := range list {
		codes := make([]int8, len(s.Vector))
		scale := vec.QuantizeRow(codes, s.Vector)
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(scale))
		for _, c := range codes {
			data = append(data, byte(c))
		}
	}
	return data
}

// sentenceQuery is a direction to compare sentences with.
type sentenceQuery struct {
	codes []int8
	scale float32
	row   []int8
}

func newSentenceQuery(direction []float32) *sentenceQuery {
	q := &sentenceQuery{codes: make([]int8, len(direction)), row: make([]int8, len(direction))}
	q.scale = vec.QuantizeRow(q.codes, direction)
	return q
}

// best returns the place and the cosine of the sentence nearest to the direction; ok is
// false where there are none, or they are damaged.
func (q *sentenceQuery) best(data []byte) (at int, cosine float64, ok bool) {
	size := 4 + len(q.codes)
	if len(data) == 0 || len(data)%size != 0 {
		return 0, 0, false
	}
	cosine = math.Inf(-1)
	for i := 0; i*size < len(data); i++ {
		one := data[i*size : (i+1)*size]
		scale := math.Float32frombits(binary.LittleEndian.Uint32(one))
		for k, c := range one[4:] {
			q.row[k] = int8(c)
		}
		if c := float64(scale) * float64(q.scale) * float64(vec.DotI8(q.codes, q.row)); c > cosine {
			at, cosine = i, c
		}
	}
	if math.IsNaN(cosine) || math.IsInf(cosine, 0) {
		return 0, 0, false
	}
	return at, cosine, true
}

// addSentences gives candidates the cosine of their best sentence.
func (e *Engine) addSentences(ctx context.Context, w *wanted, list []candidate) error {
	if e.lib == nil {
		return nil
	}
	ns := make([]uint32, len(list))
	at := make(map[uint32]int, len(list))
	for i, c := range list {
		ns[i], at[c.n] = c.n, i
	}
	q := newSentenceQuery(w.direction)
	return e.lib.Sentences(ctx, ns, func(n uint32, codes []byte) error {
		c := &list[at[n]]
		c.sentenceAt, c.sentence, c.hasSentence = q.best(codes)
		return nil
	})
}
