package keyword

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"sort"

	"github.com/seed-9f29d379/akin/internal/mapped"
)

const textsMagic = "akinkt\x00\x01" // the last byte is the version

const (
	textStart = 8 // bytes of where a text begins
	wordSize  = 8 // bytes of a word's entry
	lastByte  = 0x80
	// workerTexts is how many texts are worth another worker: a fifth of a millisecond.
	workerTexts = 2_000
)

// Texts is the words of documents, numbered from 0, as they stand in them, one after the
// other, unstemmed and with the stop words: what phrases are looked for in. It is read in
// place from its bytes, and safe for concurrent use.
//
// A word is a number, in 7-bit digits of which only the last has the highest bit set (the
// end-tagged dense code of Brisaboa, Fariña, Navarro and Paramá, "Lightweight natural
// language text compression", 2007): a phrase is then a string of bytes, and is looked
// for as one. A word takes about 1.6 bytes.
type Texts struct {
	data   []byte
	docs   int
	nWords int
	starts []byte // [docs+1] uint64: where each text begins
	words  []byte // [nWords+1] entries, ascending by name, the last one the end
	names  []byte
	text   []byte
}

// appendWord appends the code of word number w.
func appendWord(dst []byte, w uint32) []byte {
	var digits [5]byte
	at := len(digits) - 1
	digits[at] = byte(w&0x7f) | lastByte
	for w >>= 7; w > 0; w >>= 7 {
		w-- // a code of two digits begins where those of one have ended
		at--
		digits[at] = byte(w & 0x7f)
	}
	return append(dst, digits[at:]...)
}

// WriteTexts writes the bytes of the documents' Texts.
func (bd *Builder) WriteTexts(w io.Writer) error {
	sum := crc32.New(castagnoli)
	out := io.MultiWriter(w, sum)
	names := make([]string, 0, len(bd.surface))
	size := 0
	for name := range bd.surface {
		names = append(names, name)
		size += len(name)
	}
	sort.Strings(names)

	head := make([]byte, headerSize, headerSize+textStart*len(bd.textEnds)+wordSize*(len(names)+1)+textStart+size)
	copy(head, textsMagic)
	binary.LittleEndian.PutUint32(head[8:], uint32(len(bd.textEnds)))
	binary.LittleEndian.PutUint32(head[12:], uint32(len(names)))
	binary.LittleEndian.PutUint64(head[16:], uint64(size))
	end := uint64(0)
	head = binary.LittleEndian.AppendUint64(head, end)
	for _, end = range bd.textEnds {
		head = binary.LittleEndian.AppendUint64(head, end)
	}
	binary.LittleEndian.PutUint64(head[24:], end)
	at := uint32(0)
	for _, name := range names {
		head = binary.LittleEndian.AppendUint32(head, at)
		head = binary.LittleEndian.AppendUint32(head, bd.surface[name].number)
		at += uint32(len(name))
	}
	head = binary.LittleEndian.AppendUint32(head, at)
	head = binary.LittleEndian.AppendUint32(head, 0)
	for _, name := range names {
		head = append(head, name...)
	}
	for _, part := range append([][]byte{head}, bd.text...) {
		if _, err := out.Write(part); err != nil {
			return fmt.Errorf("writing texts: %w", err)
		}
	}
	if _, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32())); err != nil {
		return fmt.Errorf("writing texts: %w", err)
	}
	return nil
}

// OpenTexts reads the header of data, which is kept and must not change. It looks at no
// text: that is Check's part, and a phrase is safely looked for in damaged ones.
func OpenTexts(data []byte) (*Texts, error) {
	if len(data) < headerSize+footerSize || string(data[:len(textsMagic)]) != textsMagic {
		return nil, fmt.Errorf("opening texts: not some, or of another version")
	}
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(data[at:])) }
	t := &Texts{data: data, docs: u32(8), nWords: u32(12)}
	parts := parts{rest: data[headerSize : len(data)-footerSize]}
	t.starts = parts.take(textStart * uint64(t.docs+1))
	t.words = parts.take(wordSize * uint64(t.nWords+1))
	t.names = parts.take(binary.LittleEndian.Uint64(data[16:]) & math.MaxUint32)
	t.text = parts.take(binary.LittleEndian.Uint64(data[24:]) & math.MaxInt64)
	if parts.short || len(parts.rest) > 0 {
		return nil, fmt.Errorf("opening texts: their parts do not fit their %d bytes", len(data))
	}
	return t, nil
}

