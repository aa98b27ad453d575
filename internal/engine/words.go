package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"

	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/facet"
	"github.com/seed-9f29d379/akin/internal/keyword"
	"github.com/seed-9f29d379/akin/internal/store"
)

// The sections of a snapshot that hold the papers' words: a keyword segment, whose
// documents are the papers in the order of their ids, so that the same papers give the
// same bytes however they came; the number of the paper that each document is; the
// documents in ascending order of these numbers; the fields of each document, and, apart
// since they are not the paper's own, its sources.
const (
	wordsSection   = "words"
	numbersSection = "words.papers"
	orderSection   = "words.order"
	textsSection   = "words.texts"
	fieldsSection  = "fields"
	sourcesSection = "fields.sources"
)

// wordIndex ranks papers by their words and finds them by their fields: those of a
// snapshot, and those that came or changed since.
type wordIndex struct {
	ranker *keyword.Ranker
	base   numbers           // papers of the snapshot's documents
	order  numbers           // those documents, by ascending paper
	fresh  []uint32          // papers of the documents after those, ascending
	stale  map[uint32]bool   // papers of the snapshot that changed or went since
	texts  [2]*keyword.Texts // of the snapshot's documents, and of those after them
	fields [2]*fields        // also
	// The documents that are still what their papers say.
	present facet.Rows
	as      wordState
}

// wordState is what a wordIndex was made from.
type wordState struct {
	file   *snapshot.File // nil where there is no snapshot
	seq    int64          // of the library's last change
	newest uint32         // the library's last paper
}

// numbers are little-endian uint32 in a mapped file.
type numbers []byte

func (x numbers) len() int        { return len(x) / 4 }
func (x numbers) at(i int) uint32 { return binary.LittleEndian.Uint32(x[4*i:]) }

