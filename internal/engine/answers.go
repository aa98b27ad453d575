package engine

// AddReport is what an import did. Read = Added + Updated + Merged + Unchanged +
// RejectedCount, counted in records; Read − RejectedCount − WithoutAbstract records
// have a usable abstract.
type AddReport struct {
	Read            int        `json:"read"`
	Added           int        `json:"added"`
	Updated         int        `json:"updated"`
	Merged          int        `json:"merged"`
	Unchanged       int        `json:"unchanged"`
	Rejected        []Rejected `json:"rejected"` // the first 1,000
	RejectedCount   int        `json:"rejected_count"`
	WithoutAbstract int        `json:"without_abstract"`
	KeptApart       int        `json:"kept_apart"`  // papers with records that came now under an identifier that names another paper, whose titles or texts are unlike
	Truncated       int        `json:"truncated"`   // encoded now, longer than the model reads
	NotEnglish      int        `json:"not_english"` // encoded now, in another language than the model's
	Embedded        int        `json:"embedded"`    // papers that have got their vector now; a text that was encoded before costs nothing
	Sentences       int        `json:"sentences"`   // papers whose sentences were encoded now
	NotEncoded      int        `json:"not_encoded"` // papers of the library that wait for a vector
	Seconds         float64    `json:"seconds"`
	// Files of folders that hold no papers, PDFs among them: the first 20, and how many.
	PassedOver      []PassedOver `json:"passed_over,omitempty"`
	PassedOverCount int          `json:"passed_over_count,omitempty"`
	// Which themes new papers have joined; nil where none did.
	Themes *JoinReport `json:"themes,omitempty"`
}

// PassedOver is a file of a folder that holds no papers which can be read.
type PassedOver struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// Rejected is one record that was set aside.
type Rejected struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// Answer is the reply to a Query.
type Answer struct {
	Query      QueryEcho `json:"query"`
	Mode       string    `json:"mode"`       // "hybrid", "dense", "keyword"
	Neighbours string    `json:"neighbours"` // "exact", "hnsw", "none"
	Order      string    `json:"order"`      // "score"; "neighbourhood" with Rerank, "diversity" with Diversity: scores then rise and fall
	Results    []Result  `json:"results"`
	NotEncoded int       `json:"not_encoded,omitempty"` // papers that wait for a vector: an answer by meaning lacks them
	// Papers whose sentences are not encoded yet, where others are ranked by theirs.
	NoSentences int    `json:"without_sentences,omitempty"`
	Hint        string `json:"-"` // what would answer, where nothing does
	Fewer       bool   `json:"-"` // more were asked for than there are papers to answer with
}

// QueryEcho says what was asked, as it was understood.
type QueryEcho struct {
	Text      string   `json:"text,omitempty"`
	Like      []string `json:"like,omitempty"`
	Unlike    []string `json:"unlike,omitempty"`
	Tokens    int      `json:"tokens,omitempty"`
	Truncated bool     `json:"truncated,omitempty"`
}

// Result is one paper of an answer.
type Result struct {
	Rank    int      `json:"rank"`
	ID      string   `json:"id"`
	Keys    []string `json:"keys"`
	Title   string   `json:"title"` // the first sentence where the paper has none
	Score   float64  `json:"score"`
	Year    int      `json:"year,omitempty"`
	Venue   string   `json:"venue,omitempty"`
	Authors []string `json:"authors"`
	URL     string   `json:"url,omitempty"`
	Snippet string   `json:"snippet"`
	// The papers of the library that may be the same work, whether they meet the filters or
	// not: they have no results of their own. The first 100, and how many there are.
	Duplicates     []Duplicate  `json:"duplicates,omitempty"`
	DuplicateCount int          `json:"duplicate_count,omitempty"`
	Explain        *Explanation `json:"explain,omitempty"`
}

// Explanation says why a result is where it is.
type Explanation struct {
	Dense    float64 `json:"dense,omitempty"`    // the cosine with the whole text; none by words alone, or of a paper without a vector
	Sentence float64 `json:"sentence,omitempty"` // the cosine with its best sentence
	Keyword  float64 `json:"keyword,omitempty"`  // BM25 of all shared words, also where the score is of the meaning alone
	// The cosine of the neighbourhoods, by which the first papers are ordered with Rerank.
	Neighbourhood float64 `json:"neighbourhood,omitempty"`
	// The parts of a hybrid score that come from the meaning and from the words.
	Share *Share `json:"share,omitempty"`
	// The sentences that match best, one of what was asked and one of the paper.
	Pair *SentencePair `json:"sentences,omitempty"`
	// The words that both hold, those that tell most first. A single letter or digit tells
	// nothing, and is not among them.
	Words []SharedWord `json:"words,omitempty"`
	// How near this is for this library.
	Nearness *Nearness `json:"nearness,omitempty"`
}

