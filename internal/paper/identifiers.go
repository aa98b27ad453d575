package paper

import (
	"net/url"
	"strconv"
	"strings"
)

// ParseIdentifier recognises any registered id in a spelling that names its scheme
// (a resolver's address, a prefix such as "doi:" or "PMID:") or whose form leaves no
// doubt (a DOI, an arXiv number). ok is false where s is none.
func ParseIdentifier(s string) (ids Identifiers, ok bool) {
	s = strings.TrimSpace(s)
	if id, version, ok := ParseArXiv(s); ok {
		return Identifiers{ArXiv: id, Version: version}, true
	}
	lower := strings.ToLower(s)
	if strings.HasPrefix(lower, "pmid") || strings.Contains(lower, "ncbi.nlm.nih.gov/") {
		if id, ok := ParsePMID(s); ok {
			return Identifiers{PMID: id}, true
		}
	}
	if id, ok := parseOpenReviewNamed(s); ok {
		return Identifiers{OpenReview: id}, true
	}
	if id, ok := ParseOpenAlex(s); ok && (len(id) < len(s) || len(id) > 5) {
		return Identifiers{OpenAlex: id}, true
	}
	if strings.HasPrefix(lower, "s2:") || strings.Contains(lower, "semanticscholar.org/") {
		if id, ok := ParseS2(s); ok {
			return Identifiers{S2: id}, true
		}
	}
	if isBare := strings.HasPrefix(lower, "10.") || strings.HasPrefix(lower, "10/"); isBare ||
		strings.HasPrefix(lower, "doi") || strings.Contains(lower, "doi.org/") || strings.Contains(lower, "/doi/") {
		if doi, ok := ParseDOI(s); ok {
			return Identifiers{DOI: doi}, true
		}
	}
	return Identifiers{}, false
}

// ParseDOI finds the DOI in any of its spellings: bare, "doi:10.…", a resolver's or a
// publisher's address, percent-encoded, with trailing punctuation. It gives the DOI in
// lower case; a short DOI ("10/abc") is kept as it is. arXiv's own DOIs are left to
// [ParseArXiv].
func ParseDOI(s string) (doi string, ok bool) {
	s = strings.TrimSpace(s)
	if strings.Contains(s, "%") {
		if plain, err := url.PathUnescape(s); err == nil {
			s = plain
		}
	}
	start := doiStart(s)
	if start < 0 {
		return "", false
	}
	isAddress := strings.Contains(s[:start], "://") || strings.Contains(s[:start], "www.") || strings.Contains(s[:start], "doi.org/")
	s = s[start:]
	if end := strings.IndexFunc(s, isSpaceOrControl); end >= 0 {
		s = s[:end]
	}
	if isAddress {
		s = strings.TrimSuffix(cutAny(s, "?#"), "/")
		for _, tail := range []string{"/abstract", "/full", "/pdf", "/epdf", "/fulltext", ".pdf"} {
			s = strings.TrimSuffix(s, tail)
		}
	}
	s = strings.ToLower(trimDOI(s))
	if slash := strings.IndexByte(s, '/'); slash < 2 || slash+1 == len(s) {
		return "", false
	}
	return s, true
}

// doiStart is where "10.<4 to 9 digits>" and a slash, or "10/" begins, -1 if nowhere.
func doiStart(s string) int {
	for from := 0; ; {
		at := strings.Index(s[from:], "10")
		if at < 0 {
			return -1
		}
		at += from
		from = at + 2
		if at > 0 && (isAlnum(s[at-1]) || s[at-1] == '.') {
			continue
		}
		rest := s[at+2:]
		if strings.HasPrefix(rest, "/") {
			short := cutAny(rest[1:], " ?#,;")
			if at == 0 && isAlnumOnly(short) && strings.Trim(short, "0123456789") != "" || strings.HasSuffix(s[:at], "doi.org/") || strings.HasSuffix(strings.ToLower(s[:at]), "doi:") {
				return at
			}
			continue
		}
		if !strings.HasPrefix(rest, ".") {
			continue
		}
		digits := 0
		for digits+1 < len(rest) && (isDigit(rest[digits+1]) || digits >= 4 && rest[digits+1] == '.') {
			digits++
		}
		if digits >= 4 && digits < 20 && digits+1 < len(rest) && rest[digits+1] == '/' {
			return at
		}
	}
}

// trimDOI drops the punctuation around a DOI that is no part of it: full stops,
// quotes, and closing brackets that were never opened.
func trimDOI(s string) string {
	for s != "" {
		last := s[len(s)-1]
		switch {
		case strings.IndexByte(".,;:'\"*", last) >= 0:
		case strings.HasSuffix(s, "”"), strings.HasSuffix(s, "’"), strings.HasSuffix(s, "…"):
			s = s[:len(s)-2]
		case last == ')' && strings.Count(s, ")") > strings.Count(s, "("):
		case last == ']' && strings.Count(s, "]") > strings.Count(s, "["):
		case last == '}' && strings.Count(s, "}") > strings.Count(s, "{"):
		case last == '>' && strings.Count(s, ">") > strings.Count(s, "<"):
		default:
			return s
		}
		s = s[:len(s)-1]
	}
	return s
}

// oldArchives are arXiv's archives from before April 2007.
const oldArchives = " acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas" +
	" cond-mat cs dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th" +
	" patt-sol physics plasm-ph q-alg q-bio quant-ph solv-int supr-con "

