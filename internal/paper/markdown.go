package paper

import "strings"

// unmarkdown takes the Markdown of s away: links and images, emphasis, code spans,
// headings. Marks that are part of a word or of mathematics ("C*-algebra", "A*",
// "a*b*c", "snake_case", "2 ** n") stay.
func unmarkdown(s string, to purpose) string {
	if strings.IndexByte(s, '[') >= 0 {
		s = withoutMarkdownLinks(s)
	}
	if strings.IndexByte(s, '#') >= 0 {
		s = withoutHeadings(s)
	}
	for _, mark := range []string{"***", "**", "*", "_", "`"} {
		if strings.Contains(s, mark) {
			s = withoutEmphasis(s, mark)
		}
	}
	return s
}

// maxSpan bounds how far the second mark of a pair is looked for, in bytes.
const maxSpan = 2000

// withoutEmphasis takes away the pairs of the mark.
func withoutEmphasis(s, mark string) string {
	var b strings.Builder
	b.Grow(len(s))
	written := 0
	for i := 0; i < len(s); {
		at := strings.Index(s[i:], mark)
		if at < 0 {
			break
		}
		at += i
		inside := at + len(mark)
		length := strings.Index(s[inside:min(len(s), inside+maxSpan)], mark)
		if length <= 0 || !opensEmphasis(s, at, mark) || !closesEmphasis(s, inside, inside+length, mark) {
			i = inside
			for i < len(s) && s[i] == mark[0] {
				i++
			}
			continue
		}
		b.WriteString(s[written:at])
		b.WriteString(s[inside : inside+length])
		i = inside + length + len(mark)
		written = i
	}
	if written == 0 {
		return s
	}
	b.WriteString(s[written:])
	return b.String()
}

func opensEmphasis(s string, at int, mark string) bool {
	inside := at + len(mark)
	if at > 0 && (isWordByte(s[at-1]) || s[at-1] == mark[0] || s[at-1] == '\\') {
		return false
	}
	c := s[inside]
	if mark == "`" {
		return c != '`' && !isASCIISpace(c)
	}
	return isWordByte(c) || strings.IndexByte("\"'([$\\`+", c) >= 0 || mark != "_" && c == '_' || mark != "*" && len(mark) == 1 && c == '*'
}

func closesEmphasis(s string, start, end int, mark string) bool {
	content := s[start:end]
	if isASCIISpace(content[len(content)-1]) || strings.Contains(content, "\n\n") {
		return false
	}
	after := end + len(mark)
	if after < len(s) && s[after] == mark[0] {
		return false
	}
	next := after < len(s) && isWordByte(s[after])
	switch mark {
	case "**", "***": // "**C**onflict-**A**verse"
		return !next || len(content) <= 3 || isLetterByte(s[after])
	case "_":
		return !next && !strings.Contains(content, "/")
	}
	return !next
}

func isWordByte(c byte) bool { return isAlnum(c) || c >= 0x80 }

// withoutMarkdownLinks makes "[text](https://…)" and "![alt](…)" their text.
func withoutMarkdownLinks(s string) string {
	var b strings.Builder
	written := 0
	for i := 0; i < len(s); {
		middle := strings.Index(s[i:], "](")
		if middle < 0 {
			break
		}
		middle += i
		i = middle + 2
		end := strings.IndexByte(s[i:min(len(s), i+maxSpan)], ')')
		open := strings.LastIndexByte(s[max(written, middle-maxSpan):middle], '[')
		if end < 0 || open < 0 || !isLinkTarget(s[i:i+end]) {
			continue
		}
		open += max(written, middle-maxSpan)
		text := s[open+1 : middle]
		if open > written && s[open-1] == '!' {
			open--
		}
		b.WriteString(s[written:open])
		b.WriteString(text)
		i += end + 1
		written = i
	}
	if written == 0 {
		return s
	}
	b.WriteString(s[written:])
	return b.String()
}

func isLinkTarget(s string) bool {
	for _, prefix := range []string{"http://", "https://", "www.", "mailto:", "doi.org/", "/", "#", "./"} {
		if strings.HasPrefix(s, prefix) {
			return !strings.Contains(s, "\n")
		}
	}
	return false
}

// withoutHeadings drops the number signs of headings at the start of lines.
func withoutHeadings(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if rest := strings.TrimLeft(line, "#"); len(rest) < len(line) && len(line)-len(rest) <= 6 && strings.HasPrefix(rest, " ") &&
			len(rest) > 2 && !isDigit(rest[1]) {
			line = rest[1:]
		}
		b.WriteString(line)
	}
	return b.String()
}
