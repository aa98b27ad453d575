package fields

import (
	"maps"
	"slices"
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
	ID // under which a library of akin has it
	fieldCount
)

// A Name is what a column or key of some tool stands for: a field, and how good this
// source of it is among the others, 0 the best.
type Name struct {
	Field Field
	Rank  int
}

// Mapped gives the field that --map calls name; it is better than any other source.
func Mapped(name string) Name { return Name{mapNames[strings.ToLower(name)], -1} }

// MapNames gives the names that Mapped knows, sorted.
func MapNames() []string { return slices.Sorted(maps.Keys(mapNames)) }

var mapNames = map[string]Field{
	"title": Title, "abstract": Abstract, "authors": Authors, "author": Authors, "year": Year, "date": Date, "venue": Venue,
	"url": URL, "keywords": Keywords, "doi": DOI, "arxiv": ArXiv, "openreview": OpenReview, "pmid": PMID, "openalex": OpenAlex,
	"s2": S2, "id": Key, "key": Key,
}

// Of gives what a column or key of any tool stands for; its field is None for one that
// is not used. Case and punctuation do not matter.
func Of(name string) Name { return names[paper.Fold(name)] }

// names are the folded names that tools give to the fields, for each field the best
// source first.
var names = namesOf(map[Field]string{
	Title: "title articletitle papertitle titleprimary primarytitle documenttitle worktitle itemtitle displayname titles ti t1" +
		" titel titre titulo titolo maintitle dctitle headline name",
	Abstract: "abstract abstracttext abstractnote paperabstract abstracts ab abstractenglish n2 zusammenfassung resume resumen riassunto" +
		" summary description dcdescription inventionabstract text",
	Authors: "authorfullnames authorsfullnames authorsparsed authors authornames authornamesfull author authorss creators creator dccreator" +
		" authorsprimary primaryauthors authorlist authorstring authorshipsauthordisplayname authorshipsrawauthorname au af autoren auteurs autores",
	Year: "year publicationyear pubyear publishedyear yearpublished yearofpublication py copyrightyear jahr annee ano anno",
	Date: "date publicationdate publisheddate datepublished pubdate dateofpublication published coverdate issued dp pdate prismcoverdate" +
		" createdate created updatedate entrydate",
	Venue: "venue journal journalinfo journaltitle publicationtitle containertitle booktitle sourcetitle conference conferencename conferencetitle publicationname journalname" +
		" periodicalfull periodical proceedingstitle venuename hostvenue primarylocationsourcedisplayname fulljournalname journalbook" +
		" publication jo jf t2 so source prismpublicationname titlesecondary booktitles series zeitschrift revue revista",
	URL: "url urls link links uri href landingpageurl primarylocationlandingpageurl articleurl externalurl sourceurls urllandingpage" +
		" embaselink fulltextlink fulltexturl plink ur sourceurl pdfurl pdflink pdf openaccesspdf",
	Keywords: "authorkeywords keywords keyword keywordlist keywordsdisplayname manualtags tags de subjects subject kw descriptors topics fieldsofstudy" +
		" fieldofstudy categories indexkeywords keywordsplus meshterms automatictags schlagworter schlagworte motscles palavraschave",
	DOI:        "doi digitalobjectidentifier articledoi doilink doiurl idsdoi do elocationdoi prismdoi di",
	ArXiv:      "arxiv arxivid arxivids arxivnumber idsarxiv eprint",
	OpenReview: "openreview openreviewid forum",
	PMID:       "pmid pubmedid pubmed pubmedpmid medlinepmid idspmid pm",
	OpenAlex:   "openalex openalexid idsopenalex",
	S2:         "s2 s2id paperid semanticscholarid corpusid",
	ID:         "akin",
	Key: "id key citationkey citekey bibtexkey bibkey uid recordid referenceid eid lensid accessionnumber recordnumber utuniquewosid ut pui identifier" +
		" an",
})

func namesOf(lists map[Field]string) map[string]Name {
	table := map[string]Name{}
	for field, list := range lists {
		for rank, name := range strings.Fields(list) {
			table[name] = Name{field, rank}
		}
	}
	return table
}

