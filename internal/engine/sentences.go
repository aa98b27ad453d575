package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/sentence"
	"github.com/seed-9f29d379/akin/internal/store"
)

// A paper's own vector is of its whole text, and of no more than the model reads. The
// vectors of its sentences cover all of it: a hybrid search takes half of the meaning's
// score from the best of them.
//
// They are stored in codes of 4 bits. A text of one sentence has none: it is its own.

const (
	// sentencesUpTo is the size of a library up to which sentences are encoded: with 100,000
	// papers they take about 250 MB, and as long again as the papers themselves.
	sentencesUpTo = 100_000
	// sentenceMB is what the sentences of a thousand papers take in a library, in MB.
	sentenceMB = 2.5
	// sentencesKept bytes of codes are kept in memory: those of 30,000 papers.
	sentencesKept = 64 << 20
)

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
		a.e.warn("sentences are left out: the library has more than %s papers, and they would take about %.0f MB", number.Grouped(sentencesUpTo), sentenceMB*float64(c.Vectors)/1000)
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
	vectors := make([][]float32, len(list))
	for i, s := range list {
		vectors[i] = s.Vector
	}
	return sentence.Codes(vectors)
}

// addSentences gives candidates the cosine of their best sentence.
func (e *Engine) addSentences(ctx context.Context, w *wanted, list []candidate) error {
	if e.lib == nil {
		return nil
	}
	q := sentence.NewQuery(w.direction)
	give := func(c *candidate, codes []byte) { c.sentenceAt, c.sentence, c.hasSentence = q.Best(codes) }
	known := e.sentences.of(w.in.seq)
	var ns []uint32
	at := make(map[uint32]int)
	for i := range list {
		if codes, ok := known.get(list[i].n); ok {
			give(&list[i], codes)
			continue
		}
		ns, at[list[i].n] = append(ns, list[i].n), i
	}
	if len(ns) == 0 {
		return nil
	}
	lacking := len(ns)
	err := e.lib.Sentences(ctx, ns, func(n uint32, codes []byte) error {
		known.put(n, codes)
		give(&list[at[n]], codes)
		lacking--
		return nil
	})
	if err != nil || lacking == 0 || w.in.Len() > sentencesUpTo {
		return err
	}
	w.noSentences, err = e.tellSentences(ctx, known)
	return err
}

// tellSentences counts the papers whose sentences wait, and says so once for each state of
// the library: some papers are judged by their sentences, too, and some are not, since the
// pass over the sentences was interrupted. Where none has sentences they were left out.
func (e *Engine) tellSentences(ctx context.Context, known *sentenceState) (int, error) {
	n, tell, err := known.waiting(func() (int, error) {
		if some, err := e.lib.HasSentences(ctx); err != nil || !some {
			return 0, err
		}
		return e.lib.CountPendingSentences(ctx)
	})
	switch {
	case err != nil || n == 0 || !tell:
	case n == 1:
		e.warn("the sentences of 1 paper are not encoded yet, so it is ranked by its whole text alone: akin add, without a path, encodes them")
	default:
		e.warn("the sentences of %s are not encoded yet, so %s ranked by the whole text alone: akin add, without a path, encodes them", number.Of(n, "paper"), number.Pick(n, "it is", "they are"))
	}
	return n, err
}

// recentSentences keeps the codes of papers that were candidates lately, of one state of a
// library: two generations, of which the older is dropped when the younger has grown to
// half of what may be kept. The zero value is empty. It is safe for concurrent use.
type recentSentences struct {
	mu    sync.Mutex
	state *sentenceState
}

type sentenceState struct {
	mu         sync.Mutex
	seq        int64 // of the library's last change
	young, old map[uint32][]byte
	bytes      int  // of young
	counted    bool // the papers that lack theirs
	lacking    int
}

// of returns what is kept of the state after a change. What is read for it must be read
// after the number was.
func (r *recentSentences) of(seq int64) *sentenceState {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == nil || r.state.seq != seq {
		r.state = &sentenceState{seq: seq, young: make(map[uint32][]byte)}
	}
	return r.state
}

// waiting is how many papers lack their sentences, and whether that is told for the first
// time.
func (s *sentenceState) waiting(count func() (int, error)) (n int, first bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counted {
		return s.lacking, false, nil
	}
	s.lacking, err = count()
	s.counted = err == nil
	return s.lacking, s.counted, err
}

func (s *sentenceState) get(n uint32) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if codes, ok := s.young[n]; ok {
		return codes, true
	}
	codes, ok := s.old[n]
	if ok {
		s.keep(n, codes)
	}
	return codes, ok
}

func (s *sentenceState) put(n uint32, codes []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(n, codes)
}

func (s *sentenceState) keep(n uint32, codes []byte) {
	if s.bytes += len(codes); s.bytes > sentencesKept/2 {
		s.old, s.young, s.bytes = s.young, make(map[uint32][]byte), len(codes)
	}
	s.young[n] = codes
}
