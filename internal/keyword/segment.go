package keyword

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"sort"
)

// The parts of a segment, little-endian throughout; docs/format.md draws it.
const (
	magic      = "akinkw\x00\x01" // the last byte is the version
	headerSize = 64
	termSize   = 24
	blockSize  = 16
	blockLen   = 128 // postings a block
	footerSize = 4
)

// castagnoli is read only.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// BM25's parameters: Robertson and Zaragoza, "The Probabilistic Relevance Framework",
// 2009, section 3.5; the usual values, which are on a plateau here.
const (
	k1 = 1.2
	b  = 0.75
)

// Segment is an immutable set of documents and their postings, read in place from its
// bytes. It is safe for concurrent use.
type Segment struct {
	data     []byte
	base     uint32 // the number of its first document
	docs     int
	words    uint64 // of all documents together
	nTerms   int
	lens     []byte // [docs] uint16: words a document
	terms    []byte // [nTerms+1] entries, the last one the end
	names    []byte
	postings []byte
}

// Open reads the header of data, which is kept and must not change. It looks at no
// posting: that is Check's part, and a search is safe on damaged ones.
func Open(data []byte) (*Segment, error) {
	if len(data) < headerSize+footerSize || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("opening a keyword segment: not one, or of another version")
	}
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(data[at:])) }
	s := &Segment{
		data: data, base: uint32(u32(8)), docs: u32(12), nTerms: u32(16),
		words: binary.LittleEndian.Uint64(data[24:]),
	}
	parts := parts{rest: data[headerSize : len(data)-footerSize]}
	s.lens = parts.take(2 * uint64(s.docs))
	s.terms = parts.take(termSize * uint64(s.nTerms+1))
	s.names = parts.take(binary.LittleEndian.Uint64(data[32:]) & math.MaxUint32)
	s.postings = parts.take(binary.LittleEndian.Uint64(data[40:]) & math.MaxInt64)
	if parts.short || len(parts.rest) > 0 {
		return nil, fmt.Errorf("opening a keyword segment: its parts do not fit its %d bytes", len(data))
	}
	return s, nil
}

// parts takes bytes apart; short is set where there are not as many as are asked for.
type parts struct {
	rest  []byte
	short bool
}

func (p *parts) take(size uint64) []byte {
	if size > uint64(len(p.rest)) {
		p.short = true
		return nil
	}
	part := p.rest[:size:size]
	p.rest = p.rest[size:]
	return part
}

// Len is the number of documents, empty ones included.
func (s *Segment) Len() int { return s.docs }

// Bytes is what Open was given.
func (s *Segment) Bytes() []byte { return s.data }

// Check verifies the checksum and walks every posting.
func (s *Segment) Check() error {
	body := s.data[:len(s.data)-footerSize]
	want := binary.LittleEndian.Uint32(s.data[len(body):])
	if got := crc32.Checksum(body, castagnoli); got != want {
		return fmt.Errorf("checking a keyword segment: checksum %08x, want %08x", got, want)
	}
	last := ""
	for t := range s.nTerms {
		name := s.name(t)
		if t > 0 && name <= last {
			return fmt.Errorf("checking a keyword segment: term %d is out of order", t)
		}
		last = name
		p := s.list(t)
		seen := 0
		for i := range p.blocks() {
			var blk block
			if !p.decode(i, &blk) {
				return fmt.Errorf("checking a keyword segment: block %d of %q is damaged", i, name)
			}
			seen += blk.n
		}
		if seen != p.df {
			return fmt.Errorf("checking a keyword segment: %q has %d postings, want %d", name, seen, p.df)
		}
	}
	return nil
}

// length is the number of words of local document d.
func (s *Segment) length(d uint32) int {
	return int(binary.LittleEndian.Uint16(s.lens[2*d:]))
}

// name is the t-th term; "" where the entry is damaged.
func (s *Segment) name(t int) string {
	from := binary.LittleEndian.Uint32(s.terms[t*termSize:])
	to := binary.LittleEndian.Uint32(s.terms[(t+1)*termSize:])
	if from > to || uint64(to) > uint64(len(s.names)) {
		return ""
	}
	return string(s.names[from:to])
}

