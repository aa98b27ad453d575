package paper_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/paper"
)

func TestParseDOI(t *testing.T) {
	tests := []struct{ text, want string }{
		{"10.1000/xyz", "10.1000/xyz"},
		{"10.5555/ABC.Def(2020)7", "10.5555/abc.def(2020)7"},
		{"https://doi.org/10.5555/abc", "10.5555/abc"},
		{"http://dx.doi.org/10.5555/abc ", "10.5555/abc"},
		{"DOI: 10.5555/abc.def%282020%297.", "10.5555/abc.def(2020)7"},
		{"doi:10.5555/abc,", "10.5555/abc"},
		{"(doi 10.5555/abc)", "10.5555/abc"},
		{"10.5555/abc [doi]", "10.5555/abc"},
		{"https://onlinelibrary.wiley.com/doi/abs/10.1002/ar.25520", "10.1002/ar.25520"},
		{"https://www.tandfonline.com/doi/full/10.1080/01.02?src=recsys", "10.1080/01.02"},
		{"https://dl.acm.org/doi/pdf/10.1145/3292500.3330701", "10.1145/3292500.3330701"},
		{"https://doi.org/10.5555/abc/pdf", "10.5555/abc"},
		{"10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O", "10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o"},
		{"10.1000.10/123456", "10.1000.10/123456"},
		{"10/zz9zz9", "10/zz9zz9"},
		{"https://doi.org/10/zz9zz9", "10/zz9zz9"},
		{"n/a", ""}, {"", ""}, {"10.5555", ""}, {"10.5555/", ""}, {"version 210.5555/x", ""}, {"10/12/2020", ""},
	}
	for _, test := range tests {
		got, ok := paper.ParseDOI(test.text)
		if !ok {
			got = ""
		}
		if got != test.want {
			t.Errorf("ParseDOI(%q) = %q, want %q", test.text, got, test.want)
		}
		if again, _ := paper.ParseDOI(got); ok && again != got {
			t.Errorf("ParseDOI(%q) = %q, want it unchanged", got, again)
		}
	}
}

func TestParseIdentifier(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"2401.00001", []string{"arxiv:2401.00001"}},
		{"2401.00001v12", []string{"arxiv:2401.00001"}},
		{"0704.0001", []string{"arxiv:0704.0001"}},
		{"arXiv:1601.07616v1 [hep-th]", []string{"arxiv:1601.07616"}},
		{"hep-th/9901001v2", []string{"arxiv:hep-th/9901001"}},
		{"math.GT/0309136", []string{"arxiv:math/0309136"}},
		{"https://arxiv.org/pdf/cs/0701188.pdf", []string{"arxiv:cs/0701188"}},
		{"https://arxiv.org/pdf/2401.00001v2.pdf", []string{"arxiv:2401.00001"}},
		{"http://export.arxiv.org/abs/2401.00001?context=cs", []string{"arxiv:2401.00001"}},
		{"https://arxiv.org/html/2401.00001v1#S2", []string{"arxiv:2401.00001"}},
		{"10.48550/arXiv.2102.00002", []string{"arxiv:2102.00002"}},
		{"https://doi.org/10.48550/arXiv.2102.00002", []string{"arxiv:2102.00002"}},
		{"arXiv preprint arXiv:1706.03762", []string{"arxiv:1706.03762"}},
		{"https://openreview.net/forum?id=abc_DEF-12&noteId=x", []string{"openreview:abc_DEF-12"}},
		{"https://openreview.net/pdf?id=abcDEF123", []string{"openreview:abcDEF123"}},
		{"openreview:abcDEF123", []string{"openreview:abcDEF123"}},
		{"PMID: 30922926", []string{"pmid:30922926"}},
		{"pmid:30922926", []string{"pmid:30922926"}},
		{"https://pubmed.ncbi.nlm.nih.gov/30922926/", []string{"pmid:30922926"}},
		{"https://openalex.org/W2741809807", []string{"openalex:W2741809807"}},
		{"openalex:W27", []string{"openalex:W27"}},
		{"https://www.semanticscholar.org/paper/Title/649def34f8be52c8b66281af98ae884c09aef38b", []string{"s2:649def34f8be52c8b66281af98ae884c09aef38b"}},
		{"s2:CorpusID:123", []string{"s2:corpusid:123"}},
		{"https://doi.org/10.5555/abc", []string{"doi:10.5555/abc"}},
		{"10.5555/abc", []string{"doi:10.5555/abc"}},
		{"https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7026692", nil},
		{"2013.0001", nil}, {"1313.12345", nil}, {"foo/0309136", nil}, {"W3", nil}, {"doe2020", nil}, {"4983", nil}, {"", nil}, {"arxiv:", nil},
		{"a title about 10.5555/abc", nil},
	}
	for _, test := range tests {
		ids, ok := paper.ParseIdentifier(test.text)
		if diff := cmp.Diff(ids.List(), test.want); diff != "" || ok != (test.want != nil) {
			t.Errorf("ParseIdentifier(%q) = %v, %v, want %v", test.text, ids.List(), ok, test.want)
		}
	}
}