// A Builder makes a record of what a source says about it, in any order: of several
// values for a field the one from the best source stays. The zero value is ready.
type Builder struct {
	Record corpus.Record
	ranks  [fieldCount]int // of the value that a field has, plus 2; 0 if it has none
	known  identified
}

// better reports whether a value of this name is wanted, and notes that it is there;
// again reports that the field has a value from the same source.
func (b *Builder) better(name Name) (wanted, again bool) {
	rank := &b.ranks[name.Field]
	switch {
	case *rank == name.Rank+2:
		return false, true
	case *rank != 0 && *rank < name.Rank+2:
		return false, false
	}
	*rank = name.Rank + 2
	return true, false
}

// Add puts a text that the source has under name into the record. A second text under
// the same name adds to authors and keywords, and is ignored elsewhere.
func (b *Builder) Add(name Name, text string) {
	if name.Field == None || IsMissing(text) {
		return
	}
	switch name.Field {
	case Authors:
		b.AddList(name, SplitAuthors(text))
	case Keywords:
		b.AddList(name, SplitKeywords(text))
	case URL:
		before := b.Record.Paper.URL
		if wanted, _ := b.better(name); wanted {
			b.Record.Paper.URL = ""
		}
		b.setURL(name.Rank, text)
		if b.Record.Paper.URL == "" {
			b.Record.Paper.URL = before
		}
	case DOI, ArXiv, OpenReview, PMID, OpenAlex, S2:
		b.addOwn(name, text)
	default:
		switch {
		case name.Field == Key:
			b.Learn(FromKey+Trust(name.Rank), text)
		case name.Field == Venue && strings.Contains(strings.ToLower(text), "arxiv:"):
			b.Learn(FromVenue+Trust(name.Rank), text) // "arXiv preprint arXiv:1706.03762"
		}
		if wanted, _ := b.better(name); wanted {
			b.set(name.Field, text)
		}
	}
}

// AddList puts texts that the source has as a list under name into the record.
func (b *Builder) AddList(name Name, texts []string) {
	if len(texts) == 0 {
		return
	}
	p := &b.Record.Paper
	switch name.Field {
	case Authors, Keywords:
		list := &p.Authors
		if name.Field == Keywords {
			list = &p.Keywords
		}
		wanted, again := b.better(name)
		switch {
		case wanted:
			*list = texts
		case again:
			*list = append(*list, texts...)
		}
	case Abstract:
		b.Add(name, strings.Join(texts, " "))
	case URL:
		for _, text := range texts {
			b.Add(name, text)
		}
	default:
		b.Add(name, texts[0])
	}
}

// AddIdentifier learns the identifier that a line of notes consists of: "PMID: 123",
// "arXiv:2401.00001". A bare DOI in a note may be that of another work, and is none.
func (b *Builder) AddIdentifier(line string) {
	line = strings.TrimSpace(line)
	scheme, rest, found := strings.Cut(line, ":")
	if !found || strings.Contains(scheme, " ") || strings.Contains(scheme, "/") {
		return
	}
	b.Learn(FromNote, strings.ToLower(scheme)+":"+strings.TrimSpace(rest))
}

func (b *Builder) set(field Field, text string) {
	p := &b.Record.Paper
	switch field {
	case Title:
		p.Title = oneLine(text)
	case Abstract:
		p.Abstract = text
	case Year:
		p.Year = 0
		setDate(p, text)
	case Date:
		year := p.Year
		p.Date = ""
		setDate(p, text)
		if b.ranks[Year] != 0 {
			p.Year = year
		}
	case Venue:
		p.Venue = strings.TrimSpace(text)
	case ID:
		b.Record.ID = strings.TrimSpace(text)
	case Key:
		b.Record.Key = strings.TrimSpace(text)
	}
}

// Reject gives the reason why a record cannot be used, nil for one that can.
func Reject(record corpus.Record) error {
	if record.Paper.Empty() {
		return &corpus.Rejected{Line: record.Line, Key: record.Key, Reason: "has neither a title nor an abstract"}
	}
	return nil
}
