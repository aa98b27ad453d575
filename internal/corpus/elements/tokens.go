package elements

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

type kind int

const (
	text kind = iota
	start
	end
)

// A token is a tag or the text up to the next one.
type token struct {
	kind  kind
	name  string // without a prefix
	text  string
	attrs []Attr
	empty bool // <name/>
	line  int
}

// tokens parts an XML text.
type tokens struct {
	body *bufio.Reader
	line int
	warn func(line int, message string)
	told bool
}

// maxText of one piece of text or tag is kept.
const maxText = 16 << 20

func (t *tokens) byte() (byte, error) {
	c, err := t.body.ReadByte()
	if c == '\n' && err == nil {
		t.line++
	}
	return c, err
}

// next gives the next token; the text of a piece of text is left out unless it is kept.
func (t *tokens) next(keep bool) (token, error) {
	for {
		line := t.line
		c, err := t.byte()
		if err != nil {
			return token{}, err
		}
		if c != '<' {
			return t.chars(c, line, keep)
		}
		first, err := t.body.Peek(1)
		if err != nil {
			return token{kind: text, text: "<", line: line}, nil
		}
		switch c := first[0]; {
		case c == '!':
			if isText, content, err := t.declaration(keep); err != nil || isText {
				return token{kind: text, text: content, line: line}, err
			}
		case c == '?':
			if _, err := t.until("?>", false); err != nil {
				return token{}, err
			}
		case c == '/' || isNameStart(c):
			return t.tag(line)
		default: // "a < b" that was not escaped
			return token{kind: text, text: "<", line: line}, nil
		}
	}
}

// chars reads text up to the next tag.
func (t *tokens) chars(first byte, line int, keep bool) (token, error) {
	raw := []byte{first}
	for {
		c, err := t.body.Peek(1)
		if err != nil || c[0] == '<' {
			break
		}
		b, _ := t.byte()
		if keep && len(raw) < maxText {
			raw = append(raw, b)
		}
	}
	if !keep {
		return token{kind: text, line: line}, nil
	}
	return token{kind: text, text: t.decode(raw), line: line}, nil
}

// until reads up to and with the mark, and gives what stands before it if it is kept.
func (t *tokens) until(mark string, keep bool) ([]byte, error) {
	var raw []byte
	matched := 0
	for {
		c, err := t.byte()
		if err == io.EOF {
			return nil, fmt.Errorf("line %d: unexpected end: %w", t.line, io.ErrUnexpectedEOF)
		}
		if err != nil {
			return nil, err
		}
		if keep && len(raw) < maxText {
			raw = append(raw, c)
		}
		switch {
		case c == mark[matched]:
			matched++
		case c == mark[0] && matched > 1 && mark[0] == mark[1]: // "]]]>", "--->"
		case c == mark[0]:
			matched = 1
		default:
			matched = 0
		}
		if matched == len(mark) {
			if len(raw) >= len(mark) {
				raw = raw[:len(raw)-len(mark)]
			}
			return raw, nil
		}
	}
}

// declaration reads what begins with "<!": a comment or document type, which is
// nothing, or a CDATA section, which is text.
func (t *tokens) declaration(keep bool) (isText bool, content string, err error) {
	head, _ := t.body.Peek(len("![CDATA["))
	switch {
	case strings.HasPrefix(string(head), "!--"):
		_, _ = t.body.Discard(len("!--"))
		_, err = t.until("-->", false)
		return false, "", err
	case string(head) == "![CDATA[":
		_, _ = t.body.Discard(len(head))
		raw, err := t.until("]]>", keep)
		return true, t.legal(string(raw)), err
	}
	brackets := 0
	for {
		c, err := t.byte()
		if err != nil {
			return false, "", err
		}
		switch c {
		case '[':
			brackets++
		case ']':
			brackets--
		case '>':
			if brackets <= 0 {
				return false, "", nil
			}
		}
	}
}

// tag reads a tag behind its "<".
func (t *tokens) tag(line int) (token, error) {
	var raw []byte
	quote := byte(0)
	for {
		c, err := t.byte()
		if err == io.EOF {
			return token{}, fmt.Errorf("line %d: unexpected end: %w", t.line, io.ErrUnexpectedEOF)
		}
		if err != nil {
			return token{}, err
		}
		if quote == 0 && c == '>' {
			break
		}
		switch {
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == c:
			quote = 0
		}
		if len(raw) < maxText {
			raw = append(raw, c)
		}
	}
	s := string(raw)
	if rest, found := strings.CutPrefix(s, "/"); found {
		return token{kind: end, name: local(strings.TrimSpace(rest)), line: line}, nil
	}
	s, empty := strings.CutSuffix(s, "/")
	name := s
	if i := strings.IndexAny(s, " \t\r\n"); i >= 0 {
		name, s = s[:i], s[i:]
	} else {
		s = ""
	}
	return token{kind: start, name: local(name), attrs: t.attributes(s), empty: empty, line: line}, nil
}

// maxAttrs of a tag are kept.
const maxAttrs = 64

func (t *tokens) attributes(s string) []Attr {
	var attrs []Attr
	for len(attrs) < maxAttrs {
		name, rest, found := strings.Cut(s, "=")
		rest = strings.TrimLeft(rest, " \t\r\n")
		if !found || rest == "" || rest[0] != '"' && rest[0] != '\'' {
			return attrs
		}
		value, after, found := strings.Cut(rest[1:], rest[:1])
		if !found {
			return attrs
		}
		attrs = append(attrs, Attr{local(strings.TrimSpace(name)), t.decode([]byte(value))})
		s = after
	}
	return attrs
}

// local drops the prefix of a name.
func local(name string) string {
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		return name[i+1:]
	}
	return name
}

func isNameStart(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// decode decodes the entities of a text. Names that are not known stay as they are.
func (t *tokens) decode(raw []byte) string {
	s := string(raw)
	if strings.IndexByte(s, '&') < 0 {
		return t.legal(s)
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "&")
		b.WriteString(before)
		if !found {
			return t.legal(b.String())
		}
		name, after, found := strings.Cut(rest[:min(len(rest), 40)], ";")
		if decoded, ok := entity(name); found && ok {
			b.WriteString(decoded)
			s = rest[len(rest[:min(len(rest), 40)])-len(after):]
			continue
		}
		b.WriteByte('&')
		s = rest
	}
}

// entity is what "&name;" stands for.
func entity(name string) (string, bool) {
	if number, found := strings.CutPrefix(name, "#"); found {
		base := 10
		if hex, found := strings.CutPrefix(strings.ToLower(number), "x"); found {
			number, base = hex, 16
		}
		code, err := strconv.ParseUint(number, base, 32)
		if err != nil || code > utf8.MaxRune {
			return "", false
		}
		return string(rune(code)), true
	}
	whole := "&" + name + ";"
	decoded := html.UnescapeString(whole)
	return decoded, decoded != whole && !strings.HasSuffix(decoded, ";")
}

// legal drops the characters that no XML may have.
func (t *tokens) legal(s string) string {
	clean := strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, s)
	if len(clean) < len(s) && !t.told {
		t.told = true
		if t.warn != nil {
			t.warn(t.line, "has characters that XML may not have; they are left out")
		}
	}
	return clean
}
