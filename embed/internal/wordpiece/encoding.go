package wordpiece

import "unicode/utf8"

const (
	// maxChars is the length of a word, in code points, beyond which it is [UNK].
	maxChars = 100
	// alone marks in asciiTable a character that is a word of its own.
	alone = 0x80
)

// encoding is the state of one call of Encode: what has been given out and the word
// that is being read. It lives on the stack.
type encoding struct {
	t      *Tokenizer
	ids    []int32
	room   int // ids may have this length before [SEP]
	tokens int // of the whole text so far, with [CLS] and [SEP]

	chars  int // code points of the word; word holds them up to maxChars
	n      int
	word   [maxChars * utf8.UTFMax]byte
	hashes [maxChars * utf8.UTFMax]uint32 // of word[at:i+1], for the piece that begins at at
}

// unicode reads the first code point of text and returns its length in bytes.
func (e *encoding) unicode(text string) int {
	r, size := utf8.DecodeRuneInString(text)
	switch s := lookup(r); s.class {
	case keep:
		e.add(r)
	case space:
		e.endWord()
	case isolate:
		e.isolate(r)
	case replace:
		for _, r := range replacements[int(s.first)+int(r-s.lo)] {
			e.add(r)
		}
	case replaceIsolate:
		for _, r := range replacements[int(s.first)+int(r-s.lo)] {
			e.isolate(r)
		}
	case hangul:
		e.hangul(r)
	case drop: // with U+FFFD also every byte that is not UTF-8
	}
	return size
}

// hangul adds the letters of a syllable (Unicode standard, section 3.12).
func (e *encoding) hangul(r rune) {
	const (
		sBase, lBase, vBase, tBase = 0xAC00, 0x1100, 0x1161, 0x11A7
		vCount, tCount             = 21, 28
	)
	s := r - sBase
	e.add(lBase + s/(vCount*tCount))
	e.add(vBase + s/tCount%vCount)
	if s%tCount != 0 {
		e.add(tBase + s%tCount)
	}
}

func (e *encoding) addByte(c byte) {
	if e.chars < maxChars {
		e.word[e.n] = c
		e.n++
	}
	e.chars++
}

func (e *encoding) add(r rune) {
	if e.chars < maxChars {
		e.n += utf8.EncodeRune(e.word[e.n:e.n+utf8.UTFMax], r)
	}
	e.chars++
}

// isolate ends the word before r and gives r as a word.
func (e *encoding) isolate(r rune) {
	e.endWord()
	e.add(r)
	e.endWord()
}

// endWord gives out the pieces of the word, if there is one, and begins the next.
func (e *encoding) endWord() {
	if e.chars == 0 {
		return
	}
	ids, tokens := len(e.ids), e.tokens
	if e.chars > maxChars || !e.pieces() {
		e.ids, e.tokens = e.ids[:ids], tokens
		e.give(e.t.unk)
	}
	e.chars, e.n = 0, 0
}

// pieces gives out the pieces of the word, longest first from the left, and reports
// whether there is one for every part of it. The hashes of all beginnings of the rest
// are made in one pass; then the longest that is a piece is looked for.
func (e *encoding) pieces() bool {
	kind := wordStart
	for at := 0; at < e.n; kind = wordRest {
		limit := min(e.n, at+e.t.vocab.longest)
		h := kind
		for i := at; i < limit; i++ {
			h = hashByte(h, e.word[i])
			e.hashes[i] = h
		}
		end := limit
		for ; end > at; end-- {
			if id, ok := e.t.vocab.find(e.word[at:end], e.hashes[end-1]); ok {
				e.give(id)
				break
			}
		}
		if end == at {
			return false
		}
		at = end
	}
	return true
}

func (e *encoding) give(id int32) {
	e.tokens++
	if len(e.ids) < e.room {
		e.ids = append(e.ids, id)
	}
}
