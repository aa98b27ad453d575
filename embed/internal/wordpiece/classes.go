package wordpiece

// class says what becomes of a code point.
type class uint8

const (
	keep           class = iota
	drop                 // nothing, as if it were not there
	space                // ends a word
	isolate              // is a word of its own
	replace              // becomes its entry in replacements
	replaceIsolate       // becomes its entry in replacements, which is a word of its own
	hangul               // a syllable, which becomes its two or three letters
)

// span is a run of code points of one class.
type span struct {
	lo, hi rune // both included
	class  class
	first  uint16 // where the class replaces: the entry in replacements for lo
}

// lookup returns the span that holds r; r must not be ASCII. Outside all spans it is
// a keep. It is a binary search: some ten steps.
func lookup(r rune) span {
	lo, hi := 0, len(spans)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if spans[m].hi < r {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(spans) && spans[lo].lo <= r {
		return spans[lo]
	}
	return span{class: keep}
}
