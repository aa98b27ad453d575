package all_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/all"
)

// endless gives head, then fill again and again up to size bytes, then tail, and keeps
// account of the memory in use while it is read.
type endless struct {
	head, fill, tail string
	size             int
	given            int
	checked          int
	peak             uint64
}

func (e *endless) Read(p []byte) (int, error) {
	if e.given-e.checked >= 8<<20 {
		e.checked = e.given
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		e.peak = max(e.peak, stats.HeapAlloc)
	}
	n := 0
	for n < len(p) {
		var source string
		switch at := e.given - len(e.head); {
		case e.given < len(e.head):
			source = e.head[e.given:]
		case at < e.size:
			source = e.fill[at%len(e.fill):]
		case at-e.size < len(e.tail):
			source = e.tail[at-e.size:]
		default:
			if n == 0 {
				return 0, io.EOF
			}
			return n, nil
		}
		c := copy(p[n:], source)
		n += c
		e.given += c
	}
	return n, nil
}

// TestHostileInputIsReadInBoundedMemory gives every text format what would fill the
// memory of a reader that trusts its input.
func TestHostileInputIsReadInBoundedMemory(t *testing.T) {
	const (
		// Sizes just over the limits; once each was measured with 100 MB.
		record = 72 << 20
		line   = 20 << 20
		many   = 1 << 20   // of short units
		bound  = 400 << 20 // a record may have 64 MB; buffers double, and the collector lags
	)
	fill := strings.Repeat("word ", 1000)
	good := `{"title": "The record after it"}` + "\n"
	tests := []struct {
		name, head, fill, tail string
		read                   int // records with the rejected ones; -1 for any number
	}{
		{"a JSON line without an end", `{"title": "`, fill, "\"}\n" + good, 2},
		{"a JSON line without an end, cut", `{"title": "`, fill, "", 1},
		{"deep JSON", `{"title": "x", "a": `, strings.Repeat("[", 1000), "\n" + good, 2},
		{"deep JSON arrays", "[", strings.Repeat("[", 1000), "", -1},
		{"a JSON array of numbers", `{"meta": [`, "1,2,3,", "1], \"results\": [" + good + "]}", 1},
		{"empty JSON objects", "", "{}\n", good, -1},
		{"a BibTeX value without an end", "@article{a, title = {", fill, "\n@article{b, title = {The entry after it}}\n", 2},
		{"a BibTeX value in many lines", "@article{a, title = {", strings.Repeat(fill+"\n", 10), "\n@article{b, title = {The entry after it}}\n", 2},
		{"a BibTeX comment without an end", "@comment{", strings.Repeat(fill+"\n", 10), "\n@article{b, title = {The entry after it}}\n", -1},
		{"empty BibTeX entries", "@article{a,title={x}}\n", "@misc{}\n", "", -1},
		{"a RIS line without an end", "TY  - JOUR\nAB  - ", fill, "\nER  - \nTY  - JOUR\nTI  - The record after it\nER  - \n", 2},
		{"a RIS record without an end", "TY  - JOUR\nAB  - ", fill + "\n", "\nER  - \nTY  - JOUR\nTI  - The record after it\nER  - \n", 2},
		{"a RIS record of many fields", "TY  - JOUR\nTI  - x\n", "KW  - \n", "\nER  - \nTY  - JOUR\nTI  - The record after it\nER  - \n", 2},
		{"an NBIB record without an end", "PMID- 1\nAB  - ", strings.Repeat("x", 70) + "\n      ", "\n\nPMID- 2\nTI  - The record after it\n", 2},
		{"a CSV cell without an end", "title,abstract,year\n\"", fill, "\nThe row after it,x,2020\n", -1},
		{"a CSV cell without an end, in lines", "title,abstract,year\n\"", fill + "\n", "\nThe row after it,x,2020\n", -1},
		{"CSV rows of nothing", "title,abstract,year\n", ",,\n", "The row after it,x,2020\n", 1},
		{"a CSV row of many cells", "title,abstract,year\n", "x,", "\nThe row after it,x,2020\n", -1},
		{"an XML text without an end", "<?xml version=\"1.0\"?><records><record><title>", fill, "</title></record><record><title>The one after it</title></record></records>", 2},
		{"deep XML", "<?xml version=\"1.0\"?><records><record><title>x</title>", "<a>", "</record><record><title>The one after it</title></record></records>", -1},
		{"an XML tag without an end", "<?xml version=\"1.0\"?><records><record><title a=\"", fill, "\">x</title></record></records>", -1},
		{"an XML record of many elements", "<?xml version=\"1.0\"?><records><record><title>x</title>", "<a/><b>y</b>", "</record><record><title>The one after it</title></record></records>", -1},
		{"PubMed's XML with a long abstract", "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>x</ArticleTitle><Abstract>", "<AbstractText>y</AbstractText>", "</Abstract></Article></MedlineCitation></PubmedArticle>", 1},
		{"a paragraph without an end", "A heading\n\nText. ", fill, "\n\nThe paragraph after it, which is one.\n", -1},
		{"a paragraph of many lines", "A heading\n\nText. ", fill + "\n", "\n\nThe paragraph after it, which is one.\n", -1},
		{"a Markdown item without an end", "- [A paper](https://example.org)\n- [B paper](https://example.org) ", fill, "\n- [C](https://example.org)\n", -1},
		{"an inverted index of one far place", `{"results": [{"display_name": "x", "abstract_inverted_index": {"a": [1000000000`, "00", `], "b": [0]}}]}`, -1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			runtime.GC()
			size := many
			switch {
			case len(test.fill) >= 1000 && strings.HasPrefix(test.head, "{"):
				size = record
			case len(test.fill) >= 1000:
				size = line
			}
			body := &endless{head: test.head, fill: test.fill, tail: test.tail, size: size / len(test.fill) * len(test.fill)}
			read := 0
			for _, err := range corpus.Read(context.Background(), all.Formats(), []string{"-"}, corpus.Options{Stdin: body}) {
				var fault *corpus.Fault
				if !errors.As(err, &fault) {
					read++
				}
			}
			if test.read >= 0 && read != test.read {
				t.Errorf("read %d records, want %d", read, test.read)
			}
			if body.peak > bound {
				t.Errorf("%d MB were in use at once", body.peak>>20)
			}
		})
	}
}

