package bibtex

import (
	"errors"
	"fmt"
	"strings"
)

// An entry is one entry with its values as they stand, without their delimiters.
type entry struct {
	kind   string
	key    string
	fields []field
}

type field struct {
	name  string // lower case
	value string
}

// A parser reads one entry whose brackets are balanced.
type parser struct {
	s      string
	at     int
	line   int // on which the entry begins
	macros map[string]string
	warn   func(line int, message string)
}

// entry reads "@kind{key, name = value, …}". A missing comma between fields is
// forgiven, and told.
func (p *parser) entry() (entry, error) {
	var e entry
	kind, rest, ok := entryStart(p.s)
	if !ok || rest == "" {
		return e, errors.New("is no BibTeX entry")
	}
	e.kind = kind
	p.at = len(p.s) - len(rest)
	p.s = p.s[:len(p.s)-1] // the closing bracket
	if kind != "string" {
		comma := strings.IndexAny(p.s[p.at:], ",=")
		switch {
		case comma < 0:
			e.key = strings.TrimSpace(p.s[p.at:])
			return e, nil
		case p.s[p.at+comma] == ',':
			e.key = strings.TrimSpace(p.s[p.at : p.at+comma])
			p.at += comma + 1
		default:
			p.warn(p.line, "an entry has no key")
		}
	}
	for {
		p.skip(" \t\n\r,")
		if p.at >= len(p.s) {
			return e, nil
		}
		name, err := p.name()
		if err != nil {
			return e, err
		}
		value, err := p.value()
		if err != nil {
			return e, fmt.Errorf("field %s: %w", name, err)
		}
		e.fields = append(e.fields, field{name, value})
		p.skip(" \t\n\r")
		if p.at < len(p.s) && p.s[p.at] != ',' {
			p.warn(p.lineAt(p.at), fmt.Sprintf("a comma is missing after the field %s of %s", name, e.key))
		}
	}
}

func (p *parser) skip(chars string) {
	for p.at < len(p.s) && strings.IndexByte(chars, p.s[p.at]) >= 0 {
		p.at++
	}
}

func (p *parser) lineAt(at int) int { return p.line + strings.Count(p.s[:at], "\n") }

// name reads the name of a field and the equals sign after it.
func (p *parser) name() (string, error) {
	start := p.at
	for p.at < len(p.s) && strings.IndexByte(" \t\n\r=,{}\"#", p.s[p.at]) < 0 {
		p.at++
	}
	name := strings.ToLower(p.s[start:p.at])
	p.skip(" \t\n\r")
	if name == "" || p.at >= len(p.s) || p.s[p.at] != '=' {
		found := p.s[start:min(len(p.s), start+20)]
		return "", fmt.Errorf("is no valid BibTeX: %q on line %d where a field is expected", found, p.lineAt(start))
	}
	p.at++
	return name, nil
}

// value reads a value: parts joined by "#".
func (p *parser) value() (string, error) {
	var b strings.Builder
	for {
		p.skip(" \t\n\r")
		part, err := p.part()
		if err != nil {
			return "", err
		}
		b.WriteString(part)
		p.skip(" \t\n\r")
		if p.at >= len(p.s) || p.s[p.at] != '#' {
			return b.String(), nil
		}
		p.at++
	}
}

// part reads one part of a value: in braces, in quotation marks, a number or a macro.
func (p *parser) part() (string, error) {
	if p.at >= len(p.s) {
		return "", nil
	}
	start := p.at
	switch p.s[p.at] {
	case '{':
		depth := 0
		for ; p.at < len(p.s); p.at++ {
			switch p.s[p.at] {
			case '{':
				depth++
			case '}':
				depth--
			}
			if depth == 0 {
				p.at++
				return p.s[start+1 : p.at-1], nil
			}
		}
		return "", errors.New("a brace is never closed")
	case '"':
		depth := 0
		for p.at++; p.at < len(p.s); p.at++ {
			switch c := p.s[p.at]; {
			case c == '{':
				depth++
			case c == '}':
				depth--
			case c == '"' && depth <= 0:
				p.at++
				return p.s[start+1 : p.at-1], nil
			}
		}
		return "", errors.New("a quotation mark is never closed")
	}
	for p.at < len(p.s) && strings.IndexByte(" \t\n\r,#{}\"=", p.s[p.at]) < 0 {
		p.at++
	}
	word := p.s[start:p.at]
	if strings.Trim(word, "0123456789") == "" {
		return word, nil
	}
	name := strings.ToLower(word)
	if value, ok := p.macros[name]; ok {
		return value, nil
	}
	if month, ok := months[name]; ok {
		return month, nil
	}
	p.warn(p.lineAt(start), fmt.Sprintf("the macro %q is not defined; its name is kept", word))
	return word, nil
}

// months are the macros that every style defines.
var months = map[string]string{
	"jan": "January", "feb": "February", "mar": "March", "apr": "April", "may": "May", "jun": "June", "jul": "July",
	"aug": "August", "sep": "September", "oct": "October", "nov": "November", "dec": "December",
}
