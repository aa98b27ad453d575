package paper

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
)

// Identifiers are the registered names of a work, normalised; empty when not known. Of
// several of one scheme in a record, a reader gives the one from the most trusted place:
// its own field before a note, a key and an address, in whatever order they come.
type Identifiers struct {
	DOI        string // lower case, without a resolver: "10.1000/xyz"
	ArXiv      string // without version: "2401.00001", "cs/0701188"
	Version    int    // of the arXiv paper; 0 when not known
	OpenReview string
	PMID       string
	OpenAlex   string // "W123"
	S2         string // Semantic Scholar's paper id
}

// List gives the registered ids in the order of precedence, each with its scheme:
// "doi:10.1000/xyz", "arxiv:2401.00001".
func (ids *Identifiers) List() []string {
	var list []string
	add := func(scheme, id string) {
		if id != "" {
			list = append(list, scheme+id)
		}
	}
	add("doi:", ids.DOI)
	add("arxiv:", ids.ArXiv)
	add("openreview:", ids.OpenReview)
	add("pmid:", ids.PMID)
	add("openalex:", ids.OpenAlex)
	add("s2:", ids.S2)
	return list
}

// Learn takes over the identifiers of other that ids does not have yet.
func (ids *Identifiers) Learn(other Identifiers) {
	take := func(mine *string, theirs string) {
		if *mine == "" {
			*mine = theirs
		}
	}
	if ids.ArXiv == "" || ids.ArXiv == other.ArXiv {
		ids.Version = max(ids.Version, other.Version)
	}
	take(&ids.DOI, other.DOI)
	take(&ids.ArXiv, other.ArXiv)
	take(&ids.OpenReview, other.OpenReview)
	take(&ids.PMID, other.PMID)
	take(&ids.OpenAlex, other.OpenAlex)
	take(&ids.S2, other.S2)
}

// ID is the name under which p enters a library: its first registered id, else the
// hash of its content ([Paper.ContentID]).
func ID(p *Paper) string {
	if list := p.IDs.List(); len(list) > 0 {
		return list[0]
	}
	return p.ContentID()
}

// Aliases gives every id that p has: the registered ones in order of precedence, then
// the hash of its content where it has an abstract. An equal content id proves an
// equal text; papers whose registered ids of one scheme differ are two works even so.
func (p *Paper) Aliases() []string {
	list := p.IDs.List()
	if len(list) == 0 || p.Usable() {
		list = append(list, p.ContentID())
	}
	return list
}

// contentIDBytes of the hash are kept: with 80 bits, two of three million papers
// share an id by chance once in 10^11 libraries.
const contentIDBytes = 10

// ContentID is "p:" and a hash of the title and abstract, cleaned and reduced to
// their letters and digits in lower case. A title without an abstract does not tell
// one work from another ("Editorial", "Preface"), so there the authors, the year and
// the venue are part of it.
func (p *Paper) ContentID() string {
	parts := []string{Fold(titleText(p.Title)), Fold(abstractText(p.Abstract))}
	if parts[1] == "" {
		parts = append(parts, Fold(strings.Join(p.Authors, " ")), strconv.Itoa(p.Year), Fold(p.Venue))
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "p:" + hex.EncodeToString(sum[:contentIDBytes])
}

// Fold reduces s to its letters and digits in lower case: what is equal after it
// differs only in case, spacing and punctuation.
func Fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			b.WriteByte(byte(r))
		case 'A' <= r && r <= 'Z':
			b.WriteByte(byte(r) + 'a' - 'A')
		case r < 0x80:
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