func TestEntitiesAreNotExpanded(t *testing.T) {
	bomb := `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
<records><record><title>Text &b; and &c;.</title></record></records>`
	var titles []string
	for record, err := range corpus.Read(context.Background(), all.Formats(), []string{"-"}, corpus.Options{Stdin: strings.NewReader(bomb)}) {
		if err != nil {
			t.Fatal(err)
		}
		titles = append(titles, record.Paper.Title)
	}
	equal(t, "titles", titles, []string{"Text &b; and &c;."})
}

// TestManyEmptyRecordsAreAllCounted reads records of nothing.
func TestManyEmptyRecordsAreAllCounted(t *testing.T) {
	const records = 300_000
	body := &endless{fill: "{}\n", size: 3 * records}
	rejected := 0
	for _, err := range corpus.Read(context.Background(), all.Formats(), []string{"-"}, corpus.Options{Stdin: body}) {
		var r *corpus.Rejected
		if !errors.As(err, &r) {
			t.Fatalf("got %v, want a rejection", err)
		}
		if rejected++; r.Line != rejected {
			t.Fatalf("rejection %d is of line %d", rejected, r.Line)
		}
	}
	if rejected != records {
		t.Errorf("%d were rejected, want %d", rejected, records)
	}
}

// TestCancelledReadingStops holds for every format's own loop.
func TestCancelledReadingStops(t *testing.T) {
	for _, head := range []string{`{"title": "x", "n": 1}` + "\n", "@misc{a, title={x}}\n", "TY  - JOUR\nTI  - x\nER  - \n", "title,abstract,year\nx,y,2020\n", "<records><record><title>x</title></record>\n"} {
		ctx, cancel := context.WithCancel(context.Background())
		fill := head
		if i := strings.Index(fill, "x,y"); i >= 0 {
			fill = fill[i:]
		}
		body := &endless{head: head, fill: fill, size: 1 << 30}
		read := 0
		var last error
		for _, err := range corpus.Read(ctx, all.Formats(), []string{"-"}, corpus.Options{Stdin: body}) {
			if read++; read == 10 {
				cancel()
			}
			last = err
		}
		cancel()
		if !errors.Is(last, context.Canceled) {
			t.Errorf("after %d records of %q the last error is %v", read, head, last)
		}
	}
}

func Example() {
	text := "@article{doe2020, title = {On Examples}, year = 2020}"
	for record, err := range corpus.Read(context.Background(), all.Formats(), []string{"-"}, corpus.Options{Stdin: strings.NewReader(text)}) {
		fmt.Println(record.Key, record.Paper.Title, record.Paper.Year, err)
	}
	// Output: doe2020 On Examples 2020 <nil>
}
