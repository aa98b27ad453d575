package all_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// The values that INDEX.md of the awkward files names, field by field.

func readAwkward(t *testing.T, name string) *result {
	t.Helper()
	r := readAll(t, corpus.Options{}, filepath.Join(awkward, name))
	if len(r.faults)+len(r.skipped) > 0 {
		t.Fatalf("faults %v, skipped %v", r.faults, r.skipped)
	}
	return r
}

// each gives one value of every record.
func each[T any](r *result, value func(corpus.Record) T) []T {
	values := make([]T, len(r.records))
	for i, record := range r.records {
		values[i] = value(record)
	}
	return values
}

func title(r corpus.Record) string    { return paper.Clean(r.Paper.Title) }
func abstract(r corpus.Record) string { return (&paper.Paper{Abstract: r.Paper.Abstract}).Text() }
func year(r corpus.Record) int        { return r.Paper.Year }
func id(r corpus.Record) string       { return paper.ID(&r.Paper) }

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("%s (-got +want):\n%s", what, diff)
	}
}

func TestNestedBraces(t *testing.T) {
	r := readAwkward(t, "01-bibtex-nested-braces.bib")
	p := r.records[0].Paper
	equal(t, "title", p.Title, "LSM, B-Tree, or Hash? A Survey of Triple Nested Stores")
	equal(t, "abstract", p.Abstract, "We compare three kinds of stores. Set notation {a, b} must survive.")
	equal(t, "keywords", p.Keywords, []string{"key-value stores", "Write paths", "trees, balanced"})
	equal(t, "authors", p.Authors, []string{"Doe, Jane", "The Sample Consortium"})
	equal(t, "venue", p.Venue, "Proc. of the Example Conference")
	equal(t, "key", r.records[0].Key, "doe2021nested")
}

func TestLaTeXAccents(t *testing.T) {
	p := readAwkward(t, "02-bibtex-latex-accents.bib").records[0].Paper
	equal(t, "authors", p.Authors, []string{"Nováčková, Jürga", "Martín, René", "Trễn, Hắng", "Ørskår, Løve", "Kővári, T.", "Garçon, Noël", "Łada, Ania", "Groß, K."})
	equal(t, "title", p.Title, "Naïve & “robust” methods — a 10% improvement in Möbius strips")
	equal(t, "abstract", p.Abstract, `The König bound… costs $5 per run; see https://example.org/a_b. We use $\alpha$-divergence and H$_2$O.`)
	equal(t, "abstract for a reader", paper.Display(p.Abstract), "The König bound… costs $5 per run; see https://example.org/a_b. We use α-divergence and H2O.")
}

func TestStringConcatenation(t *testing.T) {
	r := readAwkward(t, "03-bibtex-string-concat.bib")
	equal(t, "titles", each(r, title), []string{"Joining strings with the hash sign", "Bare month macro"})
	equal(t, "abstract", r.records[0].Paper.Abstract, "First half. Second half.")
	equal(t, "venues", each(r, func(r corpus.Record) string { return r.Paper.Venue }), []string{"Proceedings of the Example Conference, 2020", "undefinedmacro"})
	equal(t, "warnings", r.warnings, []string{`the macro "undefinedmacro" is not defined; its name is kept`})
}

func TestUnbalancedEntry(t *testing.T) {
	r := readAwkward(t, "04-bibtex-unbalanced-entry.bib")
	equal(t, "keys", each(r, func(r corpus.Record) string { return r.Key }), []string{"good1", "missingcomma", "good2"})
	equal(t, "years", each(r, year), []int{2001, 2003, 2004})
	if len(r.rejected) != 1 || r.rejected[0].Key != "bad" || r.rejected[0].Line != 4 {
		t.Errorf("rejected %v, want bad on line 4", r.rejected)
	}
}

func TestAtSignsAndQuotes(t *testing.T) {
	r := readAwkward(t, "05-bibtex-at-sign-and-quotes.bib")
	equal(t, "abstracts", each(r, func(r corpus.Record) string { return r.Paper.Abstract }), []string{
		`A quote "inside" a quoted value, an email user@example.org, and a note at line start: @not an entry just text`, "Gamma.",
	})
	equal(t, "title", r.records[0].Paper.Title, `Mail to someone @example dot org, and a "quoted" word`)
}

