package all_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// TestIdentifiersByTrust reads one record whose fields contradict each other, with the
// fields in every rotation of both orders, in every format that can say so.
func TestIdentifiersByTrust(t *testing.T) {
	const address = "https://doi.org/10.9999/address"
	all := paper.Identifiers{DOI: "10.1000/own", ArXiv: "2401.00001", Version: 3, PMID: "111"}
	doi := paper.Identifiers{DOI: "10.1000/own"}
	lines := func(head, tail string) func([]string) string {
		return func(fields []string) string { return head + strings.Join(fields, "\n") + "\n" + tail }
	}
	object := func(head, tail string) func([]string) string {
		return func(fields []string) string { return head + "{" + strings.Join(fields, ", ") + "}" + tail + "\n" }
	}
	table := func(separator string) func([]string) string {
		return func(fields []string) string {
			var names, cells []string
			for _, field := range fields {
				name, cell, _ := strings.Cut(field, "=")
				names, cells = append(names, name), append(cells, cell)
			}
			return strings.Join(names, separator) + "\n" + strings.Join(cells, separator) + "\n"
		}
	}
	tests := []struct {
		format string
		fields []string
		file   func(fields []string) string
		want   paper.Identifiers
	}{
		{"ris", []string{"UR  - " + address, "DO  - 10.1000/own", "L1  - https://arxiv.org/pdf/2402.99999v7", "N1  - PMID: 111", "N1  - arXiv:2401.00001v3", "TI  - A title", "ID  - 10.9999/key", "LK  - https://pubmed.ncbi.nlm.nih.gov/999/"},
			lines("TY  - JOUR\n", "ER  - \n"), all},
		{"jsonl", []string{`"url": "` + address + `"`, `"doi": "10.1000/own"`, `"id": "arXiv:2402.99999v7"`, `"arxiv": "2401.00001v3"`, `"pmid": "111"`, `"title": "A title"`, `"venue": "arXiv:2403.88888"`, `"pdf": "https://arxiv.org/pdf/2404.77777"`},
			object("", ""), all},
		{"csv", []string{"url=" + address, "doi=10.1000/own", "link=https://pubmed.ncbi.nlm.nih.gov/999/", "pmid=111", "arxiv=2401.00001v3", "title=A title", "id=10.9999/key", "eprint=2402.99999"}, table(","), all},
		{"csv", []string{"url=" + address, "doi=10.1000/own", "title=A title"}, table("\t"), doi},
		{"bibtex", []string{"url = {" + address + "},", "doi = {10.1000/own},", "howpublished = {https://arxiv.org/abs/2402.99999},", "eprint = {2401.00001v3},", "archiveprefix = {arXiv},", "pmid = {111},", "title = {A title},", "journal = {arXiv preprint arXiv:2403.88888},"},
			lines("@article{10.9999/key,\n", "}\n"), all},
		{"endnote", []string{"%U " + address, "%R 10.1000/own", "%T A title", "%M 10.9999/key", "%F PMID:111", "%> https://arxiv.org/abs/2401.00001v3"}, lines("%0 Journal Article\n", ""), all},
		{"endnote-xml", []string{"<urls><web-urls><url>" + address + "</url></web-urls></urls>", "<electronic-resource-num>10.1000/own</electronic-resource-num>", "<titles><title>A title</title></titles>", "<label>10.9999/key</label>", "<accession-num>PMID:111</accession-num>",
			"<urls><related-urls><url>https://arxiv.org/abs/2401.00001v3</url></related-urls></urls>"},
			lines("<xml><records><record><ref-type name=\"Journal Article\">17</ref-type>", "</record></records></xml>\n"), all},
		{"nbib", []string{"TI  - A title", "AID - 10.9999/aid [doi]", "LID - 10.1000/own [doi]", "AB  - A text."}, lines("PMID- 111\n", ""), paper.Identifiers{DOI: "10.1000/own", PMID: "111"}},
		{"refworks", []string{"UL " + address, "DO 10.1000/own", "T1 A title", "ID 10.9999/key", "PMID 111", "LK https://arxiv.org/abs/2401.00001v3", "A1 Doe, Jane"}, lines("RT Journal Article\n", ""), all},
		{"wos", []string{"DI 10.1000/own", "D2 10.9999/book", "TI A title", "PM 111", "UT 10.9999/key", "AB A text."}, lines("FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\n", "ER\n\nEF\n"), paper.Identifiers{DOI: "10.1000/own", PMID: "111"}},
		{"csljson", []string{`"URL": "` + address + `"`, `"DOI": "10.1000/own"`, `"id": "10.9999/key"`, `"note": "PMID: 999"`, `"PMID": "111"`, `"arxiv": "2401.00001v3"`, `"number": "arXiv:2402.99999"`, `"title": "A title"`, `"type": "article"`, `"container-title": "arXiv:2403.88888"`},
			object("[", "]"), all},
		{"zotero-json", []string{`"url": "` + address + `"`, `"DOI": "10.1000/own"`, `"PMID": "111"`, `"extra": "PMID: 999\narXiv: 2401.00001v3 [cs]"`, `"title": "A title"`, `"itemType": "journalArticle"`, `"archiveID": "DOI: 10.9999/note"`, `"repository": "arXiv:2402.99999"`},
			object("[", "]"), all},
		{"xml", []string{"<url>" + address + "</url>", "<doi>10.1000/own</doi>", "<identifier>https://arxiv.org/abs/2402.99999</identifier>", "<pmid>111</pmid>", "<arxiv>2401.00001v3</arxiv>", "<title>A title</title>", "<id>10.9999/key</id>"},
			lines("<records><record>", "</record></records>\n"), all},
		{"semanticscholar", []string{`"url": "` + address + `"`, `"externalIds": {"DOI": "10.1000/own", "ArXiv": "2401.00001v3", "PubMed": "111"}`, `"doi": "10.9999/other"`, `"title": "A title"`, `"fieldsOfStudy": ["Biology"]`, `"venue": "arXiv:2402.99999"`},
			object("[", "]"), all},
		{"openalex", []string{`"primary_location": {"landing_page_url": "` + address + `"}`, `"doi": "https://doi.org/10.1000/own"`, `"ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/111"}`, `"title": "A title"`, `"authorships": []`, `"locations": [{"landing_page_url": "https://arxiv.org/abs/2401.00001v3"}]`, `"publication_year": 2020`, `"abstract_inverted_index": {"Text": [0]}`},
			object("", ""), all},
		{"crossref", []string{`"URL": "` + address + `"`, `"DOI": "10.1000/own"`, `"title": ["A title"]`, `"container-title": ["arXiv:2401.00001v3"]`, `"is-referenced-by-count": 1`, `"issued": {"date-parts": [[2020]]}`},
			object(`{"message-type": "work", "message": `, "}"), paper.Identifiers{DOI: "10.1000/own", ArXiv: "2401.00001", Version: 3}},
		{"arxiv", []string{`"id": "2401.00001"`, `"doi": "10.1000/own"`, `"title": "A title"`, `"journal-ref": "arXiv:2402.99999"`, `"versions": [{"version": "v1"}, {"version": "v3"}]`, `"authors_parsed": [["Doe", "Jane", ""]]`},
			object("", ""), paper.Identifiers{DOI: "10.1000/own", ArXiv: "2401.00001", Version: 3}},
		{"scopus-text", []string{"https://www.scopus.com/inward/record.uri?eid=2-s2.0-1&doi=10.9999%2faddress", "DOI: 10.1000/own", "PUBMED ID: 111", "ABSTRACT: A text."}, lines("Scopus\nEXPORT DATE: 10 August 2024\n\nDoe J.\nA title of an article\n(2024) Examples, 15 (1)\n", "SOURCE: Scopus\n"), paper.Identifiers{DOI: "10.1000/own", PMID: "111"}},
		{"pubmed-text", []string{"DOI: 10.1000/own", "PMID: 111"}, lines("1. J Ex. 2020 Feb;63(2):103640. doi: 10.9999/citation.\n\nA title.\n\nDoe J(1).\n\nA text of the abstract.\n\n", "\n"), paper.Identifiers{DOI: "10.1000/own", PMID: "111"}},
	}
	for _, test := range tests {
		t.Run(test.format, func(t *testing.T) {
			reversed := slices.Clone(test.fields)
			slices.Reverse(reversed)
			for _, order := range [][]string{test.fields, reversed} {
				for range order {
					order = append(order[1:], order[0])
					file := test.file(order)
					r := readAll(t, corpus.Options{Format: test.format}, write(t, "x", []byte(file)))
					if len(r.records) != 1 {
						t.Fatalf("%d records, rejected %v, faults %v, of\n%s", len(r.records), r.rejected, r.faults, file)
					}
					if got := r.records[0].Paper.IDs; got != test.want {
						t.Errorf("got %+v, want %+v, of\n%s", got, test.want, file)
					}
				}
			}
		})
	}
}
