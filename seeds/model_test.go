package seeds_test

import (
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/plaintext"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/vec"
	"github.com/seed-9f29d379/akin/models"
	"github.com/seed-9f29d379/akin/seeds"
)

var update = flag.Bool("update", false, "write vectors.bin anew")

// texts are what is embedded of the seed papers, as the library would.
func texts(t *testing.T) []string {
	t.Helper()
	var texts []string
	src := corpus.Source{Name: seeds.Name, Body: strings.NewReader(seeds.Papers())}
	for record, err := range plaintext.Format().Read(context.Background(), src) {
		if err != nil {
			t.Fatalf("%s:%d: %v", seeds.Name, record.Line, err)
		}
		texts = append(texts, record.Paper.Text())
	}
	if len(texts) != 19 {
		t.Fatalf("%d seed papers, want 19", len(texts))
	}
	return texts
}

// TestVectorsAreTheModels proves that vectors.bin is what the bundled model gives.
func TestVectorsAreTheModels(t *testing.T) {
	level, err := vec.CPU()
	if err != nil {
		t.Fatal(err)
	}
	texts := texts(t)
	if *update {
		if level == vec.Reference {
			t.Fatal("vectors.bin is written with a level that gives the same bytes as the others")
		}
		data, err := encode(t, texts).AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("vectors.bin", data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile("vectors.bin")
	if err != nil {
		t.Fatal(err)
	}
	got, err := seeds.ParseVectors(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Keys) != len(texts) {
		t.Fatalf("vectors.bin has %d vectors, want %d; run make generate", len(got.Keys), len(texts))
	}
	if level == vec.Reference { // plain Go takes seconds for one text
		texts = texts[:1]
		got.Keys = got.Keys[:1]
	}
	want := encode(t, texts)
	if got.Fingerprint != want.Fingerprint || got.Dim != want.Dim || !slices.Equal(got.Keys, want.Keys) {
		t.Fatalf("vectors.bin is of %d elements by %s, want %d by %s of the present texts; run make generate",
			got.Dim, got.Fingerprint, want.Dim, want.Fingerprint)
	}
	for i := range want.Keys {
		// The reference kernels round differently; all others give the same bytes.
		same := slices.Equal(got.Row(i), want.Row(i))
		if level == vec.Reference {
			same = cosine(got.Row(i), want.Row(i)) >= minCosine
		}
		if !same {
			t.Errorf("paper %d has another vector than the model gives; run make generate", i+1)
		}
	}
}

// minCosine is what two roundings of the same arithmetic differ by at most.
const minCosine = 0.999999

func cosine(a, b []float32) float64 {
	var dot float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
	}
	return dot
}

func encode(t *testing.T, texts []string) *seeds.Vectors {
	t.Helper()
	name, sections := models.Bundled()
	e, err := embed.Open(name, sections, embed.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.Encode(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	v := &seeds.Vectors{Fingerprint: string(e.Fingerprint()), Dim: e.Dim()}
	for i, o := range out {
		v.Keys = append(v.Keys, paper.Key(texts[i]))
		v.Rows = append(v.Rows, o.Vector...)
	}
	return v
}
