package fields

import (
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// A Field is one thing that a source says about a paper.
type Field int

// The fields of a record, as --map names them.
const (
	None Field = iota
	Title
	Abstract
	Authors
	Year
	Date
	Venue
	URL
	Keywords
	DOI
	ArXiv
	OpenReview
	PMID
	OpenAlex
	S2
	Key
)

// Named gives the field that --map calls name.
func Named(name string) Field { return mapNames[strings.ToLower(name)] }

var mapNames = map[string]Field{
	"title": Title, "abstract": Abstract, "authors": Authors, "author": Authors, "year": Year, "date": Date, "venue": Venue,
	"url": URL, "keywords": Keywords, "doi": DOI, "arxiv": ArXiv, "openreview": OpenReview, "pmid": PMID, "openalex": OpenAlex,
	"s2": S2, "id": Key, "key": Key,
}

// Of gives the field that a column or key of any tool holds, None for one that is not
// used. Case and punctuation do not matter.
func Of(name string) Field { return names[paper.Fold(name)] }

// names are the folded names that tools give to the fields.
var names = namesOf(map[Field]string{
	Title: "title titles articletitle papertitle titleprimary primarytitle documenttitle worktitle publicationtitle itemtitle ti t1 displayname" +
		" name titel titre titulo titolo",
	Abstract: "abstract abstracts abstracttext abstractnote paperabstract ab n2 summary description dcdescription abstractenglish" +
		" zusammenfassung resume resumen riassunto text inventionabstract",
	Authors: "authors author authornames authornamesfull authorfullnames authorsfullnames creators creator dccreator au authorsprimary primaryauthors" +
		" authorlist autoren auteurs autores authorshipsauthordisplayname authorshipsrawauthorname authorsparsed",
	Year: "year publicationyear pubyear publishedyear yearpublished py yearofpublication copyrightyear jahr annee ano anno",
	Date: "date publicationdate publisheddate datepublished pubdate published dp coverdate issued createdate dateofpublication updatedate" +
		" cdate pdate created entrydate",
	Venue: "venue journal journaltitle containertitle booktitle conference conferencename sourcetitle publicationname journalname" +
		" jo jf t2 so source publication periodical periodicalfull proceedingstitle venuename hostvenue primarylocationsourcedisplayname" +
		" fulljournalname journalbook series zeitschrift revue revista",
	URL: "url urls link links uri href articleurl pdfurl fulltexturl landingpageurl primarylocationlandingpageurl externalurl ur" +
		" sourceurl urllandingpage pdf",
	Keywords: "keywords keyword authorkeywords tags manualtags subjects subject kw de descriptors keywordsplus schlagworter motscles" +
		" keywordsdisplayname fieldsofstudy topics categories palavraschave",
	DOI:        "doi digitalobjectidentifier doilink doiurl do elocationdoi articledoi",
	ArXiv:      "arxiv arxivid arxivids eprint arxivnumber idsarxiv",
	OpenReview: "openreview openreviewid forum",
	PMID:       "pmid pubmedid pubmed medlineid pubmedpmid idspmid medlinepmid",
	OpenAlex:   "openalex openalexid idsopenalex",
	S2:         "s2 s2id paperid corpusid semanticscholarid sha",
	Key:        "id key citationkey citekey bibtexkey uid recordid recordnumber accessionnumber an eid lensid referenceid ut identifier",
})

func namesOf(lists map[Field]string) map[string]Field {
	table := map[string]Field{}
	for field, list := range lists {
		for name := range strings.FieldsSeq(list) {
			table[name] = field
		}
	}
	return table
}

// Set puts the text that a source has for a field into the record. What is there
// already stays; of two abstracts the longer is kept.
func Set(record *corpus.Record, field Field, text string) {
	p := &record.Paper
	if IsMissing(text) {
		return
	}
	switch field {
	case Title:
		if p.Title == "" {
			p.Title = text
		}
	case Abstract:
		if len(text) > len(p.Abstract) {
			p.Abstract = text
		}
	case Authors:
		if len(p.Authors) == 0 {
			p.Authors = SplitAuthors(text)
		}
	case Year, Date:
		SetDate(p, text)
	case Venue:
		if p.Venue == "" {
			p.Venue = strings.TrimSpace(text)
		}
	case URL:
		SetURL(p, text)
	case Keywords:
		p.Keywords = append(p.Keywords, SplitKeywords(text)...)
	case Key:
		if record.Key == "" {
			record.Key = strings.TrimSpace(text)
		}
		learn(p, text)
	default:
		setIdentifier(p, field, text)
	}
}

// IsMissing reports whether a source's text says that it has none: blank, "NaN", "null".
func IsMissing(text string) bool {
	if len(text) > 8 {
		return strings.TrimSpace(text) == ""
	}
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "nan", "null", "none", "n/a", "na", "nil", "<na>", "#n/a":
		return true
	}
	return false
}

func setIdentifier(p *paper.Paper, field Field, text string) {
	var ids paper.Identifiers
	switch field {
	case DOI:
		ids.DOI, _ = paper.ParseDOI(text)
		if id, version, ok := paper.ParseArXiv(text); ok {
			ids = paper.Identifiers{ArXiv: id, Version: version}
		}
	case ArXiv:
		ids.ArXiv, ids.Version, _ = paper.ParseArXiv(text)
	case OpenReview:
		ids.OpenReview, _ = paper.ParseOpenReview(text)
	case PMID:
		ids.PMID, _ = paper.ParsePMID(text)
	case OpenAlex:
		ids.OpenAlex, _ = paper.ParseOpenAlex(text)
	case S2:
		ids.S2, _ = paper.ParseS2(text)
	default:
		return
	}
	p.IDs.Learn(ids)
}

// learn takes an identifier from a text that may be one.
func learn(p *paper.Paper, text string) {
	if ids, ok := paper.ParseIdentifier(text); ok {
		p.IDs.Learn(ids)
	}
}

// SetURL sets the address of a paper, the first of several, and learns the identifiers
// that are in it.
func SetURL(p *paper.Paper, text string) {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\r' || r == '\t' || r == ';' }) {
		learn(p, part)
		if p.URL == "" && (strings.Contains(part, "://") || strings.HasPrefix(part, "www.")) {
			p.URL = part
		}
	}
}

// SetDate sets the year of a paper, and keeps the text of a date that says more.
func SetDate(p *paper.Paper, text string) {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, ".0") && len(text) == len("2020.0") {
		text = strings.TrimSuffix(text, ".0") // a table's number
	}
	year := paper.ParseYear(text)
	if p.Year == 0 {
		p.Year = year
	}
	if p.Date == "" && !(year != 0 && len(text) == 4) {
		p.Date = text
	}
}

// SetAll puts the texts of a list into the record.
func SetAll(record *corpus.Record, field Field, texts []string) {
	switch {
	case len(texts) == 0:
	case field == Authors && len(texts) > 1:
		if len(record.Paper.Authors) == 0 {
			record.Paper.Authors = texts
		}
	case field == Keywords && len(texts) > 1:
		record.Paper.Keywords = append(record.Paper.Keywords, texts...)
	case field == Abstract:
		Set(record, field, strings.Join(texts, " "))
	default:
		Set(record, field, texts[0])
	}
}

// Reject gives the reason why a record cannot be used, nil for one that can.
func Reject(record corpus.Record) error {
	if record.Paper.Empty() {
		return &corpus.Rejected{Line: record.Line, Key: record.Key, Reason: "has neither a title nor an abstract"}
	}
	return nil
}
