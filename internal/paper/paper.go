package paper

// Paper is one work as a source describes it. Text fields hold what was read; they
// are cleaned for reading and for the encoder when they are used ([Paper.Text],
// [Clean]), never in place.
type Paper struct {
	Title    string
	Abstract string
	Authors  []string // "Family, Given" or as the source has it
	Year     int      // 0 when not known
	Date     string   // the source's own text for the date, where Year could not hold it
	Venue    string
	URL      string
	Keywords []string
	IDs      Identifiers
}

// Identifiers are the registered names of a work, normalised; empty when not known.
type Identifiers struct {
	DOI        string // lower case, without a resolver: "10.1000/xyz"
	ArXiv      string // without version: "2401.00001", "cs/0701188"
	Version    int    // of the arXiv paper; 0 when not known
	OpenReview string
	PMID       string
	OpenAlex   string // "W123"
	S2         string // Semantic Scholar's paper id
}
