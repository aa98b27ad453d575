package cli

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"

	"github.com/seed-9f29d379/akin/internal/paper"
)

// plainWidth is the width that tables for people are laid out for where the output is
// no terminal and COLUMNS says nothing; maxWidth is the widest line that reads well,
// narrowest the narrowest that COLUMNS may ask for.
const (
	plainWidth = 80
	maxWidth   = 100
	narrowest  = 20
)

// layout says how text for people is set.
type layout struct {
	width  int  // columns
	cut    bool // a line too long for the width is cut (on a terminal)
	colour bool
}

// layout looks at where the standard output goes.
func (s *session) layout() layout {
	width := s.proc.Columns(s.proc.Stdout)
	if width == 0 {
		if n, err := strconv.Atoi(s.proc.Getenv("COLUMNS")); err == nil && n >= narrowest {
			return layout{width: n}
		}
		return layout{width: plainWidth}
	}
	return layout{
		width:  width,
		cut:    true,
		colour: !s.global.noColor && s.proc.Getenv("NO_COLOR") == "" && s.proc.Getenv("TERM") != "dumb",
	}
}

// text is the width for running text.
func (l layout) text() int { return min(l.width, maxWidth) }

func (l layout) strong(s string) string { return l.sgr("1", s) }
func (l layout) faint(s string) string  { return l.sgr("2", s) }
func (l layout) accent(s string) string { return l.sgr("36", s) }

// sgr sets s in a rendition of the terminal's (ECMA-48, SGR).
func (l layout) sgr(code, s string) string {
	if !l.colour || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[m"
}

// oneLine makes s safe to write to a terminal, on one line: sequences that drive it are
// dropped; control characters, line ends and invisible marks of direction become spaces.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar ||
			r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, paper.WithoutEscapes(s))
	return strings.Join(strings.Fields(s), " ")
}

// width is the number of columns that s takes on a terminal.
func width(s string) int { return displaywidth.String(s) }

// fit cuts s to w columns, with an ellipsis where something is missing.
func fit(s string, w int) string { return displaywidth.TruncateString(s, max(w, 1), "…") }

// pad fills s with spaces up to w columns.
func pad(s string, w int) string { return s + strings.Repeat(" ", max(0, w-width(s))) }

// wrap sets s in lines of at most w columns, broken between words, and inside one only
// where it alone is too wide. Beyond max lines the last one ends in an ellipsis; 0 is
// no limit.
func wrap(s string, w, limit int) []string {
	var lines []string
	var line strings.Builder
	used := 0
	flush := func() {
		if line.Len() > 0 {
			lines = append(lines, line.String())
			line.Reset()
			used = 0
		}
	}
	put := func(word string, n int) {
		if line.Len() > 0 {
			line.WriteByte(' ')
			used++
		}
		line.WriteString(word)
		used += n
	}
	for _, word := range strings.Fields(s) {
		n := width(word)
		if line.Len() > 0 && used+1+n > w {
			flush()
		}
		for n > w {
			head := displaywidth.TruncateString(word, w, "")
			if head == "" {
				break // one character wider than the line
			}
			put(head, width(head))
			flush()
			word = word[len(head):]
			n = width(word)
		}
		if word != "" {
			put(word, n)
		}
		if limit > 0 && len(lines) > limit {
			break
		}
	}
	flush()
	if limit > 0 && len(lines) > limit {
		lines = lines[:limit]
		lines[limit-1] = ellipsis(lines[limit-1], w)
	}
	return lines
}

// listed names items in lines for a help.
func listed(what string, items []string) string {
	return strings.Join(wrap(what+": "+strings.Join(items, ", ")+".", plainWidth, 0), "\n")
}

// ellipsis says that text follows on line: with the mark behind it, in the place of its
// last word where there is no room, and inside the word where that is the only one.
func ellipsis(line string, w int) string {
	if width(line) < w {
		return line + "…"
	}
	if i := strings.LastIndexByte(line, ' '); i > 0 {
		return line[:i] + "…"
	}
	return displaywidth.TruncateString(line, w-1, "") + "…"
}
