package a64

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Encode returns the instruction word of one instruction in the syntax of the Arm
// manual, as in "fmla v0.4s, v1.4s, v2.s[3]". An instruction that the table lacks, or a
// register or index out of range, is an error.
func Encode(text string) (uint32, error) {
	for i, f := range table {
		values := patterns[i].FindStringSubmatch(text)
		if values == nil {
			continue
		}
		word := f.bits
		for i, name := range f.fields() {
			// The pattern admits at most two digits.
			value, _ := strconv.Atoi(values[i+1])
			fd := fields[name]
			if value < fd.min || value > fd.max {
				return 0, fmt.Errorf("encoding %q: <%s> is %d, want %d to %d", text, name, value, fd.min, fd.max)
			}
			word |= fd.put(uint32(value))
		}
		return word, nil
	}
	return 0, fmt.Errorf("encoding %q: no such form in the table", text)
}

// form is one instruction: its text with <fields> left open, and its bits with all
// fields zero.
type form struct {
	bits uint32
	text string
}

// patterns holds the pattern of each form of the table.
var patterns = func() []*regexp.Regexp {
	all := make([]*regexp.Regexp, len(table))
	for i, f := range table {
		all[i] = f.pattern()
	}
	return all
}()

var open = regexp.MustCompile(`<(\w+)>`)

// pattern matches the instructions of the form and captures the fields in order.
func (f form) pattern() *regexp.Regexp {
	var p strings.Builder
	rest := f.text
	for _, at := range open.FindAllStringIndex(f.text, -1) {
		done := len(f.text) - len(rest)
		p.WriteString(regexp.QuoteMeta(f.text[done:at[0]]))
		p.WriteString(`(\d{1,2})`)
		rest = f.text[at[1]:]
	}
	return regexp.MustCompile("^" + p.String() + regexp.QuoteMeta(rest) + "$")
}

// fields names the open fields of the form in order.
func (f form) fields() []string {
	var names []string
	for _, m := range open.FindAllStringSubmatch(f.text, -1) {
		names = append(names, m[1])
	}
	return names
}

// field says what values a field takes and where its bits go.
type field struct {
	min, max int
	put      func(uint32) uint32
}

// fields are named as in the forms. An element's index is split by the manual into the
// bits H (11), L (21) and M (20), the highest first.
var fields = map[string]field{
	"d":   {0, 31, func(v uint32) uint32 { return v }},
	"n":   {0, 31, func(v uint32) uint32 { return v << 5 }},
	"m":   {0, 31, func(v uint32) uint32 { return v << 16 }},
	"h":   {0, 15, func(v uint32) uint32 { return v << 16 }}, // M is part of the index
	"s":   {0, 3, func(v uint32) uint32 { return v>>1<<11 | v&1<<21 }},
	"e":   {0, 7, func(v uint32) uint32 { return v>>2<<11 | v>>1&1<<21 | v&1<<20 }},
	"dup": {0, 3, func(v uint32) uint32 { return v << 19 }},
	"ext": {0, 15, func(v uint32) uint32 { return v << 11 }},
	"l32": {0, 31, func(v uint32) uint32 { return v << 16 }},
}
