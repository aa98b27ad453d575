package engine

import (
	"context"

	"github.com/seed-9f29d379/akin/internal/vec"
	"github.com/seed-9f29d379/akin/models"
)

// Model describes a model that akin knows.
type Model struct {
	Name      string `json:"name"`
	Dim       int    `json:"dim"`
	MaxTokens int    `json:"max_tokens"`
	Licence   string `json:"licence"`
	Source    string `json:"source"`
	Bytes     int64  `json:"bytes"`
	Bundled   bool   `json:"bundled"` // in the binary
}

// Models lists the models that akin knows, the bundled one first.
func Models() []Model {
	bundled, _ := models.Bundled()
	var list []Model
	for _, m := range models.List() {
		model := Model{
			Name: m.Name, Dim: m.Dim, MaxTokens: m.MaxTokens, Licence: m.Licence, Source: m.Source,
			Bundled: m.Name == bundled,
		}
		for _, s := range m.Sections {
			model.Bytes += s.Size
		}
		list = append(list, model)
	}
	return list
}

// ModelReport is what a verification of a model found.
type ModelReport struct {
	Model    string         `json:"model"`
	OK       bool           `json:"ok"`
	Sections []ModelSection `json:"sections"`
	// Encoding is there where vectors were compared, too.
	Encoding *EncodingReport `json:"encoding,omitempty"`
}

// ModelSection is the state of one file of a model.
type ModelSection struct {
	Name    string `json:"name"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
	Problem string `json:"problem,omitempty"` // "" where size and checksum are the manifest's
}

// VerifyModel compares the bundled model, byte by byte, with its manifest.
func VerifyModel(ctx context.Context) (*ModelReport, error) {
	name, sections := models.Bundled()
	report := &ModelReport{Model: name, OK: true}
	for _, m := range models.List() {
		if m.Name != name {
			continue
		}
		r, err := models.Verify(ctx, m, sections)
		if err != nil {
			return nil, err
		}
		report.OK = r.OK()
		for _, s := range r.Sections {
			report.Sections = append(report.Sections, ModelSection{s.Name, s.Size, s.SHA256, s.Problem})
		}
	}
	return report, nil
}

// EncodingReport is what [Engine.VerifyEncoding] found.
type EncodingReport struct {
	OK          bool    `json:"ok"`
	Fingerprint string  `json:"fingerprint"`
	Texts       int     `json:"texts"`
	LeastCosine float64 `json:"least_cosine"`
}

// leastCosine is how near to the stored vectors those of this machine must come: the
// promise of the encoder against its reference.
const leastCosine = 0.99999

// VerifyEncoding encodes the seed papers on this machine and compares their vectors
// with the stored ones, which the bundled model gave. An encoder of another fingerprint
// is refused.
func (e *Engine) VerifyEncoding(ctx context.Context) (*EncodingReport, error) {
	stored, err := openSeeds(ctx)
	if err != nil {
		return nil, err
	}
	enc, err := e.model()
	if err != nil {
		return nil, explain(err)
	}
	if of := string(enc.Fingerprint()); of != stored.model.Fingerprint {
		return nil, usagef("leave out --engine and --precision", "the stored vectors are of %s, not of %s", stored.model.Fingerprint, of)
	}
	again, err := stored.encoded(ctx, enc)
	if err != nil {
		return nil, explain(err)
	}
	r := &EncodingReport{Fingerprint: stored.model.Fingerprint, Texts: len(stored.papers), LeastCosine: 1}
	for i, v := range stored.vectors {
		r.LeastCosine = min(r.LeastCosine, float64(vec.Dot(v, again.vectors[i])))
	}
	r.OK = r.LeastCosine >= leastCosine
	return r, nil
}