// Share parts a score into what the meaning and what the words give to it.
type Share struct {
	Meaning float64 `json:"meaning"`
	Words   float64 `json:"words"`
}

// SentencePair is two sentences and their cosine.
type SentencePair struct {
	Asked  string  `json:"asked"`
	Paper  string  `json:"paper"`
	Cosine float64 `json:"cosine"`
}

// SharedWord is a word of what was asked that the paper holds. Weight is its inverse
// document frequency: a rare word weighs more. Score is what it adds to BM25.
type SharedWord struct {
	Word   string  `json:"word"`
	Weight float64 `json:"weight"`
	Score  float64 `json:"score"`
}

// Nearness places a cosine in the library it is of: in per cent, how many random pairs
// of its papers are less near, and how many papers' nearest neighbours are.
type Nearness struct {
	RandomPairs float64 `json:"random_pairs"`
	Neighbours  float64 `json:"neighbours"`
}

// Paper is a stored paper for list and show.
type Paper struct {
	ID       string   `json:"id"`
	Keys     []string `json:"keys"`
	Aliases  []string `json:"aliases,omitempty"`
	Title    string   `json:"title"`
	Abstract string   `json:"abstract,omitempty"`
	Authors  []string `json:"authors"`
	Year     int      `json:"year,omitempty"`
	Venue    string   `json:"venue,omitempty"`
	URL      string   `json:"url,omitempty"`
	DOI      string   `json:"doi,omitempty"`
	Keywords []string `json:"keywords,omitempty"`
	Sources  []string `json:"sources,omitempty"`
	Embedded bool     `json:"embedded"`
	// The themes that the library keeps of which it is, on every level; told by Show.
	Themes []ThemeRef `json:"themes,omitempty"`
	// What may be another form of the same work: told by Show, the first 100 and how many
	// there are; and one of them with ListRequest.Duplicates, beside the group.
	Duplicates     []Duplicate     `json:"duplicates,omitempty"`
	DuplicateCount int             `json:"duplicate_count,omitempty"`
	Group          *DuplicateGroup `json:"group,omitempty"`
}

// Duplicate is a paper that may be the same work as another, and why.
type Duplicate struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// DuplicateGroup is papers that may all be one work. ID is that of the first one.
type DuplicateGroup struct {
	ID     string `json:"id"`
	Papers int    `json:"papers"`
	Reason string `json:"reason"`
}

// Stats describes the library.
type Stats struct {
	Library      string        `json:"library"` // "" for the seeds
	Papers       int           `json:"papers"`
	WithAbstract int           `json:"with_abstract"`
	Vectors      int           `json:"vectors"`
	NotEncoded   int           `json:"not_encoded"`       // papers that wait for a vector
	NoSentences  int           `json:"without_sentences"` // papers with a vector whose sentences wait, or were left out
	Model        ModelStats    `json:"model"`
	Snapshot     SnapshotStats `json:"snapshot"`
	Bytes        int64         `json:"bytes"`
}

// ModelStats identifies the model.
type ModelStats struct {
	Name        string `json:"name"`
	Dim         int    `json:"dim"`
	Fingerprint string `json:"fingerprint"`
}

// SnapshotStats describes the searched file; Method is "exact" or "hnsw".
type SnapshotStats struct {
	Generation uint64 `json:"generation"`
	Method     string `json:"method"`
	Bytes      int64  `json:"bytes"`
}

// CheckReport is the result of verifying everything.
type CheckReport struct {
	OK            bool      `json:"ok"`
	Problems      []Problem `json:"problems"`
	Papers        int       `json:"papers"`
	Vectors       int       `json:"vectors"`
	NotEncoded    int       `json:"not_encoded"`  // papers that wait for a vector
	RecallAt10    *float64  `json:"recall_at_10"` // of what searches find; nil without vectors, or where damage was found first
	RecallSamples int       `json:"recall_samples"`
}

// Problem is one fault that a check found.
type Problem struct {
	What  string `json:"what"`
	Where string `json:"where"`
	Hint  string `json:"hint"`
}
