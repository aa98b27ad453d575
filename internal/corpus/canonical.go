package corpus

import (
	"strings"
	"unicode"

	"github.com/seed-9f29d379/akin/internal/paper"
)

// canonical gives the white space of a record the same form whatever format it came
// in, so that it can be written in any other and read back: lines of an abstract end
// with "\n" and have no space around them, every other field is one line. Control
// characters, and sequences that drive a terminal, are dropped. A key that is the
// record's own id in a library is none.
func canonical(r *Record) {
	p := &r.Paper
	p.Title = line(p.Title)
	p.Abstract = paragraphs(p.Abstract)
	p.Venue = line(p.Venue)
	p.Date = line(p.Date)
	p.URL = address(p.URL)
	p.Authors = names(p.Authors)
	p.Keywords = linesOf(p.Keywords)
	r.Key, r.ID = line(r.Key), line(r.ID)
	if scheme, _, found := strings.Cut(r.Key, ":"); r.Key == r.ID || found && isOwnID(p, scheme, r.Key) {
		r.Key = ""
	}
}

func isOwnID(p *paper.Paper, scheme, key string) bool {
	if scheme == "p" {
		return key == p.ContentID()
	}
	for _, id := range p.IDs.List() {
		if id == key {
			return true
		}
	}
	return false
}

// isTidy reports whether s is ASCII without controls and without two spaces in a row or
// at its ends.
func isTidy(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && (i == 0 || i+1 == len(s) || s[i+1] == ' ') {
			return false
		}
	}
	return true
}

// line makes s one line.
func line(s string) string {
	if isTidy(s) {
		return s
	}
	return strings.Join(strings.Fields(strings.Map(legible, paper.WithoutEscapes(s))), " ")
}

// legible drops controls but white space.
func legible(r rune) rune {
	if unicode.IsControl(r) && !unicode.IsSpace(r) || r == '\ufeff' {
		return -1
	}
	return r
}

func linesOf(list []string) []string {
	kept := list[:0]
	for _, s := range list {
		if s = line(s); s != "" {
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// names are the names of a list, tidied.
func names(list []string) []string {
	for i, name := range list {
		list[i] = tidyName(line(name))
	}
	return linesOf(list)
}

// tidyName drops from a name what some systems add: a number or an affiliation in
// brackets, marks of footnotes, a given name of "null"; and puts a space after the
// comma. A tidy name stays as it is.
func tidyName(name string) string {
	for before := ""; name != before; {
		before = name
		name = strings.TrimSpace(strings.TrimRight(name, "*†‡ "))
		if open := strings.LastIndex(name, " ("); open > 0 && strings.HasSuffix(name, ")") && len(name)-open > len(" (abc)") {
			name = name[:open]
		}
		if family, given, found := strings.Cut(name, ","); found && given != "" && given[0] != ' ' {
			name = family + ", " + given
		}
		name = strings.TrimSuffix(name, ", null")
		if n := len(name) - len(" 0001"); n > 0 && strings.HasPrefix(name[n:], " 0") && strings.Trim(name[n+1:], "0123456789") == "" {
			name = name[:n] // dblp tells people of one name apart
		}
	}
	return name
}

// paragraphs keeps the line ends of s, at most two in a row.
func paragraphs(s string) string {
	if isTidy(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for text := range strings.SplitSeq(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"), "\n") {
		text = line(strings.TrimSpace(text))
		if text == "" {
			blank = b.Len() > 0
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
			if blank {
				b.WriteByte('\n')
			}
		}
		blank = false
		b.WriteString(text)
	}
	return b.String()
}

// address escapes in an address what would end it in some format.
func address(s string) string {
	if strings.ContainsAny(s, "{}\\\"<> |") || !isTidy(s) {
		return strings.NewReplacer("{", "%7B", "}", "%7D", `\`, "%5C", `"`, "%22", "<", "%3C", ">", "%3E", " ", "%20", "|", "%7C").Replace(line(s))
	}
	return s
}
