package engine

import (
	"io"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/index/snapshot"
)

// Config says where the library is and what answers. The zero value answers on the
// seed papers with the default encoder.
type Config struct {
	Library   string        // the library's folder; "" or a folder that does not exist: the seeds, for reading
	Engine    string        // "akin" (default) or "cybertron"
	Precision string        // "int16" or "fp32"; "" is the engine's default
	Exact     bool          // always scan exactly
	Workers   int           // 0 is the number of processors
	Cache     string        // folder for derived files that are not the library's (a converted model)
	Encoder   embed.Encoder // used instead of Engine and Precision; for tests
	GraphFrom int           // vectors from which a graph is walked; 0 is the measured default; for tests
	Files     snapshot.FS   // what snapshots are written to; nil is the disk; for tests
	Progress  func(Progress)
	Warn      func(message string) // told to a person; nil drops it
}

// Progress is how far a long piece of work has come.
type Progress struct {
	Stage string // "reading", "encoding", "indexing", "grouping"
	Done  int    // units done
	Total int    // 0 when not known
	Unit  string // "papers", "records"
}

// AddRequest names what to read.
type AddRequest struct {
	Paths       []string // files, folders, "-" for Stdin; none: finish what is missing
	Stdin       io.Reader
	Format      string            // "" finds it from the content
	Map         map[string]string // a field of a paper to a header
	NoEmbed     bool
	NoSentences bool
}

// Filters narrow what is searched or listed; each that is set must hold.
type Filters struct {
	YearFrom, YearTo int // inclusive; 0 is open
	Venue            []string
	Author           []string
	Keyword          []string
	Theme            []string
	Source           []string

	inThemes *index.Set // the papers of Theme, once they are known
}

// Query asks for papers. Search fills Text; Similar fills Like, and may fill Text too.
type Query struct {
	Text      string
	Like      []string // papers, as a person names them
	Unlike    []string
	N         int // 0 is 10
	Mode      string
	Filters   Filters
	Plain     bool    // Text is taken as it is: quotes, dashes and author: are no operators
	Diversity float64 // 0 to 1
	Rerank    bool    // of Similar: the first papers are ordered by their neighbourhoods
	Explain   bool

	everyForm bool // papers that may be one work have each a result: judgements are of each
}

// ListRequest selects papers to list.
type ListRequest struct {
	Filters    Filters
	Sort       string // "year", "title", "added" (default)
	N          int    // 0 is all
	Duplicates bool
}
