package markdown

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/lines"
	"github.com/seed-9f29d379/akin/internal/corpus/table"
	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// Format is a reading list in Markdown. An item is a paper if it has a link, a bold
// or quoted title or a year; the heading above it becomes a keyword.
func Format() corpus.Format {
	return corpus.Format{Name: "markdown", Maps: true, Detect: detect, Sure: sure, Read: read}
}

func detect(head []byte) int {
	items, rows := 0, 0
	for line := range bytes.Lines(head) {
		text := string(line)
		if _, content, ok := listItem(text); ok && (strings.Contains(content, "](") || strings.Contains(content, "**")) {
			items++
		}
		if isTableRow(text) {
			rows++
		}
	}
	switch {
	case items >= 2:
		return 35
	case rows >= 3 && bytes.Contains(head, []byte("---")):
		return 88
	case items == 1:
		return 6
	}
	return 0
}

// papersAt are addresses that papers have, and hardly anything else.
var papersAt = regexp.MustCompile(`(?i)arxiv\.org/|doi\.org/|openreview\.net/|aclanthology\.org|aclweb\.org/anthology|semanticscholar\.org|ncbi\.nlm\.nih\.gov|pubmed` +
	`|proceedings\.|jmlr\.org|mlr\.press|papers\.n(?:eur)?ips|openaccess\.thecvf|dl\.acm\.org|ieeexplore|link\.springer|sciencedirect\.com|biorxiv\.org|medrxiv\.org` +
	`|nature\.com/articles|science\.org/doi|pnas\.org|plos|wiley\.com/doi|tandfonline|academic\.oup\.com|jstor\.org|ssrn\.com|hal\.science|\.pdf\b|\barxiv:\d|\b10\.\d{4,}/`)

// sure reports whether most items of the lists and rows of the tables name a paper by
// where it is, or by its year.
func sure(head []byte) bool {
	papers, others := 0, 0
	for line := range bytes.Lines(head) {
		text := strings.TrimSpace(string(line))
		_, content, isItem := listItem(text)
		isItem = isItem && (link.MatchString(content) || strings.Contains(content, "**"))
		isRow := isTableRow(text) && !isRule(splitRow(text))
		switch {
		case !isItem && !isRow:
		case papersAt.MatchString(text) && !strings.Contains(text, "](#"), isItem && strings.ContainsAny(content, "(,") && inBrackets.MatchString(content):
			papers++
		default:
			others++
		}
	}
	return papers >= 2 && papers > others
}

// inBrackets is a year as references have it.
var inBrackets = regexp.MustCompile(`[(,.]\s*(?:19|20)\d\d[a-z]?\s*[).,]`)

var itemStart = regexp.MustCompile(`^(\s*)(?:[-*+]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$`)

// maxLine is longer than any item; a longer line is text.
const maxLine = 64 << 10

// listItem parts "  - text" into its indent and its text.
func listItem(line string) (indent int, text string, ok bool) {
	if len(line) > maxLine {
		return 0, "", false
	}
	found := itemStart.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
	if found == nil {
		return 0, "", false
	}
	return len(strings.ReplaceAll(found[1], "\t", "    ")), found[2], true
}

func isTableRow(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "|") && strings.Count(line, "|") >= 3
}

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		r := reader{ctx: ctx, src: src, text: lines.NewReader(src.Body), yield: yield}
		err := r.run()
		if err != nil && err != errStop {
			yield(corpus.Record{}, err)
			return
		}
		if r.passed > 0 && src.Warn != nil {
			src.Warn(r.firstPassed, fmt.Sprintf("%s of lists %s no paper (no link, bold or quoted title, or year) and %s passed over", number.Of(r.passed, "item"), number.Pick(r.passed, "names", "name"), number.Pick(r.passed, "is", "are")))
		}
	}
}

var errStop = fmt.Errorf("stop")

// An item is the text of one item of a list, with what is indented below it.
type item struct {
	line   int
	indent int
	text   []string
}

type reader struct {
	ctx         context.Context
	src         corpus.Source
	text        *lines.Reader
	yield       func(corpus.Record, error) bool
	heading     string
	item        *item
	passed      int
	firstPassed int
}