func TestYears(t *testing.T) {
	r := readAwkward(t, "44-years.bib")
	equal(t, "years", each(r, year), []int{2020, 0, 2004, 1988, 1936, 1705, 2019, 0, 2020, 0, 0, 0, 0, 0, 2014})
	equal(t, "texts", each(r, func(r corpus.Record) string { return r.Paper.Date }), []string{
		"", "in press", "May 2004", "c1988", "[1936]", "1705 (old calendar)", "2019–2020", "n.d.", "2020a", "0000", "20-1", "-334", "9999", "", "2014-12-31/2015-01-01",
	})
}

func TestMixedLineEnds(t *testing.T) {
	r := readAwkward(t, "12-mixed-line-ends.ris")
	equal(t, "abstracts", each(r, abstract), []string{"Only carriage returns here.", "Line one of the abstract still line one by a stray CR.", "The file stops without an end tag."})
	equal(t, "years", each(r, year), []int{1999, 2000, 2001})
}

func TestMissingAbstracts(t *testing.T) {
	r := readAwkward(t, "20-missing-abstracts.ris")
	equal(t, "titles", each(r, title), []string{"Title only", "Empty abstract tag", "", "Whole record"})
	equal(t, "abstracts", each(r, abstract), []string{"", "", "An abstract with no title at all.", "Some text."})
	if len(r.rejected) != 1 || r.rejected[0].Line != 18 || r.rejected[0].Reason != "has neither a title nor an abstract" {
		t.Errorf("rejected %v, want the record on line 18", r.rejected)
	}
}

func TestWrappedNBIB(t *testing.T) {
	r := readAwkward(t, "30-nbib-wrapped.nbib")
	p := r.records[0].Paper
	equal(t, "title", p.Title, "Outcomes of a long title that is wrapped at about eighty columns and goes AU - GEN5 on a continuation line that looks like a tag.")
	equal(t, "abstract", p.Abstract, "GENE1 and GENE2 mutations are described. A patient with GENE5 - related disease recovered, and the abstract goes on over PMID- like words to a third line.")
	equal(t, "authors", p.Authors, []string{"Doe, Jane Q", "Roe, Richard"})
	equal(t, "years", each(r, year), []int{2019, 2020})
	equal(t, "ids", p.IDs, paper.Identifiers{DOI: "10.5555/nbib.2", PMID: "99000002"})
}

func TestRepeatedAndContinuedRIS(t *testing.T) {
	r := readAwkward(t, "31-ris-repeated-and-continued.ris")
	p := r.records[0].Paper
	equal(t, "title", p.Title, "Main title")
	equal(t, "abstract", abstract(r.records[0]), "First paragraph of the abstract. Second paragraph after a blank line, with a third line starting at column one. Fourth line, indented.")
	equal(t, "keywords", p.Keywords, []string{"alpha", "beta", "gamma", "delta"})
	equal(t, "authors", p.Authors, []string{"Doe, Jane", "Roe, Richard"})
	equal(t, "DOI", p.IDs.DOI, "10.5555/ris.31")
	equal(t, "years", each(r, year), []int{2020, 2021})
	equal(t, "second abstract", abstract(r.records[1]), "The abstract is in N2.")
}

func TestUTF16(t *testing.T) {
	r := readAwkward(t, "10-utf16le.csv")
	equal(t, "titles", each(r, title), []string{"Größe und Maß", "Plain title"})
	equal(t, "authors", r.records[0].Paper.Authors, []string{"Müller, A.", "Łoś, B."})
}

func TestDOIVariants(t *testing.T) {
	r := readAwkward(t, "19-doi-variants.csv")
	const same = "10.5555/abc.def(2020)7"
	equal(t, "DOIs", each(r, func(r corpus.Record) string { return r.Paper.IDs.DOI }), []string{same, same, same, same, same + "_8", "10/zz9zz9", "", ""})
	papers := map[string]bool{}
	for _, record := range r.records {
		papers[id(record)] = true
	}
	equal(t, "number of papers", len(papers), 5)
}

