package scopus

import (
	"bytes"
	"context"
	"iter"
	"regexp"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/lines"
)

// Format is Scopus' plain text: authors, title and source on lines of their own, then
// labelled fields; "SOURCE: Scopus" ends a record. (Its other exports are CSV, RIS and
// BibTeX.)
func Format() corpus.Format {
	return corpus.Format{Name: "scopus-text", Detect: detect, Read: read}
}

func detect(head []byte) int {
	switch {
	case bytes.HasPrefix(head, []byte("Scopus")) && bytes.Contains(head[:min(len(head), 200)], []byte("EXPORT DATE:")):
		return 96
	case bytes.Contains(head, []byte("\nSOURCE: Scopus")):
		return 88
	}
	return 0
}

var (
	labelled = regexp.MustCompile(`^([A-Z][A-Z &/()]{2,40}): ?(.*)$`)
	source   = regexp.MustCompile(`^\((\d{4})\) (.*)$`)
	ids      = regexp.MustCompile(`^[\d; ]+$`)
	volume   = regexp.MustCompile(`, (?:\d|art\. no\.|pp?\. ).*$`)
)

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		var r reader
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
			if r.line(line) && !give() {
				return
			}
		}
		give()
	}
}

// A reader gathers the lines of one record.
type reader struct {
	b       fields.Builder
	head    []string // lines before the source: authors and title
	first   int
	content bool
}

// line takes one line; it reports whether a record ends with it.
func (r *reader) line(line lines.Line) bool {
	text := strings.TrimSpace(line.Text)
	found := labelled.FindStringSubmatch(text)
	if text == "" || text == "Scopus" || found != nil && found[1] == "EXPORT DATE" {
		return false
	}
	if r.first == 0 {
		r.first = line.Number
	}
	if parts := source.FindStringSubmatch(text); parts != nil && len(r.head) > 0 {
		r.b.Add(fields.Name{Field: fields.Year}, parts[1])
		r.b.Add(fields.Name{Field: fields.Venue}, strings.TrimSuffix(volume.ReplaceAllString(parts[2], ""), "."))
		r.takeHead()
		return false
	}
	switch {
	case found != nil:
		return r.field(found[1], found[2])
	case strings.HasPrefix(text, "http"):
		r.b.Add(fields.Name{Field: fields.URL}, text)
	case ids.MatchString(text):
	case !r.content:
		r.head = append(r.head, text)
	}
	return false
}

// takeHead reads the lines before the source: the last is the title, the first the
// authors.
func (r *reader) takeHead() {
	r.content = true
	r.b.Add(fields.Name{Field: fields.Title}, r.head[len(r.head)-1])
	if len(r.head) > 1 {
		r.b.AddList(fields.Name{Field: fields.Authors, Rank: 1}, authors(r.head[0]))
	}
}

// authors parts "Wilson, L.N., Gardner, J.D." and "Wilson L.N.; Gardner J.D.".
func authors(text string) []string {
	if !strings.Contains(text, ";") && strings.Contains(text, ".,") {
		text = strings.ReplaceAll(text, "., ", ".; ")
	}
	return fields.SplitAuthors(text)
}

func (r *reader) field(name, text string) bool {
	switch name {
	case "ABSTRACT":
		r.b.Add(fields.Name{Field: fields.Abstract}, text)
	case "AUTHOR FULL NAMES":
		r.b.Add(fields.Name{Field: fields.Authors}, text)
	case "AUTHOR KEYWORDS":
		r.b.Add(fields.Name{Field: fields.Keywords}, text)
	case "INDEX KEYWORDS":
		r.b.Add(fields.Name{Field: fields.Keywords, Rank: 1}, text)
	case "DOI":
		r.b.Add(fields.Name{Field: fields.DOI}, text)
	case "PUBMED ID":
		r.b.Add(fields.Name{Field: fields.PMID}, text)
	case "SOURCE":
		return text == "Scopus"
	}
	return false
}

func (r *reader) finish() (corpus.Record, bool) {
	done := *r
	*r = reader{}
	if done.first == 0 {
		return corpus.Record{}, false
	}
	if len(done.head) > 0 && !done.content {
		done.takeHead()
	}
	done.b.Record.Line = done.first
	return done.b.Record, true
}
