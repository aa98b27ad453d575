package bibtex

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// keyField holds the key of a record that has none, or one that BibTeX does not allow.
const keyField = "akinkey"

// Writer writes BibTeX. Text is escaped so that it is read back as it is; mathematics
// stays mathematics.
type Writer struct {
	w    *bufio.Writer
	keys map[string]bool // keys that are taken
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{w: bufio.NewWriter(w), keys: map[string]bool{}}
}

// Close writes what is left.
func (w *Writer) Close() error { return w.w.Flush() }

// Write writes one entry.
func (w *Writer) Write(r corpus.Record) error {
	p := &r.Paper
	kind, venue := "misc", "howpublished"
	if p.Venue != "" {
		kind, venue = "article", "journal"
		if isConference(p.Venue) {
			kind, venue = "inproceedings", "booktitle"
		}
	}
	key := w.key(r)
	fmt.Fprintf(w.w, "@%s{%s,\n", kind, key)
	if key != r.Key {
		w.field(keyField, escape(r.Key))
	}
	if p.Title != "" {
		w.field("title", "{"+escape(p.Title)+"}")
	}
	w.field("author", joinNames(p.Authors))
	if p.Year != 0 {
		w.field("year", strconv.Itoa(p.Year))
	}
	w.field("date", escape(p.Date))
	w.field(venue, escape(p.Venue))
	w.field("abstract", escape(p.Abstract))
	w.field("keywords", joinKeywords(p.Keywords))
	w.field("doi", p.IDs.DOI)
	w.field("url", p.URL)
	if p.IDs.ArXiv != "" {
		w.field("eprint", arXivID(p.IDs))
		w.field("eprinttype", "arxiv")
	}
	w.field("pmid", p.IDs.PMID)
	w.field("openreview", p.IDs.OpenReview)
	w.field("openalex", p.IDs.OpenAlex)
	w.field("s2", p.IDs.S2)
	w.field("akin", escape(r.ID))
	_, err := w.w.WriteString("}\n\n")
	return err
}

func arXivID(ids paper.Identifiers) string {
	if ids.Version > 0 {
		return ids.ArXiv + "v" + strconv.Itoa(ids.Version)
	}
	return ids.ArXiv
}

func (w *Writer) field(name, value string) {
	if value != "" || name == keyField {
		fmt.Fprintf(w.w, "  %s = {%s},\n", name, value)
	}
}

// isConference guesses from the name of a venue whether papers stand in proceedings.
func isConference(venue string) bool {
	lower := strings.ToLower(venue)
	for _, word := range []string{"conference", "proceedings", "proc.", "workshop", "symposium", "neurips", "icml", "iclr", "cvpr", "acl", "emnlp"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// key is the key of the record where BibTeX allows it and no entry has it yet; else
// one made of the first author, the year and the first long word of the title.
func (w *Writer) key(r corpus.Record) string {
	base := r.Key
	if base == "" || strings.ContainsFunc(base, func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune("{}(),\"=%#~\\'@$", c) }) {
		family := ""
		if len(r.Paper.Authors) > 0 {
			family, _, _ = strings.Cut(r.Paper.Authors[0], ",")
			if words := strings.Fields(family); !strings.Contains(r.Paper.Authors[0], ",") && len(words) > 0 {
				family = words[len(words)-1]
			}
		}
		base = ascii(family)
		if r.Paper.Year != 0 {
			base += strconv.Itoa(r.Paper.Year)
		}
		for _, word := range strings.Fields(paper.Clean(r.Paper.Title)) {
			if word = ascii(word); len(word) > 3 {
				base += word
				break
			}
		}
		if base == "" {
			base = "paper"
		}
	}
	key := base
	for n := 2; w.keys[strings.ToLower(key)]; n++ {
		key = base + "-" + strconv.Itoa(n)
	}
	w.keys[strings.ToLower(key)] = true
	return key
}

// ascii is s in the letters a to z and digits: without accents, and other Latin letters
// as they are spelt without them.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, norm.NFD.String(latin.Replace(paper.Fold(s))))
}

// latin are letters that are no letter of ASCII with an accent.
var latin = strings.NewReplacer("ß", "ss", "ø", "o", "æ", "ae", "œ", "oe", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i")

func joinNames(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = escape(name)
		if lower := strings.ToLower(name); strings.Contains(" "+lower+" ", " and ") || lower == "others" {
			list[i] = "{" + list[i] + "}"
		}
	}
	return strings.Join(list, " and ")
}

func joinKeywords(keywords []string) string {
	list := make([]string, len(keywords))
	for i, keyword := range keywords {
		list[i] = escape(keyword)
		if strings.ContainsAny(keyword, ",;") {
			list[i] = "{" + list[i] + "}"
		}
	}
	return strings.Join(list, ", ")
}

// escape writes a text in TeX. Mathematics whose braces are balanced stays as it is,
// unless the text would be read back as another.
func escape(s string) string {
	if !strings.ContainsAny(s, "\\{}%&#_$~^-`'\n") {
		return s
	}
	open, closing := `\{`, `\}`
	if !isBalanced(s) {
		open, closing = `\textbraceleft{}`, `\textbraceright{}`
	}
	signs := []string{`\`, `\textbackslash{}`, "{", open, "}", closing, "%", `\%`, "&", `\&`, "#", `\#`, "_", `\_`,
		"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "--", "-{}-{}", "``", "`{}`{}", "''", "'{}'{}", "\n\n", "\n\n", "\n", `\newline `}
	text, literal := strings.NewReplacer(append(signs, "$", `\$`)...), strings.NewReplacer(append(signs, "$", `\textdollar{}`)...)
	var b strings.Builder
	at := 0
	for start, end := range paper.Math(s) {
		b.WriteString(text.Replace(s[at:start]))
		if math := s[start:end]; isBalanced(math) && isBalanced(withoutEscapes.Replace(math)) && !strings.Contains(math, "\n") {
			b.WriteString(math)
		} else {
			b.WriteString(literal.Replace(math))
		}
		at = end
	}
	b.WriteString(text.Replace(s[at:]))
	if escaped := b.String(); decode(escaped) == s && decode("{"+escaped+"}") == s {
		return escaped
	}
	return literal.Replace(s)
}

// withoutEscapes leaves out what TeX does not count as braces.
var withoutEscapes = strings.NewReplacer(`\\`, "", `\{`, "", `\}`, "")

// isBalanced reports whether the braces of s are balanced, as BibTeX counts them.
func isBalanced(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}