// Len is the number of documents, empty ones included.
func (t *Texts) Len() int { return t.docs }

// Check verifies the checksum, the order of words, and that every text is of them.
func (t *Texts) Check() error {
	body := t.data[:len(t.data)-footerSize]
	if got, want := crc32.Checksum(body, castagnoli), binary.LittleEndian.Uint32(t.data[len(body):]); got != want {
		return fmt.Errorf("checking texts: checksum %08x, want %08x", got, want)
	}
	last := ""
	for i := range t.nWords {
		name, number := t.word(i)
		if name <= last || int(number) >= t.nWords {
			return fmt.Errorf("checking texts: word %d is out of order", i)
		}
		last = name
	}
	for doc := range t.docs {
		if !t.sound(doc) {
			return fmt.Errorf("checking texts: text %d is damaged", doc)
		}
	}
	return nil
}

// sound reports whether a text is whole codes of words that there are.
func (t *Texts) sound(doc int) bool {
	from, to := t.start(doc), t.start(doc+1)
	if from > to || to > uint64(len(t.text)) {
		return false
	}
	w, inside := uint64(0), false
	for _, b := range t.text[from:to] {
		if inside {
			w = (w + 1) << 7
		}
		w |= uint64(b &^ lastByte)
		if w >= uint64(t.nWords) {
			return false
		}
		if inside = b < lastByte; !inside {
			w = 0
		}
	}
	return !inside
}

func (t *Texts) start(doc int) uint64 { return binary.LittleEndian.Uint64(t.starts[textStart*doc:]) }

// word is the i-th word and its number; "" where the entry is damaged.
func (t *Texts) word(i int) (name string, number uint32) {
	e := t.words[i*wordSize:]
	from, to := binary.LittleEndian.Uint32(e), binary.LittleEndian.Uint32(e[wordSize:])
	if from > to || uint64(to) > uint64(len(t.names)) {
		return "", 0
	}
	return string(t.names[from:to]), binary.LittleEndian.Uint32(e[4:])
}

// Phrase sets in found, a bitmap, the bits of the documents that hold a phrase: its words
// (see [Words]) side by side in this order. Only those are looked at whose bits are set in
// among; nil is all. Both must reach to the last document. So many workers look for it.
// The cost is that of reading the texts: about a tenth of a microsecond each.
func (t *Texts) Phrase(words []string, among, found []uint64, workers int) {
	var code []byte
	for _, w := range words {
		i := sort.Search(t.nWords, func(i int) bool { name, _ := t.word(i); return name >= w })
		if i == t.nWords {
			return
		}
		name, number := t.word(i)
		if name != w {
			return // no document holds it
		}
		code = appendWord(code, number)
	}
	if len(code) == 0 {
		return
	}
	// Each worker has words of the bitmap to itself.
	all := (t.docs + 63) / 64
	parts := max(1, min(workers, t.docs/workerTexts))
	var group mapped.Group
	for part := range parts {
		group.Go(func() {
			for at := part * all / parts; at < (part+1)*all/parts; at++ {
				asked := uint64(math.MaxUint64)
				if among != nil {
					asked = among[at]
				}
				found[at] |= t.sixtyFour(code, at*64, asked)
			}
		})
	}
	group.Wait()
}

// sixtyFour looks for a phrase in those of the 64 documents from one on that are asked for.
func (t *Texts) sixtyFour(code []byte, from int, asked uint64) (found uint64) {
	for ; asked != 0; asked &= asked - 1 {
		bit := bits.TrailingZeros64(asked)
		if from+bit >= t.docs {
			break
		}
		if t.holds(from+bit, code) {
			found |= 1 << bit
		}
	}
	return found
}

// holds reports whether whole words of a text have the bytes of code.
func (t *Texts) holds(doc int, code []byte) bool {
	from, to := t.start(doc), t.start(doc+1)
	if from > to || to > uint64(len(t.text)) { // damaged
		return false
	}
	text := t.text[from:to]
	for at := 0; ; at++ {
		i := bytes.Index(text[at:], code)
		if i < 0 {
			return false
		}
		if at += i; at == 0 || text[at-1] >= lastByte {
			return true
		}
	}
}