func (r *reader) run() error {
	for line, err := range r.text.All(r.ctx) {
		if err != nil {
			return err
		}
		if err := r.line(line); err != nil {
			return err
		}
	}
	return r.flush()
}

// maxItemLines of one item are kept.
const maxItemLines = 1000

func (r *reader) line(line lines.Line) error {
	text := strings.TrimRight(line.Text, " \t")
	indent, content, isItem := listItem(text)
	switch {
	case isTableRow(text):
		if err := r.flush(); err != nil {
			return err
		}
		return r.table(line)
	case strings.HasPrefix(text, "#"):
		if err := r.flush(); err != nil {
			return err
		}
		r.heading = paper.Clean(strings.Trim(text, "# "))
	case isItem && r.item != nil && indent > r.item.indent+1 && !namesPaper(content):
		r.item.text = append(r.item.text, content)
	case isItem:
		if err := r.flush(); err != nil {
			return err
		}
		r.item = &item{line: line.Number, indent: indent, text: []string{content}}
	case r.item != nil && len(r.item.text) < maxItemLines && len(text) <= maxLine:
		if text != "" && text[0] != ' ' && text[0] != '\t' && text[0] != '>' && text[0] != '<' && r.item.text[len(r.item.text)-1] == "" {
			return r.flush() // a paragraph after the list
		}
		r.item.text = append(r.item.text, strings.TrimSpace(text))
	}
	return nil
}

// namesPaper reports whether an item below another one is a paper of its own.
func namesPaper(text string) bool {
	found := link.FindStringSubmatch(text)
	return found != nil && !isGeneric(found[1]) && strings.HasPrefix(strings.TrimLeft(text, "*_\"“"), "[")
}

var (
	link   = regexp.MustCompile(`!?\[([^\[\]]*)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)[^()]*\)`)
	bold   = regexp.MustCompile(`\*\*([^*]+)\*\*|__([^_]+)__`)
	quoted = regexp.MustCompile(`["“]([^"”]{8,})["”]`)
	italic = regexp.MustCompile(`(?:^|[^*\w])\*([^*]+)\*|(?:^|[^_\w])_([^_]+)_`)
	bare   = regexp.MustCompile(`https?://[^\s<>()\[\]]+`)
	label  = regexp.MustCompile(`(?i)^[*_]*(?:abstract|tl;?dr|summary)[*_]*\s*[:.—-][*_]*\s*(.*)$`)
)

// isGeneric reports whether the text of a link says what it leads to, not what the
// paper is called.
func isGeneric(text string) bool {
	folded := paper.Fold(text)
	return folded == "" || len(folded) < 30 && strings.Contains(genericTexts, " "+folded+" ") || strings.HasPrefix(folded, "arxiv") && len(folded) < 20
}

const genericTexts = " paper pdf code link arxiv doi url html project projectpage website webpage page github homepage demo video slides poster blog" +
	" dataset data model bib bibtex openreview abs abstract here official officialcode pytorch tensorflow supp supplementary talk colab huggingface" +
	" proceedings publication source web weights review twitter post "

// flush yields the paper of the item at hand.
func (r *reader) flush() error {
	if r.item == nil {
		return nil
	}
	it := r.item
	r.item = nil
	record, ok := r.record(it)
	if !ok {
		if r.passed++; r.passed == 1 {
			r.firstPassed = it.line
		}
		return nil
	}
	if !r.yield(record, fields.Reject(record)) {
		return errStop
	}
	return nil
}

func (r *reader) record(it *item) (corpus.Record, bool) {
	record := corpus.Record{Line: it.line}
	p := &record.Paper
	first := it.text[0]
	rest, ok := takeTitle(p, first)
	if !ok && len(it.text) > 1 {
		rest, ok = takeTitle(p, strings.Join(it.text, " "))
	}
	if !ok {
		return record, false
	}
	for n, line := range it.text {
		if found := label.FindStringSubmatch(line); found != nil && n > 0 {
			p.Abstract = strings.TrimSpace(strings.Join(append([]string{found[1]}, it.text[n+1:]...), "\n"))
			break
		}
		takeLinks(p, line)
	}
	plain := paper.Clean(bare.ReplaceAllString(link.ReplaceAllString(rest, ""), ""))
	p.Year = paper.ParseYear(plain)
	if found := italic.FindStringSubmatch(rest); found != nil {
		if names := found[1] + found[2]; strings.Contains(names, ",") || strings.Contains(names, " and ") {
			p.Authors = fields.SplitAuthors(strings.TrimSuffix(names, "."))
		}
	}
	if r.heading != "" {
		p.Keywords = []string{r.heading}
	}
	return record, true
}

