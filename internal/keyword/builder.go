package keyword

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"
)

// Builder makes a Segment and Texts from documents in ascending order of their numbers. It is
// not safe for concurrent use.
type Builder struct {
	base    uint32
	lens    []uint16
	words   uint64
	surface map[string]surface
	byStem  map[string]uint32
	terms   []building
	touched []uint32 // terms of the present document

	text     [][]byte // of all documents, in pieces of about textPiece bytes
	textEnds []uint64 // of each document
}

// textPiece bounds what is copied when a text grows.
const textPiece = 1 << 20

// surface is a word as it is written.
type surface struct {
	number uint32 // how many others came before it
	term   uint32 // stopWord for none
}

// stopWord stands for "no term" among a Builder's words.
const stopWord = math.MaxUint32

// building is one term while its documents come in.
type building struct {
	name     string
	postings []byte // pairs of varints: the distance to the document before, occurrences
	next     uint32 // one past the last document
	df       uint32
	tf       uint32 // in the present document
}

// NewBuilder begins a segment whose first document has the number base.
func NewBuilder(base uint32) *Builder {
	return &Builder{base: base, surface: map[string]surface{}, byStem: map[string]uint32{}}
}

// Add appends the next document. A text without words is an empty document: it has a
// number and is never found.
func (bd *Builder) Add(text string) {
	doc := uint32(len(bd.lens))
	length := 0
	if n := len(bd.text); n == 0 || len(bd.text[n-1]) >= textPiece {
		bd.text = append(bd.text, nil)
	}
	piece := &bd.text[len(bd.text)-1]
	before := len(*piece)
	eachWord(text, func(word []byte) {
		s, ok := bd.surface[string(word)]
		if !ok {
			s = bd.learn(string(word))
		}
		*piece = appendWord(*piece, s.number)
		t := s.term
		if t == stopWord {
			return
		}
		length++
		if bd.terms[t].tf++; bd.terms[t].tf == 1 {
			bd.touched = append(bd.touched, t)
		}
	})
	for _, t := range bd.touched {
		p := &bd.terms[t]
		p.postings = binary.AppendUvarint(p.postings, uint64(doc-p.next))
		p.postings = binary.AppendUvarint(p.postings, uint64(p.tf-1))
		p.next = doc + 1
		p.df++
		p.tf = 0
	}
	end := uint64(len(*piece) - before)
	if doc > 0 {
		end += bd.textEnds[doc-1]
	}
	bd.textEnds = append(bd.textEnds, end)
	bd.touched = bd.touched[:0]
	bd.words += uint64(length)
	bd.lens = append(bd.lens, uint16(min(length, math.MaxUint16)))
}

// learn finds the term of a word that was not met before.
func (bd *Builder) learn(word string) surface {
	t := uint32(stopWord)
	if !isStopWord(word) {
		name := stem(word)
		var ok bool
		if t, ok = bd.byStem[name]; !ok {
			t = uint32(len(bd.terms))
			bd.terms = append(bd.terms, building{name: name})
			bd.byStem[name] = t
		}
	}
	s := surface{number: uint32(len(bd.surface)), term: t}
	bd.surface[word] = s
	return s
}

// Len is the number of documents so far.
func (bd *Builder) Len() int { return len(bd.lens) }

// Bytes returns the segment's bytes. The Builder may go on; the bytes are the same for
// the same documents.
func (bd *Builder) Bytes() []byte {
	order := make([]uint32, len(bd.terms))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int {
		if bd.terms[x].name < bd.terms[y].name {
			return -1
		}
		return 1 // names are unique
	})
	average := float32(1)
	if bd.words > 0 {
		average = float32(float64(bd.words) / float64(len(bd.lens)))
	}
	entries := make([]byte, 0, termSize*(len(order)+1))
	var names, postings []byte
	entry := func(df uint32, bound float32) {
		entries = binary.LittleEndian.AppendUint32(entries, uint32(len(names)))
		entries = binary.LittleEndian.AppendUint32(entries, df)
		entries = binary.LittleEndian.AppendUint64(entries, uint64(len(postings)))
		entries = binary.LittleEndian.AppendUint32(entries, math.Float32bits(bound))
		entries = binary.LittleEndian.AppendUint32(entries, 0)
	}
	var w blockWriter
	for _, t := range order {
		p := &bd.terms[t]
		w.encode(p, bd.lens, average)
		entry(p.df, w.bound)
		names = append(names, p.name...)
		postings = append(append(postings, w.meta...), w.data...)
	}
	entry(0, 0)

	out := make([]byte, headerSize, headerSize+2*len(bd.lens)+len(entries)+len(names)+len(postings)+footerSize)
	copy(out, magic)
	binary.LittleEndian.PutUint32(out[8:], bd.base)
	binary.LittleEndian.PutUint32(out[12:], uint32(len(bd.lens)))
	binary.LittleEndian.PutUint32(out[16:], uint32(len(order)))
	binary.LittleEndian.PutUint64(out[24:], bd.words)
	binary.LittleEndian.PutUint64(out[32:], uint64(len(names)))
	binary.LittleEndian.PutUint64(out[40:], uint64(len(postings)))
	for _, l := range bd.lens {
		out = binary.LittleEndian.AppendUint16(out, l)
	}
	out = append(append(append(out, entries...), names...), postings...)
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
}

// blockWriter packs one term's postings into blocks.
type blockWriter struct {
	meta, data []byte
	bound      float32
}

func (w *blockWriter) encode(p *building, lens []uint16, average float32) {
	w.meta, w.data, w.bound = w.meta[:0], w.data[:0], 0
	var docs, tfs [blockLen]uint32
	src, doc := p.postings, uint32(0)
	for left := int(p.df); left > 0; left -= blockLen {
		n := min(blockLen, left)
		bound := float32(0)
		for k := range n {
			gap, size := binary.Uvarint(src)
			tf, more := binary.Uvarint(src[size:])
			src = src[size+more:]
			docs[k], tfs[k] = uint32(gap), uint32(tf)
			doc += uint32(gap)
			bound = max(bound, impact(float32(tf+1), float32(lens[doc]), average))
			doc++
		}
		docBits, tfBits := width(docs[:n]), width(tfs[:n])
		w.meta = binary.LittleEndian.AppendUint32(w.meta, doc-1)
		w.meta = binary.LittleEndian.AppendUint32(w.meta, uint32(len(w.data)))
		w.meta = binary.LittleEndian.AppendUint32(w.meta, math.Float32bits(bound))
		w.meta = append(w.meta, byte(docBits), byte(tfBits), 0, 0)
		w.data = pack(w.data, docs[:n], docBits)
		w.data = pack(w.data, tfs[:n], tfBits)
		w.bound = max(w.bound, bound)
	}
}