// words returns the word index, made at its first use and made again when the library
// has changed.
func (e *Engine) words(ctx context.Context) (*wordIndex, error) {
	ix, err := e.vectors(ctx) // which opens the snapshot
	if err != nil && !errors.Is(err, errNotEncoded) {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	var now wordState
	if ix != nil && ix.base != nil {
		now.file = ix.base.file
	}
	if e.lib != nil {
		if now.seq, err = e.lib.Seq(ctx); err != nil {
			return nil, err
		}
		if now.newest, err = e.lib.Newest(ctx); err != nil {
			return nil, err
		}
	}
	if e.wordIndex != nil && e.wordIndex.as == now {
		return e.wordIndex, nil
	}
	x, err := loadWords(ctx, e.shelf, now, e.workers())
	if errors.Is(err, store.ErrForgotten) { // another snapshot was written meanwhile
		if ix, err = e.reload(ctx); err == nil {
			now.file, now.seq = nil, ix.seq
			if ix.base != nil {
				now.file = ix.base.file
			}
			x, err = loadWords(ctx, e.shelf, now, e.workers())
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading the papers' words: %w", err)
	}
	e.wordIndex = x
	return x, nil
}

func loadWords(ctx context.Context, sh shelf, now wordState, workers int) (*wordIndex, error) {
	x := &wordIndex{as: now}
	var segments []*keyword.Segment
	if now.file != nil {
		w, err := openWords(now.file)
		if err != nil {
			return nil, err
		}
		x.base, x.order, segments, x.texts[0], x.fields[0] = w.papers, w.order, append(segments, w.segment), w.texts, w.fields
	}
	b := keyword.NewBuilder(uint32(x.base.len()))
	fields := newFieldsBuilder()
	add := func(p *store.Paper) error {
		x.fresh = append(x.fresh, p.N)
		b.Add(p.Fields.Text())
		fields.add(p)
		return ctx.Err()
	}
	if now.file == nil {
		if err := sh.Each(ctx, add); err != nil {
			return nil, err
		}
	} else if err := x.since(ctx, sh.(*store.Library), add); err != nil {
		return nil, err
	}
	segment, err := keyword.Open(b.Bytes())
	if err != nil {
		return nil, err
	}
	var texts bytes.Buffer
	if err := b.WriteTexts(&texts); err != nil {
		return nil, err
	}
	if x.texts[1], err = keyword.OpenTexts(texts.Bytes()); err != nil {
		return nil, err
	}
	x.ranker = keyword.NewRanker(workers, append(segments, segment)...)
	if x.fields[1], err = openFields(fields.sections()); err != nil {
		return nil, err
	}
	x.present = facet.NewRows(x.base.len() + len(x.fresh))
	for doc := range uint32(x.base.len() + len(x.fresh)) {
		x.present.Add(doc)
	}
	for n := range x.stale {
		if doc, ok := x.stored(n); ok {
			x.present.Remove(doc)
		}
	}
	return x, nil
}

// since calls add with the papers that came or changed since the snapshot.
func (x *wordIndex) since(ctx context.Context, lib *store.Library, add func(*store.Paper) error) error {
	changed, err := lib.ChangedSince(ctx, int64(x.as.file.Identity().Generation))
	if err != nil {
		return err
	}
	last := uint32(0)
	if n := x.order.len(); n > 0 {
		if last, err = x.paperAt(n - 1); err != nil {
			return err
		}
	}
	x.stale = make(map[uint32]bool, len(changed))
	for _, n := range changed {
		x.stale[n] = true
	}
	later, err := lib.NumbersAfter(ctx, last)
	if err != nil {
		return err
	}
	ns := append(slices.DeleteFunc(changed, func(n uint32) bool { return n > last }), later...)
	return eachOf(ctx, lib, ns, add)
}

// storedWords is the words of a snapshot, read in place.
type storedWords struct {
	segment       *keyword.Segment
	texts         *keyword.Texts
	papers, order numbers
	fields        *fields
}

// openWords finds the words in a snapshot.
func openWords(f *snapshot.File) (w storedWords, err error) {
	data, ok := f.Section(wordsSection)
	papers, also := f.Section(numbersSection)
	order, too := f.Section(orderSection)
	texts, and := f.Section(textsSection)
	fields, then := f.Section(fieldsSection)
	sources, finally := f.Section(sourcesSection)
	if !ok || !also || !too || !and || !then || !finally {
		return w, errNoWords
	}
	if w.segment, err = keyword.Open(data); err != nil {
		return w, err
	}
	if w.texts, err = keyword.OpenTexts(texts); err != nil {
		return w, err
	}
	if w.fields, err = openFields(fields, sources); err != nil {
		return w, err
	}
	w.papers, w.order = papers, order
	if n := w.segment.Len(); w.texts.Len() != n || w.fields.work.Len() != n || w.fields.sources.Len() != n {
		return w, fmt.Errorf("%w: %d documents, but texts of %d, fields of %d and %d", snapshot.ErrDamaged, n, w.texts.Len(), w.fields.work.Len(), w.fields.sources.Len())
	}
	if n := 4 * w.segment.Len(); len(papers) != n || len(order) != n {
		return w, fmt.Errorf("%w: %d documents, but %d and %d bytes of their papers' numbers", snapshot.ErrDamaged, w.segment.Len(), len(papers), len(order))
	}
	return w, nil
}

// errNoWords: a snapshot was written before all this was kept of papers in it.
var errNoWords = errors.New("it lacks words, texts or fields: an older akin wrote it")

// writeWords puts the words of all papers into a snapshot.
func writeWords(ctx context.Context, lib *store.Library, w *snapshot.Writer) error {
	ns, err := lib.NumbersByID(ctx)
	if err != nil {
		return err
	}
	b, fields := keyword.NewBuilder(0), newFieldsBuilder()
	var of []uint32
	err = eachAhead(ctx, lib, ns, func(p *store.Paper) {
		of = append(of, p.N)
		b.Add(p.Fields.Text())
		fields.add(p)
	})
	if err != nil {
		return err
	}
	order := make([]uint32, len(of))
	for doc := range order {
		order[doc] = uint32(doc)
	}
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(of[a], of[b]) })
	work, sources := fields.sections()
	for _, s := range []struct {
		name string
		data []byte
	}{
		{wordsSection, b.Bytes()}, {numbersSection, encodeNumbers(of)}, {orderSection, encodeNumbers(order)},
		{fieldsSection, work}, {sourcesSection, sources},
	} {
		if err := w.Section(s.name); err != nil {
			return err
		}
		if _, err := w.Write(s.data); err != nil {
			return err
		}
	}
	if err := w.Section(textsSection); err != nil {
		return err
	}
	return b.WriteTexts(w)
}

// pagesAhead are read at once: they are all over the database, in the order of ids, so
// that a disk has several to look for.
const pagesAhead = 4