func TestVersionIsKeptApart(t *testing.T) {
	for text, want := range map[string]int{"2401.00001v3": 3, "2401.00001": 0, "cs/0701188v2": 2, "https://arxiv.org/abs/2401.00001v11": 11} {
		if _, version, ok := paper.ParseArXiv(text); !ok || version != want {
			t.Errorf("ParseArXiv(%q) gives version %d, %v, want %d", text, version, ok, want)
		}
	}
}

func TestID(t *testing.T) {
	p := &paper.Paper{Title: "A <i>Title</i>", Abstract: "An abstract.", IDs: paper.Identifiers{ArXiv: "2401.00001", PMID: "1", DOI: "10.1000/x"}}
	if got, want := paper.ID(p), "doi:10.1000/x"; got != want {
		t.Errorf("ID = %q, want %q", got, want)
	}
	content := p.ContentID()
	if diff := cmp.Diff(p.Aliases(), []string{"doi:10.1000/x", "arxiv:2401.00001", "pmid:1", content}); diff != "" {
		t.Errorf("aliases (-got +want):\n%s", diff)
	}
	same := &paper.Paper{Title: "A title.", Abstract: "Abstract: An  ABSTRACT"}
	if got := paper.ID(same); got != content {
		t.Errorf("ID = %q, want %q as of the same text", got, content)
	}
	if len(content) != len("p:")+20 || !strings.HasPrefix(content, "p:") {
		t.Errorf("ContentID = %q, want p: and 20 digits", content)
	}
}

func TestTitleAloneDoesNotMakeAWork(t *testing.T) {
	a := &paper.Paper{Title: "Editorial", Year: 2019, Venue: "Journal of A", Abstract: "Abstract not available"}
	b := &paper.Paper{Title: "Editorial", Year: 2020, Venue: "Journal of A"}
	if paper.ID(a) == paper.ID(b) {
		t.Errorf("two editorials share the id %s", paper.ID(a))
	}
	a.IDs.DOI = "10.1000/a"
	if diff := cmp.Diff(a.Aliases(), []string{"doi:10.1000/a"}); diff != "" {
		t.Errorf("aliases without an abstract (-got +want):\n%s", diff)
	}
}

func TestText(t *testing.T) {
	tests := []struct{ name, title, abstract, want string }{
		{"both", "A title", "An abstract.", "A title. An abstract."},
		{"title with a full stop", "A title.", "An abstract.", "A title. An abstract."},
		{"title with a question mark", "A title?", "An abstract.", "A title? An abstract."},
		{"title alone", "A title", "", "A title"},
		{"abstract alone", "", "An abstract.", "An abstract."},
		{"nothing", " ", "\u200b", ""},
		{"placeholder", "A title", "Abstract not available.", "A title"},
		{"placeholder in brackets", "A title", "[No abstract available]", "A title"},
		{"placeholder of two letters", "A title", "N/A", "A title"},
		{"title that is a placeholder", "[No title available]", "An abstract.", "An abstract."},
		{"a title of two words that is none", "No abstract", "Text.", "No abstract. Text."},
		{"prefix with a colon", "P", "ABSTRACT: We study caches.", "P. We study caches."},
		{"prefix on its own line", "P", "Abstract\nMeaning is studied.", "P. Meaning is studied."},
		{"prefix with a dash", "P", "Abstract—We study locks.", "P. We study locks."},
		{"prefix that is a term", "P", "Abstract interpretation gives bounds.", "P. Abstract interpretation gives bounds."},
		{"prefix that is a subject", "P", "Abstracts are short. Summary statistics help.", "P. Abstracts are short. Summary statistics help."},
		{"copyright at the end", "P", "We mend nets. © 2020 Elsevier Ltd. All rights reserved.", "P. We mend nets."},
		{"copyright without a full stop before", "P", "We mend nets © 2020 The Authors.", "P. We mend nets"},
		{"copyright in brackets", "P", "We mend nets. (PsycINFO Database Record (c) 2019 APA, all rights reserved).", "P. We mend nets."},
		{"copyright at the start", "P", "© 2019 IEEE. We mend nets. They hold.", "P. We mend nets. They hold."},
		{"copyright as the subject", "P", "Copyright law matters. It protects works.", "P. Copyright law matters. It protects works."},
		{"copyright alone", "P", "Copyright of Example Journal is the property of Example Ltd.", "P"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := &paper.Paper{Title: test.title, Abstract: test.abstract}
			if got := p.Text(); got != test.want {
				t.Errorf("Text of %q, %q\n got %q\nwant %q", test.title, test.abstract, got, test.want)
			}
			if got, want := p.Empty(), test.want == ""; got != want {
				t.Errorf("Empty = %v, want %v", got, want)
			}
		})
	}
}

