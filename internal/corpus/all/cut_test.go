package all_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/seed-9f29d379/akin/internal/corpus"
)

// TestFilesThatAreCutShortSaySo cuts a file of two papers within the second, in every
// format that shows where a paper ends.
func TestFilesThatAreCutShortSaySo(t *testing.T) {
	tests := []struct{ format, head, tail string }{
		{"jsonl", `{"title": "First paper"}` + "\n" + `{"title": "Second pa`, `per"}` + "\n"},
		{"jsonl", "{\n  \"title\": \"First paper\"\n}\n{\n  \"title\": \"Second paper\",\n", "  \"year\": 2020\n}\n"},
		{"jsonl", `[{"title": "First paper"}, {"title": "Second`, ` paper"}]`},
		{"jsonl", `[{"title": "First paper"}, `, `{"title": "Second paper"}]`},
		{"jsonl", `{"a": {"title": "First paper"}, "b": {"title": "Second`, ` paper"}}`},
		{"jsonl", `{"papers": [{"title": "First paper"}`, `, {"title": "Second paper"}]}`},
		{"openalex", `{"meta": {"count": 2}, "results": [{"id": "https://openalex.org/W1", "display_name": "First paper"}, {"id": "https://openalex.org/W2", `, `"display_name": "Second paper"}]}`},
		{"csljson", `[{"id": "a", "type": "article", "title": "First paper"}, {"id": "b", "type": "article", "ti`, `tle": "Second paper"}]`},
		{"bibtex", "@article{a, title = {First paper}}\n\n@article{b, title = {Second", " paper}}\n"},
		{"bibtex", "@article{a, title = {First paper}}\n\n@article{b, title = \"Second paper\",\n", "year = 2020}\n"},
		{"wos", "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nTI First paper\nSO A journal\nER\n\nPT J\nTI Second", " paper\nSO A journal\nER\n\nEF\n"},
		{"wos", "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nTI First paper\nSO A journal\nER\n\n", "PT J\nTI Second paper\nSO A journal\nER\n\nEF\n"},
		{"csv", "title,abstract,year\nFirst paper,One,2019\n\"Second paper\",\"An abstract, of one", " line\",2020\n"},
		{"csv", "title,abstract,year\nFirst paper,One,2019\n\"Second paper\",\"An abstract,\nof two, or even, of,\n", "more lines\",2020\n"},
		{"xml", "<records><record><title>First paper</title></record><record><title>Second", " paper</title></record></records>\n"},
		{"xml", "<records><record><title>First paper</title></record>\n", "<record><title>Second paper</title></record></records>\n"},
		{"arxiv-atom", "<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>http://arxiv.org/api/x</id><entry><id>http://arxiv.org/abs/2401.00001v1</id><title>First paper</title></entry><entry><id>http://arxiv.org/abs/2401.00002v1</id>", "<title>Second paper</title></entry></feed>\n"},
		{"pubmed-xml", "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>First paper</ArticleTitle></Article></MedlineCitation></PubmedArticle>", "<PubmedArticle><MedlineCitation><PMID>2</PMID><Article><ArticleTitle>Second paper</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>\n"},
		{"endnote-xml", "<xml><records><record><ref-type name=\"Journal Article\">17</ref-type><titles><title>First paper</title></titles></record>", "</records></xml>\n"},
	}
	for _, test := range tests {
		t.Run(test.format, func(t *testing.T) {
			if whole := readAll(t, corpus.Options{}, write(t, "file", []byte(test.head+test.tail))); len(whole.faults)+len(whole.rejected) > 0 {
				t.Errorf("the whole file: faults %v, set aside %v; want none", whole.faults, whole.rejected)
			}
			checkCut(t, []byte(test.head))
		})
	}
	packers := map[string]func(io.Writer) (io.WriteCloser, error){
		"zstandard": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
		"xz":        func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
	}
	var papers strings.Builder
	fmt.Fprintln(&papers, `{"title": "First paper"}`)
	for i := range 20_000 { // of which much is unpacked before the end is missed
		fmt.Fprintf(&papers, "{\"title\": \"Paper %d\"}\n", i*i)
	}
	packed := map[string][]byte{"gzip": gzipped(t, papers.String()), "zip": zipped(t, "a.jsonl", papers.String()), "tar": tarred(t, "a.jsonl", papers.String())}
	for name, packer := range packers {
		packed[name] = pack(t, papers.String(), packer)
	}
	for name, content := range packed {
		t.Run(name, func(t *testing.T) {
			r := checkCut(t, content[:len(content)*3/4])
			if name != "zip" && name != "xz" && len(r.records) < 1 { // one lists its members at the end, one packs it all in one piece
				t.Error("what stands before the cut is not read")
			}
		})
	}
}

// TestARecordWithoutItsEndTagIsReadAndTold: some tools leave the last end tag out.
func TestARecordWithoutItsEndTagIsReadAndTold(t *testing.T) {
	for _, content := range []string{"TY  - JOUR\nTI  - First paper\nER  - \n\nTY  - JOUR\nTI  - Second pap", "TY  - JOUR\nTI  - First pa"} {
		r := readAll(t, corpus.Options{}, write(t, "file", []byte(content)))
		want := []string{"the last record does not end with ER: the file may be cut short"}
		if len(r.faults)+len(r.rejected) > 0 || fmt.Sprint(r.warnings) != fmt.Sprint(want) {
			t.Errorf("faults %v, set aside %v, warnings %q; want only %q", r.faults, r.rejected, r.warnings, want)
		}
	}
}

// checkCut reads a file that is cut short, and expects one fault that says so.
func checkCut(t *testing.T, content []byte) *result {
	t.Helper()
	r := readAll(t, corpus.Options{}, write(t, "file", content))
	if len(r.faults) != 1 || !strings.Contains(r.faults[0].Hint, "cut short") {
		t.Fatalf("faults %v, want one with the hint that the file is cut short; %d read, set aside %v", r.faults, len(r.records), r.rejected)
	}
	if len(r.records) > 0 && !strings.HasPrefix(r.records[0].Paper.Title, "First pa") {
		t.Errorf("the first paper is %q", r.records[0].Paper.Title)
	}
	return r
}

// TestPackedFilesWithAFlippedByteAreDamaged flips each byte of a packed file: there is
// a fault with a hint, or the file is read as it was.
func TestPackedFilesWithAFlippedByteAreDamaged(t *testing.T) {
	want := each(readAll(t, corpus.Options{}, write(t, "whole", gzipped(t, packed))), title)
	for name, whole := range map[string][]byte{"gzip": gzipped(t, packed), "zip": zipped(t, "a.jsonl", packed)} {
		for at := range whole {
			content := append([]byte(nil), whole...)
			content[at] ^= 0x10
			r := readAll(t, corpus.Options{}, write(t, "file", content))
			switch {
			case len(r.faults) == 1 && r.faults[0].Hint != "":
			case len(r.faults) == 0 && fmt.Sprint(each(r, title)) == fmt.Sprint(want):
			case len(r.faults)+len(r.records) == 0: // a member that is no list or no file any more
			default:
				t.Errorf("%s with byte %d flipped: %d read, faults %v, hints %+v", name, at, len(r.records), r.faults, r.faults)
			}
		}
	}
}