// find is the postings of a term; an empty list if no document has it.
func (s *Segment) find(term string) list {
	t := sort.Search(s.nTerms, func(i int) bool { return s.name(i) >= term })
	if t == s.nTerms || s.name(t) != term {
		return list{}
	}
	return s.list(t)
}

// list is one term's postings: block entries, then the blocks' bytes.
type list struct {
	df    int     // documents that hold the term
	bound float32 // the largest impact of all, at the average length of the build
	meta  []byte  // [blocks] entries: last document, offset, bound, two widths
	data  []byte
	docs  uint32 // of the segment: no posting may reach it
}

func (s *Segment) list(t int) list {
	e := s.terms[t*termSize:]
	df := int(binary.LittleEndian.Uint32(e[4:]))
	from := binary.LittleEndian.Uint64(e[8:])
	to := binary.LittleEndian.Uint64(e[termSize+8:])
	meta := uint64((df+blockLen-1)/blockLen) * blockSize
	if df > s.docs || from > to || to > uint64(len(s.postings)) || meta > to-from {
		return list{}
	}
	p := s.postings[from:to:to]
	return list{
		df: df, bound: math.Float32frombits(binary.LittleEndian.Uint32(e[16:])),
		meta: p[:meta:meta], data: p[meta:], docs: uint32(s.docs),
	}
}

func (l *list) blocks() int { return len(l.meta) / blockSize }

// last is the last document of block i.
func (l *list) last(i int) uint32 { return binary.LittleEndian.Uint32(l.meta[i*blockSize:]) }

// blockBound is the largest impact in block i.
func (l *list) blockBound(i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(l.meta[i*blockSize+8:]))
}

// block is some postings of one term: ascending local documents, and how often each
// holds the term, which is decoded apart: most documents that are looked up are not there.
type block struct {
	n    int
	docs [blockLen]uint32
	tfs  [blockLen]uint32
	rest []byte // what tfs is decoded from; nil once it is
	bits uint   // of each of them
}

// decode unpacks the documents of block i. It reports false where the bytes cannot be a
// block, so that no search trusts what it reads.
func (l *list) decode(i int, blk *block) bool {
	e := l.meta[i*blockSize:]
	at := uint64(binary.LittleEndian.Uint32(e[4:]))
	docBits, tfBits := uint(e[12]), uint(e[13])
	n := min(blockLen, l.df-i*blockLen)
	docBytes, tfBytes := packedSize(n, docBits), packedSize(n, tfBits)
	if docBits > 32 || tfBits > 32 || at+uint64(docBytes+tfBytes) > uint64(len(l.data)) {
		return false
	}
	blk.n = n
	data := l.data[at:]
	unpack(blk.docs[:n], data, docBits)
	blk.rest, blk.bits = data[docBytes:], tfBits
	doc := uint64(0) // one past the document before
	if i > 0 {
		doc = uint64(l.last(i-1)) + 1
	}
	for k := range blk.docs[:n] {
		doc += uint64(blk.docs[k])
		blk.docs[k] = uint32(doc)
		doc++
	}
	// They ascend, so that the last bounds them all.
	return doc <= uint64(l.docs) && blk.docs[n-1] == l.last(i)
}

// counts unpacks how often each document of the block holds the term.
func (blk *block) counts() []uint32 {
	tfs := blk.tfs[:blk.n]
	if blk.rest != nil {
		unpack(tfs, blk.rest, blk.bits)
		for k := range tfs {
			tfs[k]++
		}
		blk.rest = nil
	}
	return tfs
}

// count is how often the k-th document of the block holds the term; few are asked for.
func (blk *block) count(k int) uint32 {
	if blk.rest == nil {
		return blk.tfs[k]
	}
	return at(blk.rest, k, blk.bits) + 1
}

// impact is what BM25 gives one term of weight 1 in a document: how often it holds the
// term against its length, from 0 to 1.
func impact(tf, length, average float32) float32 {
	return tf / (tf + (k1*(1-b) + k1*b*(length/average)))
}
