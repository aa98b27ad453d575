package paper

import (
	"html"
	"strings"
	"unicode/utf8"
)

// unmark decodes the entities of s and takes the tags of HTML, JATS and MathML away.
// Only names of real elements are tags: "x<5", "i<j>k" stay, and so does "a<b>c" where
// nothing closes the b.
func unmark(s string, to purpose) string {
	if strings.IndexByte(s, '&') >= 0 {
		s = decodeEntities(s)
	}
	if strings.IndexByte(s, '<') < 0 {
		return s
	}
	u := untagger{s: s, to: to}
	return u.run()
}

// maxEntity is longer than any entity's name.
const maxEntity = 34

// decodeEntities decodes named and numbered entities, also where their ampersand was
// escaped once more or many times ("&amp;amp;lt;").
func decodeEntities(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if s[i] != '&' {
			next := strings.IndexByte(s[i:], '&')
			if next < 0 {
				next = len(s) - i
			}
			b.WriteString(s[i : i+next])
			i += next
			continue
		}
		// Any number of "amp;" after the ampersand is one ampersand.
		start := i + 1
		for strings.HasPrefix(s[start:], "amp;") {
			start += len("amp;")
		}
		end := strings.IndexByte(s[start:min(len(s), start+maxEntity)], ';')
		if end > 0 {
			if text, ok := entity(s[start : start+end]); ok {
				b.WriteString(text)
				i = start + end + 1
				continue
			}
		}
		b.WriteByte('&')
		i = start
	}
	return b.String()
}

// entity is the text for the name of an entity: "lt", "#x3b1", "bgr".
func entity(name string) (string, bool) {
	for i := range len(name) {
		if c := name[i]; !isAlnum(c) && (c != '#' || i > 0) {
			return "", false
		}
	}
	if text, ok := greekEntities[name]; ok {
		return text, true
	}
	whole := "&" + name + ";"
	text := html.UnescapeString(whole)
	if text == whole || strings.HasSuffix(text, ";") && name != "semi" {
		return "", false
	}
	return text, true
}

// greekEntities are ISO 8879's names of Greek letters, which older databases still
// write and HTML does not know.
var greekEntities = map[string]string{
	"agr": "α", "bgr": "β", "ggr": "γ", "dgr": "δ", "egr": "ε", "zgr": "ζ", "eegr": "η", "thgr": "θ",
	"igr": "ι", "kgr": "κ", "lgr": "λ", "mgr": "μ", "ngr": "ν", "xgr": "ξ", "ogr": "ο", "pgr": "π",
	"rgr": "ρ", "sgr": "σ", "sfgr": "ς", "tgr": "τ", "ugr": "υ", "phgr": "φ", "khgr": "χ", "psgr": "ψ", "ohgr": "ω",
	"Ggr": "Γ", "Dgr": "Δ", "THgr": "Θ", "Lgr": "Λ", "Xgr": "Ξ", "Pgr": "Π", "Sgr": "Σ", "PHgr": "Φ", "PSgr": "Ψ", "OHgr": "Ω",
}

// A tagKind says what an element does to the text around it.
type tagKind int

const (
	inline  tagKind = iota + 1 // nothing: "<i>in situ</i>"
	block                      // parts it from what stands before and after
	heading                    // a block that names what follows: "Results: "
	silent                     // its content is no text
	raised                     // superscript
	lowered                    // subscript
)

var tagKinds = kindsOf(map[tagKind]string{
	inline: "i em b strong u s sc small tt code span font a big mark q cite abbr kbd var italic bold underline monospace" +
		" roman sans-serif named-content styled-content ext-link xref inline-formula tex-math alternatives overline" +
		" strike del ins scp math mi mo mn mrow mtext mfrac msub msup msubsup mover munder mspace mstyle msqrt mfenced" +
		" uri email fixed-case inline-graphic institution abstracttext",
	block: "p div br hr li ul ol dl dt dd sec section table tr td th tbody thead blockquote pre list list-item abstract" +
		" disp-formula break article header body html para center fn statement disp-quote",
	heading: "title label h1 h2 h3 h4 h5 h6",
	silent:  "script style annotation head",
	raised:  "sup superscript",
	lowered: "sub subscript inf",
})

func kindsOf(lists map[tagKind]string) map[string]tagKind {
	kinds := map[string]tagKind{}
	for kind, names := range lists {
		for name := range strings.FieldsSeq(names) {
			kinds[name] = kind
		}
	}
	return kinds
}

// An untagger walks over s once and writes it to out without tags.
type untagger struct {
	s      string
	to     purpose
	out    []byte
	open   []openTag       // scripts and headings that are not closed yet
	closes map[string]bool // whether "</name" occurs in s
}

type openTag struct {
	kind tagKind
	from int // where its content begins in out
}

// maxOpen bounds the stack of elements; deeper ones are unwrapped without care.
const maxOpen = 64

