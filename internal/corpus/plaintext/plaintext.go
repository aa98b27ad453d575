package plaintext

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
)

// Format is plain text: paragraphs parted by blank lines. A paragraph of one short
// line without a full stop at its end is a heading: at the start of the file it names
// the collection and is told, before another paragraph it is that paper's title.
func Format() corpus.Format {
	return corpus.Format{Name: "text", Detect: detect, Sure: sure, Read: read}
}

// detect takes what no other format wants, if it reads like prose: words, and
// paragraphs that are more than headings.
func detect(head []byte) int {
	head = bytes.TrimSpace(head)
	if len(head) == 0 || head[0] == '<' || !utf8.Valid(head[:lastRune(head)]) {
		return 0
	}
	words, letters, longest := 0, 0, 0
	for line := range bytes.Lines(head) {
		words += len(bytes.Fields(line))
		longest = max(longest, len(line))
	}
	for _, c := range head {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			letters++
		}
	}
	if words >= 5 && letters*2 > len(head) {
		return 5
	}
	return 0
}

const (
	// shortestAbstract and longestAbstract are the words of nearly every abstract.
	shortestAbstract, longestAbstract = 40, 600
	// fewestAbstracts make a list.
	fewestAbstracts = 2
)

// cues are what authors say of their own work, and nobody else of anything.
var cues = []string{"we propose", "we present", "we introduce", "we show", "we study", "we find", "we develop", "we demonstrate", "we investigate", "we prove",
	"we describe", "we analyze", "we analyse", "we examine", "we evaluate", "we report", "we consider", "we derive", "we use", "we provide", "we design", "we establish",
	"this paper", "this work", "this study", "this article", "in this paper", "our results", "our method", "our approach", "our model", "our experiments",
	"experiments show", "results show", "results suggest", "results indicate", "outperforms", "state-of-the-art", "were randomized", "were included"}

// sure reports whether nearly all paragraphs are abstracts by their length and by what
// they say.
func sure(head []byte) bool {
	whole, abstracts, others := bytes.TrimSpace(head), 0, 0
	for part := range bytes.SplitSeq(bytes.ReplaceAll(whole, []byte("\r\n"), []byte("\n")), []byte("\n\n")) {
		text := strings.ToLower(string(part))
		words := len(strings.Fields(text))
		says := slices.ContainsFunc(cues, func(cue string) bool { return strings.Contains(text, cue) })
		switch {
		case words >= shortestAbstract && words <= longestAbstract && says:
			abstracts++
		case words > 30: // else a heading, a title, or the names of the authors
			others++
		}
	}
	return abstracts >= fewestAbstracts && abstracts >= 3*others
}

// lastRune is where the last whole character of b ends.
func lastRune(b []byte) int {
	for n := len(b); n > 0 && n > len(b)-utf8.UTFMax; n-- {
		if utf8.RuneStart(b[n-1]) {
			if utf8.FullRune(b[n-1:]) {
				return len(b)
			}
			return n - 1
		}
	}
	return len(b)
}

const (
	// headingRunes is how long a heading can be.
	headingRunes = 200
	// maxBytes of a paragraph; a longer one is rejected and passed over.
	maxBytes = 16 << 20
)

// A paragraph is a run of lines that are not blank.
type paragraph struct {
	text  string
	line  int
	lines int
}

func (p paragraph) isHeading() bool {
	return p.lines == 1 && utf8.RuneCountInString(p.text) <= headingRunes && !strings.ContainsAny(p.text[len(p.text)-1:], ".?!:;,") && len(strings.Fields(p.text)) <= 30
}

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		r := reader{body: bufio.NewReaderSize(src.Body, 64<<10)}
		var heading *paragraph
		count := 0
		give := func(title string, p paragraph) bool {
			count++
			record := corpus.Record{Line: p.line}
			record.Paper.Title, record.Paper.Abstract = strings.TrimLeft(title, "# "), p.text
			return yield(record, fields.Reject(record))
		}
		for {
			p, err := r.next()
			if rejected, ok := err.(*corpus.Rejected); ok {
				if !yield(corpus.Record{}, rejected) {
					return
				}
				continue
			}
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				if heading != nil && !give(heading.text, paragraph{line: heading.line}) {
					return
				}
				if err != io.EOF {
					yield(corpus.Record{}, err)
				}
				return
			}
			switch {
			case p.isHeading() && heading == nil:
				heading = &p
			case p.isHeading():
				// Two headings in a row: the first names the collection, or is a title alone.
				if count == 0 && r.paragraphs == 2 {
					tellHeading(src, *heading)
				} else if !give(heading.text, paragraph{line: heading.line}) {
					return
				}
				heading = &p
			case heading != nil && count == 0 && r.paragraphs == 2 && r.followedByParagraph():
				tellHeading(src, *heading)
				heading = nil
				if !give("", p) {
					return
				}
			case heading != nil:
				title := heading.text
				p.line = heading.line
				heading = nil
				if !give(title, p) {
					return
				}
			default:
				if !give("", p) {
					return
				}
			}
		}
	}
}

func tellHeading(src corpus.Source, heading paragraph) {
	if src.Warn != nil {
		src.Warn(heading.line, fmt.Sprintf("%q is taken for the heading of the file", heading.text))
	}
}

// A reader parts its body into paragraphs.
type reader struct {
	body       *bufio.Reader
	line       int
	paragraphs int
	ahead      *paragraph // read already by followedByParagraph
	aheadErr   error
}

func (r *reader) next() (paragraph, error) {
	r.paragraphs++
	if r.ahead != nil || r.aheadErr != nil {
		p, err := r.ahead, r.aheadErr
		r.ahead, r.aheadErr = nil, nil
		if err != nil {
			return paragraph{}, err
		}
		return *p, nil
	}
	return r.read()
}

// followedByParagraph reports whether the next paragraph is no heading either, so that
// the paragraphs of this file have no titles.
func (r *reader) followedByParagraph() bool {
	p, err := r.read()
	if err != nil {
		r.aheadErr = err
		return false
	}
	r.ahead = &p
	return !p.isHeading()
}

func (r *reader) read() (paragraph, error) {
	var b strings.Builder
	p := paragraph{}
	tooLong := false
	for {
		line, err := r.body.ReadSlice('\n')
		if len(line) > 0 && (len(line) == cap(line) || err != bufio.ErrBufferFull) {
			text := bytes.TrimSpace(line)
			isWhole := err != bufio.ErrBufferFull
			switch {
			case len(text) == 0 && isWhole:
				r.line++
				if p.lines > 0 {
					return r.finish(p, b.String(), tooLong)
				}
				continue
			case b.Len()+len(line) > maxBytes:
				tooLong = true
			default:
				b.Write(line)
			}
			if isWhole {
				r.line++
				p.lines++
				if p.line == 0 {
					p.line = r.line
				}
			}
		} else if err == bufio.ErrBufferFull {
			if b.Len()+len(line) > maxBytes {
				tooLong = true
			} else {
				b.Write(line)
			}
		}
		if err == nil || err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF && p.lines > 0 {
			return r.finish(p, b.String(), tooLong)
		}
		return paragraph{}, err
	}
}

func (r *reader) finish(p paragraph, text string, tooLong bool) (paragraph, error) {
	if tooLong {
		return paragraph{}, &corpus.Rejected{Line: p.line, Reason: fmt.Sprintf("is longer than %d MB", maxBytes>>20)}
	}
	p.text = strings.TrimSpace(text)
	return p, nil
}
