package bibtex

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/lines"
)

// Format is BibTeX and BibLaTeX. An entry that does not end where the next one begins
// is rejected with its key; no entry takes another one with it.
func Format() corpus.Format {
	return corpus.Format{Name: "bibtex", Detect: detect, Read: read}
}

func detect(head []byte) int {
	for line := range bytes.FieldsFuncSeq(head, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if kind, _, ok := entryStart(string(line[:min(len(line), 200)])); ok && kind != "" {
			return 90
		}
	}
	return 0
}

// entryStart parts "@article{key" at the start of a line into the type and what
// follows the bracket.
func entryStart(line string) (kind, rest string, ok bool) {
	line = strings.TrimLeft(line, " \t\ufeff")
	if line == "" || line[0] != '@' {
		return "", "", false
	}
	line = strings.TrimLeft(line[1:], " \t")
	n := 0
	for n < len(line) && (line[n]|0x20 >= 'a' && line[n]|0x20 <= 'z') {
		n++
	}
	kind, rest = strings.ToLower(line[:n]), strings.TrimLeft(line[n:], " \t")
	if n == 0 || rest == "" || rest[0] != '{' && rest[0] != '(' {
		return "", "", false
	}
	return kind, rest[1:], true
}

// beginsEntry reports whether a line inside of an entry is the start of the next one,
// so that the entry at hand was never closed: "@article{key,".
func beginsEntry(line string) bool {
	kind, rest, ok := entryStart(line)
	if !ok {
		return false
	}
	switch kind {
	case "string", "preamble", "comment":
		return strings.HasPrefix(line, "@")
	}
	key, _, found := strings.Cut(rest, ",")
	return found && !strings.ContainsAny(strings.TrimSpace(key), " \t{}\"=")
}

// maxBytes of an entry; a whole book fits.
const maxBytes = 16 << 20

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		r := reader{
			src: src, text: lines.NewReader(src.Body), yield: yield,
			macros: map[string]string{},
		}
		for line, err := range r.text.All(ctx) {
			if err != nil {
				yield(corpus.Record{}, err)
				return
			}
			for rest := line.Text; rest != ""; {
				at := strings.IndexByte(rest, '@')
				if at < 0 {
					break
				}
				kind, _, ok := entryStart(rest[at:])
				if !ok {
					rest = rest[at+1:]
					continue
				}
				var more bool
				if rest, more = r.entry(kind, rest[at:], line.Number); !more {
					return
				}
			}
		}
	}
}

// A reader reads the entries of one file.
type reader struct {
	src    corpus.Source
	text   *lines.Reader
	yield  func(corpus.Record, error) bool
	macros map[string]string // of @string, by their names in lower case
}

// entry reads the entry that begins with first on the given line. It gives what
// follows the entry on its last line, and whether reading goes on.
func (r *reader) entry(kind, first string, number int) (rest string, more bool) {
	var b balance
	var text strings.Builder
	end := b.scan(first)
	part := first
	for end < 0 {
		text.WriteString(part)
		text.WriteByte('\n')
		line, err := r.text.Next()
		switch {
		case err == io.EOF:
			return "", r.cut(kind, text.String(), number)
		case err != nil:
			r.yield(corpus.Record{}, err)
			return "", false
		case kind != "comment" && beginsEntry(line.Text):
			r.text.Unread(line)
			return "", r.reject(kind, text.String(), number, "is never closed: a brace or quotation mark is missing before the next entry")
		case text.Len()+len(line.Text) > maxBytes:
			return "", r.reject(kind, text.String(), number, fmt.Sprintf("is longer than %d MB", maxBytes>>20))
		}
		part = line.Text
		end = b.scan(part)
	}
	text.WriteString(part[:end])
	return part[end:], r.whole(kind, text.String(), number)
}

// whole reads an entry whose brackets are balanced.
func (r *reader) whole(kind, text string, number int) bool {
	switch kind {
	case "comment", "preamble":
		return true
	}
	p := parser{s: text, line: number, macros: r.macros, warn: r.warn}
	e, err := p.entry()
	if err != nil {
		return r.yield(corpus.Record{}, &corpus.Rejected{Line: number, Key: e.key, Reason: err.Error()})
	}
	if kind == "string" {
		for _, f := range e.fields {
			if len(r.macros) < maxMacros {
				r.macros[f.name] = f.value
			}
		}
		return true
	}
	record := toRecord(e)
	record.Line = number
	return r.yield(record, fields.Reject(record))
}

// maxMacros bounds the memory for @string.
const maxMacros = 100_000

// reject reports an entry that does not end where it should. Of a comment what follows
// its first line is read.
func (r *reader) reject(kind, text string, number int, reason string) bool {
	switch kind {
	case "comment", "preamble", "string":
		r.warn(number, fmt.Sprintf("@%s is never closed", kind))
		if first, rest, found := strings.Cut(text, "\n"); found && kind == "comment" && first != "" {
			return r.again(rest, number+1)
		}
		return true
	}
	return r.yield(corpus.Record{}, &corpus.Rejected{Line: number, Key: keyOf(text), Reason: reason})
}

// cut reports an entry that has not ended at the end of the file, which no comment has
// to: it may be a line of words.
func (r *reader) cut(kind, text string, number int) bool {
	if !r.reject(kind, text, number, "is never closed: a brace or quotation mark is missing, or the file is cut short") {
		return false
	}
	return kind == "comment" || r.yield(corpus.Record{}, corpus.Cut("entry", number))
}

// again reads the entries in a text that a comment without an end has swallowed.
func (r *reader) again(text string, number int) bool {
	inner := reader{src: r.src, text: lines.NewReader(strings.NewReader(text)), macros: r.macros}
	more := true
	inner.yield = func(record corpus.Record, err error) bool {
		more = more && r.yield(record, err)
		return more
	}
	for {
		line, err := inner.text.Next()
		if err != nil || !more {
			return more
		}
		kind, _, ok := entryStart(line.Text)
		if ok && kind != "comment" {
			_, more = inner.entry(kind, strings.TrimLeft(line.Text, " \t"), number+line.Number-1)
		}
	}
}

func (r *reader) warn(line int, message string) {
	if r.src.Warn != nil {
		r.src.Warn(line, message)
	}
}

// keyOf is the key of an entry, as far as it can be told.
func keyOf(text string) string {
	_, rest, ok := entryStart(text)
	if !ok {
		return ""
	}
	if end := strings.IndexAny(rest, ",\n"); end >= 0 {
		rest = rest[:end]
	}
	return strings.TrimSpace(rest)
}

// A balance follows the brackets of an entry from line to line.
type balance struct {
	opened byte // the bracket of the entry, 0 before it
	depth  int  // of braces inside of it
	quoted bool // inside of a value in quotation marks
}

// scan follows one line; it gives where on it the entry ends, -1 if it does not. As
// for BibTeX, braces count also after a backslash.
func (b *balance) scan(line string) int {
	for i := range len(line) {
		c := line[i]
		switch {
		case b.opened == 0:
			if c == '{' || c == '(' {
				b.opened = c
			}
		case c == '{':
			b.depth++
		case c == '}' && b.depth > 0:
			b.depth--
		case c == '"' && b.depth == 0:
			b.quoted = !b.quoted
		case b.depth == 0 && !b.quoted && (c == '}' && b.opened == '{' || c == ')' && b.opened == '('):
			return i + 1
		}
	}
	return -1
}
