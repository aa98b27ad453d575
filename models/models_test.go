package models_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/models"
)

func TestTheBundledModelIsAsItsManifestSays(t *testing.T) {
	name, sections := models.Bundled()
	m := models.List()[0]
	if name != m.Name {
		t.Fatalf("the bundled model is %q, the first of the list %q", name, m.Name)
	}
	got, err := models.Verify(t.Context(), m, sections)
	if err != nil {
		t.Fatal(err)
	}
	want := models.Report{Model: name}
	for _, s := range m.Sections {
		want.Sections = append(want.Sections, models.SectionReport{Name: s.Name, Size: s.Size, SHA256: s.SHA256})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if !got.OK() {
		t.Error("OK() = false for an intact model")
	}
}

func TestVerifyNamesWhatIsWrong(t *testing.T) {
	m := models.Model{Name: "small", Sections: []models.Section{
		{Name: "a", Size: 3, SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}, // "abc"
	}}
	tests := []struct {
		name     string
		sections map[string][]byte
		problem  string // "" is none
	}{
		{"intact", map[string][]byte{"a": []byte("abc")}, ""},
		{"absent", nil, "missing"},
		{"cut short", map[string][]byte{"a": []byte("ab")}, "2 bytes, expected 3"},
		{"one bit changed", map[string][]byte{"a": []byte("abb")}, "expected ba7816bf"},
		{"a section too many", map[string][]byte{"a": []byte("abc"), "b": nil}, "not in the manifest"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			report, err := models.Verify(t.Context(), m, test.sections)
			if err != nil {
				t.Fatal(err)
			}
			var problems []string
			for _, s := range report.Sections {
				if s.Problem != "" {
					problems = append(problems, s.Problem)
				}
			}
			got := strings.Join(problems, "; ")
			if (test.problem == "") != (got == "") || !strings.Contains(got, test.problem) {
				t.Errorf("problems = %q, want %q", got, test.problem)
			}
			if report.OK() != (test.problem == "") {
				t.Errorf("OK() = %v with problems %q", report.OK(), got)
			}
		})
	}
}

func TestVerifyEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, sections := models.Bundled()
	if _, err := models.Verify(ctx, models.List()[0], sections); !errors.Is(err, context.Canceled) {
		t.Errorf("Verify under an ended context: error %v, want context.Canceled", err)
	}
}

func TestListIsTheCallersOwn(t *testing.T) {
	models.List()[0].Sections[0].SHA256 = "changed"
	if models.List()[0].Sections[0].SHA256 == "changed" {
		t.Error("writing to a returned manifest changed the next one")
	}
}

// The provenance beside the files states the checksums too, also of the one file
// that is not in the binary.
func TestTheProvenanceStatesTheChecksums(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	files := []string{"tokenizer.json"}
	for _, s := range models.List()[0].Sections {
		files = append(files, s.Name)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		if s := hex.EncodeToString(sum[:]); !strings.Contains(string(readme), s) {
			t.Errorf("README.md does not state %s, the checksum of %s", s, file)
		}
	}
}
