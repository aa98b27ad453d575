package fields

import "strings"

// SplitAuthors parts one text into the names of authors. Semicolons, line ends, bars
// and " and " part names; commas do only where every part is a full name by itself.
func SplitAuthors(text string) []string {
	text = strings.TrimSpace(text)
	switch {
	case strings.ContainsAny(text, ";\n|"):
		return split(text, ";\n|")
	case strings.Contains(text, " and "), strings.Contains(text, " & "):
		var names []string
		for part := range strings.SplitSeq(strings.ReplaceAll(text, " & ", " and "), " and ") {
			names = append(names, splitAtCommas(part)...)
		}
		return names
	}
	return splitAtCommas(text)
}

// splitAtCommas parts "Jane Doe, R. Roe" and leaves "Doe, Jane" whole.
func splitAtCommas(text string) []string {
	parts := split(text, ",")
	if len(parts) == 2 && (!strings.Contains(parts[0], " ") || isInitials(parts[1])) && !strings.Contains(strings.TrimSpace(parts[1]), " ") {
		return []string{strings.TrimSpace(text)}
	}
	for _, part := range parts {
		if !strings.Contains(part, " ") && len(parts) == 2 {
			return []string{strings.TrimSpace(text)}
		}
	}
	// "Doe, J., Roe, R.": family and initials in turn.
	if len(parts)%2 == 0 && len(parts) > 2 {
		names := make([]string, 0, len(parts)/2)
		for i := 0; i < len(parts); i += 2 {
			if !isInitials(parts[i+1]) || isInitials(parts[i]) {
				return parts
			}
			names = append(names, parts[i]+", "+parts[i+1])
		}
		return names
	}
	return parts
}

// isInitials reports whether s is "J.", "J. Q." or "JQ".
func isInitials(s string) bool {
	letters := 0
	for _, r := range s {
		switch {
		case 'A' <= r && r <= 'Z', r >= 0x80:
			letters++
		case r != '.' && r != ' ' && r != '-':
			return false
		}
	}
	return letters > 0 && letters <= 4
}

// SplitKeywords parts one text into keywords at semicolons, line ends and bars, else
// at commas.
func SplitKeywords(text string) []string {
	if strings.ContainsAny(text, ";\n|") {
		return split(text, ";\n|")
	}
	return split(text, ",")
}

// split parts a text at any of the marks. A part in quotation marks may hold them
// ([Join] writes such parts).
func split(text, marks string) []string {
	var parts []string
	for text != "" {
		part, rest := "", ""
		if quoted, after, ok := unquote(text, marks); ok {
			part, rest = quoted, after
		} else if i := strings.IndexAny(text, marks); i >= 0 {
			part, rest = text[:i], text[i+1:]
		} else {
			part = text
		}
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
		text = strings.TrimLeft(rest, " ")
	}
	return parts
}

// unquote takes a part in quotation marks from the start of text.
func unquote(text, marks string) (part, rest string, ok bool) {
	if text == "" || text[0] != '"' {
		return "", "", false
	}
	for i := 1; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		if i+1 < len(text) && text[i+1] == '"' {
			i++
			continue
		}
		rest = strings.TrimLeft(text[i+1:], " ")
		if rest != "" {
			if strings.IndexByte(marks, rest[0]) < 0 {
				return "", "", false
			}
			rest = rest[1:]
		}
		return strings.ReplaceAll(text[1:i], `""`, `"`), rest, true
	}
	return "", "", false
}

// Quote is a part of a list for [Join]: in quotation marks where it has the marks that
// part lists.
func Quote(part string) string {
	if strings.ContainsAny(part, ";,|\n") || strings.HasPrefix(part, `"`) {
		return `"` + strings.ReplaceAll(part, `"`, `""`) + `"`
	}
	return part
}

// Join writes keywords as one text that [SplitKeywords] parts again.
func Join(parts []string) string {
	quoted := make([]string, len(parts))
	for i, part := range parts {
		quoted[i] = Quote(part)
	}
	return strings.Join(quoted, "; ")
}

// JoinAuthors writes names as one text that [SplitAuthors] parts again.
func JoinAuthors(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = name
		if strings.ContainsAny(name, ";|\n") || strings.HasPrefix(name, `"`) {
			quoted[i] = Quote(name)
		}
	}
	text := strings.Join(quoted, "; ")
	if again := SplitAuthors(text); len(names) == 1 && (len(again) != 1 || again[0] != names[0]) {
		text += ";"
	}
	return text
}