// eachAhead calls yield with papers, in the order of ns, while the next ones are read.
func eachAhead(ctx context.Context, lib *store.Library, ns []uint32, yield func(*store.Paper)) error {
	type result struct {
		papers []*store.Paper
		err    error
	}
	var group sync.WaitGroup
	defer group.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	pages := make(chan chan result, pagesAhead-1)
	group.Go(func() {
		defer close(pages)
		for some := range slices.Chunk(ns, page) {
			to := make(chan result, 1)
			select {
			case pages <- to:
			case <-ctx.Done():
				return
			}
			group.Go(func() {
				papers, err := lib.Papers(ctx, some)
				to <- result{papers, err}
			})
		}
	})
	for from := range pages {
		r := <-from
		if r.err != nil {
			return r.err
		}
		for _, p := range r.papers {
			yield(p)
		}
	}
	return ctx.Err()
}

func encodeNumbers(values []uint32) numbers {
	out := make(numbers, 0, 4*len(values))
	for _, v := range values {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return out
}

// paperAt is the i-th smallest of the papers of the snapshot's documents.
func (x *wordIndex) paperAt(i int) (uint32, error) {
	doc := int(x.order.at(i))
	if doc >= x.base.len() {
		return 0, fmt.Errorf("%w: document %d of %d", snapshot.ErrDamaged, doc, x.base.len())
	}
	return x.base.at(doc), nil
}

// number is the paper that a document is.
func (x *wordIndex) number(doc uint32) uint32 {
	if i := int(doc) - x.base.len(); i >= 0 {
		return x.fresh[i]
	}
	return x.base.at(int(doc))
}

// document is the present document of a paper; ok is false where it has none.
func (x *wordIndex) document(n uint32) (doc uint32, ok bool) {
	if i, found := slices.BinarySearch(x.fresh, n); found {
		return uint32(x.base.len() + i), true
	}
	if x.stale[n] {
		return 0, false
	}
	return x.stored(n)
}

// stored is the document of a paper in the snapshot; ok is false where it has none.
func (x *wordIndex) stored(n uint32) (doc uint32, ok bool) {
	i := sort.Search(x.order.len(), func(i int) bool {
		at, err := x.paperAt(i)
		return err != nil || at >= n
	})
	if i == x.order.len() {
		return 0, false
	}
	at, err := x.paperAt(i)
	return x.order.at(i), err == nil && at == n
}

// search returns the k best papers for the terms, with their BM25 scores, among the
// documents of a set; nil is all.
func (x *wordIndex) search(terms []string, k int, among facet.Rows) []keyword.Hit {
	if among == nil && len(x.stale) > 0 {
		among = x.present
	}
	hits := x.ranker.Search(terms, k, among)
	for i := range hits {
		hits[i].ID = x.number(hits[i].ID)
	}
	return hits
}

// scores returns the BM25 scores of papers, 0 for one that holds no term.
func (x *wordIndex) scores(terms []string, ns []uint32) []float64 {
	docs := make([]uint32, 0, len(ns))
	at := make([]int, 0, len(ns))
	for i, n := range ns {
		if doc, ok := x.document(n); ok {
			docs, at = append(docs, doc), append(at, i)
		}
	}
	scores := make([]float64, len(ns))
	for i, s := range x.ranker.Scores(terms, docs) {
		scores[at[i]] = s
	}
	return scores
}

// holding is the present documents that hold all of terms.
func (x *wordIndex) holding(terms []string) facet.Rows {
	docs := facet.NewRows(x.base.len() + len(x.fresh))
	x.ranker.Holding(terms, docs.Add)
	docs.Keep(x.present)
	return docs
}

// phrased is the present documents that hold a phrase: its words side by side and in this
// order, whatever their case. Those that hold all of its stems are looked at.
func (x *wordIndex) phrased(phrase string, workers int) facet.Rows {
	words, among := keyword.Words(phrase), x.present
	if terms := keyword.Terms(phrase); len(terms) > 0 { // not of stop words alone
		among = x.holding(terms)
	}
	docs := facet.NewRows(x.base.len() + len(x.fresh))
	if x.texts[0] != nil {
		x.texts[0].Phrase(words, among, docs, workers)
	}
	fresh := facet.NewRows(len(x.fresh))
	x.texts[1].Phrase(words, x.after(among), fresh, workers)
	for row := range fresh.All {
		docs.Add(uint32(x.base.len()) + row)
	}
	return docs
}
