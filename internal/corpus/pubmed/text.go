package pubmed

import (
	"bytes"
	"context"
	"iter"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/lines"
)

// Text is PubMed's "Abstract (text)" and "Summary (text)": numbered records of
// paragraphs, in which only their order says what they are.
func Text() corpus.Format {
	return corpus.Format{Name: "pubmed-text", Detect: detectText, Read: readText}
}

var (
	numbered = regexp.MustCompile(`^(\d+)([.:]) (\S.*)$`)
	pmidLine = regexp.MustCompile(`(?m)^PMID: \d+|PMID: \d+\b`)
	marks    = regexp.MustCompile(`\(\d+\)(?:\([^)]*\))*`)
)

func detectText(head []byte) int {
	first, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n "), []byte("\n"))
	if numbered.Match(bytes.TrimSpace(first)) && pmidLine.Match(head) {
		return 88
	}
	return 0
}

func readText(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		var r textRecord
		give := func() bool {
			record, ok := r.finish()
			return !ok || yield(record, fields.Reject(record))
		}
		for line, err := range lines.NewReader(src.Body).All(ctx) {
			if err != nil {
				if give() {
					yield(corpus.Record{}, err)
				}
				return
			}
			if r.begins(line) {
				if !give() {
					return
				}
				parts := numbered.FindStringSubmatch(line.Text)
				r = textRecord{number: r.number + 1, first: line.Number, mark: parts[2]}
				line.Text = parts[3]
			}
			r.add(line.Text)
		}
		give()
	}
}

// A textRecord gathers the paragraphs of a record.
type textRecord struct {
	number     int
	first      int
	mark       string // "." for abstracts, ":" for summaries
	paragraphs []string
	open       bool // the last paragraph goes on
	bytes      int
	closed     bool // the PMID was read
}

// begins reports whether the next record begins on the line: it has the next number,
// after a blank line and the PMID of the record before.
func (r *textRecord) begins(line lines.Line) bool {
	found := numbered.FindStringSubmatch(line.Text)
	return found != nil && !r.open && found[1] == strconv.Itoa(r.number+1) && (r.number == 0 || r.closed)
}

// maxBytes of a record are kept.
const maxBytes = 16 << 20

func (r *textRecord) add(line string) {
	line = strings.TrimSpace(line)
	if r.bytes += len(line); r.bytes > maxBytes {
		return
	}
	r.closed = r.closed || strings.Contains(line, "PMID: ")
	switch {
	case line == "":
		r.open = false
	case r.open:
		last := len(r.paragraphs) - 1
		r.paragraphs[last] += "\n" + line
	default:
		r.paragraphs = append(r.paragraphs, line)
		r.open = true
	}
}

func (r *textRecord) finish() (corpus.Record, bool) {
	if r.first == 0 {
		return corpus.Record{}, false
	}
	var b fields.Builder
	b.Record.Line = r.first
	if r.mark == ":" {
		summary(&b, strings.Join(strings.Fields(strings.Join(r.paragraphs, " ")), " "))
		return b.Record, true
	}
	var abstract []string
	place := 0
	for _, paragraph := range r.paragraphs {
		oneLine := strings.Join(strings.Fields(paragraph), " ")
		switch {
		case isIDs(paragraph):
			addIDs(&b, paragraph)
		case isAside(oneLine):
		case place == 0:
			citation(&b, oneLine)
			place++
		case place == 1:
			b.Add(fields.Name{Field: fields.Title}, oneLine)
			place++
		case place == 2 && isAuthors(oneLine):
			b.AddList(fields.Name{Field: fields.Authors}, authorList(oneLine))
			place++
		default:
			abstract = append(abstract, oneLine)
			place = 3
		}
	}
	b.Add(fields.Name{Field: fields.Abstract}, strings.Join(abstract, "\n"))
	return b.Record, true
}

// citation reads "Eur J Med Genet. 2020 Feb;63(2):103640. doi: 10.…".
func citation(b *fields.Builder, text string) {
	journal, rest, _ := strings.Cut(text, ". ")
	b.Add(fields.Name{Field: fields.Venue}, journal)
	date, rest, _ := strings.Cut(rest, ";")
	b.Add(fields.Name{Field: fields.Year}, strings.TrimSuffix(cut(date, ". "), "."))
	if _, doi, found := strings.Cut(date+";"+rest, "doi: "); found {
		b.Add(fields.Name{Field: fields.DOI, Rank: 1}, doi)
	}
}

func cut(s, mark string) string {
	before, _, _ := strings.Cut(s, mark)
	return before
}

// summary reads "Griffin DK, Larkin DM. Title. Eur J Med Genet. 2020 Feb;… PMID: 1."
func summary(b *fields.Builder, text string) {
	authors, rest, _ := strings.Cut(text, ". ")
	title, rest, _ := strings.Cut(rest, ". ")
	b.AddList(fields.Name{Field: fields.Authors}, authorList(authors))
	b.Add(fields.Name{Field: fields.Title}, title)
	citation(b, rest)
	for part := range strings.SplitSeq(rest, "; ") {
		addIDs(b, part)
	}
	if _, id, found := strings.Cut(rest, "PMID: "); found {
		addIDs(b, "PMID: "+id)
	}
}

func isIDs(paragraph string) bool {
	return strings.HasPrefix(paragraph, "DOI: ") || strings.HasPrefix(paragraph, "PMID: ") || strings.HasPrefix(paragraph, "PMCID: ")
}

func addIDs(b *fields.Builder, paragraph string) {
	for line := range strings.Lines(paragraph) {
		kind, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch kind {
		case "DOI":
			b.Add(fields.Name{Field: fields.DOI}, value)
		case "PMID":
			id := strings.Trim(cut(value, " "), ".;")
			b.Record.Key = id
			b.Add(fields.Name{Field: fields.PMID}, id)
		}
	}
}

// isAside reports whether a paragraph is about the paper and not of it.
func isAside(text string) bool {
	for _, start := range []string{"Author information:", "Comment in", "Comment on", "Erratum in", "Erratum for", "Update in", "Update of", "Conflict of interest",
		"Collaborators:", "Copyright ©", "Copyright (c)", "©", "[Article in", "Retraction in", "Republished", "Expression of concern", "DOI:", "Summary for patients in"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// isAuthors reports whether a paragraph is a list of names: "Griffin DK(1), Larkin
// DM(2)."
func isAuthors(text string) bool {
	names := authorList(text)
	for _, name := range names {
		words := strings.Fields(name)
		last := words[len(words)-1]
		if len(words) > 6 || len(words) < 2 || strings.ToUpper(last) != last && last != "Jr" && last != "3rd" && last != "2nd" {
			return marks.MatchString(text) && len(names) > 0 && len(words) < 12
		}
	}
	return len(names) > 0
}

func authorList(text string) []string {
	var names []string
	for name := range strings.SplitSeq(strings.TrimSuffix(marks.ReplaceAllString(text, ""), "."), ",") {
		if name = strings.Trim(name, " .;"); name != "" {
			names = append(names, name)
		}
	}
	return names
}
