package engine

import (
	"context"

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
