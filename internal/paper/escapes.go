package paper

import "strings"

// WithoutEscapes drops the sequences that drive a terminal (ECMA-48): whole, so that
// nothing of them is left to read ("[31m"). Other control characters stay.
func WithoutEscapes(s string) string {
	if !strings.ContainsAny(s, "\x1b\u009b\u009d\u0090\u0098\u009e\u009f") {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		n := escape(s)
		if n == 0 {
			n = 1
			b.WriteByte(s[0])
		}
		s = s[n:]
	}
	return b.String()
}

// longestEscape is the length, in bytes, up to which the end of a sequence is looked
// for: what begins one and has no end is text.
const longestEscape = 4096

// escape is the length of the sequence at the start of s; 0 if there is none.
func escape(s string) int {
	kind, at := byte(0), 0
	switch {
	case len(s) > 1 && s[0] == '\x1b':
		kind, at = s[1], 2
	case len(s) > 1 && s[0] == '\xc2' && s[1] >= 0x80 && s[1] <= 0x9f: // C1, in UTF-8
		kind, at = s[1]-0x40, 2
	default:
		return 0
	}
	switch {
	case kind == '[': // CSI: parameters, intermediates, a final byte
		for i := at; i < len(s) && i < longestEscape; i++ {
			if c := s[i]; c >= 0x40 && c <= 0x7e {
				return i + 1
			} else if c < 0x20 || c > 0x7e {
				return i
			}
		}
		return min(len(s), longestEscape)
	case strings.IndexByte("]PX^_", kind) >= 0: // OSC and other strings, ended by BEL or ST
		for i := at; i < len(s) && i < longestEscape; i++ {
			switch {
			case s[i] == '\a':
				return i + 1
			case s[i] == '\x1b' && i+1 < len(s) && s[i+1] == '\\', s[i] == '\xc2' && i+1 < len(s) && s[i+1] == '\x9c':
				return i + 2
			}
		}
		return at // without an end
	case s[0] == '\x1b' && kind >= 0x20 && kind <= 0x2f: // intermediates, a final byte
		for i := at; i < len(s) && i < 8; i++ {
			if s[i] >= 0x30 && s[i] <= 0x7e {
				return i + 1
			}
		}
		return at
	case s[0] == '\x1b' && kind >= 0x30 && kind <= 0x7e:
		return at
	}
	return 0
}