func (u *untagger) run() string {
	s := u.s
	u.out = make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); {
		if s[i] != '<' {
			next := strings.IndexByte(s[i:], '<')
			if next < 0 {
				next = len(s) - i
			}
			u.out = append(u.out, s[i:i+next]...)
			i += next
			continue
		}
		if length := otherMarkup(s[i:]); length > 0 {
			i += length
			continue
		}
		t, length := readTag(s[i:])
		if length == 0 || !u.isTag(t, i) {
			u.out = append(u.out, '<')
			i++
			continue
		}
		i += length
		if t.kind == silent && !t.closing && !t.empty {
			if end := strings.Index(s[i:], "</"); end >= 0 {
				i += end
			}
			continue
		}
		u.apply(t)
	}
	return string(u.out)
}

type tag struct {
	name    string
	kind    tagKind
	closing bool
	empty   bool
}

// readTag reads the tag at the start of s; length is 0 where there is none.
func readTag(s string) (t tag, length int) {
	i := 1
	if i < len(s) && s[i] == '/' {
		t.closing = true
		i++
	}
	start := i
	for i < len(s) && i-start < 40 && (isAlnum(s[i]) || s[i] == ':' || s[i] == '-') {
		i++
	}
	name := strings.ToLower(s[start:i])
	if _, local, found := strings.Cut(name, ":"); found {
		name = local
	}
	t.name, t.kind = name, tagKinds[name]
	if t.kind == 0 || i == len(s) || s[i] != '>' && s[i] != '/' && !isASCIISpace(s[i]) {
		return t, 0
	}
	end := strings.IndexAny(s[i:], "<>")
	if end < 0 || s[i+end] != '>' {
		return t, 0
	}
	if attributes := s[i : i+end]; s[i] != '>' && strings.TrimSpace(strings.TrimSuffix(attributes, "/")) != "" && !strings.Contains(attributes, "=") {
		return t, 0 // "a < b and c > d" in tight spacing
	}
	t.empty = s[i+end-1] == '/'
	return t, i + end + 1
}

// otherMarkup is the length of a comment, a declaration or the frame of a CDATA
// section at the start of s.
func otherMarkup(s string) int {
	switch {
	case strings.HasPrefix(s, "<!--"):
		if end := strings.Index(s, "-->"); end >= 0 {
			return end + len("-->")
		}
	case strings.HasPrefix(s, "<![CDATA["):
		return len("<![CDATA[")
	}
	return 0
}

// isTag reports whether t, found at s[at], is mark-up and not a comparison.
func (u *untagger) isTag(t tag, at int) bool {
	if t.closing || t.empty || t.name == "br" || t.name == "li" {
		return true
	}
	closed, known := u.closes[t.name]
	if !known {
		if u.closes == nil {
			u.closes = map[string]bool{}
		}
		closed = closes(u.s, t.name)
		u.closes[t.name] = closed
	}
	if closed || t.kind != block {
		return closed
	}
	return at == 0 || !isAlnum(u.s[at-1])
}

func closes(s, name string) bool {
	for i := strings.Index(s, "</"); i >= 0; {
		rest := s[i+2:]
		if colon := strings.IndexByte(rest[:min(len(rest), 8)], ':'); colon >= 0 {
			rest = rest[colon+1:]
		}
		if len(rest) > len(name) && strings.EqualFold(rest[:len(name)], name) && !isAlnum(rest[len(name)]) {
			return true
		}
		next := strings.Index(s[i+2:], "</")
		if next < 0 {
			return false
		}
		i += 2 + next
	}
	return false
}

func (u *untagger) apply(t tag) {
	switch t.kind {
	case block:
		u.out = append(u.out, ' ')
	case heading:
		if !t.closing {
			u.out = append(u.out, ' ')
		}
		u.script(t)
	case raised, lowered:
		u.script(t)
	}
}

// script remembers where the content of an element begins, and rewrites it at the end.
func (u *untagger) script(t tag) {
	if !t.closing {
		if !t.empty && len(u.open) < maxOpen {
			u.open = append(u.open, openTag{t.kind, len(u.out)})
		}
		return
	}
	for n := len(u.open); n > 0; n-- {
		o := u.open[n-1]
		if o.kind != t.kind {
			continue
		}
		u.open = u.open[:n-1]
		content := strings.TrimSpace(string(u.out[o.from:]))
		u.out = u.out[:o.from]
		if t.kind == heading {
			u.out = append(u.out, content...)
			if content != "" && strings.IndexByte(".:?!;,", content[len(content)-1]) < 0 {
				u.out = append(u.out, ':')
			}
			u.out = append(u.out, ' ')
			return
		}
		base, _ := utf8.DecodeLastRune(u.out)
		u.out = append(u.out, script{content: content, raised: t.kind == raised, base: base}.text(u.to)...)
		return
	}
	if t.kind == heading {
		u.out = append(u.out, ' ')
	}
}