// ParseArXiv reads an arXiv id in any of its spellings: "2401.00001v2",
// "arXiv:1601.07616v1 [hep-th]", "math.GT/0309136", an address at arxiv.org, arXiv's
// own DOI. The id is given without the version and the subject class; version is 0
// where s has none.
func ParseArXiv(s string) (id string, version int, ok bool) {
	s = strings.TrimSpace(s)
	if len(s) >= 9 && len(s) <= 10 && s[4] == '.' && isDigits(s[:4]) && isMonth(s[2:4]) && isDigits(s[5:]) {
		return s, 0, true // as most come
	}
	lower := strings.ToLower(s)
	at := -1
	for _, prefix := range []string{"arxiv.org/", "10.48550/arxiv.", "arxiv:", "arxiv "} {
		if i := strings.LastIndex(lower, prefix); i >= 0 {
			at = i + len(prefix)
			break
		}
	}
	rest := lower
	if at >= 0 {
		rest = strings.TrimLeft(lower[at:], " :")
		if kind, tail, found := strings.Cut(rest, "/"); found && strings.Contains(" abs pdf html ps format src e-print ", " "+kind+" ") {
			rest = tail
		}
		rest = cutAny(rest, "?# \t\n,;\"'<>)")
		rest = strings.TrimSuffix(strings.TrimRight(rest, "./"), ".pdf")
	} else if i := strings.IndexAny(rest, " ["); i >= 0 {
		if !strings.HasSuffix(rest, "]") || !strings.HasPrefix(strings.TrimSpace(rest[i:]), "[") {
			return "", 0, false
		}
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, 'v'); i > 0 && i+1 < len(rest) && isDigits(rest[i+1:]) && isDigit(rest[i-1]) && len(rest)-i <= 4 {
		version, _ = strconv.Atoi(rest[i+1:])
		rest = rest[:i]
	}
	if archive, number, found := strings.Cut(rest, "/"); found {
		archive, _, _ = strings.Cut(archive, ".")
		if len(number) == 7 && isDigits(number) && isMonth(number[2:4]) && archive != "" && strings.Contains(oldArchives, " "+archive+" ") {
			return archive + "/" + number, version, true
		}
		return "", 0, false
	}
	month, number, found := strings.Cut(rest, ".")
	if found && len(month) == 4 && isDigits(month) && isMonth(month[2:]) && (len(number) == 4 || len(number) == 5) && isDigits(number) {
		return rest, version, true
	}
	return "", 0, false
}

// ParsePMID reads a PubMed id: its digits, also after "PMID:" or in an address.
func ParsePMID(s string) (id string, ok bool) {
	s = strings.TrimRight(strings.TrimSpace(s), "/.")
	if strings.Contains(strings.ToLower(s), "pmc") {
		return "", false
	}
	if i := strings.LastIndexAny(s, ":/ "); i >= 0 {
		s = s[i+1:]
	}
	if len(s) > 4 && strings.EqualFold(s[:4], "pmid") {
		s = s[4:]
	}
	s = strings.TrimLeft(s, "0")
	return s, s != "" && len(s) <= 9 && isDigits(s)
}

// ParseOpenAlex reads an OpenAlex id of a work: "W123", also in an address.
func ParseOpenAlex(s string) (id string, ok bool) {
	s = strings.TrimRight(strings.TrimSpace(s), "/")
	if i := strings.LastIndexAny(s, ":/"); i >= 0 {
		if !strings.Contains(strings.ToLower(s[:i]), "openalex") {
			return "", false
		}
		s = s[i+1:]
	}
	if len(s) < 2 || s[0] != 'W' && s[0] != 'w' || !isDigits(s[1:]) {
		return "", false
	}
	return "W" + s[1:], true
}

// ParseOpenReview reads an OpenReview id of a forum: bare or in an address.
func ParseOpenReview(s string) (id string, ok bool) {
	if id, ok := parseOpenReviewNamed(s); ok {
		return id, true
	}
	s = strings.TrimSpace(s)
	return s, isForum(s)
}

func parseOpenReviewNamed(s string) (id string, ok bool) {
	s = strings.TrimSpace(s)
	if len(s) > len("openreview:") && strings.EqualFold(s[:len("openreview:")], "openreview:") {
		s = s[len("openreview:"):]
		return s, isForum(s)
	}
	if !strings.Contains(s, "openreview.net/") {
		return "", false
	}
	_, query, _ := strings.Cut(s, "id=")
	s = cutAny(query, "&# ")
	return s, isForum(s)
}

// isForum reports whether s can be an OpenReview id: they are 9 or more characters of
// the URL-safe base-64 alphabet, shorter in old conferences' files.
func isForum(s string) bool {
	for i := range len(s) {
		if !isAlnum(s[i]) && s[i] != '_' && s[i] != '-' {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// ParseS2 reads a Semantic Scholar paper id: 40 hexadecimal digits or a corpus id
// ("CorpusID:123"), also in an address.
func ParseS2(s string) (id string, ok bool) {
	s = strings.TrimRight(strings.TrimSpace(s), "/")
	lower := strings.ToLower(s)
	if i := strings.LastIndex(lower, "corpusid:"); i >= 0 {
		number := lower[i+len("corpusid:"):]
		return "corpusid:" + number, number != "" && isDigits(number)
	}
	if i := strings.LastIndexAny(lower, ":/"); i >= 0 {
		lower = lower[i+1:]
	}
	if len(lower) != 40 {
		return "", false
	}
	for i := range len(lower) {
		if c := lower[i]; !isDigit(c) && (c < 'a' || c > 'f') {
			return "", false
		}
	}
	return lower, true
}

func isMonth(s string) bool { return s >= "01" && s <= "12" }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlnum(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}

func isAlnumOnly(s string) bool {
	for i := range len(s) {
		if !isAlnum(s[i]) {
			return false
		}
	}
	return s != ""
}

func isSpaceOrControl(r rune) bool { return r <= ' ' || r == 0x7f || r == 0xa0 || r == 0x3000 }

// cutAny gives s up to the first of the characters in chars.
func cutAny(s, chars string) string {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i]
	}
	return s
}