func TestSemicolonsAndQuotedNewlines(t *testing.T) {
	r := readAwkward(t, "32-semicolon-quoted-newlines.csv")
	equal(t, "titles", each(r, title), []string{"Ein \"zitierter\" Titel; mit Strichpunkt", "Zweiter Titel"})
	equal(t, "abstract", r.records[0].Paper.Abstract, "Zeile eins,\nZeile zwei;\n\nZeile vier.")
	equal(t, "years", each(r, year), []int{2020, 2021})
	equal(t, "lines", each(r, func(r corpus.Record) int { return r.Line }), []int{2, 6})
}

func TestCrossrefJATS(t *testing.T) {
	r := readAwkward(t, "13-crossref-jats.json")
	equal(t, "titles", each(r, title), []string{"Crystals in situ & in theory", ""})
	equal(t, "abstracts", each(r, abstract), []string{
		"Objective: To study H2O and 10^3 cells where a < b. Results: It worked well.", "Plain HTML paragraph. one two",
	})
	equal(t, "authors", r.records[0].Paper.Authors, []string{"Doe, Jane", "The Sample Group"})
	equal(t, "years", each(r, year), []int{2021, 0})
	equal(t, "ids", each(r, id), []string{"doi:10.5555/jats.1", "doi:10.5555/jats.2"})
}

func TestAbstractPrefixes(t *testing.T) {
	r := readAwkward(t, "15-abstract-prefix.jsonl")
	equal(t, "abstracts", each(r, abstract), []string{
		"We study caches.", "We study queues.", "We study locks. Index Terms—locks, threads.",
		"Abstract Meaning Representation is a graph form of sentence meaning.", "Abstract interpretation gives sound bounds.",
		"We study heaps.", "We study trees.",
	})
}

func TestArXivDump(t *testing.T) {
	r := readAwkward(t, "16-arxiv-latex-newlines.jsonl")
	p := r.records[0].Paper
	equal(t, "title", p.Title, `Bounds for $(p,\ell)$-marble games on $\mathbb{Z}_{p}$ grids`)
	equal(t, "authors", p.Authors, []string{"Dóe, J.", "Roe, A. B.", "Poe, C., II"})
	equal(t, "text", p.Text(), "Bounds for (p,ℓ)-marble games on Z_p grids. We show that O(n log n) steps suffice for all k ≥ 2, improving"+
		" the bound of by a factor of ≈ 10%. Costs are $3 to $5 per run. A second paragraph starts here.")
	equal(t, "ids", p.IDs, paper.Identifiers{ArXiv: "2101.00001", Version: 1})
}

func TestArXivVersions(t *testing.T) {
	r := readAwkward(t, "17-arxiv-versions.jsonl")
	equal(t, "ids", each(r, id), []string{"arxiv:2102.00002", "arxiv:2102.00002", "arxiv:2102.00002", "doi:10.5555/pub.77", "arxiv:2102.00002"})
	equal(t, "versions", each(r, func(r corpus.Record) int { return r.Paper.IDs.Version }), []int{1, 3, 0, 0, 0})
}

func TestOldArXivIDs(t *testing.T) {
	r := readAwkward(t, "18-arxiv-old-ids.jsonl")
	equal(t, "ids", each(r, id), []string{
		"arxiv:hep-th/9901001", "arxiv:math/0309136", "arxiv:quant-ph/0112019", "arxiv:astro-ph/0112019", "arxiv:atom-ph/9601001", "arxiv:cs/0701188", "arxiv:1601.07616",
	})
}

func TestNaN(t *testing.T) {
	r := readAwkward(t, "23-nan.json")
	equal(t, "years", each(r, year), []int{0, 2020})
	equal(t, "abstracts", each(r, abstract), []string{"", "Text."})
}

func TestConcatenatedObjects(t *testing.T) {
	r := readAwkward(t, "25-concatenated-objects.json")
	equal(t, "titles", each(r, title), []string{"Pretty printed one", "Pretty printed two", "Glued three"})
	equal(t, "lines", each(r, func(r corpus.Record) int { return r.Line }), []int{1, 3, 4})
}