// takeTitle finds the title of a paper in an item and gives the rest of it.
func takeTitle(p *paper.Paper, text string) (rest string, ok bool) {
	for _, found := range link.FindAllStringSubmatchIndex(text, -1) {
		name := text[found[2]:found[3]]
		if text[found[0]] == '!' || isGeneric(name) || strings.HasPrefix(text[found[4]:], "#") {
			continue
		}
		if isBadge := strings.HasPrefix(name, "http"); isBadge {
			continue
		}
		p.Title = strings.Trim(name, "*_ \"“”")
		return text[:found[0]] + " " + text[found[1]:], true
	}
	if strings.Contains(text, "](#") {
		return "", false // a table of contents
	}
	for _, pattern := range []*regexp.Regexp{bold, quoted} {
		if found := pattern.FindStringSubmatchIndex(text); found != nil {
			at := 2
			if found[2] < 0 {
				at = 4
			}
			if name := strings.Trim(text[found[at]:found[at+1]], " .,:\"“”"); !isGeneric(name) && len(strings.Fields(name)) > 1 {
				p.Title = name
				return text[:found[0]] + " " + text[found[1]:], true
			}
		}
	}
	plain := strings.TrimSpace(link.ReplaceAllString(text, ""))
	if paper.ParseYear(plain) == 0 && !link.MatchString(text) && !bare.MatchString(text) {
		return "", false
	}
	plain = strings.Trim(bare.ReplaceAllString(plain, ""), " -–—:,[]()")
	if len(strings.Fields(plain)) < 2 {
		return "", false
	}
	p.Title = strings.Trim(paper.Sentences(plain)[0], ". ")
	return plain[len(p.Title):], true
}

// takeLinks learns identifiers and the address from the links of a line.
func takeLinks(p *paper.Paper, line string) {
	for _, address := range bare.FindAllString(line, -1) {
		address = strings.TrimRight(address, ".,;:*_")
		ids, ok := paper.ParseIdentifier(address)
		if ok {
			p.IDs.Learn(ids)
		}
		if p.URL == "" {
			p.URL = address
		}
	}
}

// table reads the rows of a table that begins on the line.
func (r *reader) table(first lines.Line) error {
	held := &first
	next := func() (table.Row, error) {
		for {
			line := lines.Line{}
			if held != nil {
				line, held = *held, nil
			} else {
				var err error
				if line, err = r.text.Next(); err != nil {
					return table.Row{}, err
				}
			}
			if !isTableRow(line.Text) {
				r.text.Unread(line)
				return table.Row{}, io.EOF
			}
			cells := splitRow(line.Text)
			if isRule(cells) {
				continue
			}
			return table.Row{Cells: cells, Line: line.Number}, nil
		}
	}
	for record, err := range table.Read(r.ctx, r.src, next) {
		if _, unknown := err.(*table.HeadersError); unknown {
			if r.src.Warn != nil {
				r.src.Warn(first.Number, "a table is not read: "+err.Error())
			}
			return nil
		}
		if err == nil || record.Line != 0 {
			p := &record.Paper
			given := link.ReplaceAllString(p.URL, "$2")
			p.URL = ""
			takeLinks(p, p.Title)
			if p.URL == "" {
				p.URL = given
			}
			p.Title = link.ReplaceAllString(p.Title, "$1")
			if r.heading != "" && len(p.Keywords) == 0 {
				p.Keywords = []string{r.heading}
			}
		}
		if !r.yield(record, err) {
			return errStop
		}
	}
	return nil
}

// splitRow parts a row of a table at its bars.
func splitRow(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
	for i, cell := range cells {
		cells[i] = strings.TrimSpace(strings.ReplaceAll(cell, "\x00", "|"))
	}
	return cells
}

func isRule(cells []string) bool {
	for _, cell := range cells {
		if strings.Trim(cell, ":- ") != "" {
			return false
		}
	}
	return true
}
