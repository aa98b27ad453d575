package corpus

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// headBytes is how much of a file is looked at to find its encoding and format.
const headBytes = 64 << 10

// decodeText gives body as UTF-8 without a byte order mark, and its first bytes. The
// encoding is found from a mark, from the zeros of UTF-16, else it is UTF-8; bytes
// that are not valid in it are taken for Windows-1252, and that is told once.
func decodeText(body io.Reader, warn func(line int, message string)) (head []byte, text io.Reader, err error) {
	raw := bufio.NewReaderSize(body, headBytes)
	head, err = raw.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")):
		return nil, nil, errors.New("its encoding is UTF-32, which is not read; save it as UTF-8")
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		text = transform.NewReader(raw, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder())
	default:
		if order, ok := utf16Order(head); ok {
			text = transform.NewReader(raw, unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder())
			break
		}
		if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
			if _, err := raw.Discard(3); err != nil {
				return nil, nil, err
			}
		}
		if isBinary(head) {
			if bytes.HasPrefix(head, []byte("%PDF")) {
				return nil, nil, errPDF
			}
			return nil, nil, errBinary
		}
		text = transform.NewReader(raw, &mender{warn: warn, line: 1})
	}
	decoded := bufio.NewReaderSize(text, headBytes)
	head, err = decoded.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) && len(bytes.TrimSpace(head)) == 0 {
		return nil, nil, err
	}
	if len(bytes.TrimSpace(head)) == 0 {
		head = nil
	}
	return head, decoded, nil
}

// utf16Order finds UTF-16 without a mark: in text, every other byte is zero for most
// of the characters.
func utf16Order(head []byte) (unicode.Endianness, bool) {
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	half := len(head) / 2
	switch {
	case half < 4:
	case zeros[1]*10 > half*4 && zeros[0]*20 < half:
		return unicode.LittleEndian, true
	case zeros[0]*10 > half*4 && zeros[1]*20 < half:
		return unicode.BigEndian, true
	}
	return unicode.LittleEndian, false
}

// isBinary reports whether head is no text: it has zeros, or controls in every tenth
// place.
func isBinary(head []byte) bool {
	if bytes.HasPrefix(head, []byte("%PDF")) {
		return true
	}
	controls := 0
	for _, c := range head {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' {
			controls++
		}
	}
	zeros := bytes.Count(head, []byte{0})
	return controls*10 > len(head) || zeros*100 > len(head)
}

func isHTML(head []byte) bool {
	head = bytes.ToLower(bytes.TrimSpace(head[:min(len(head), 1000)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// A mender passes UTF-8 on and makes every byte that is not part of any the character
// that Windows-1252 has for it.
type mender struct {
	warn  func(line int, message string)
	line  int
	asked bool
}

func (m *mender) Reset() {}

func (m *mender) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		n := validPrefix(src[nSrc:])
		if n > 0 {
			n = copy(dst[nDst:], src[nSrc:nSrc+n])
			if n == 0 {
				return nDst, nSrc, transform.ErrShortDst
			}
			if !m.asked {
				m.line += bytes.Count(src[nSrc:nSrc+n], []byte{'\n'})
			}
			nDst += n
			nSrc += n
			continue
		}
		if !atEOF && !utf8.FullRune(src[nSrc:]) {
			return nDst, nSrc, transform.ErrShortSrc
		}
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		if !m.asked && m.warn != nil {
			m.warn(m.line, "is not UTF-8 here; such bytes are read as Windows-1252")
		}
		m.asked = true
		nDst += utf8.EncodeRune(dst[nDst:], charmap.Windows1252.DecodeByte(src[nSrc]))
		nSrc++
	}
	return nDst, nSrc, nil
}

// validPrefix is the length of the valid UTF-8 at the start of b.
func validPrefix(b []byte) int {
	if utf8.Valid(b) {
		return len(b)
	}
	n := 0
	for n < len(b) {
		if b[n] < utf8.RuneSelf {
			n++
			continue
		}
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}
