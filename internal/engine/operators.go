package engine

import (
	"strconv"
	"strings"
	"unicode"
)

// operatorWords is how long a typed query may be for its operators to count: in pasted
// text, quotes and dashes are punctuation.
const operatorWords = 32

// operated is a query's text parted from its operators:
//
//	"exact phrase"   must be in the paper; also part of the text
//	-word -"a phrase"   must not be in the paper
//	author:name author:"a name"   year:2020 year:2018..2022   are filters
//	-author:name   leaves an author out
//
// What looks like an operator and is none (a lone quote, "year:soon") is text.
type operated struct {
	text    string
	phrases []string
	without []string
	filters Filters
	// Papers by one of these authors may not answer.
	withoutAuthors []string
	// What begins like author: or year: and asks for nothing, as it was typed.
	unmeant []string
	looked  *lookedUp // phrases that were looked for already; nil keeps none
}

// operators reads the operators of a text search; other queries have none.
func operators(q Query) operated {
	o := operated{text: q.Text, filters: q.Filters}
	if q.Plain || len(q.Like) > 0 || len(strings.Fields(q.Text)) > operatorWords {
		return o
	}
	text := strings.NewReplacer("“", `"`, "”", `"`, "„", `"`).Replace(q.Text)
	var kept []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		var word operand
		word, text = cutOperand(text)
		if !o.take(word) {
			kept = append(kept, word.whole)
			if word.field != "" {
				o.unmeant = append(o.unmeant, word.whole)
			}
		}
	}
	o.text = strings.Join(kept, " ")
	return o
}

// check refuses a query that asks for nothing: of operators alone, or of quotes and dashes
// with nothing between them.
func (o *operated) check(q Query) error {
	text := strings.TrimSpace(o.text)
	switch {
	case len(q.Like) > 0:
		return nil
	case strings.TrimSpace(q.Text) == "":
		return usagef("say what the papers should be about", "the query is blank")
	case q.Plain:
		return nil
	case text == "" && len(o.without)+len(o.withoutAuthors) > 0:
		return usagef("say what they should be about, too: -word leaves papers out of those that are found", "the query only leaves papers out, and asks for none")
	case text == "":
		return usagef("akin list"+o.filters.flags()+" lists them; a search says what they should be about, too", "the query has filters only, and no words")
	case strings.Trim(text, emptySigns) == "":
		return usagef("say what the papers should be about", "the query is blank: there is nothing between its quotes or behind its dash")
	}
	return nil
}

// emptySigns are those of operators, which ask for nothing alone.
const emptySigns = "\"“”„- \t\r\n"

// operand is one piece of a query between spaces: [-][field:]value, the value quoted or
// not.
type operand struct {
	whole  string
	minus  bool
	field  string
	value  string
	quoted bool
}

// cutOperand takes the first piece of text, which does not begin with a space.
func cutOperand(text string) (operand, string) {
	rest := text
	var w operand
	if after, ok := strings.CutPrefix(rest, "-"); ok {
		w.minus, rest = true, after
	}
	for _, field := range []string{"author", "year"} {
		if len(rest) > len(field) && strings.EqualFold(rest[:len(field)], field) && rest[len(field)] == ':' {
			w.field, rest = field, rest[len(field)+1:]
			break
		}
	}
	if after, ok := strings.CutPrefix(rest, `"`); ok {
		if value, tail, closed := strings.Cut(after, `"`); closed {
			w.value, w.quoted = strings.TrimSpace(value), true
			w.whole = strings.TrimSuffix(text, tail)
			return w, tail
		}
	}
	end := strings.IndexFunc(rest, unicode.IsSpace)
	if end < 0 {
		end = len(rest)
	}
	if w.value = rest[:end]; w.field != "" { // a lone quote of a name is not of the name
		w.value = strings.Trim(w.value, `"`)
	}
	w.whole = strings.TrimSuffix(text, rest[end:])
	return w, rest[end:]
}

// take applies an operator; false means that the word is text. A phrase is both.
func (o *operated) take(w operand) bool {
	switch {
	case w.value == "":
		return false
	case w.field == "author" && len(partsOf(authorField, w.value)) == 0:
		return false
	case w.field == "author" && w.minus:
		o.withoutAuthors = append(o.withoutAuthors, w.value)
		return true
	case w.field == "author":
		o.filters.Author = append(o.filters.Author[:len(o.filters.Author):len(o.filters.Author)], w.value)
		return true
	case w.field == "year" && !w.minus:
		from, to, ok := years(w.value)
		if ok { // within what a filter has left
			if o.filters.YearFrom = max(o.filters.YearFrom, from); o.filters.YearTo == 0 || to != 0 && to < o.filters.YearTo {
				o.filters.YearTo = to
			}
		}
		return ok
	case w.field != "":
		return false
	case w.minus && (w.quoted || startsWithLetter(w.value)):
		o.without = append(o.without, w.value)
		return true
	case w.quoted:
		o.phrases = append(o.phrases, w.value)
	}
	return false
}

// years reads "2020", "2018..2022", "2018.." and "..2022".
func years(s string) (from, to int, ok bool) {
	a, b, ranged := strings.Cut(s, "..")
	if !ranged {
		b = a
	}
	number := func(s string) (int, bool) {
		if s == "" && ranged {
			return 0, true
		}
		n, err := strconv.Atoi(s)
		return n, err == nil && n > 0
	}
	from, okFrom := number(a)
	to, okTo := number(b)
	return from, to, okFrom && okTo && (from != 0 || to != 0) && (to == 0 || from <= to)
}

func startsWithLetter(s string) bool {
	for _, r := range s {
		return unicode.IsLetter(r)
	}
	return false
}
