package embed

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/seed-9f29d379/akin/embed/internal/bert"
	"github.com/seed-9f29d379/akin/embed/internal/safetensors"
	"github.com/seed-9f29d379/akin/embed/internal/wordpiece"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// Model is this project's own engine: BERT models with WordPiece tokens, mean pooling and
// unit vectors, run by the kernels of internal/vec. It meets [Encoder].
type Model struct {
	name      string
	tokens    *wordpiece.Tokenizer
	bert      *bert.Model
	longest   int             // tokens that the model reads of a text
	bench     chan *workspace // at most as many as workers, made on first use
	precision Precision
}

// Options are the choices of [Open]; the zero value is the default of each.
type Options struct {
	Precision Precision
	Workers   int // texts that are encoded at the same time; 0 is GOMAXPROCS
}

// Precision is the arithmetic of the matrix products, those of attention among them;
// everything else is in 32-bit floats.
type Precision int

// The precisions. Their vectors agree within a cosine of 0.99999, so that they share a
// fingerprint.
const (
	Int16 Precision = iota // exact 16-bit integers: the fastest
	FP32                   // 32-bit floats: the plain form
)

var precisionNames = [...]string{"int16", "fp32"}

// String returns the name that [ParsePrecision] reads.
func (p Precision) String() string { return precisionNames[p] }

// ParsePrecision reads the name of a precision: int16 or fp32.
func ParsePrecision(name string) (Precision, error) {
	for p, n := range precisionNames {
		if n == name {
			return Precision(p), nil
		}
	}
	return 0, fmt.Errorf("reading precision %q: expected int16 or fp32", name)
}

// Open makes an engine of the bundle's sections model.safetensors, vocab.txt,
// config.json and sentence_bert_config.json, which are read in place and must stay as
// they are. The cost is a pass over the dense layers' weights. An error names the section
// and what is wrong with it, or the processor level that AKIN_CPU names in vain.
func Open(name string, bundle map[string][]byte, opts Options) (*Model, error) {
	m, err := open(name, bundle, opts)
	if err != nil {
		return nil, fmt.Errorf("opening model %s: %w", name, err)
	}
	return m, nil
}

func open(name string, bundle map[string][]byte, opts Options) (*Model, error) {
	if _, err := vec.CPU(); err != nil {
		return nil, err
	}
	for _, section := range []string{"model.safetensors", "vocab.txt", "config.json", "sentence_bert_config.json"} {
		if len(bundle[section]) == 0 {
			return nil, fmt.Errorf("reading section %s: it is missing or empty", section)
		}
	}
	config, err := bert.ParseConfig(bundle["config.json"])
	if err != nil {
		return nil, err
	}
	longest, err := longestText(bundle["sentence_bert_config.json"], config)
	if err != nil {
		return nil, err
	}
	tokens, err := wordpiece.New(bundle["vocab.txt"])
	if err != nil {
		return nil, err
	}
	if tokens.Len() > config.Vocabulary {
		return nil, fmt.Errorf("reading section vocab.txt: %d pieces, but the model has %d", tokens.Len(), config.Vocabulary)
	}
	file, err := safetensors.Parse(bundle["model.safetensors"])
	if err != nil {
		return nil, err
	}
	arithmetic := bert.Int16
	if opts.Precision == FP32 {
		arithmetic = bert.Float32
	}
	model, err := bert.Open(file, config, arithmetic)
	if err != nil {
		return nil, err
	}
	workers := opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	m := &Model{
		name: name, tokens: tokens, bert: model, longest: longest, precision: opts.Precision,
		bench: make(chan *workspace, workers),
	}
	for range workers {
		m.bench <- nil
	}
	return m, nil
}

// longestText reads how many tokens of a text the model sees.
func longestText(section []byte, c bert.Config) (int, error) {
	var s struct {
		MaxSeqLength int `json:"max_seq_length"`
	}
	if err := json.Unmarshal(section, &s); err != nil {
		return 0, fmt.Errorf("reading section sentence_bert_config.json: %w", err)
	}
	if s.MaxSeqLength < 2 || s.MaxSeqLength > c.Positions {
		return 0, fmt.Errorf("reading section sentence_bert_config.json: max_seq_length is %d, expected 2 to %d", s.MaxSeqLength, c.Positions)
	}
	return s.MaxSeqLength, nil
}

// Encode implements [Encoder]. Texts are spread over the workers, whatever they are; the
// vectors are the same bytes for any number of workers and at the AVX2, AVX-512 and VNNI
// levels of a processor. It allocates the result; the memory of the passes is kept from
// call to call, one a worker.
func (m *Model) Encode(ctx context.Context, texts []string) ([]Embedding, error) {
	dim := m.Dim()
	out := make([]Embedding, len(texts))
	vectors := make([]float32, len(texts)*dim)
	for i := range out {
		out[i].Vector = vectors[i*dim : (i+1)*dim : (i+1)*dim]
	}
	if err := m.run(ctx, texts, out); err != nil {
		return nil, err
	}
	return out, nil
}

// Tokenize implements [Encoder].
func (m *Model) Tokenize(text string) (ids []int32, tokens int) {
	return m.tokens.Encode(nil, text, m.longest)
}

// Dim implements [Encoder].
func (m *Model) Dim() int { return m.bert.Config().Hidden }

// Fingerprint implements [Encoder].
func (m *Model) Fingerprint() Fingerprint { return Fingerprint(m.name + "/akin/fp32") }

// Precision is the arithmetic in use.
func (m *Model) Precision() Precision { return m.precision }

var _ Encoder = (*Model)(nil)
