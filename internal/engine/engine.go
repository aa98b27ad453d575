package engine

import "context"

// Engine answers on one library. It is safe for concurrent reads; Add, Remove and
// Repair take the library's lock. It opens the encoder at its first use.
type Engine struct{}

// Open opens the library of cfg for reading; writing verbs take the lock themselves
// and make the folder when it is missing. Without a folder it answers on the seeds.
func Open(ctx context.Context, cfg Config) (*Engine, error) { panic("engine: being built") }

// Close releases the library.
func (e *Engine) Close() error { panic("engine: being built") }

// OnSeeds reports whether the answers come from the bundled seed papers.
func (e *Engine) OnSeeds() bool { panic("engine: being built") }

// Add reads papers into the library, encodes what has no vector and brings the
// snapshot up to date. On a context's end it keeps what is done and returns the
// report so far beside the context's error.
func (e *Engine) Add(ctx context.Context, req AddRequest) (*AddReport, error) {
	panic("engine: being built")
}

// Search answers a text; Similar answers papers like (and unlike) some.
func (e *Engine) Search(ctx context.Context, q Query) (*Answer, error)  { panic("engine: being built") }
func (e *Engine) Similar(ctx context.Context, q Query) (*Answer, error) { panic("engine: being built") }

// Themes groups the collection and names the groups.
func (e *Engine) Themes(ctx context.Context, req ThemesRequest) (*Themes, error) {
	panic("engine: being built")
}

// List calls yield with each paper, in the order asked for, until it returns an error.
func (e *Engine) List(ctx context.Context, req ListRequest, yield func(*Paper) error) error {
	panic("engine: being built")
}

// Show returns one paper whole, as a person names it.
func (e *Engine) Show(ctx context.Context, name string) (*Paper, error) { panic("engine: being built") }

// Remove deletes papers; they are gone from every answer when it returns. It returns
// their ids. If one name is unknown or ambiguous, none is removed.
func (e *Engine) Remove(ctx context.Context, names []string) ([]string, error) {
	panic("engine: being built")
}

// Stats describes the library; Check verifies it.
func (e *Engine) Stats(ctx context.Context) (*Stats, error)       { panic("engine: being built") }
func (e *Engine) Check(ctx context.Context) (*CheckReport, error) { panic("engine: being built") }

// Encode gives the vectors of texts exactly as the model makes them: no clean-up.
func (e *Engine) Encode(ctx context.Context, texts []string) ([]Encoded, error) {
	panic("engine: being built")
}

// Encoded is one encoded text. Tokens counts the whole text with [CLS] and [SEP];
// IDs are the tokens that the model saw.
type Encoded struct {
	Vector    []float32
	Tokens    int
	Truncated bool
	IDs       []int32
}
