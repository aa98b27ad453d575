package store

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// Prepared is a record with what the library derives from it alone; making it is the
// costly part of an import that needs no lock and may run on any goroutine.
type Prepared struct {
	corpus.Record
	Usable bool            // there is an abstract
	known  bool            // the library had it when it was prepared; nothing below is derived
	hash   [hashBytes]byte // of everything in the record
	key    string          // its own, or one made of the hash
	id     string          // under which it enters a library
	names  []string        // its registered ids
	mark   int64           // of its folded title
	title  string          // as it is shown
}

// contentKey begins the key of a record that has none in its source: the rest is its
// hash. Keys of sources hold no control characters.
const contentKey = "\x01"

// Prepare derives what Put needs. It changes nothing in r. Of a record that is known
// (nil knows none) it derives no more than that.
func Prepare(r corpus.Record, known *Known) Prepared {
	p := Prepared{Record: r, Usable: usable(&r.Paper)}
	p.Key = plainKey(r.Key)
	p.hash = recordHash(p.Key, &r.Paper)
	p.key = p.Key
	if p.key == "" {
		p.key = contentKey + string(hexOf(p.hash[:]))
	}
	if p.known = known.has(p.hash); !p.known {
		p.derive()
	}
	return p
}

func (p *Prepared) derive() {
	p.id, p.names = paper.ID(&p.Paper), listIDs(&p.Paper.IDs)
	p.title = heading(&p.Paper)
	p.mark = mark(p.title)
}

// keepsID reports whether the id that the record had in another library may be its id in
// this one too: it is one of its identifiers, or the hash of a content that it had, and
// not the identifier of another work.
func (p *Prepared) keepsID() bool {
	return slices.Contains(p.names, p.ID) || contentID.MatchString(p.ID)
}

// contentID matches the ids of papers that had no registered one when they came.
var contentID = regexp.MustCompile("^p:[0-9a-f]{20}(?:[0-9a-f]{2})?$")

// surelyUsable bytes of an abstract are more than any placeholder or copyright notice
// has. Cleaning is most of what an import costs, so that a longer one is not cleaned to
// know.
const surelyUsable = 600

func usable(p *paper.Paper) bool { return len(p.Abstract) > surelyUsable || p.Usable() }

// heading is what a paper is found and marked by: its title, or the whole of its first
// sentence.
func heading(p *paper.Paper) string {
	if strings.TrimSpace(p.Title) != "" {
		return p.Name()
	}
	for _, sentence := range paper.Sentences(paper.Display(p.Abstract)) {
		return sentence
	}
	return p.Name()
}

// plainKey is key on one line, without control characters.
func plainKey(key string) string {
	if strings.IndexFunc(key, unicode.IsControl) < 0 {
		return strings.TrimSpace(key)
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, paper.WithoutEscapes(key)))
}

func hexOf(b []byte) []byte {
	const digits = "0123456789abcdef"
	h := make([]byte, 0, 2*len(b))
	for _, c := range b {
		h = append(h, digits[c>>4], digits[c&15])
	}
	return h
}

// hashBytes of a SHA-256 tell records apart.
const hashBytes = 16

// recordHash is a hash of the key and every field: equal for a record that is read
// again unchanged.
func recordHash(key string, p *paper.Paper) [hashBytes]byte {
	b := make([]byte, 0, len(p.Title)+len(p.Abstract)+512)
	field := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	list := func(l []string) {
		b = binary.AppendUvarint(b, uint64(len(l)))
		for _, s := range l {
			field(s)
		}
	}
	field(key)
	field(p.Title)
	field(p.Abstract)
	list(p.Authors)
	field(strconv.Itoa(p.Year))
	field(p.Date)
	field(p.Venue)
	field(p.URL)
	list(p.Keywords)
	field(joinIDs(&p.IDs))
	sum := sha256.Sum256(b)
	return [hashBytes]byte(sum[:hashBytes])
}

// markBytes of a folded heading are hashed.
const markBytes = 300

