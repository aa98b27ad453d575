package fields

import (
	"strings"

	"github.com/seed-9f29d379/akin/internal/paper"
)

// IsMissing reports whether a source's text says that it has none: blank, "NaN", "null".
func IsMissing(text string) bool {
	if len(text) > 8 {
		return strings.TrimSpace(text) == ""
	}
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "nan", "null", "none", "n/a", "na", "nil", "<na>", "#n/a", "-", "--":
		return true
	}
	return false
}

// setDate sets the year of a paper, and keeps the text of a date that says more.
func setDate(p *paper.Paper, text string) {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, ".0") && len(text) == len("2020.0") {
		text = strings.TrimSuffix(text, ".0") // a table's number
	}
	year := paper.ParseYear(text)
	if p.Year == 0 {
		p.Year = year
	}
	if p.Date == "" && !(year != 0 && len(text) == 4) {
		p.Date = text
	}
}

// Dated is the text of a date whose year stands elsewhere: "2017 May".
func Dated(year, text string) string {
	if strings.TrimSpace(text) == "" || paper.ParseYear(text) != 0 {
		return text
	}
	return strings.TrimSpace(year + " " + text)
}

// oneLine joins the lines of a title that was wrapped.
func oneLine(text string) string {
	if !strings.ContainsAny(text, "\n\r") {
		return strings.TrimSpace(text)
	}
	var b strings.Builder
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = strings.TrimSpace(line)
		if b.Len() > 0 && line != "" && !strings.HasSuffix(b.String(), "-") {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}