func TestOpenReviewNotes(t *testing.T) {
	r := readAwkward(t, "27-openreview-v2.json")
	equal(t, "titles", each(r, title), []string{"A study of nested values", "No abstract key here", "Old flat form"})
	p := r.records[0].Paper
	equal(t, "authors", p.Authors, []string{"Jane Doe", "Richard Roe"})
	equal(t, "keywords", p.Keywords, []string{"nesting", "json"})
	equal(t, "venue", p.Venue, "EXAMPLE 2024 poster")
	equal(t, "year", p.Year, 2024)
	equal(t, "url", p.URL, "https://openreview.net/forum?id=abc123XYZ")
	equal(t, "ids", each(r, id), []string{"openreview:abc123XYZ", "openreview:def456", "openreview:ghi789"})
}

func TestInvertedIndex(t *testing.T) {
	r := readAwkward(t, "28-openalex-inverted-index.json")
	equal(t, "titles", each(r, title), []string{"Order from positions", "No abstract"})
	equal(t, "abstracts", each(r, abstract), []string{"We rebuild all the words in order of the text.", ""})
	equal(t, "ids", r.records[0].Paper.IDs, paper.Identifiers{DOI: "10.5555/oa.1", OpenAlex: "W1"})
}

func TestDoubleEscaped(t *testing.T) {
	r := readAwkward(t, "38-double-escaped.jsonl")
	equal(t, "titles", each(r, title), []string{"Tools for Data & People in practice", "R&D and AT&T, with x<5 and p<.001"})
	equal(t, "abstracts", each(r, abstract), []string{"If a < b && b > c then stop. New line. Tagged", "Keep i<j>k as text; 3 < 4 > 2."})
}

func TestLigatures(t *testing.T) {
	text := readAwkward(t, "39-ligatures-soft-hyphens.jsonl").records[0].Paper.Text()
	equal(t, "text", text, "Efficient flow classification. The proposed classifier is efficient; optimized code runs, state-of-the-art too. Œuvre stays. x² stays, ½ too.")
}

func TestStructuredPubMed(t *testing.T) {
	r := readAwkward(t, "29-pubmed-structured.xml")
	p := r.records[0].Paper
	equal(t, "title", title(r.records[0]), "Diet of Exemplum exempli (CO2) in winter.")
	equal(t, "abstract", abstract(r.records[0]), "BACKGROUND: Herons (E. exempli) eat < 5 fish. METHODS: We counted. Unlabelled part.")
	equal(t, "year", p.Year, 1998)
	equal(t, "id", id(r.records[0]), "doi:10.5555/pm.1")
}

func TestControlCharactersInXML(t *testing.T) {
	r := readAwkward(t, "37-control-chars.xml")
	equal(t, "titles", each(r, title), []string{"Control characters", "Second"})
	equal(t, "abstracts", each(r, abstract), []string{"Pasted from a word processor page and an unknown entity.", "Fine."})
	equal(t, "years", each(r, year), []int{2018, 2019})
	equal(t, "warnings", r.warnings, []string{"has characters that XML may not have; they are left out"})
}

func TestPackedFiles(t *testing.T) {
	equal(t, "gzip", len(readAwkward(t, "42a-papers.jsonl.gz").records), 2)
	equal(t, "no gzip", len(readAwkward(t, "42c-not-really-gzip.json.gz").records), 1)
	r := readAll(t, corpus.Options{}, filepath.Join(awkward, "42f-truncated.jsonl.gz"))
	if len(r.faults) != 1 || !strings.Contains(r.faults[0].Error(), "unexpected end") || r.faults[0].Hint == "" {
		t.Errorf("faults %v, want an unexpected end with a hint", r.faults)
	}
}

func TestFilesWithoutPapers(t *testing.T) {
	tests := []struct{ name, fault, warning string }{
		{"50-empty.csv", "reading " + filepath.Join(awkward, "50-empty.csv") + ": the file is empty", ""},
		{"51-only-header.csv", "", "0 papers were found in it (read as csv)"},
		{"52-empty-array.json", "", "0 papers were found in it (read as jsonl)"},
		{"53-html-error-page.json", "reading " + filepath.Join(awkward, "53-html-error-page.json") + ": this is an HTML page, not a list of papers", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := readAll(t, corpus.Options{}, filepath.Join(awkward, test.name))
			fault, warning := "", strings.Join(r.warnings, "; ")
			if len(r.faults) > 0 {
				fault = r.faults[0].Error()
			}
			equal(t, "fault", fault, test.fault)
			equal(t, "warning", warning, test.warning)
		})
	}
}