// mark is a hash of the folded heading: equal for all forms of one work, and for some
// works that are not one ("Editorial").
func mark(heading string) int64 {
	folded := paper.Fold(heading)
	if len(folded) > markBytes {
		folded = folded[:markBytes]
	}
	sum := sha256.Sum256([]byte(folded))
	return int64(binary.LittleEndian.Uint64(sum[:8]))
}

// arxivVersion sets the version apart from an arXiv id in the ids column.
const arxivVersion = "arxiv-version:"

// listIDs gives the registered ids as they are stored: without spaces.
func listIDs(ids *paper.Identifiers) []string {
	list := ids.List()
	for i, id := range list {
		list[i] = strings.Join(strings.Fields(id), "")
	}
	return list
}

func joinIDs(ids *paper.Identifiers) string {
	list := listIDs(ids)
	if ids.Version > 0 {
		list = append(list, arxivVersion+strconv.Itoa(ids.Version))
	}
	return strings.Join(list, " ")
}

func splitIDs(s string) paper.Identifiers {
	var ids paper.Identifiers
	for _, f := range strings.Fields(s) {
		scheme, id, _ := strings.Cut(f, ":")
		switch scheme {
		case "doi":
			ids.DOI = id
		case "arxiv":
			ids.ArXiv = id
		case "arxiv-version":
			ids.Version, _ = strconv.Atoi(id)
		case "openreview":
			ids.OpenReview = id
		case "pmid":
			ids.PMID = id
		case "openalex":
			ids.OpenAlex = id
		case "s2":
			ids.S2 = id
		}
	}
	return ids
}

// joinLines writes a list one a line; a value's own line breaks become spaces.
func joinLines(list []string) string {
	clean := make([]string, 0, len(list))
	for _, s := range list {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			clean = append(clean, s)
		}
	}
	return strings.Join(clean, "\n")
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// null stores an empty text as NULL, which costs nothing.
func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func nullInt(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// row is one record as it lies in the database.
type row struct {
	id, paper, source, imported int64
	hash                        []byte
	key                         string
	line                        int
	fields                      paper.Paper
}

// fieldColumns are the columns that rowArgs fills and scanRow reads, in order.
const fieldColumns = "year, ids, title, authors, venue, url, date, keywords, abstract"

func fieldArgs(p *paper.Paper) []any {
	return []any{nullInt(p.Year), null(joinIDs(&p.IDs)), null(p.Title), null(joinLines(p.Authors)), null(p.Venue),
		null(p.URL), null(p.Date), null(joinLines(p.Keywords)), null(p.Abstract)}
}

// stored is p as it is read again from fieldColumns.
func stored(p *paper.Paper) *paper.Paper {
	q := *p
	q.Authors, q.Keywords, q.IDs = splitLines(joinLines(p.Authors)), splitLines(joinLines(p.Keywords)), splitIDs(joinIDs(&p.IDs))
	return &q
}

// fieldScan receives fieldColumns.
type fieldScan struct {
	year                                                      sql.NullInt64
	ids, title, authors, venue, url, date, keywords, abstract sql.NullString
}

func (f *fieldScan) into() []any {
	return []any{&f.year, &f.ids, &f.title, &f.authors, &f.venue, &f.url, &f.date, &f.keywords, &f.abstract}
}

func (f *fieldScan) paper() paper.Paper {
	return paper.Paper{
		Title: f.title.String, Abstract: f.abstract.String, Authors: splitLines(f.authors.String), Year: int(f.year.Int64),
		Date: f.date.String, Venue: f.venue.String, URL: f.url.String, Keywords: splitLines(f.keywords.String), IDs: splitIDs(f.ids.String),
	}
}

// Alone is the paper that the record makes by itself, outside of any library.
func (p Prepared) Alone(n uint32, source string) *Paper {
	return &Paper{
		N: n, ID: p.id, Heading: p.title, Fields: p.Record.Paper, Mark: p.mark, Embedded: true,
		Records: []RecordRef{{Source: source, Key: p.Key, Version: p.Record.Paper.IDs.Version}},
	}
}
