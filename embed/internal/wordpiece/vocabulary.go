package wordpiece

import (
	"bytes"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

// maxVocabulary bounds a file, in bytes: far above any vocabulary, and low enough for
// offsets and slot numbers of 32 bits.
const maxVocabulary = 1 << 28

// vocabulary is a hash table (open addressing, linear probing, at most half full)
// from pieces to ids. The pieces stay where they are in the file.
type vocabulary struct {
	data    []byte
	starts  []uint32 // of piece id in data, without its "##"
	ends    []uint32
	slots   []slot // a power of two of them
	shift   int    // 32 - log2(len(slots))
	longest int    // bytes of the longest piece, without its "##"
}

type slot struct {
	hash uint32
	next int32 // id+1; 0 is a free slot
}

// Hashes are FNV-1a, begun differently for a piece that starts a word and for one that
// continues it. Each step is a bijection, so that the same bytes never have the same
// hash as both, and comparing hash and bytes tells the two kinds apart.
const (
	wordStart uint32 = 2166136261
	wordRest  uint32 = 709607
	fnvPrime  uint32 = 16777619
)

func hashByte(h uint32, c byte) uint32 { return (h ^ uint32(c)) * fnvPrime }

func hashPiece(kind uint32, piece []byte) uint32 {
	for _, c := range piece {
		kind = hashByte(kind, c)
	}
	return kind
}

// load reads a file of pieces, one a line.
func (v *vocabulary) load(data []byte) error {
	if len(data) > maxVocabulary {
		return fmt.Errorf("%d bytes, more than any vocabulary", len(data))
	}
	lines := bytes.Count(data, []byte{'\n'})
	if len(data) > 0 && data[len(data)-1] != '\n' {
		lines++
	}
	width := bits.Len(uint(max(2*lines, 16) - 1)) // log2 of the number of slots
	*v = vocabulary{
		data:   data,
		starts: make([]uint32, 0, lines),
		ends:   make([]uint32, 0, lines),
		slots:  make([]slot, 1<<width),
		shift:  32 - width,
	}
	valid := utf8.Valid(data)
	for at := 0; at < len(data); {
		next := len(data)
		end := next
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end, next = at+i, at+i+1
		}
		if end > at && data[end-1] == '\r' {
			end--
		}
		if !valid && !utf8.Valid(data[at:end]) {
			return fmt.Errorf("line %d: %q is not UTF-8", len(v.starts)+1, data[at:end])
		}
		if err := v.insert(at, end); err != nil {
			return err
		}
		at = next
	}
	return nil
}

// insert gives the piece data[start:end] the next id.
func (v *vocabulary) insert(start, end int) error {
	if start == end {
		return fmt.Errorf("line %d: an empty piece", len(v.starts)+1)
	}
	kind, piece := wordStart, v.data[start:end]
	if len(piece) > 2 && piece[0] == '#' && piece[1] == '#' {
		kind, piece = wordRest, piece[2:]
	}
	h := hashPiece(kind, piece)
	if id, ok := v.find(piece, h); ok {
		return fmt.Errorf("line %d: piece %q is on line %d already", len(v.starts)+1, v.data[start:end], id+1)
	}
	v.starts = append(v.starts, uint32(end-len(piece)))
	v.ends = append(v.ends, uint32(end))
	v.longest = max(v.longest, len(piece))
	i := v.home(h)
	for v.slots[i].next != 0 {
		i = (i + 1) & (len(v.slots) - 1)
	}
	v.slots[i] = slot{h, int32(len(v.starts))}
	return nil
}

// find returns the id of a piece, given without "##" and with its hash.
func (v *vocabulary) find(piece []byte, h uint32) (int32, bool) {
	for i := v.home(h); ; i = (i + 1) & (len(v.slots) - 1) {
		s := v.slots[i]
		if s.next == 0 {
			return 0, false
		}
		if id := s.next - 1; s.hash == h && string(v.data[v.starts[id]:v.ends[id]]) == string(piece) {
			return id, true
		}
	}
}

// home is the slot at which the search for a hash begins: the high bits of its
// product with the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
func (v *vocabulary) home(h uint32) int { return int(h * 2654435769 >> v.shift) }
