package fields

import (
	"strings"

	"github.com/seed-9f29d379/akin/internal/paper"
)

// Trust says how far an identifier is believed, by the place where it stands; the
// smaller the further. It is added to the rank of the field's name, so that of two
// places of one kind the better named wins. The order in which fields come does not
// matter; of one field's several texts the first counts.
type Trust int

// The places of an identifier. Its own field is meant; a line of notes names its scheme; a
// record's key is given by a tool; an address may be that of another form of the
// work, or of a page that only tells of it.
const (
	FromField Trust = 100 * (iota + 1)
	FromOther       // the field of another identifier: an arXiv id in the field for a DOI
	FromNote
	FromKey
	FromAddress
	FromVenue
)

// identified is how far the identifiers of a record are believed.
type identified struct {
	trust    [identifiers]Trust
	versions map[string]int // of arXiv ids, the latest of each
}

const (
	identifiers = 6
	// maxVersioned arXiv ids of one record may be told with their versions; a record that
	// names more is a list of other works.
	maxVersioned = 16
)

func slots(ids *paper.Identifiers) [identifiers]*string {
	return [identifiers]*string{&ids.DOI, &ids.ArXiv, &ids.OpenReview, &ids.PMID, &ids.OpenAlex, &ids.S2}
}

// Learn takes the identifier that a text consists of, if it is one.
func (b *Builder) Learn(trust Trust, text string) {
	if ids, ok := paper.ParseIdentifier(text); ok {
		b.Identify(trust, ids)
	}
}

// Identify takes identifiers: each stays where the record has none of its scheme that
// is believed as much.
func (b *Builder) Identify(trust Trust, ids paper.Identifiers) {
	have := &b.Record.Paper.IDs
	mine, theirs := slots(have), slots(&ids)
	for i := range mine {
		if *theirs[i] != "" && (*mine[i] == "" || trust < b.known.trust[i]) {
			*mine[i], b.known.trust[i] = *theirs[i], trust
		}
	}
	if ids.Version > 0 {
		if b.known.versions == nil {
			b.known.versions = make(map[string]int)
		}
		if _, known := b.known.versions[ids.ArXiv]; known || len(b.known.versions) < maxVersioned {
			b.known.versions[ids.ArXiv] = max(b.known.versions[ids.ArXiv], ids.Version)
		}
	}
	have.Version = b.known.versions[have.ArXiv]
}

// addOwn takes the text of a field that is for one kind of identifier.
func (b *Builder) addOwn(name Name, text string) {
	var ids paper.Identifiers
	trust := FromField + Trust(name.Rank)
	switch name.Field {
	case DOI:
		if id, version, ok := paper.ParseArXiv(text); ok {
			ids = paper.Identifiers{ArXiv: id, Version: version}
			trust = FromOther + Trust(name.Rank)
		} else {
			ids.DOI, _ = paper.ParseDOI(text)
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
	}
	b.Identify(trust, ids)
}

// setURL sets the address of a paper, the first of several, and learns the identifiers
// that are in it.
func (b *Builder) setURL(rank int, text string) {
	p := &b.Record.Paper
	text = strings.NewReplacer(";http", " http", "|http", " http").Replace(text)
	for part := range strings.FieldsSeq(text) {
		part = strings.TrimRight(part, ";|")
		b.Learn(FromAddress+Trust(rank), part)
		if p.URL == "" && (strings.Contains(part, "://") || strings.HasPrefix(part, "www.")) {
			p.URL = part
		}
	}
}