func TestName(t *testing.T) {
	tests := []struct{ name, title, abstract, want string }{
		{"title", "A $\\beta$ title", "x", "A β title"},
		{"first sentence", "", "We study e.g. nets. Then we stop.", "We study e.g. nets."},
		{"long sentence", "", strings.Repeat("word ", 100), strings.TrimSpace(strings.Repeat("word ", 31)) + "…"},
		{"nothing", "", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := (&paper.Paper{Title: test.title, Abstract: test.abstract}).Name(); got != test.want {
				t.Errorf("Name = %q, want %q", got, test.want)
			}
		})
	}
}

func TestParseYear(t *testing.T) {
	for text, want := range map[string]int{
		"2020": 2020, "May 2004": 2004, "c1988": 1988, "[1936]": 1936, "1705 (old calendar)": 1705, "2019--2020": 2019, "2020a": 2020, "2020/01/05/Winter": 2020,
		"2021///": 2021, "2021,5": 2021, "2020.0": 2020, "20200131": 2020, "1998 Dec-1999 Jan": 1998, "4/3/2024": 2024, "Mon, 2 Apr 2007 19:18:42 GMT": 2007,
		"in press": 0, "n.d.": 0, "0000": 0, "20-1": 0, "-334": 0, "9999": 0, "": 0, "12345": 0, "20209999": 0,
	} {
		if got := paper.ParseYear(text); got != want {
			t.Errorf("ParseYear(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"two", "We study nets. They hold.", []string{"We study nets.", "They hold."}},
		{"abbreviations", "Nets, e.g. Those of Doe et al. (2020), hold; cf. Fig. 3 and Eqs. 4, i.e. All of them. They do.", []string{"Nets, e.g. Those of Doe et al. (2020), hold; cf. Fig. 3 and Eqs. 4, i.e. All of them.", "They do."}},
		{"et al. at the end", "We follow Doe et al. We differ.", []string{"We follow Doe et al.", "We differ."}},
		{"decimals", "The mean is 1.364 and 12.5 Hz. Then 0.08.", []string{"The mean is 1.364 and 12.5 Hz.", "Then 0.08."}},
		{"initials", "As J. Q. Doe and R. Roe say. It holds.", []string{"As J. Q. Doe and R. Roe say.", "It holds."}},
		{"a letter at the end", "We take vitamin C. This helps.", []string{"We take vitamin C.", "This helps."}},
		{"marks", "Does it? Yes! \"It does.\" (So we say.) Good", []string{"Does it?", "Yes!", "\"It does.\"", "(So we say.)", "Good"}},
		{"numbers", "It has no. 5. 20 runs follow.", []string{"It has no. 5.", "20 runs follow."}},
		{"addresses", "See https://example.org/a.b?c=d. It is there.", []string{"See https://example.org/a.b?c=d.", "It is there."}},
		{"ellipsis", "And so on... We stop.", []string{"And so on...", "We stop."}},
		{"Chinese", "我们研究网络。它们有效。", []string{"我们研究网络。", "它们有效。"}},
		{"nothing", "  ", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(paper.Sentences(test.text), test.want); diff != "" {
				t.Errorf("sentences of %q (-got +want):\n%s", test.text, diff)
			}
		})
	}
}

func FuzzIdentifiers(f *testing.F) {
	for _, seed := range []string{"doi:10.1000/x", "arXiv:cs/0701188v2", "https://openreview.net/forum?id=x", "10/abc", "https://arxiv.org/abs/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ids, ok := paper.ParseIdentifier(text)
		if ok != (len(ids.List()) > 0) {
			t.Errorf("ParseIdentifier(%q) = %+v, %v", text, ids, ok)
		}
		for _, id := range ids.List() {
			again, _ := paper.ParseIdentifier(id)
			if diff := cmp.Diff(again.List(), ids.List()); diff != "" {
				t.Errorf("ParseIdentifier(%q) of %q (-got +want):\n%s", id, text, diff)
			}
		}
	})
}

func FuzzSentences(f *testing.F) {
	f.Add("We study nets, e.g. Fig. 3. They hold.")
	f.Fuzz(func(t *testing.T, text string) {
		text = paper.Clean(text)
		joined := strings.Join(paper.Sentences(text), " ")
		if strings.ReplaceAll(joined, " ", "") != strings.ReplaceAll(text, " ", "") {
			t.Errorf("the sentences of %q joined are %q", text, joined)
		}
	})
}
